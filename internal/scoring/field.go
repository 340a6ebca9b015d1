package scoring

import (
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// Field is a column of a model with what makes its cells quick to read. Whatever is not read quickly is left to
// [dataset.Field.Cell], so that both always say the same.
type Field struct {
	dataset.Field
	words  []string           // for a missing cell, as dataset.Reading has them
	plain  bool               // a number is itself: none of the words is one
	levels map[string]float64 // the cells of the categories and words as they are written, of a categorical column
}

func newField(f dataset.Field, words []string) Field {
	out := Field{Field: f, words: words, plain: f.Unit == ""}
	own := f.Name + "="
	out.levels = map[string]float64{}
	for _, word := range words {
		if rest, is := strings.CutPrefix(word, own); is {
			word = rest
		}
		if _, form := csvtext.ParseNumber(word); form != csvtext.Word {
			out.plain = false
		}
		out.know(word)
	}
	if f.Kind == dataset.Categorical {
		for _, level := range f.Levels {
			out.know(level)
		}
	}
	return out
}

// know keeps the cell of a text, unless it is none of the column.
func (f *Field) know(text string) {
	if v, err := f.Cell(text, f.words); err == nil && (v == v || !f.unseen(text)) {
		f.levels[text] = v
	}
}

// text reads a cell that is a text. A category that the training did not have is a finding.
func (f *Field) text(b []byte) (v float64, unseen bool, err error) {
	if v, known := f.levels[string(b)]; known {
		return v, false, nil
	}
	if f.Kind == dataset.Numeric && f.plain && len(b) > 0 {
		if v, form := csvtext.ParseNumber(view(b)); form != csvtext.Word && form != csvtext.Huge {
			return v, false, nil
		}
	}
	v, err = f.Cell(string(b), f.words)
	return v, err == nil && v != v && f.unseen(string(b)), err
}

// digits reads a cell that is a number, as JSON writes it.
func (f *Field) digits(b []byte) (v float64, unseen bool, err error) {
	if f.Kind == dataset.Numeric && f.plain {
		if v, form := csvtext.ParseNumber(view(b)); form != csvtext.Huge && form != csvtext.Word {
			return v, false, nil
		}
	}
	v, err = strconv.ParseFloat(string(b), 64)
	if err != nil {
		_, err = csvtext.Number(string(b))
		return 0, false, err
	}
	return f.number(v)
}

// number reads a cell that is a number; NaN is a missing one.
func (f *Field) number(v float64) (cell float64, unseen bool, err error) {
	switch {
	case v != v:
		return v, false, nil
	case f.Kind == dataset.Numeric && f.plain && math.Abs(v) <= math.MaxFloat64:
		return v + 0, false, nil // 0 has no sign
	case f.Kind == dataset.Categorical && v == math.Trunc(v) && math.Abs(v) < 1<<53:
		var room [20]byte
		if cell, known := f.levels[string(strconv.AppendInt(room[:0], int64(v), 10))]; known {
			return cell, false, nil
		}
	}
	cell, err = f.Cell(v, f.words)
	return cell, err == nil && cell != cell && f.unseen(f.shown(v)), err
}

// shown is a number as the text of a category.
func (f *Field) shown(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatInt(int64(v), 10)
	}
	return dataset.Field{}.Text(v)
}

// unseen tells whether a text, the cell of which is missing, is so only because it is none of the categories.
func (f *Field) unseen(text string) bool {
	if f.Kind != dataset.Categorical {
		return false
	}
	other := f.Field
	other.Levels = []string{strings.TrimSpace(text)}
	known, err := other.Cell(text, f.words)
	return err == nil && known == known
}

// fault is what is wrong with a cell of the field.
func (f *Field) fault(value []byte, reason string) rfpragma.CellError {
	const most = 100 // bytes of a value that is no cell
	return rfpragma.CellError{Column: f.Name, Value: strings.ToValidUTF8(string(value[:min(len(value), most)]), "�"),
		Reason: reason}
}

// view is b as a string that must not be kept.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
