package vote

// RowWeights returns, for each row of t.Compress(), what a row merged into it weighs: Σw²/Σw, the mean of their
// weights, each counted as often as it weighs. A row of t that stands for several is taken as rows of equal
// weight.
func (t *Table) RowWeights() []float64 {
	if !t.shaped() {
		return nil
	}
	h := t.histogram()
	sums, rests := make([]float64, h.cellCount()), make([]float64, h.cellCount())
	for i, votes := range t.Judged() {
		w := t.WeightOf(i)
		if !(w > 0) {
			continue
		}
		c := h.cell(key{votes: votes, truth: t.Truth[i], in: t.InOf(i)})
		part := w / (h.sums[c] + h.rests[c]) // first, as w² need not be a number
		sum, rest := twoSum(sums[c], float64(part*(w/float64(t.TimesOf(i)))))
		sums[c] = sum
		rests[c] += rest
	}
	out := make([]float64, 0, len(sums))
	for _, c := range h.order(t.TieOrder()) {
		out = append(out, sums[c]+rests[c])
	}
	return out
}
