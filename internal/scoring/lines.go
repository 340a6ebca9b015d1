package scoring

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/rfpragma/rfpragma"
)

// streamed is how many rows of a stream are decided at once, at most; fewer if no more have come.
const streamed = chunk

// Lines reads rows from a stream.
type Lines struct {
	r            *bufio.Reader
	first, count int   // number of the first of the latest lines, from 1, and how many they are
	numbers      []int // of the lines of the latest rows
	faults       []lineFault
}

// NewLines reads rows from r.
func NewLines(r io.Reader) *Lines { return &Lines{r: bufio.NewReaderSize(r, MostLine), first: 1} }

// End appends what is wrong with the latest lines after the last row of b.
func (l *Lines) End(to []byte, b *Batch) []byte {
	last := 0
	if b.Rows > 0 {
		last = l.numbers[b.Rows-1]
	}
	return l.faulty(to, last, l.first+l.count)
}

// MostLine is how many bytes a line has at most.
const MostLine = 1 << 20

// lineFault is a line of the latest that has no row to decide.
type lineFault struct {
	line  int
	err   error // of the syntax; else nil
	cells []rfpragma.CellError
}

// Read reads the lines that have come, one at least, into b, and returns why there are no more.
func (l *Lines) Read(b *Batch) error {
	l.first, l.count, l.numbers, l.faults = l.first+l.count, 0, l.numbers[:0], l.faults[:0]
	for l.count < streamed && (l.count == 0 || l.more()) {
		line, err := l.r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return Refusef(http.StatusRequestEntityTooLarge, "a line has more than %d bytes; write a row on each", MostLine)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			l.row(b, line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// more tells whether a whole line waits in the buffer.
func (l *Lines) more() bool {
	waiting, _ := l.r.Peek(l.r.Buffered()) // of what is there
	return bytes.IndexByte(waiting, '\n') >= 0
}

// row adds the row of a line, or a fault in its place.
func (l *Lines) row(b *Batch, line []byte) {
	s := scanner{data: line}
	before, notes := b.Rows, len(b.Notes)
	err := b.object(&s)
	if err == nil {
		err = s.end()
	}
	number := l.first + l.count
	l.count++
	if err == nil && len(b.faults) == 0 {
		l.numbers = append(l.numbers, number)
		return
	}
	fault := lineFault{line: number, err: err}
	if err == nil {
		fault.cells = b.faults[0].Cells
	}
	l.faults = append(l.faults, fault)
	b.back(before, notes)
}

// back takes out what came after so many rows and findings.
func (b *Batch) back(rows, notes int) {
	b.Rows, b.X, b.Notes, b.faults = rows, b.X[:rows*b.Of.P], b.Notes[:notes], b.faults[:0]
	if b.Amounts != nil {
		b.Amounts = b.Amounts[:rows]
	}
}

// Each appends a line for each row, after those of the lines before it that have none.
func (a *Answers) Each(to []byte, lo, hi int) []byte {
	for i := lo; i < hi; i++ {
		before := 0
		if i > 0 {
			before = a.Lines.numbers[i-1]
		}
		to = a.Lines.faulty(to, before, a.Lines.numbers[i])
		to = append(a.row(append(to, '{'), i), "}\n"...)
	}
	return to
}

// faulty appends what is wrong with the lines between two others.
func (l *Lines) faulty(to []byte, after, before int) []byte {
	for _, f := range l.faults {
		if f.line <= after || f.line >= before {
			continue
		}
		to = strconv.AppendInt(append(to, `{"row":`...), int64(f.line), 10)
		to = append(to, `,"error":`...)
		if f.err != nil {
			to = AppendText(to, f.err.Error())
		} else {
			to = AppendText(to, "cells do not fit; the row is not decided")
			to = AppendValue(append(to, `,"cells":`...), f.cells)
		}
		to = append(to, "}\n"...)
	}
	return to
}
