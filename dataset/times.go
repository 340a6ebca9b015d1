package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/dateparts"
	"github.com/rfpragma/rfpragma/internal/english"
)

// beside takes what a row to train on carries beside its features and its label.
func (tr *training) beside(cells []Cell) error {
	var when []Cell
	for i, j := range tr.times {
		cell := cells[j].trimmed()
		if tr.missing.features[len(tr.features)+i].missing(&cell, false) {
			return tr.faultf(j, "the row has no time; fill the cell, or leave the row out of the file")
		}
		when = append(when, cell)
	}
	switch {
	case len(when) == 1:
		tr.side.time = append(tr.side.time, tr.side.dates.keep(when[0].String()))
	case len(when) > 1:
		date, err := tr.dateOf(when)
		if err != nil {
			return err
		}
		tr.side.time = append(tr.side.time, tr.side.dates.keep(date))
	}
	return tr.side.add(tr.table, &tr.layout, cells)
}

// when returns the column that says when each row was, nil if there is none.
func (tr *training) when() (*Column, error) {
	if len(tr.times) == 0 {
		return nil, nil
	}
	s, name := &tr.side, tr.timeName()
	c := &Column{Field: Field{Name: name}, Values: make([]float64, len(s.time))}
	numbers := make([]float64, len(s.dates.names))
	for i, text := range s.dates.names {
		v, form := csvtext.ParseMarked(text, cmp.Or(tr.o.Decimal, '.'))
		if numbers[i] = v; form == csvtext.Word || form == csvtext.Huge {
			c.Kind = Categorical
		}
	}
	if c.Kind == Categorical {
		c.Levels = slices.Sorted(slices.Values(s.dates.names))
		for i, text := range s.dates.names {
			numbers[i] = c.Level(text)
		}
	}
	for i, n := range s.time {
		c.Values[i] = numbers[n]
	}
	if _, err := c.times(); err != nil {
		return nil, tr.fileFaultf(name, "%w", err)
	}
	return c, nil
}

// times returns when each row was, by a number that rises with the time.
func (c *Column) times() ([]float64, error) {
	if c.Kind == Numeric {
		values := make([]float64, c.length())
		for i := range values {
			if values[i] = c.At(i); values[i] != values[i] {
				return nil, fmt.Errorf("row %d has no time; give it one, or leave it out", i+1)
			}
		}
		return values, nil
	}
	var read [][]float64
	for _, form := range dateForms {
		if levels := c.dates(form); levels != nil {
			times := make([]float64, c.length())
			for i := range times {
				cell := c.At(i)
				if cell != cell {
					return nil, fmt.Errorf("row %d has no time; give it one, or leave it out", i+1)
				}
				times[i] = levels[int(cell)]
			}
			read = append(read, times)
		}
	}
	switch {
	case read == nil:
		if times := c.ofParts(); times != nil {
			return times, nil
		}
		return nil, c.undated()
	case len(read) == 1:
		return read[0], nil
	}
	if rising := slices.DeleteFunc(slices.Clone(read), func(t []float64) bool { return !slices.IsSorted(t) }); len(
		rising) == 1 {
		return rising[0], nil // the way in which the rows are in order
	}
	return nil, fmt.Errorf("dates such as %s may begin with the day or with the month; write them as 2024-01-31",
		english.Quote(c.Levels[0]))
}

// undated says of a column of texts which of them is no date in the form of most, or that none is one.
func (c *Column) undated() error {
	best, most := "", 0
	for _, form := range dateForms {
		n := 0
		for _, level := range c.Levels {
			if _, ok := dated(form, level); ok {
				n++
			}
		}
		if n > most {
			best, most = form, n
		}
	}
	strange, example := c.Levels[0], "2024-01-31, 31.1.2024 or Jan 2024"
	for _, level := range c.Levels {
		if _, ok := dated(best, level); best != "" && ok {
			example = level
		} else {
			strange = level
		}
	}
	if best == "" && dateparts.MonthOf(strange) > 0 {
		return fmt.Errorf("%s comes back each year; name the column of the year before that of the month: %s",
			csvtext.Show(strange), csvtext.Flag("time", "YEAR,"+c.Name, "YEAR,COL"))
	}
	return fmt.Errorf("%s is neither a number nor a date such as %s; correct it, or name a column of times",
		csvtext.Show(strange), strings.TrimSpace(example))
}

// Block is a stretch of time and its rows.
type Block struct {
	From, To string // the first and the last time, as they stand in the data
	Rows     []int  // indices of the rows, ascending
}

// Blocks divides the rows of f by f.Time into k+1 blocks for judging with a rolling origin: each of the k later
// blocks is judged by a model trained on all blocks before it. The blocks are in the order of time and have
// about as many rows each, counting those of weight above 0; rows of one time are in one block.
//
// As no forest can be grown on a single class, the first block takes in the following ones until it has two
// classes, and further until it has every class if at least half of the rows then remain to be judged. In that
// case there are fewer blocks.
//
// Errors: *UsageError if k < 1, if there are fewer than k+1 times, or if no rows remain to be judged after the
// first block has two classes; an error if the times cannot be told.
func (f *Frame) Blocks(k int) ([]Block, error) {
	times, distinct, err := f.timesOf()
	switch {
	case err != nil:
		return nil, err
	case k < 1:
		return nil, csvtext.Usagef("%d folds in the order of time; ask for at least 1", k)
	case len(distinct) < 2:
		return nil, csvtext.Usagef("cannot judge later rows by earlier ones: all are of one time by column %s; name "+
			"another column", english.Quote(f.Time.Name))
	case len(distinct) <= k:
		return nil, csvtext.Usagef("cannot make %d folds of %d times; ask for %d or fewer", k, len(distinct), len(distinct)-1)
	}
	counts, all := make([]int, len(distinct)), 0
	at := make([]int, len(times)) // of the time of each row among the distinct ones
	for i, t := range times {
		at[i], _ = slices.BinarySearch(distinct[:len(distinct)-1], t)
		if f.WeightOf(i) > 0 {
			counts[at[i]]++
			all++
		}
	}
	ends := cuts(counts, all, k+1)
	blocks := make([]Block, k+1)
	first, last := make([]int, k+1), make([]int, k+1) // rows
	for i := range times {
		b, _ := slices.BinarySearch(ends, at[i]+1)
		if blocks[b].Rows == nil || times[i] < times[first[b]] {
			first[b] = i
		}
		if blocks[b].Rows == nil || times[i] > times[last[b]] {
			last[b] = i
		}
		blocks[b].Rows = append(blocks[b].Rows, i)
	}
	for b := range blocks {
		blocks[b].From, blocks[b].To = f.Time.Text(f.Time.At(first[b])), f.Time.Text(f.Time.At(last[b]))
	}
	return f.start(blocks)
}

// MostBlocks returns the largest k that [Frame.Blocks] accepts for f, one less than the number of different
// times; 0 if f has none that can be told.
func (f *Frame) MostBlocks() int {
	_, distinct, err := f.timesOf()
	if err != nil {
		return 0
	}
	return max(0, len(distinct)-1)
}

// timesOf returns when each row was, and the distinct times of the rows that have a weight above 0.
func (f *Frame) timesOf() (times, distinct []float64, err error) {
	if f.Time == nil {
		return nil, nil, csvtext.Usagef("there is no column of times; name one with {time}")
	}
	if times, err = f.Time.times(); err != nil {
		return nil, nil, fmt.Errorf("column %s: %w", english.Quote(f.Time.Name), err)
	}
	for i, t := range times {
		if f.WeightOf(i) > 0 {
			distinct = append(distinct, t)
		}
	}
	slices.Sort(distinct)
	return times, slices.Compact(distinct), nil
}

// cuts returns after how many of the times each of so many blocks ends, all of them with a time, whose rows are
// counted.
func cuts(counts []int, all, blocks int) []int {
	ends := make([]int, blocks)
	at, sum := 0, 0
	for b := range ends[:blocks-1] {
		want := float64(all) * float64(b+1) / float64(blocks)
		least, most := at+1, len(counts)-(blocks-1-b)
		for at < most && (at < least || math.Abs(float64(sum+counts[at])-want) <= math.Abs(float64(sum)-want)) {
			sum += counts[at]
			at++
		}
		ends[b] = at
	}
	ends[blocks-1] = len(counts)
	return ends
}

// start has the first block take in others until a forest can be grown on it.
func (f *Frame) start(blocks []Block) ([]Block, error) {
	classes, all := 0, 0
	for _, w := range f.ClassWeights() {
		if w > 0 {
			classes++
		}
	}
	if classes < 2 { // as nothing can be judged
		return blocks, nil
	}
	for i := range f.Rows() {
		if f.WeightOf(i) > 0 {
			all++
		}
	}
	seen, rows, two := map[int]bool{}, 0, 0 // two is how many blocks have rows of two classes
	for b, block := range blocks[:len(blocks)-1] {
		for _, i := range block.Rows {
			if f.WeightOf(i) > 0 {
				rows++
				if f.Truth[i] >= 0 {
					seen[f.Truth[i]] = true
				}
			}
		}
		if two == 0 && len(seen) > 1 {
			two = b + 1
		}
		if two > 0 && 2*rows > all {
			break
		}
		if len(seen) == classes {
			two = b + 1
			break
		}
	}
	if two == 0 {
		return nil, csvtext.Usagef("cannot judge later rows by earlier ones: up to %s all rows are of a single class; name "+
			"fewer folds, or get earlier rows of another class", blocks[len(blocks)-2].To)
	}
	first := Block{From: blocks[0].From, To: blocks[two-1].To}
	for _, b := range blocks[:two] {
		first.Rows = append(first.Rows, b.Rows...)
	}
	slices.Sort(first.Rows)
	return append([]Block{first}, blocks[two:]...), nil
}
