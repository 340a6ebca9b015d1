//go:build !linux

package main

import (
	"io"
	"os"
)

// openOutput returns standard output.
func openOutput(stdout *os.File) io.Writer { return stdout }
