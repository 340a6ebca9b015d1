package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/csvtext"
)

// ranked codes values the slow and obvious way.
func ranked(values []float64) *Codes {
	c, distinct := &Codes{}, []float64{}
	for _, v := range values {
		if v == v {
			distinct = append(distinct, v+0)
		}
	}
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	wide := make([]uint32, len(values))
	for i, v := range values {
		if v == v {
			at, _ := slices.BinarySearch(distinct, v+0)
			wide[i] = uint32(at) + 1
		}
	}
	c.Narrow, c.Wide = packed(nil, wide, len(distinct))
	c.Distinct = NumbersOf(distinct)
	return c
}

// sameCodes compares to the bit.
func sameCodes(a, b *Codes) bool {
	return sameBits(a.Distinct, b.Distinct) &&
		slices.Equal(a.Narrow, b.Narrow) && slices.Equal(a.Wide, b.Wide) && (a.Wide == nil) == (b.Wide == nil)
}

// cellMakers make the cell of row i, in ways that are hard on one thing or another.
var cellMakers = map[string]func(r *rand.Rand, i int) float64{
	"few":          func(r *rand.Rand, _ int) float64 { return float64(r.IntN(5)) - 2 },
	"constant":     func(*rand.Rand, int) float64 { return 7 },
	"missing":      func(*rand.Rand, int) float64 { return math.NaN() },
	"normal":       func(r *rand.Rand, _ int) float64 { return r.NormFloat64() },
	"cents":        func(r *rand.Rand, _ int) float64 { return round(r.ExpFloat64()*50, 100) },
	"any bits":     func(r *rand.Rand, _ int) float64 { return finite(math.Float64frombits(r.Uint64())) },
	"low bits":     func(r *rand.Rand, _ int) float64 { return math.Float64frombits(r.Uint64N(1 << 10)) },
	"low and high": func(r *rand.Rand, i int) float64 { return float64(i%2*1e9) + float64(r.IntN(1000))*1e-7 },
	"extremes": func(r *rand.Rand, _ int) float64 {
		all := []float64{math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324, 0, math.Copysign(0, -1), 1, math.Nextafter(1, 2),
			math.NaN()}
		return all[r.IntN(len(all))]
	},
	"then different": func(r *rand.Rand, i int) float64 {
		if i < 9000 {
			return float64(i % 3)
		}
		return r.Float64()
	},
	"then few": func(r *rand.Rand, i int) float64 {
		if i < 9000 {
			return r.Float64()
		}
		return float64(i % 3)
	},
}

func finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	return v
}

func cellsOf(r *rand.Rand, n int, cell func(r *rand.Rand, i int) float64, gaps bool) []float64 {
	values := make([]float64, n)
	for i := range values {
		if values[i] = cell(r, i); gaps && r.IntN(4) == 0 {
			values[i] = math.NaN()
		}
	}
	return values
}

// Cells gathered one by one and cells ranked at once have the codes of the slow way.
func TestCodesAreRanks(t *testing.T) {
	const seed = 31
	r := rand.New(rand.NewPCG(seed, 0))
	var coder Coder
	for name, cell := range cellMakers {
		for _, n := range []int{0, 1, 2, 7, 100, blockRows - 1, blockRows, blockRows + 1, 3*blockRows + 17} {
			values := cellsOf(r, n, cell, n%2 == 1)
			want := ranked(values)
			c := Column{Field: Field{Name: "x"}, Values: values}
			if got := coder.Code(&c); !sameCodes(got, want) {
				t.Errorf("seed %d, %s, %d rows: ranked\n got %v\nwant %v", seed, name, n, got, want)
			}
			var g gathered
			for _, v := range values {
				g.add([]float64{v})
			}
			if got := g.codes(&coder); !sameCodes(got, want) {
				t.Errorf("seed %d, %s, %d rows: gathered, not as ranked", seed, name, n)
			}
		}
	}
}

// The number of distinct values at which codes become wide, and each form of a block.
func TestFormsOfBlocks(t *testing.T) {
	const seed = 32
	r := rand.New(rand.NewPCG(seed, 0))
	var coder Coder
	for _, tc := range []struct {
		name                string
		n                   int
		value               func(i int) int
		wide                bool
		narrow, wides, most int // blocks before the end: narrow, wide, plain at the most
	}{
		{"65,535 values", 600_000, func(i int) int { return i % 65_535 }, false, 1, 0, 72},
		{"65,536 values", 600_000, func(i int) int { return i % 65_536 }, true, 0, 1, 72},
		{"65,537 values", 140_000, func(i int) int { return i % 65_537 }, true, 0, 0, 18},
		{"65,535 values and missing ones", 140_000, func(i int) int { return i%65_536 - 1 }, false, 0, 0, 18},
		{"70,000 values again and again", 1_200_000, func(int) int { return r.IntN(70_000) }, true, 0, 50, 90},
		{"all different", 100_000, func(i int) int { return i }, true, 0, 0, 13},
		{"1000 values", 100_000, func(i int) int { return i % 1000 }, false, 12, 0, 0},
	} {
		values := make([]float64, tc.n)
		for i := range values {
			if values[i] = float64(tc.value(i)*7919%1_000_003) / 8; tc.value(i) < 0 {
				values[i] = math.NaN()
			}
		}
		var g gathered
		for _, v := range values {
			g.add([]float64{v})
		}
		narrow, wide, plain := 0, 0, 0
		for _, b := range g.blocks {
			switch {
			case b.narrow != nil:
				narrow++
			case b.wide != nil:
				wide++
			default:
				plain++
			}
		}
		if narrow < tc.narrow || wide < tc.wides || plain > tc.most {
			t.Errorf("%s: %d blocks narrow, %d wide, %d plain", tc.name, narrow, wide, plain)
		}
		got := g.codes(&coder)
		if (got.Wide != nil) != tc.wide || !sameCodes(got, ranked(values)) {
			t.Errorf("seed %d, %s: codes of %d distinct values are not those ranked", seed, tc.name, got.Distinct.Len())
		}
	}
}

// A file read to train on has the codes of its cells as read for a model.
func TestReadCSVCodes(t *testing.T) {
	const seed = 33
	r := rand.New(rand.NewPCG(seed, 0))
	for name, cell := range cellMakers {
		for _, n := range []int{2, 50, 9000} {
			values := cellsOf(r, n, cell, true)
			text := rowsOf("x,c,y", n, func(i int) string {
				number, level := "", "l"+string(rune('a'+r.IntN(26)))
				if v := values[i]; v == v {
					number = string(csvtext.AppendNumber(nil, v))
				}
				if i%3 == 2 {
					level = ""
				}
				return number + "," + level + "," + string("ab"[i%2])
			})
			train := mustRead(t, text, Options{Target: "y"})
			if err := train.Check(); err != nil {
				t.Fatalf("seed %d, %s, %d rows: %v", seed, name, n, err)
			}
			known := mustRead(t, text, Options{Target: "y", Schema: train.Schema(), Classes: train.Classes})
			if train.Columns[0].Codes == nil || known.Columns[0].Values == nil {
				t.Fatal("rows to train on are coded, rows to predict are not")
			}
			if diff := sameFrame(known, train); diff != "" {
				t.Errorf("seed %d, %s, %d rows: known (-), trained on (+):\n%s", seed, name, n, diff)
			}
			if !sameCodes(train.Columns[0].Codes, ranked(values)) {
				t.Errorf("seed %d, %s, %d rows: not the codes of the numbers", seed, name, n)
			}
		}
	}
}

// A part of a coded frame has no trace of the other rows.
func TestTakeOfCodes(t *testing.T) {
	const seed = 34
	r := rand.New(rand.NewPCG(seed, 0))
	var coder Coder
	for name, cell := range cellMakers {
		values := cellsOf(r, 70_000, cell, name != "normal")
		c := Column{Field: Field{Name: "x"}, Values: values}
		whole := Frame{Columns: []Column{{Field: c.Field, Codes: coder.Code(&c)}}}
		for _, n := range []int{0, 1, 10, 60_000, 65_535, 65_536, 69_000} {
			rows := r.Perm(70_000)[:n]
			part := whole.Take(rows)
			if want := ranked(pick(values, rows)); part.Rows() != n || !sameCodes(part.Columns[0].Codes, want) {
				t.Errorf("seed %d, %s: %d rows taken are not the codes of those rows", seed, name, n)
			}
			if err := part.Check(); err != nil {
				t.Errorf("seed %d, %s, %d rows: %v", seed, name, n, err)
			}
		}
	}
}

// Whatever reads a frame reads it alike in both forms.
func TestBothForms(t *testing.T) {
	raw := Fraud(300, 9)
	c := coded(raw)
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(raw.Missing(), c.Missing()) || raw.Rows() != c.Rows() {
		t.Errorf("missing cells %v of %d rows, uncoded %v of %d", c.Missing(), c.Rows(), raw.Missing(), raw.Rows())
	}
	a, b := make([]float64, len(raw.Columns)), make([]float64, len(raw.Columns))
	for i := range raw.Rows() {
		raw.Row(a, i)
		c.Row(b, i)
		if !slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || x != x && y != y }) {
			t.Fatalf("row %d: %v, uncoded %v", i, b, a)
		}
	}
	var one, other bytes.Buffer
	if err := errors.Join(WriteCSV(&one, raw, "y"), WriteCSV(&other, c, "y")); err != nil ||
		one.String() != other.String() {
		t.Errorf("written, the two forms differ (%v)", err)
	}
	s := raw.Schema()
	s[9].Levels = s[9].Levels[1:]
	x, err := s.Conform(raw)
	if err != nil {
		t.Fatal(err)
	}
	y, err := s.Conform(c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := sameFrame(x, y); diff != "" || !slices.Equal(x.Unseen, y.Unseen) || y.Unseen[9] == 0 {
		t.Errorf("conformed, unseen %v and %v:\n%s", x.Unseen, y.Unseen, diff)
	}
	if diff := sameFrame(raw.Take([]int{5, 5, 2}), c.Take([]int{5, 5, 2})); diff != "" {
		t.Errorf("taken, the two forms differ:\n%s", diff)
	}
	if diff := sameFrame(raw, uncoded(c)); diff != "" {
		t.Errorf("coded and back:\n%s", diff)
	}
}

func TestCheckCodes(t *testing.T) {
	number := func(c Codes) Column { return Column{Field: Field{Name: "x"}, Codes: &c} }
	level := func(c Codes) Column {
		return Column{Field: Field{Name: "x", Kind: Categorical, Levels: []string{"p", "q"}}, Codes: &c}
	}
	values := number(Codes{Distinct: NumbersOf([]float64{1}), Narrow: []uint16{1, 0}})
	values.Values = []float64{1, 2}
	for _, tc := range []struct {
		name string
		c    Column
		is   error
		want string
	}{
		{"numbers", number(Codes{Distinct: NumbersOf([]float64{-1, 0}), Narrow: []uint16{2, 1}}), nil, ""},
		{"nothing known", number(Codes{Narrow: []uint16{0, 0}}), nil, ""},
		{"levels", level(Codes{Narrow: []uint16{0, 2}}), nil, ""},
		{"both forms", values, ErrShape, `lengths do not agree: column "x" has both Values and Codes; keep one of them`},
		{"both widths", number(Codes{Distinct: NumbersOf([]float64{1}), Narrow: []uint16{1}, Wide: []uint32{1}}), ErrShape,
			`lengths do not agree: column "x" has both narrow and wide codes; keep one of them`},
		{"needlessly wide", level(Codes{Wide: []uint32{1, 2}}), ErrShape,
			`lengths do not agree: column "x" has codes up to 2; those up to 65535 are narrow, more are wide`},
		{"short", level(Codes{Narrow: []uint16{1}}), ErrShape, `lengths do not agree: column "x" has 1 cells for 2 rows`},
		{"levels with values", level(Codes{Distinct: NumbersOf([]float64{0}), Narrow: []uint16{1, 2}}), ErrShape,
			`lengths do not agree: column "x" is categorical and has distinct values; leave them out, its codes stand for levels`},
		{"no such level", level(Codes{Narrow: []uint16{1, 3}}), ErrValue,
			`value out of range: column "x", row 1 has code 3 of 2`},
		{"no such value", number(Codes{Distinct: NumbersOf([]float64{4}), Narrow: []uint16{2, 1}}), ErrValue,
			`value out of range: column "x", row 0 has code 2 of 1`},
		{"twice", number(Codes{Distinct: NumbersOf([]float64{4, 4}), Narrow: []uint16{2, 1}}), ErrValue,
			`value out of range: distinct value 1 of column "x" is 4; they are finite and ascending, 0 without a sign`},
		{"infinite", number(Codes{Distinct: NumbersOf([]float64{4, math.Inf(1)}), Narrow: []uint16{2, 1}}), ErrValue,
			`value out of range: distinct value 1 of column "x" is +Inf; they are finite and ascending, 0 without a sign`},
		{"not a number", number(Codes{Distinct: NumbersOf([]float64{math.NaN(), 1}), Narrow: []uint16{2, 1}}), ErrValue,
			`value out of range: distinct value 0 of column "x" is NaN; they are finite and ascending, 0 without a sign`},
		{"zero with a sign", number(Codes{Distinct: NumbersOf([]float64{math.Copysign(0, -1), 1}), Narrow: []uint16{2, 1}}),
			ErrValue, `value out of range: distinct value 0 of column "x" is -0; they are finite and ascending, 0 without a sign`},
		{"absent", number(Codes{Distinct: NumbersOf([]float64{1, 2, 3}), Narrow: []uint16{3, 1}}), ErrValue,
			`value out of range: no row of column "x" has the distinct value 2; leave it out`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := &Frame{Columns: []Column{tc.c}, Classes: []string{"a", "b"}, Truth: []int{0, 1}}
			if err := f.Check(); !errors.Is(err, tc.is) || err != nil && err.Error() != tc.want {
				t.Errorf("error %v, want %s", err, tc.want)
			}
		})
	}
}

// More levels than a file may have still have codes, in a frame built by hand.
func TestManyLevels(t *testing.T) {
	levels := make([]string, 65_536)
	values := make([]float64, len(levels))
	for i := range levels {
		levels[i], values[i] = strings.Repeat("x", 1+i%3)+string(rune(0x20000+i)), float64(i)
	}
	slices.Sort(levels)
	for n, wide := range map[int]bool{65_535: false, 65_536: true} {
		f := coded(&Frame{Columns: []Column{{Field: Field{Name: "x", Kind: Categorical, Levels: levels[:n]},
			Values: values[:n]}}})
		if err := f.Check(); err != nil || (f.Columns[0].Codes.Wide != nil) != wide || f.Columns[0].At(n-1) != float64(n-1) {
			t.Errorf("%d levels: the last is %v, in wide codes: %v, want %v (%v)", n, f.Columns[0].At(n-1),
				f.Columns[0].Codes.Wide != nil, wide, err)
		}
		if part := f.Take([]int{n - 1, 0}); part.Check() != nil || part.Columns[0].At(0) != float64(n-1) {
			t.Errorf("%d levels: a part has level %v, want %d (%v)", n, part.Columns[0].At(0), n-1, part.Check())
		}
	}
}

// BenchmarkCode codes columns of numbers that are all different, and of few.
func BenchmarkCode(b *testing.B) {
	for name, round := range map[string]float64{"different": 1 << 20, "few": 4} {
		for _, n := range []int{2000, 500_000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 1))
				values := make([]float64, n)
				for i := range values {
					values[i] = math.Round(r.NormFloat64()*round) / round
				}
				var coder Coder
				for b.Loop() {
					coder.Code(&Column{Values: values})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/cell")
			})
		}
	}
}
