package dataset

import (
	"errors"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// The limits of what is read. What goes beyond is a [LimitError].
const (
	MaxField   = csvtext.MaxField   // bytes of a cell: 1 MiB
	MaxRecord  = csvtext.MaxRecord  // bytes of a row: 16 MiB
	MaxColumns = csvtext.MaxColumns // columns of a file: 1,048,576
	MaxName    = csvtext.MaxName    // bytes of a column name, a level or a label: 64 KiB
	MaxLevels  = 1<<16 - 1          // levels of a column, or labels before they are merged: 65,535
	MaxClasses = csvtext.MaxClasses // classes: 1000; more labels look like names of the rows
)

// ParseError is a fault in the data, with its place: the name of the File, the Line and the
// Column (its byte), both counted from 1 and 0 where the fault has none, the name of the
// column as Field, "" where the fault has none, and the fault itself as Err, which it unwraps
// to. It is the same type in all packages that read CSV.
type ParseError = csvtext.ParseError

// UsageError says that what was asked for cannot be, such as a column the file does not have.
// Its Text is one line: where, what, and how to mend it.
type UsageError = csvtext.UsageError

// ErrMisfit is of a warning that most rows cannot be judged, that nothing is known of any of ten rows
// and more, or that no cell is known of most columns of categories, as [errors.Is] tells. They are hardly rows for the model, and its figures would be about the
// few others.
var ErrMisfit = errors.New("most rows do not fit the model")

// ErrStrange is of a warning that rows are of classes that the model does not know, as [errors.Is] tells. Their labels are in
// [Frame].Strange.
var ErrStrange = errors.New("classes unknown to the model")

// ErrDrift is of a warning that a column is not as it was where a model was trained, by more than chance makes, as [errors.Is] tells: that values lie
// beyond all those of the training, which trees take for the largest, or the smallest, that they know; that they shifted between these; that cells are missing far more often; or that no
// category is one of the training. Of a single column a *[ColumnDrift] tells.
var ErrDrift = errors.New("a column is not as in training")

// warning is a warning of a kind.
type warning struct {
	error
	kind error
}

// Is makes [errors.Is] tell the kind.
func (w warning) Is(kind error) bool { return kind == w.kind }

// Unwrap has [errors.As] find what is said of a column.
func (w warning) Unwrap() error { return w.error }

// TellsWarning is that columns give the class away, or one of them nearly does: they may follow from it, and not be known of new rows.
type TellsWarning struct {
	Columns []string
	Text    string // one line: which, how, and how to mend it
}

func (w *TellsWarning) Error() string { return w.Text }

// LimitError says that the data go beyond one of the limits of this package. Its Text is one
// line: where, which limit, and how to mend it.
type LimitError = csvtext.LimitError
