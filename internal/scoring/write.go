package scoring

// AppendRows appends the rows of a batch, each as an object of cells by the names of their columns.
func (b *Batch) AppendRows(to []byte) []byte {
	to = append(to, '[')
	for i := range b.Rows {
		if i > 0 {
			to = append(to, ',')
		}
		to = b.AppendRow(to, i)
	}
	return append(to, ']')
}

// AppendRow appends a row as an object of cells by the names of their columns.
func (b *Batch) AppendRow(to []byte, i int) []byte {
	for j := range b.Of.Fields {
		f, v := &b.Of.Fields[j], 0.0
		if j < b.Of.P {
			v = b.Row(i)[j]
		} else {
			v = b.Amounts[i]
		}
		to = append(AppendText(append(to, "{,"[min(j, 1)]), f.Name), ':')
		if f.Levels != nil && v == v {
			to = AppendText(to, f.Text(v))
		} else {
			to = AppendNumber(to, v)
		}
	}
	return append(to, '}')
}
