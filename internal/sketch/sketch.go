// Package sketch has samples of rows by their hashes.
package sketch

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Size is the largest number of rows in a [Sketch], equal ones counted once.
const Size = 2048

// Sketch is a sample of the rows of a table, used to find them in other tables. It is a bottom-k sketch: the
// labelled rows with the smallest hashes (Broder, On the resemblance and containment of documents, 1997). Rows
// are equal if they have the same label and cells, whatever their ids, case weights and order. As the hash
// decides, the sample has a row whichever table it comes in, and the rows of another table that would be in the
// sample are a fair sample of that table.
type Sketch struct {
	Hashes []uint32 // ascending, each once; if fewer than Size, those of all rows
	Sketched
	Classes []Sketched // the same counts by class; nil if they are not known
}

// Sketched counts the rows of a sample.
type Sketched struct {
	Rows   int // rows that have one of its hashes
	Single int // those of them whose hash no other row has
}

// add counts n rows of one hash.
func (s *Sketched) add(n int) {
	s.Rows += n
	if n == 1 {
		s.Single++
	}
}

// Last is the largest hash that a row of the sample can have.
func (s *Sketch) Last() uint32 {
	if len(s.Hashes) < Size {
		return math.MaxUint32
	}
	return s.Hashes[len(s.Hashes)-1]
}

// Sketcher makes the [Sketch] of rows that come block by block, in any order, without keeping them. The zero
// value has seen no rows.
type Sketcher struct {
	times   map[uint32]classTimes // by hash, of those that may be among the smallest
	spare   uint32                // so many of the largest hashes there can be are not
	classes int                   // so many there are
}

// classTimes is how many rows have a hash, and of which class they are.
type classTimes struct{ class, times int }

// Begin makes s ready for rows of so many classes.
func (s *Sketcher) Begin(classes int) {
	if s.times == nil {
		s.times = map[uint32]classTimes{}
	}
	s.classes = max(s.classes, classes)
}

// Note adds a row by its hash.
func (s *Sketcher) Note(hash uint32, class int) {
	if hash > math.MaxUint32-s.spare {
		return
	}
	if s.times[hash] = (classTimes{class, s.times[hash].times + 1}); len(s.times) >= 2*Size {
		s.cut()
	}
}

// cut drops all but the smallest hashes, and returns these.
func (s *Sketcher) cut() []uint32 {
	hashes := slices.Sorted(maps.Keys(s.times))
	if len(hashes) <= Size {
		return hashes
	}
	for _, hash := range hashes[Size:] {
		delete(s.times, hash)
	}
	hashes = hashes[:Size]
	s.spare = math.MaxUint32 - hashes[Size-1]
	return hashes
}

// Sketch returns the sketch of the rows so far, nil if there were none.
func (s *Sketcher) Sketch() *Sketch {
	hashes := s.cut()
	if len(hashes) == 0 {
		return nil
	}
	sketch := &Sketch{Hashes: hashes, Classes: make([]Sketched, s.classes)}
	for _, hash := range hashes {
		of := s.times[hash]
		sketch.add(of.times)
		sketch.Classes[of.class].add(of.times)
	}
	return sketch
}

// sketchJSON is the form of a [Sketch] in a file.
type sketchJSON struct {
	Hashes  []byte   `json:"hashes"` // four bytes each, the first the most significant, in base64
	Rows    int      `json:"rows"`
	Single  int      `json:"single"`
	Classes [][2]int `json:"classes,omitempty"` // by class, rows and those that are single; older files have none
}

// MarshalJSON writes {"hashes": BASE64, "rows": n, "single": n, "classes": [[rows, single], ...]}.
func (s *Sketch) MarshalJSON() ([]byte, error) {
	stored := sketchJSON{Rows: s.Rows, Single: s.Single}
	for _, hash := range s.Hashes {
		stored.Hashes = binary.BigEndian.AppendUint32(stored.Hashes, hash)
	}
	for _, of := range s.Classes {
		stored.Classes = append(stored.Classes, [2]int{of.Rows, of.Single})
	}
	return json.Marshal(stored)
}

// UnmarshalJSON reads what MarshalJSON wrote. It returns an error for what cannot be the sketch of a table.
func (s *Sketch) UnmarshalJSON(b []byte) error {
	var stored sketchJSON
	if err := json.Unmarshal(b, &stored); err != nil {
		return err
	}
	n := len(stored.Hashes) / 4
	if n < 1 || n > Size || len(stored.Hashes)%4 != 0 {
		return fmt.Errorf("a sketch of %d bytes; it has 4 for each of 1 to %d rows", len(stored.Hashes), Size)
	}
	*s = Sketch{Sketched: Sketched{stored.Rows, stored.Single}}
	for i := range n {
		s.Hashes = append(s.Hashes, binary.BigEndian.Uint32(stored.Hashes[4*i:]))
		if i > 0 && s.Hashes[i] <= s.Hashes[i-1] {
			return fmt.Errorf("a sketch whose hashes %d and %d do not ascend", i, i+1)
		}
	}
	again := n - s.Single // hashes that several rows have
	if s.Single < 0 || again < 0 || s.Rows < s.Single+2*again || again == 0 && s.Rows != n {
		return fmt.Errorf("a sketch of %d hashes, %d of a single row, for %d rows", n, s.Single, s.Rows)
	}
	return s.divide(stored.Classes)
}

// divide takes what a file says of the classes of a sketch, which is nothing or all.
func (s *Sketch) divide(stored [][2]int) error {
	var all Sketched
	for c, of := range stored {
		if of[1] < 0 || of[0] < of[1] || of[0] > s.Rows {
			return fmt.Errorf("a sketch of %d rows of class %d, %d of them single", of[0], c+1, of[1])
		}
		s.Classes = append(s.Classes, Sketched{of[0], of[1]})
		all.Rows += of[0]
		all.Single += of[1]
	}
	if stored != nil && all != s.Sketched {
		return fmt.Errorf("a sketch of %d rows, %d of them single, whose classes have %d and %d", s.Rows, s.Single, all.Rows,
			all.Single)
	}
	return nil
}

// Bits returns the bits of a cell: the same ones for 0 and -0, and for all missing cells.
func Bits(v float64) uint64 {
	if v != v {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(v + 0)
}
