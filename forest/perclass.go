package forest

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/english"
)

// isDraw tells whether a value of [Config.ClassRows] is a share, or a number of rows.
func isDraw(rows float64) bool {
	return rows >= 0 && (rows <= 1 || rows == math.Trunc(rows) && rows <= math.MaxUint32)
}

// draws returns how many rows of a class are drawn, where its bag would draw n of them if Fraction were 1.
func (c Config) draws(class, n int) int {
	if c.ClassRows == nil || c.ClassRows[class] == 0 {
		return c.share(n)
	}
	if rows := c.ClassRows[class]; rows > 1 {
		return int(rows)
	}
	return Config{Fraction: c.ClassRows[class]}.share(n)
}

// checkClassRows says what is wrong with how much is drawn of each class, of so many rows (len k).
func (c Config) checkClassRows(rows []int, classes []string) error {
	if c.ClassRows == nil {
		return nil
	}
	if len(c.ClassRows) != len(classes) {
		return fmt.Errorf("%w: rows of %d classes for a bag; there are %d classes", ErrConfig, len(c.ClassRows), len(classes))
	}
	for class, n := range rows {
		if draws := c.ClassRows[class]; n > 0 && draws > 1 && int(draws) > n {
			return fmt.Errorf("%w: a bag is to draw %v rows of class %s, which has %d; draw at most that many, or a share of "+
				"them such as 0.5", ErrConfig, draws, english.Quote(classes[class]), n)
		}
	}
	return nil
}

// Proportional returns c with the numbers of rows in ClassRows replaced by the shares that they are of the rows
// of train, so that bags of a part of train are drawn in the same proportions. Errors: [ErrConfig].
func (c Config) Proportional(train *dataset.Frame) (Config, error) {
	if c.ClassRows == nil {
		return c, nil
	}
	rows := make([]int, len(train.Classes))
	for i, class := range train.Truth {
		if class >= 0 && train.WeightOf(i) > 0 {
			rows[class]++
		}
	}
	if err := c.checkClassRows(rows, train.Classes); err != nil {
		return c, err
	}
	c.ClassRows = slices.Clone(c.ClassRows)
	for class, draws := range c.ClassRows {
		if draws > 1 {
			c.ClassRows[class] = draws / float64(max(1, rows[class]))
		}
	}
	return c, nil
}
