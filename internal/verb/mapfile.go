package verb

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/rowkind"
	"github.com/rfpragma/rfpragma/internal/view"
)

// mapFile is a map from the scores of any model to probabilities, as JSON.
type mapFile struct {
	SchemaVersion int      `json:"schema_version"`
	Kind          string   `json:"kind"` // mapKind
	Classes       []string `json:"classes"`
	// the column of scores for the last class; "" where each class has one
	Score  string    `json:"score,omitempty"`
	Votes  bool      `json:"votes,omitempty"` // the columns have whole votes
	Trees  int       `json:"trees,omitempty"` // shares are smoothed as those of so many trees; 0 where they are not
	Range  *span     `json:"range,omitempty"` // of the column of scores; older files have none
	Method string    `json:"method"`
	Maps   calib.Set `json:"maps"`
}

const mapKind = "rfpragma calibration"

func (m *mapFile) write(w io.Writer) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// mostMapBytes is how large a file of a map may be.
const mostMapBytes = 64 << 20

// readMap reads a map file. Errors are those of a model file: [rfpragma.ErrFormat].
func readMap(r io.Reader, name string) (*mapFile, error) {
	b, err := io.ReadAll(io.LimitReader(r, mostMapBytes+1))
	if err != nil {
		return nil, err
	}
	fault := func(err error) error { return fmt.Errorf("%s: %w: %w", name, rfpragma.ErrFormat, err) }
	if len(b) > mostMapBytes {
		return nil, fault(fmt.Errorf("it has more than %d bytes", mostMapBytes))
	}
	var m mapFile
	in := json.NewDecoder(bytes.NewReader(b))
	in.DisallowUnknownFields()
	if err := in.Decode(&m); err != nil {
		return nil, fault(err)
	}
	seen := map[string]bool{}
	for _, c := range m.Classes {
		seen[c] = true
	}
	switch {
	case m.Kind != mapKind:
		return nil, fault(fmt.Errorf("it is no map of rfpragma calibrate"))
	case m.SchemaVersion != view.SchemaVersion:
		return nil, fault(fmt.Errorf("its version is %d, and this program reads %d; update rfpragma", m.SchemaVersion,
			view.SchemaVersion))
	case len(m.Classes) < 2 || m.Maps.Classes() != len(m.Classes) || len(seen) != len(m.Classes) || m.Score != "" &&
		len(m.Classes) != 2:
		return nil, fault(fmt.Errorf("it has %d classes, and maps for %d", len(m.Classes), m.Maps.Classes()))
	case m.Range != nil && (m.Score == "" || !(m.Range.Low <= m.Range.High)):
		return nil, fault(fmt.Errorf("it is fitted on scores from %v to %v", m.Range.Low, m.Range.High))
	case m.Trees < 0 || m.Trees > 0 && m.Votes:
		return nil, fault(fmt.Errorf("it is fitted on shares of %d trees; give 1 or more, and none with votes", m.Trees))
	}
	return &m, nil
}

// applyMap writes the probabilities of the rows of a file of scores.
func applyMap(p *cli.Program, c *urfave.Context, from, path, to string) error {
	for _, flag := range []string{"folds", "calibrate", "positive"} {
		if c.IsSet(flag) {
			return cli.Usagef("--%s is for fitting a map, and %s is one; leave it out", flag, from)
		}
	}
	form, err := p.RowForm(c)
	if err != nil {
		return err
	}
	f, err := cli.OpenFile(c.Context, from)
	if err != nil {
		return err
	}
	defer f.Close()
	m, err := readMap(f, from)
	if err != nil {
		return err
	}
	o, err := p.Options(c)
	if err != nil {
		return err
	}
	o.Target, o.Positive = "", ""
	if m.Score != "" {
		o.Schema = dataset.Schema{{Name: m.Score}}
	} else {
		for _, name := range m.Classes {
			o.Schema = append(o.Schema, dataset.Field{Name: name})
		}
	}
	rows, err := p.OpenRows(c, path, o, dataset.Reading{Target: cmp.Or(c.String("target"), "class")})
	if err != nil {
		return err
	}
	defer rows.Close()
	if to == "" {
		to = "-"
	}
	form.ID, form.Mapped = o.ID, true
	met := scale{fitted: m.fittedOn()}
	err = p.WriteTo(c.Context, to, func(w io.Writer) error { return m.apply(w, rows, form, &met) })
	if err == nil {
		p.Warn(append(met.warnings(cli.Called(path)), rows.Warnings()...))
		p.Say("%s mapped%s.", english.Plural(rows.Done, "row"), p.AndWritten(to))
	}
	return err
}

// order returns the classes in the order in which all verbs write them; of two the map has that of the scores last.
func (m *mapFile) order() []int {
	order, compare := make([]int, len(m.Classes)), csvtext.Order(m.Classes)
	for c := range order {
		order[c] = c
	}
	slices.SortFunc(order, func(a, b int) int { return compare(m.Classes[a], m.Classes[b]) })
	return order
}

// apply streams rows through the map.
func (m *mapFile) apply(w io.Writer, rows *cli.Rows, form view.RowForm, met *scale) error {
	name, order, buffered := rows.Source.Name(), m.order(), bufio.NewWriterSize(w, 1<<16)
	for _, c := range order {
		form.Classes = append(form.Classes, m.Classes[c])
	}
	if err := cli.Check(&form, name); err != nil {
		return err
	}
	form.Begin(buffered)
	k, most, write := len(m.Classes), 0.0, form.Lines()
	share, prob, d := make([]float64, k), make([]float64, k), view.Decided{Prob: make([]float64, k)}
	var one view.DecidedLines
	var faults rowFaults
	err := rows.EachBlock(func(frame *dataset.Frame) error {
		for i := range frame.Rows() {
			number := rows.Done + i + 1
			votes, err := m.shares(share, frame.Columns, i, met)
			if faults.note(number, err); faults.first != nil || met.other() {
				continue // to tell of others, too
			}
			most = max(most, votes)
			m.Maps.Probabilities(prob, share)
			for at, c := range order {
				d.Prob[at] = prob[c]
			}
			if frame.ID != nil {
				d.ID = frame.ID[i]
			}
			one.Clear()
			write(&one, d)
			if _, err := buffered.Write(one.Line(buffered.AvailableBuffer(), 0, number)); err != nil {
				return err
			}
		}
		if rows.O.Endless {
			return cmp.Or(faults.err(name), met.err(name))
		}
		return nil
	})
	if err = cmp.Or(err, faults.err(name), met.err(name)); err != nil {
		return err
	}
	if m.Votes && most == 1 {
		return &dataset.ParseError{File: name, Err: fmt.Errorf("every row has one vote, or shares of 0 and 1; %s",
			wantsVotes)}
	}
	return buffered.Flush()
}

// wantsVotes says what a map of votes is for.
const wantsVotes = "the map is fitted on whole numbers of votes: give those, which are shares times the number of " +
	"trees, or fit a map on shares"

// shares writes into dst what the map takes of row i, and returns the sum of its scores. Votes become shares where
// the map is of shares, as their number does not matter to it; the other way it would.
func (m *mapFile) shares(dst []float64, columns []dataset.Column, i int, met *scale) (float64, error) {
	if err := rowScores(dst, columns, i); err != nil {
		return 0, err
	}
	if m.Score != "" {
		met.add(dst[1])
	}
	sum, whole := new(rowkind.Kinds).Add(dst)
	if m.Votes && !whole {
		return 0, fmt.Errorf("has scores that are no whole numbers; %s", wantsVotes)
	}
	if m.Score == "" {
		toShares(dst, m.Votes)
	}
	smoothShares(dst, m.Trees)
	return sum, nil
}
