package cli

import (
	"bytes"
	"io"

	"github.com/rfpragma/rfpragma/internal/layout"
)

// Page returns the page of the result in that form. That of a form for programs is seen beside the file that the
// result goes to; where it goes to none, what is written on it is lost.
func (p *Program) Page(form string) *layout.Page {
	switch {
	case form != "table" && form != "markdown":
		return &layout.Page{W: p.Beside}
	case p.Beside != io.Discard:
		return &layout.Page{W: io.MultiWriter(p.Stdout, p.Beside), Markdown: form == "markdown"}
	}
	return &layout.Page{W: p.Stdout, Markdown: form == "markdown"}
}

// Before writes what there is to say before long work, and returns a function to call when the work has succeeded.
// On a terminal it is seen at once. Elsewhere it waits for the result: what is refused leaves nothing behind.
func (p *Program) Before(to *layout.Page, write func()) (succeeded func()) {
	if out, ok := to.W.(*Remember); ok && layout.Terminal(out.W) {
		write()
		return func() {}
	}
	out, held := to.W, new(bytes.Buffer)
	to.W = held
	write()
	return func() {
		to.W = out
		_, _ = held.WriteTo(out) // an error is remembered
	}
}
