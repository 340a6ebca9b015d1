package forest

// Depth returns the number of splits above the deepest leaf.
func (t Tree) Depth() int {
	l, p, depth, deepest := t.f.layout, uint32(len(t.f.cuts)), make([]int, len(t.nodes)), 0
	for i, n := range t.nodes {
		deepest = max(deepest, depth[i])
		if c := n.child(); l.featureOf(n) != p {
			depth[c], depth[c+1] = depth[i]+1, depth[i]+1
		}
	}
	return deepest
}
