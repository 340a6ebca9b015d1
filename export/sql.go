package export

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/english"
)

// The largest forest that a statement holds. Databases read, plan and keep all of it at once, and PostgreSQL has at
// most 1,664 columns in a list.
const (
	mostSQLNodes   = 50_000
	mostSQLTrees   = 1500
	mostSQLClasses = 100
)

// SQL writes one statement for PostgreSQL (from 12 on) and DuckDB that decides the rows of a table; a name with a dot
// is that of a schema and a table. The result has all columns of the table, then decision and probability_CLASS of each
// class. Columns have the names of the model; NULL, NaN and unknown categories are missing.
//
// Errors: [ErrUnsupported] for a forest of more than 50,000 nodes, 1,500 trees or 100 classes, and for maps that no
// formula expresses; those of w.
func SQL(w io.Writer, m *rfpragma.Model, table string) error {
	f, err := checked(m)
	if err != nil {
		return err
	}
	if err := fitsSQL(m.Forest); err != nil {
		return err
	}
	s := &statement{bufio.NewWriterSize(w, 1<<16), m, f}
	s.cells(table)
	s.trees()
	last, of := s.formula()
	s.result(last, of)
	return s.out.Flush()
}

func fitsSQL(f *forest.Forest) error {
	switch trees, nodes, k := f.Trees(), f.Nodes(), len(f.Classes); {
	case trees > mostSQLTrees:
		return refuse("the forest has %d trees, and a statement of SQL holds %d at most; train with fewer trees, or write "+
			"ONNX or JSON", trees, mostSQLTrees)
	case nodes > mostSQLNodes:
		return refuse("the forest has %d nodes, and a statement of SQL holds %d at most; train with some %d trees, or with "+
			"at most %d leaves for a tree, or write ONNX or JSON", nodes, mostSQLNodes, max(1, trees*mostSQLNodes/nodes),
			max(2, mostSQLNodes/trees/2))
	case k > mostSQLClasses:
		return refuse("the model has %d classes, and a statement of SQL holds %d at most; write ONNX or JSON", k,
			mostSQLClasses)
	}
	return nil
}

// statement is what is written: common table expressions, each of which computes columns from those of the one before.
// They are materialized, as a planner that put one into the next would write shared columns out again and again.
type statement struct {
	out *bufio.Writer
	m   *rfpragma.Model
	f   *formula
}

func (s *statement) text(parts ...string) {
	for _, p := range parts {
		_, _ = s.out.WriteString(p) // Flush returns the first error
	}
}

const materialized = " AS MATERIALIZED (\n SELECT "

// name quotes a name, or, with dots, the names on the way to a table.
func name(of string) string { return `"` + strings.ReplaceAll(of, `"`, `""`) + `"` }

func tableName(of string) string {
	parts := strings.Split(of, ".")
	for i := range parts {
		parts[i] = name(parts[i])
	}
	return strings.Join(parts, ".")
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// asNumber is a column as float64, NULL where it is missing.
func asNumber(column string) string {
	return "NULLIF(CAST(" + name(column) + " AS DOUBLE PRECISION), CAST('nan' AS DOUBLE PRECISION))"
}

// cells writes the table and its cells: x0, x1, ... of the features, a number or the number of a category, 0 if it is
// missing.
func (s *statement) cells(table string) {
	classes := make([]string, len(s.m.Classes()))
	for c, class := range s.m.Classes() {
		classes[c] = strings.ReplaceAll(strings.ReplaceAll(english.Quote(class), "*/", "* /"), "/*", "/ *")
	}
	s.text("/* A forest of ", english.Plural(s.m.Forest.Trees(), "tree"), " that decides ", english.First(classes),
		"; made by rfpragma export. */\n")
	s.text("WITH rfpragma_rows", materialized, "*, ROW_NUMBER() OVER () AS rfpragma_row FROM ", tableName(table),
		"\n), rfpragma_cells", materialized, "rfpragma_row")
	used := newCuts(s.m.Forest).place
	for j, field := range s.m.Forest.Schema {
		switch {
		case used[j] < 0:
		case field.Kind == dataset.Numeric:
			s.text(",\n  ", asNumber(field.Name), fmt.Sprintf(" AS x%d", j))
		default:
			s.text(",\n  CASE TRIM(CAST(", name(field.Name), " AS VARCHAR))")
			of := textsOf(field, s.m.Provenance.Reading.Missing)
			for _, text := range sortedTexts(of) {
				s.text(" WHEN ", quoted(text), fmt.Sprintf(" THEN %d", of[text]+1))
			}
			s.text(" WHEN '' THEN 0 ELSE 0 END", fmt.Sprintf(" AS x%d", j)) // there may be no level
		}
	}
	if s.f.amount != "" {
		s.text(",\n  ", asNumber(s.f.amount), " AS amount")
	}
	s.text("\n FROM rfpragma_rows\n)")
}

// trees writes the leaf of each tree, t0, t1, ..., and their votes v0, v1, ... for the classes.
func (s *statement) trees() {
	f := s.m.Forest
	s.text(", rfpragma_trees", materialized, "rfpragma_row", s.amount())
	leaves := make([]leaves, f.Trees())
	for t := range leaves {
		s.text(",\n  ")
		leaves[t].write(s, f.Tree(t))
		s.text(fmt.Sprintf(" AS t%d", t))
	}
	s.text("\n FROM rfpragma_cells\n), rfpragma_votes", materialized, "rfpragma_row", s.amount())
	for c := range f.Classes {
		terms := make([]string, len(leaves))
		for t := range terms {
			terms[t] = leaves[t].votesFor(c, fmt.Sprintf("t%d", t))
		}
		s.text(",\n  CAST(", balanced(terms), " AS DOUBLE PRECISION) AS ", column(0, c))
	}
	s.text("\n FROM rfpragma_trees\n)")
}

func (s *statement) amount() string {
	if s.f.amount == "" {
		return ""
	}
	return ", amount"
}

// balanced is a sum whose brackets are not deep, as databases go through them by recursion.
func balanced(terms []string) string {
	if len(terms) == 1 {
		return terms[0]
	}
	half := len(terms) / 2
	return "(" + balanced(terms[:half]) + " + " + balanced(terms[half:]) + ")"
}

// leaves are the distinct votes of the leaves of a tree: a leaf is written as the index of its counts, from 1 on, where
// votes are soft, else as its class.
type leaves struct{ counts [][]int }

// votesFor is what a tree adds to the counts of a class.
func (l *leaves) votesFor(class int, leaf string) string {
	if l.counts == nil {
		return fmt.Sprintf("CAST(%s = %d AS INTEGER)", leaf, class)
	}
	list := make([]string, len(l.counts))
	for i, counts := range l.counts {
		list[i] = fmt.Sprint(counts[class])
	}
	return "(ARRAY[" + strings.Join(list, ",") + "])[" + leaf + "]"
}

func (l *leaves) leaf(f *forest.Forest, n forest.Node) string {
	if n.Shares == nil {
		return fmt.Sprint(n.Class)
	}
	counts := countsOf(f, n)
	at := slices.IndexFunc(l.counts, func(c []int) bool { return slices.Equal(c, counts) })
	if at < 0 {
		at = len(l.counts)
		l.counts = append(l.counts, counts)
	}
	return fmt.Sprint(at + 1)
}

// write writes a tree as nested cases. The condition is of what goes the other way than missing cells, which then go
// with ELSE, as NULL makes no condition true.
func (l *leaves) write(s *statement, t forest.Tree) {
	f := s.m.Forest
	type part struct {
		text string
		node int // if there is no text
	}
	todo := []part{{"", 0}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.text != "" {
			s.text(p.text)
			continue
		}
		n := t.Node(p.node)
		if n.Leaf {
			s.text(l.leaf(f, n))
			continue
		}
		then, otherwise := n.Left, n.Right
		if n.MissingLeft {
			then, otherwise = n.Right, n.Left
		}
		s.text("CASE WHEN ", condition(f, n), " THEN ")
		todo = append(todo, part{text: " END"}, part{node: otherwise}, part{text: " ELSE "}, part{node: then})
	}
}

// condition is of what goes another way than missing cells.
func condition(f *forest.Forest, n forest.Node) string {
	if f.Schema[n.Feature].Kind == dataset.Numeric {
		compare := "<="
		if n.MissingLeft {
			compare = ">"
		}
		return fmt.Sprintf("x%d %s %s", n.Feature, compare, literal(n.Threshold))
	}
	var codes []string
	for level := range f.Schema[n.Feature].Levels {
		if _, left := slices.BinarySearch(n.Levels, level); left != n.MissingLeft {
			codes = append(codes, fmt.Sprint(level+1))
		}
	}
	return fmt.Sprintf("x%d IN (%s)", n.Feature, strings.Join(codes, ","))
}

// result writes what is selected.
func (s *statement) result(last string, of [][]string) {
	s.text("\nSELECT rfpragma_rows.*,\n  CASE ", of[s.f.decision][0])
	for i, label := range s.f.labels {
		s.text(" WHEN ", literal(float64(i)), " THEN ", quoted(label))
	}
	s.text(" END AS decision")
	for c, class := range s.m.Classes() {
		s.text(",\n  ", of[s.f.probabilities][c], " AS ", name("probability_"+class))
	}
	s.text("\nFROM rfpragma_rows JOIN ", last, " ON rfpragma_rows.rfpragma_row = ", last,
		".rfpragma_row\nORDER BY rfpragma_rows.rfpragma_row;\n")
}
