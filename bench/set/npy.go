// Package set reads benchmark sets, as peers/sets.py writes them, and makes frames of them.
package set

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// Matrix holds rows of features.
type Matrix struct {
	Rows, Columns int
	Cells         []float32 // row by row: Cells[i*Columns+j]
}

// Rows reads a file of float32 in C order, n×p.
func Rows(path string) (Matrix, error) {
	var m Matrix
	err := read(path, "<f4", 2, func(shape []int, r io.Reader) error {
		m = Matrix{shape[0], shape[1], make([]float32, shape[0]*shape[1])}
		return words(r, len(m.Cells), func(i int, w uint32) { m.Cells[i] = math.Float32frombits(w) })
	})
	return m, err
}

// WriteRows writes a file that Rows reads.
func WriteRows(path string, m Matrix) error {
	return write(path, "<f4", fmt.Sprintf("%d, %d", m.Rows, m.Columns), m.Cells)
}

// WriteLabels writes a file that Labels reads.
func WriteLabels(path string, y []int) error {
	words := make([]int32, len(y))
	for i, c := range y {
		words[i] = int32(c)
	}
	return write(path, "<i4", fmt.Sprintf("%d,", len(y)), words)
}

// write writes words of four bytes as an .npy file, whose header is padded to a multiple of 64 bytes.
func write(path, kind, shape string, words any) error {
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, shape)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	b := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(head)))
	b, err := binary.Append(append(b, head...), binary.LittleEndian, words)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}

// Part reads a part of a set, "train" or "test": its rows and their classes.
func Part(stem, part string) (Matrix, []int, error) {
	x, err := Rows(stem + "." + part + ".X.npy")
	if err != nil {
		return x, nil, err
	}
	y, err := Labels(stem + "." + part + ".y.npy")
	return x, y, err
}

// Levels reads of each column how many levels it has, 0 if it is numeric; nil of a set that
// has numeric columns alone.
func Levels(stem string) ([]int, error) {
	levels, err := Labels(stem + ".levels.npy")
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return levels, err
}

// WriteShares writes counts of votes as shares of all trees: float32, little-endian.
func WriteShares(path string, counts []uint32, trees int) error {
	shares := make([]byte, 0, 4*len(counts))
	for _, n := range counts {
		shares = binary.LittleEndian.AppendUint32(shares, math.Float32bits(float32(n)/float32(trees)))
	}
	return os.WriteFile(path, shares, 0o600)
}

// Shape returns the rows and columns of a file that Rows reads.
func Shape(path string) (rows, columns int, err error) {
	err = read(path, "<f4", 2, func(shape []int, _ io.Reader) error {
		rows, columns = shape[0], shape[1]
		return nil
	})
	return rows, columns, err
}

// Labels reads a file of n int32, the classes of the rows.
func Labels(path string) ([]int, error) {
	var y []int
	err := read(path, "<i4", 1, func(shape []int, r io.Reader) error {
		y = make([]int, shape[0])
		return words(r, len(y), func(i int, w uint32) { y[i] = int(int32(w)) })
	})
	return y, err
}

// read opens an .npy file (the format of NumPy, version 1: magic, length of the header, header
// as a Python dictionary, values), checks type and dimensions and hands on its values.
func read(path, kind string, dimensions int, take func([]int, io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%w; make the sets with sets.py", err)
	}
	defer f.Close()
	r := bufio.NewReader(f)
	shape, err := header(r, kind, dimensions)
	if err == nil {
		err = take(shape, r)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; make the sets anew with sets.py", path, err)
	}
	return nil
}

var shapeOf = regexp.MustCompile(`'shape': \(([0-9]+),(?: ([0-9]+))?\)`)

func header(r io.Reader, kind string, dimensions int) ([]int, error) {
	start := make([]byte, 10)
	if _, err := io.ReadFull(r, start); err != nil || !bytes.HasPrefix(start, []byte("\x93NUMPY\x01\x00")) {
		return nil, fmt.Errorf("not an .npy file of version 1.0")
	}
	text := make([]byte, binary.LittleEndian.Uint16(start[8:]))
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, fmt.Errorf("the header is cut short")
	}
	found := shapeOf.FindSubmatch(text)
	if found == nil || dimensions != 1 && len(found[2]) == 0 || dimensions == 1 && len(found[2]) > 0 ||
		!bytes.Contains(text, []byte("'descr': '"+kind+"'")) || !bytes.Contains(text, []byte("'fortran_order': False")) {
		return nil, fmt.Errorf("the header is %q, not one of %s in C order with %d dimensions", bytes.TrimSpace(text), kind, dimensions)
	}
	var shape []int
	for _, word := range found[1 : 1+dimensions] {
		size, err := strconv.ParseUint(string(word), 10, 31)
		if err != nil {
			return nil, err
		}
		shape = append(shape, int(size))
	}
	return shape, nil
}

// words reads n little-endian words of four bytes.
func words(r io.Reader, n int, put func(i int, w uint32)) error {
	block := make([]byte, 1<<16)
	for i := 0; i < n; {
		part := block[:min(len(block), 4*(n-i))]
		if _, err := io.ReadFull(r, part); err != nil {
			return fmt.Errorf("the values are cut short")
		}
		for ; len(part) > 0; part = part[4:] {
			put(i, binary.LittleEndian.Uint32(part))
			i++
		}
	}
	return nil
}
