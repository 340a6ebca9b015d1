package scoring

import (
	"fmt"
	"net/http"
)

// Refusal is an answer that is not what was asked for.
type Refusal struct {
	Code int // the status of HTTP
	Text string
	Rows []RowFault // that cannot be decided
}

func (r *Refusal) Error() string { return r.Text }

// Refusef is a Refusal of that status.
func Refusef(code int, format string, args ...any) error {
	return &Refusal{Code: code, Text: fmt.Sprintf(format, args...)}
}

// Unfit refuses a batch of which rows cannot be decided; nil if all can.
func (b *Batch) Unfit() error {
	if len(b.faults) == 0 {
		return nil
	}
	first := b.faults[0]
	text := fmt.Sprintf("row %d: column %q: %s", first.Row, first.Cells[0].Column, first.Cells[0].Reason)
	if len(b.faults) > 1 || len(first.Cells) > 1 {
		text += "; rows has all that is wrong"
	}
	rows := b.faults
	if len(rows) > mostFaults {
		rows = rows[:mostFaults]
		text = fmt.Sprintf("%s with the first %d rows", text, mostFaults)
	}
	return &Refusal{http.StatusUnprocessableEntity, text + "; no row was decided", rows}
}
