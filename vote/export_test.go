package vote

// Cells returns the number of cells.
func (h *Histogram) Cells() int { return h.cellCount() }

// Histogram returns the histogram of the rows that can be judged.
func (t *Table) Histogram() *Histogram { return t.histogram() }
