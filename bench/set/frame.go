package set

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/rfpragma/rfpragma/dataset"
)

// Frame returns the rows of m as a frame of columns x0, x1, ... and of the given number of
// classes, named 0, 1, ... Truth y has length m.Rows. Levels tells of each column how many levels
// it has, 0 if it is numeric; nil is numeric columns alone.
func Frame(m Matrix, y []int, classes int, levels []int) *dataset.Frame {
	f := empty(m, y, classes, levels)
	for from := 0; from < m.Columns; from += together {
		for i, v := range m.columns(nil, from, min(from+together, m.Columns)) {
			f.Columns[from+i].Values = v
		}
	}
	return f
}

// Coded is Frame with coded columns, as the readers of files make them: so many workers code
// them at once, and the numbers of a column are only there while it is coded.
func Coded(m Matrix, y []int, classes int, levels []int, workers int) *dataset.Frame {
	f := empty(m, y, classes, levels)
	step := max(1, min(together, mostHeld/max(1, m.Rows)))
	starts := make(chan int)
	var group sync.WaitGroup
	for range min(workers, m.Columns) {
		group.Go(func() {
			var coder dataset.Coder
			var room []float64
			for from := range starts {
				if room == nil {
					room = make([]float64, step*m.Rows)
				}
				for i, v := range m.columns(room, from, min(from+step, m.Columns)) {
					f.Columns[from+i].Codes = coder.Code(&dataset.Column{Field: f.Columns[from+i].Field, Values: v})
				}
			}
		})
	}
	for from := 0; from < m.Columns; from += step {
		starts <- from
	}
	close(starts)
	group.Wait()
	return f
}

// Cells returns the rows of a frame, rounded to float32. A category is the index of its level,
// NaN a missing cell.
func Cells(f *dataset.Frame) Matrix {
	m := Matrix{f.Rows(), len(f.Columns), make([]float32, 0, f.Rows()*len(f.Columns))}
	row := make([]float64, m.Columns)
	for i := range m.Rows {
		f.Row(row, i)
		for _, v := range row {
			m.Cells = append(m.Cells, float32(v))
		}
	}
	return m
}

const (
	together = 16      // columns that are taken from a matrix in one pass: as many cells as memory fetches at once
	mostHeld = 1 << 20 // numbers of columns that are held at once by a worker that codes them
)

func empty(m Matrix, y []int, classes int, levels []int) *dataset.Frame {
	f := &dataset.Frame{Truth: y, Classes: make([]string, classes), Columns: make([]dataset.Column, m.Columns)}
	for c := range f.Classes {
		f.Classes[c] = strconv.Itoa(c)
	}
	for j := range f.Columns {
		f.Columns[j].Name = "x" + strconv.Itoa(j)
	}
	for j, n := range levels {
		if n == 0 {
			continue
		}
		f.Columns[j].Kind = dataset.Categorical
		for l := range n {
			f.Columns[j].Levels = append(f.Columns[j].Levels, fmt.Sprintf("%06d", l)) // levels are sorted
		}
	}
	return f
}

// columns returns the columns from to to-1 of m, in room or, where that is nil, each in its own.
func (m Matrix) columns(room []float64, from, to int) [][]float64 {
	out := make([][]float64, to-from)
	for j := range out {
		if room == nil {
			out[j] = make([]float64, m.Rows)
		} else {
			out[j] = room[j*m.Rows : (j+1)*m.Rows]
		}
	}
	for i := range m.Rows {
		for j, v := range m.Cells[i*m.Columns+from : i*m.Columns+to] {
			out[j][i] = float64(v)
		}
	}
	return out
}
