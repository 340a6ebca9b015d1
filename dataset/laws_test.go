package dataset

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomTable has a header, then rows of a numeric column, two of text and a label.
func randomTable(r *rand.Rand) [][]string {
	words := []string{"red", "light, blue", "say \"green\"", "two\nlines", "größe", "#hash", "x;y", ""}
	table := [][]string{{"num", "word", "a \"name\"", "label"}}
	for range 4 + r.IntN(30) {
		number := fmt.Sprint(r.IntN(2000)-1000, ".", r.IntN(100))
		if r.IntN(8) == 0 {
			number = ""
		}
		table = append(table, []string{strings.ReplaceAll(number, " ", ""), words[r.IntN(len(words))],
			words[r.IntN(len(words))], []string{"yes", "no, never"}[r.IntN(2)]})
	}
	table[1][3], table[2][3] = "yes", "no, never"
	table[1][1], table[1][2] = "red", "red"
	return table
}

// text writes a table, always in quotes or only where needed.
func text(table [][]string, quoted bool) string {
	var b strings.Builder
	for _, row := range table {
		for j, cell := range row {
			if j > 0 {
				b.WriteByte(',')
			}
			if quoted || strings.ContainsAny(cell, ",\"\n") {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			b.WriteString(cell)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The same table, written in another way, is the same frame.
func TestWaysToWriteATable(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	for trial := range 20 {
		table := randomTable(r)
		plain := text(table, false)
		want := mustRead(t, plain, Options{Target: "label"})
		var standard bytes.Buffer
		if err := csv.NewWriter(&standard).WriteAll(table); err != nil {
			t.Fatal(err)
		}
		for name, other := range map[string]string{
			"all quoted":          text(table, true),
			"by encoding/csv":     standard.String(),
			"CRLF":                strings.ReplaceAll(plain, "\n", "\r\n"),
			"byte-order mark":     "\ufeff" + plain,
			"gzip":                zipped(plain),
			"gzip of CRLF":        zipped("\ufeff" + strings.ReplaceAll(plain, "\n", "\r\n")),
			"no newline at end":   strings.TrimSuffix(plain, "\n"),
			"blank lines at ends": "\n\r\n" + plain + "\n\n",
		} {
			got, err := ReadCSV(strings.NewReader(other), "in.csv", Options{Target: "label"})
			if err != nil {
				t.Fatalf("seed %d, trial %d, %s: %v\n%s", seed, trial, name, err, other)
			}
			if diff := sameFrame(want, got); diff != "" {
				t.Fatalf("seed %d, trial %d, %s: plain (-), other (+):\n%s", seed, trial, name, diff)
			}
		}
	}
}

// A shuffled order of rows gives the shuffled frame; a shuffled order of columns gives, with
// the schema, the same one.
func TestOrderOfRowsAndColumns(t *testing.T) {
	const seed = 12
	r := rand.New(rand.NewPCG(seed, 0))
	for trial := range 100 {
		table := randomTable(r)
		want := mustRead(t, text(table, false), Options{Target: "label"})

		order := r.Perm(len(table) - 1)
		rows := [][]string{table[0]}
		for _, i := range order {
			rows = append(rows, table[i+1])
		}
		got := mustRead(t, text(rows, false), Options{Target: "label"})
		if diff := sameFrame(want.Take(order), got); diff != "" {
			t.Fatalf("seed %d, trial %d: rows shuffled, expected (-), read (+):\n%s", seed, trial, diff)
		}

		columns := r.Perm(len(table[0]))
		turned := make([][]string, len(table))
		for i, row := range table {
			for _, j := range columns {
				turned[i] = append(turned[i], row[j])
			}
		}
		got = mustRead(t, text(turned, false), Options{Target: "label", Schema: want.Schema(), Classes: want.Classes})
		if diff := sameFrame(want, got); diff != "" {
			t.Fatalf("seed %d, trial %d: columns shuffled, expected (-), read (+):\n%s", seed, trial, diff)
		}
	}
}

// One cell is spoilt; the error must point at it, whatever stands before it.
func TestErrorsPointAtTheCell(t *testing.T) {
	const seed = 13
	r := rand.New(rand.NewPCG(seed, 0))
	for trial := range 200 {
		table := randomTable(r)
		if slices.IndexFunc(table[1:], func(row []string) bool { return row[0] != "" }) < 0 {
			continue
		}
		schema := mustRead(t, text(table, false), Options{Target: "label"}).Schema()
		// The numeric column goes last, behind texts with line breaks.
		for _, row := range table {
			row[0], row[2] = row[2], row[0]
		}
		spoilt := 1 + r.IntN(len(table)-1)
		table[spoilt][2] = "§"
		file := text(table, trial%2 == 0)
		before := file[:strings.Index(file, "§")]
		line := 1 + strings.Count(before, "\n")
		column := len(before) - strings.LastIndex(before, "\n")
		if trial%2 == 0 {
			column-- // a quoted cell begins with its quote
		}
		_, err := ReadCSV(strings.NewReader(file), "in.csv", Options{Schema: schema})
		var p *ParseError
		if !errors.As(err, &p) || p.Line != line || p.Column != column || p.Field != "num" {
			t.Fatalf("seed %d, trial %d: error %v, want it at %d:%d of\n%s", seed, trial, err, line, column, file)
		}
	}
}

// Conform does to a frame what reading its file with the schema does.
func TestConformAndReadingAgree(t *testing.T) {
	const seed = 14
	r := rand.New(rand.NewPCG(seed, 0))
	for trial := range 100 {
		known, table := mustRead(t, text(randomTable(r), false), Options{Target: "label"}), randomTable(r)
		other := mustRead(t, text(table, false), Options{Target: "label"})
		conformed, err := known.Schema().Conform(other)
		if err != nil {
			t.Fatal(err)
		}
		read := mustRead(t, text(table, false), Options{Schema: known.Schema(), Target: "label", Classes: other.Classes})
		if diff := sameFrame(conformed, read); diff != "" || !slices.Equal(conformed.Unseen, read.Unseen) {
			t.Fatalf("seed %d, trial %d: conformed (-), read (+):\n%s\nunseen %v and %v", seed, trial, diff, conformed.Unseen,
				read.Unseen)
		}
	}
}

// The folds depend neither on the names of the groups nor on those of the classes.
func TestFoldsDoNotReadNames(t *testing.T) {
	const seed = 16
	r := rand.New(rand.NewPCG(seed, 0))
	for trial := range 100 {
		f := randomFrame(r)
		f.Group = make([]int, f.Rows())
		for i := range f.Group {
			f.Group[i] = i % max(3, f.Rows()/3)
		}
		if f.Rows() < 3 {
			continue
		}
		g := *f
		g.Group, g.Classes = slices.Clone(f.Group), slices.Repeat([]string{"class"}, len(f.Classes))
		for i := range g.Group {
			g.Group[i] = 7 - 1000*g.Group[i]
		}
		first, err := Folds(f, 2, uint64(trial))
		if err != nil {
			t.Fatal(err)
		}
		if second, _ := Folds(&g, 2, uint64(trial)); !slices.Equal(first, second) {
			t.Fatalf("seed %d, trial %d: other folds under other names", seed, trial)
		}
	}
}
