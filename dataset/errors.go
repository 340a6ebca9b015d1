package dataset

import (
	"errors"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// The limits of what is read. What goes beyond is a [LimitError].
const (
	maxField   = csvtext.MaxField   // bytes of a cell: 1 MiB
	maxRecord  = csvtext.MaxRecord  // bytes of a row: 16 MiB
	maxColumns = csvtext.MaxColumns // columns of a file: 1,048,576
	maxName    = csvtext.MaxName    // bytes of a column name, a level or a label: 64 KiB
	maxLevels  = 1<<16 - 1          // levels of a column, or labels before they are merged: 65,535
	maxClasses = csvtext.MaxClasses // classes: 1000; more labels look like names of the rows
)

// ParseError is a fault in the data and its place: the name of the File; the Line and the Column (a byte in the
// line), counted from 1, or 0 if the fault has none; the name of the column as Field, or "" if the fault has
// none; and the fault itself as Err, which Unwrap returns. All packages that read CSV share this type.
type ParseError = csvtext.ParseError

// UsageError says that a request cannot be met, such as one for a column that the file does not have. Its Text
// is one line: where, what, and how to mend it.
type UsageError = csvtext.UsageError

// ErrMisfit marks a warning, as [errors.Is] tells, that most rows cannot be judged, that nothing is known of
// any of ten or more rows, or that no cell is known of most categorical columns. Such rows are hardly meant for
// the model, and its figures would be about the few others.
var ErrMisfit = errors.New("most rows do not fit the model")

// ErrUnknownClass marks a warning, as [errors.Is] tells, that rows are of classes that the model does not know.
// Their labels are in [Frame].Strange.
var ErrUnknownClass = errors.New("classes unknown to the model")

// ErrClassLeftOut marks a warning, as [errors.Is] tells, that rows are of classes that were left out of training.
// Their labels are in [Frame].Strange, too.
var ErrClassLeftOut = errors.New("classes left out of training")

// ErrOrdered marks a warning, as [errors.Is] tells, that the rows are in the order of a column that may be a time, see
// [Frame.Ordered].
var ErrOrdered = errors.New("rows are in the order of a column")

// ErrDrift marks a warning, as [errors.Is] tells, that a column is not as it was in the training of the model,
// by more than chance explains: values lie beyond all those of the training, which trees treat like the largest
// or smallest that they know; values have shifted within that range; cells are missing far more often; or no
// category is known from the training. If it is about a single column, [errors.As] finds a *[ColumnDrift].
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

// TellsWarning says that columns give the class away, or that one nearly does: their values may follow from the
// class, and not be known for new rows.
type TellsWarning struct {
	Columns []string
	Text    string // one line: which, how, and how to mend it
}

func (w *TellsWarning) Error() string { return w.Text }

// GapsWarning is that missing cells tell a class, which a model learns: they may be missing because of what somebody
// expected of the row.
type GapsWarning struct {
	Text   string // one line: of which columns, and which class
	Advice string // what goes on with, for who decides rows that lack such a cell
}

func (w *GapsWarning) Error() string { return w.Text + w.Advice }

// LimitError says that the data go beyond one of the limits of this package. Its Text is one
// line: where, which limit, and how to mend it.
type LimitError = csvtext.LimitError
