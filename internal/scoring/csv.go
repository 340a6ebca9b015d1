package scoring

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
)

// CSV reads rows as a file is read for the model, see [dataset.Reader]: columns by their names, in any order.
func (b *Batch) CSV(body []byte, most int) error {
	m := b.Of.Model
	o := dataset.Options{Schema: m.Forest.Schema, Missing: m.Provenance.Reading.Missing}
	if b.Of.Amount >= 0 {
		o.Amount = m.Provenance.Reading.Amount
	}
	rows, err := dataset.NewReader(bytes.NewReader(body), "rows", o)
	if err != nil {
		return csvError(err)
	}
	for {
		frame, err := rows.Next(streamed)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return csvError(err)
		}
		if b.Rows+frame.Rows() > most {
			return tooMany(most)
		}
		for i := range frame.Rows() {
			frame.Row(b.add(), i)
			if frame.Amount != nil && b.Amounts != nil {
				b.Amounts[b.Rows] = frame.Amount[i]
			}
			b.done()
		}
	}
	return nil
}

// csvError refuses a table that cannot be read.
func csvError(err error) error {
	if _, limit := errors.AsType[*dataset.LimitError](err); limit {
		return err
	}
	return &Refusal{Code: http.StatusUnprocessableEntity, Text: fmt.Sprintf("%v; no row was decided", err)}
}

// AppendHead appends the first line of an answer in CSV.
func AppendHead(to []byte, of *Scorer, reasons int) []byte {
	to = append(to, "row,decision,zone"...)
	for _, what := range []string{",probability_", ",votes_"} {
		for _, class := range of.Model.Classes() {
			to = appendCell(to, what[0], what[1:]+class)
		}
	}
	to = append(to, ",lacks"...)
	if reasons > 0 {
		to = append(to, ",reasons"...)
	}
	return append(to, '\n')
}

// CSV appends the lines of rows.
func (a *Answers) CSV(to []byte, lo, hi int) []byte {
	b, k, unit := a.Batch, a.Batch.Of.K, a.Batch.Of.Model.Forest.Whole()
	for i := lo; i < hi; i++ {
		z := b.Zone[i]
		to = strconv.AppendInt(to, int64(i+1), 10)
		if b.Withheld(i, a.Withhold) {
			to = append(to, ",undecided"...)
		} else {
			to = appendCell(to, ',', b.Of.Model.Classes()[b.Class[i]])
		}
		to = append(append(to, ','), ZoneNames[z]...)
		for _, p := range b.Prob[i*k : (i+1)*k] {
			to = AppendNumber(append(to, ','), p)
		}
		for _, v := range b.votes[i*k : (i+1)*k] {
			to = AppendNumber(append(to, ','), float64(v)/unit)
		}
		var parts []string
		if z == Undecided {
			for _, cell := range b.lacks[i] {
				parts = append(parts, cell.String())
			}
		}
		if to = appendCell(to, ',', strings.Join(parts, "; ")); a.Reasons > 0 {
			parts = parts[:0]
			for _, r := range a.reasonsOf(i) {
				parts = append(parts, fmt.Sprintf("%s=%s (+%s)", r.Column, r.Value, strconv.FormatFloat(r.Votes, 'f', -1, 64)))
			}
			to = appendCell(to, ',', strings.Join(parts, "; "))
		}
		to = append(to, '\n')
	}
	return to
}

// appendCell appends a mark and a cell of CSV, quoted if need be.
func appendCell(to []byte, mark byte, cell string) []byte {
	if to = append(to, mark); !strings.ContainsAny(cell, ",\"\r\n") && cell == strings.TrimSpace(cell) {
		return append(to, cell...)
	}
	return append(append(append(to, '"'), strings.ReplaceAll(cell, `"`, `""`)...), '"')
}
