package pipe

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Request asks for one thing. Which fields are used follows from Op; fields that a client invents are refused.
type Request struct {
	ID      uint64   `json:"id"`      // comes back in the answer
	Op      string   `json:"op"`      // what is asked for, one of the keys of operations
	Buffers []uint64 `json:"buffers"` // lengths of the buffers in the body

	Table   *Table   `json:"table"`   // rows
	Model   *Ref     `json:"model"`   // a model that is asked
	Options Options  `json:"options"` // how to read, what is wanted, how to fit
	Judge   Judge    `json:"judge"`   // how to cross-validate
	Scores  *Scores  `json:"scores"`  // scores of another model
	Want    []string `json:"want"`    // what the answer is to have beside what it always has
	Reasons int      `json:"reasons"` // of predict: how many reasons for each row
	Change  *Change  `json:"change"`  // of predict: which changes of each row
	Repeats int      `json:"repeats"` // of importance: how often a column is permuted; 0 means 5
	Title   string   `json:"title"`   // of a page

	Explain    *Explain `json:"explain"`    // of explain: what is split
	Background *Table   `json:"background"` // of explain: usual rows
}

// Ref names a model by the SHA-256 of its file, and has the file itself where the other side may not know it.
type Ref struct {
	ID     string `json:"id"`
	Buffer *int   `json:"buffer"` // index of the buffer with the file; nil where the model is to be known
}

// Judge says how to cross-validate. Zero values stand for the defaults of the command.
type Judge struct {
	Folds   int   `json:"folds"`
	Repeats int   `json:"repeats"`
	FoldOf  []int `json:"fold_of"` // fold of each row, from 0; nil draws them
}

// Scores are scores or probabilities of rows for classes, row by row, as float64.
type Scores struct {
	Classes []string `json:"classes"` // k names
	Buffer  int      `json:"buffer"`  // n×k, row by row; with Single n scores of the second class
	Single  bool     `json:"single"`
	Truth   *int     `json:"truth"`  // buffer of n int32, indices of classes, -1 where not known
	Weight  *int     `json:"weight"` // buffer of n float64, case weights
	Group   *int     `json:"group"`  // buffer of n int32; equal numbers mark rows that belong together
	Map     string   `json:"map"`    // of apply: what calibrate has answered
}

// answer answers a request.
type answer struct {
	ID       uint64    `json:"id"`
	Result   any       `json:"result,omitempty"`
	Error    *Fault    `json:"error,omitempty"`
	Warnings []warning `json:"warnings,omitempty"`
	Lengths  []uint64  `json:"buffers"`

	buffers [][]byte
}

// add adds a buffer and returns its index.
func (a *answer) add(b []byte) int {
	a.buffers, a.Lengths = append(a.buffers, b), append(a.Lengths, uint64(len(b)))
	return len(a.buffers) - 1
}

// parse reads a header.
func parse(header []byte) (*Request, error) {
	d := json.NewDecoder(bytes.NewReader(header))
	d.DisallowUnknownFields()
	r := &Request{}
	if err := d.Decode(r); err != nil {
		_ = json.Unmarshal(header, &struct { // so that the answer finds its request
			ID *uint64 `json:"id"`
		}{&r.ID})
		return r, protocolf("the header is no request: %v", err)
	}
	return r, nil
}

// buffer returns a buffer of a request.
func buffer(buffers [][]byte, at, bytes int, what string) ([]byte, error) {
	switch {
	case at < 0 || at >= len(buffers):
		return nil, protocolf("%s in buffer %d of %d", what, at, len(buffers))
	case bytes >= 0 && len(buffers[at]) != bytes:
		return nil, protocolf("%s has %d bytes, not %d", what, len(buffers[at]), bytes)
	}
	return buffers[at], nil
}

// protocolError is a request that no client should send.
type protocolError struct{ text string }

func (e *protocolError) Error() string { return e.text }

func protocolf(format string, args ...any) error { return &protocolError{fmt.Sprintf(format, args...)} }
