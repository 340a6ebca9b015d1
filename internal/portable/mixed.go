package portable

// Mixed returns a number in which each bit depends on all bits of both (the finisher of SplitMix64: Steele, Lea,
// Flood, OOPSLA 2014).
func Mixed(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 + b + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
