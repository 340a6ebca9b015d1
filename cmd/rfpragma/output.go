package main

import (
	"context"
	"io"
	"os"

	"github.com/rfpragma/rfpragma/internal/atomicfile"
)

// writeTo writes to stdout for "-", else to a file, whole or not at all, as long as ctx lasts.
func (p *program) writeTo(ctx context.Context, path string, write func(io.Writer) error) error {
	heeded := func(w io.Writer) error { return write(&heedful{ctx, w}) }
	switch path {
	case "-":
		return heeded(p.stdout)
	case "":
		return usagef("--output is empty; name a file, or - for stdout")
	}
	return toFile(ctx, path, func() error { return atomicfile.Write(path, heeded) })
}

// toFile returns what save does, which writes to the file path. What is there and is no regular
// file, such as a pipe nobody reads, may hold it up, and is waited for as long as ctx lasts. A
// regular file is waited for in any case: no temporary file stays behind.
func toFile(ctx context.Context, path string, save func() error) error {
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		return save()
	}
	_, err := await(ctx, func() (struct{}, error) { return struct{}{}, save() })
	return err
}

// heedful writes to w as long as ctx lasts.
type heedful struct {
	ctx context.Context
	w   io.Writer
}

// Write implements [io.Writer].
func (h *heedful) Write(b []byte) (int, error) {
	if h.ctx.Err() != nil {
		return 0, context.Cause(h.ctx)
	}
	return h.w.Write(b)
}
