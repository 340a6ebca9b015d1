package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// readAs reads rows for the schema of a training file.
func readAs(t *testing.T, train, later string, o Options) (*Frame, error) {
	t.Helper()
	f := mustRead(t, train, o)
	schema := f.Schema()
	for j := range schema {
		schema[j].Baseline = baselineOf(f, j)
	}
	return ReadCSV(strings.NewReader(later), "later.csv", Options{Target: o.Target, Schema: schema, Classes: f.Classes})
}

// baselineOf is that of a column with a value or not, as far as a reader asks for it.
func baselineOf(f *Frame, j int) *Baseline {
	c := &f.Columns[j]
	b := &Baseline{Rows: f.Rows()}
	for i := range f.Rows() {
		switch v := c.At(i); {
		case v != v:
			b.Missing++
		case c.Kind == Categorical:
			if b.Counts == nil {
				b.Counts = make([]int, len(c.Levels))
			}
			b.Counts[int(v)]++
		case b.Range == nil:
			b.Range = &[2]float64{v, v}
		default:
			b.Range[0], b.Range[1] = min(b.Range[0], v), max(b.Range[1], v)
		}
	}
	return b
}

// column returns the cells of a column as texts.
func columnTexts(f *Frame, name string) string {
	j := slices.IndexFunc(f.Columns, func(c Column) bool { return c.Name == name })
	var texts []string
	for i := range f.Rows() {
		texts = append(texts, f.Columns[j].Text(f.Columns[j].At(i)))
	}
	return strings.Join(texts, " ")
}

// A column of numbers that wear something is read by option Number, in training and by its schema, and a cell in
// another unit is refused in both.
func TestNumberOption(t *testing.T) {
	for _, c := range []struct {
		number, train, later, want, wrong string
	}{
		{"z=kg", "70kg|71.5 kg|80", "90 kg|65", "70 71.5 80|90 65", "70 lb"},
		{"z=€", "€5|6 €|€1.2k", "7|€8", "5 6 1200|7 8", "$5"},
		{"z", "1.3k|~40|2M", "950|1k", "1300 40 2000000|950 1000", "1.3 kg"},
		{"z=%", "5 %|7%|0.5 %", "9 %|10", "5 7 0.5|9 10", "5 ‰"},
		{"z=min", "15:11|3:00 PM|1 h 5 min", "PT67M|45", "911 900 65|67 45", "noon"},
		{"z=h", "0 days 19:00:00|1:30|2 h", "P1D|90 min", "19 1.5 2|24 1.5", "3 kg"},
	} {
		table := func(cells string) string {
			text := "x,z,y\n"
			for i, cell := range strings.Split(cells, "|") {
				text += fmt.Sprintf("%d,%s,%c\n", i, cell, 'a'+i%2)
			}
			return text
		}
		o := Options{Target: "y", Number: []string{c.number}}
		f := mustRead(t, table(c.train), o)
		later, err := readAs(t, table(c.train), table(c.later), o)
		if err != nil {
			t.Errorf("%s: %v", c.number, err)
			continue
		}
		if got := columnTexts(f, "z") + "|" + columnTexts(later, "z"); got != c.want {
			t.Errorf("%s: %s, want %s", c.number, got, c.want)
		}
		var at *ParseError
		if _, err := ReadCSV(strings.NewReader(table(c.train+"|"+c.wrong)), "in.csv", o); !errors.As(err, &at) || at.Line != 5 {
			t.Errorf("%s: %q in training: %v", c.number, c.wrong, err)
		}
		if _, err := readAs(t, table(c.train), table(c.later+"|"+c.wrong), o); !errors.As(err, &at) || at.Line != 4 {
			t.Errorf("%s: %q later: %v", c.number, c.wrong, err)
		}
		if v, err := f.Schema()[1].Cell(strings.Split(c.train, "|")[0], nil); err != nil || v != f.Columns[1].At(0) {
			t.Errorf("%s: a row by hand has %v, %v", c.number, v, err)
		}
	}
	for _, o := range []Options{{Number: []string{"u=kg"}}, {Number: []string{"z=kg"}, Categorical: []string{"z"}}} {
		o.Target = "y"
		var usage *UsageError
		if _, err := ReadCSV(strings.NewReader("z,y\n1kg,a\n2kg,b\n"), "in.csv", o); !errors.As(err, &usage) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// What is taken as categories and could be numbers is said with the option that reads it, to the reader and to the
// look.
func TestDressedColumnsAreTold(t *testing.T) {
	for name, c := range map[string]struct {
		cell func(i int) string
		want string
	}{
		"kg":        {func(i int) string { return fmt.Sprintf("%d.%dkg", 40+i%37, i%10) }, "--number z=kg"},
		"sign":      {func(i int) string { return fmt.Sprintf("~%d", i%43) }, "--number z"},
		"thousands": {func(i int) string { return fmt.Sprintf("%d.%dk", i%9, i%10) }, "--number z"},
		"clock":     {func(i int) string { return fmt.Sprintf("%02d:%02d", i%24, i*7%60) }, "--number z=min"},
		"duration":  {func(i int) string { return fmt.Sprintf("%d h %d min", i%3, i*7%60) }, "--number z=min"},
		"pairs":     {func(i int) string { return fmt.Sprintf("%d/%d", 100+i*7%60, 60+i%31) }, "two columns"},
		"classes":   {func(i int) string { return fmt.Sprintf("%d-%d", i%7*10, i%7*10+9) }, ""},
		"ranks":     {func(i int) string { return []string{"1st", "2nd", "3rd"}[i%3] }, ""},
		"codes":     {func(i int) string { return fmt.Sprintf("A%d", i%40) }, ""},
	} {
		text := rowsOf("x,z,y", 200, func(i int) string {
			return fmt.Sprintf("%d.5,%s,%c", i*331%199, c.cell(i*113%200), 'a'+i*7%11%2)
		})
		told := "are taken as"
		warned := fmt.Sprint(mustRead(t, text, Options{Target: "y"}).Warnings)
		v := overviewOf(t, text, Options{Target: "y"})
		found := ""
		for _, f := range v.Findings {
			found += f.Text + "\n"
		}
		for _, said := range []string{warned, found} {
			if strings.Contains(said, told) != (c.want != "") || !strings.Contains(said, c.want) {
				t.Errorf("%s: %s, want %q", name, said, c.want)
			}
		}
	}
}

// Truth values are one from whatever program they come.
func TestTruthValues(t *testing.T) {
	table := func(yes, no string) string {
		return rowsOf("x,z,y", 40, func(i int) string {
			return fmt.Sprintf("%d,%s,%c", i*7%40, map[bool]string{true: yes, false: no}[i*5%7 < 3], 'a'+i*3%5%2)
		})
	}
	python := mustRead(t, table("True", "False"), Options{Target: "y"})
	for _, words := range [][2]string{{"TRUE", "FALSE"}, {"true", "false"}, {"t", "f"}, {"T", "F"}} {
		f := mustRead(t, table(words[0], words[1]), Options{Target: "y"})
		if got, want := columnTexts(f, "z"), columnTexts(python, "z"); got != want {
			t.Errorf("%v is read as %.60s, want %.60s", words, got, want)
		}
	}
	for _, words := range [][2]string{{"TRUE", "FALSE"}, {"1", "0"}, {"1.0", "0.0"}, {"t", "f"}, {"yes", "no"}, {"Y", "N"}} {
		for _, trained := range [][2]string{{"True", "False"}, {"yes", "no"}} {
			f, err := readAs(t, table(trained[0], trained[1]), table(words[0], words[1]), Options{Target: "y"})
			want := mustRead(t, table(trained[0], trained[1]), Options{Target: "y"})
			if err != nil || columnTexts(f, "z") != columnTexts(want, "z") || len(f.Warnings) > 0 {
				t.Errorf("%v for %v: %v, %v", words, trained, f, err)
			}
		}
	}
	f, err := readAs(t, table("True", "False"), table("on", "off"), Options{Target: "y"})
	if err != nil || !slices.ContainsFunc(f.Warnings, func(w error) bool { return errors.Is(w, ErrMisfit) }) {
		t.Errorf("unknown words alone: %v, %v; want a misfit", f, err)
	}
}

// Names, labels and levels that look alike are one: in the composed and the decomposed form, with blanks of other
// kinds and what has no width.
func TestTextsThatLookAlike(t *testing.T) {
	const composed, apart = "\u00e9", "e\u0301"
	for name, other := range map[string]func(string) string{
		"decomposed": func(s string) string { return strings.ReplaceAll(s, composed, apart) },
		"zero width": func(s string) string { return strings.ReplaceAll(s, composed, composed+"\u200b") },
		"blank":      func(s string) string { return strings.ReplaceAll(s, "a b", "a\u00a0b") },
	} {
		const head = "cr\u00e9a,w,y\n"
		row := func(i int) string {
			return fmt.Sprintf("%d,%s,%s\n", i, []string{"Gen\u00e8ve a b", "Z\u00e9 a b", "a b\u00e9"}[i%3],
				[]string{"d\u00e9c\u00e9d\u00e9 a b", "vivant\u00e9"}[i%2])
		}
		plain, mixed := head, head
		for i := range 40 {
			plain += row(i)
			if i%4 == 0 {
				mixed += other(row(i))
			} else {
				mixed += row(i)
			}
		}
		want := mustRead(t, plain, Options{Target: "y"})
		got := mustRead(t, mixed, Options{Target: "y"})
		if !slices.Equal(got.Classes, want.Classes) || !slices.Equal(got.Truth, want.Truth) ||
			columnTexts(got, "w") != columnTexts(want, "w") {
			t.Errorf("%s: classes %+q, cells %.80s", name, got.Classes, columnTexts(got, "w"))
		}
		later, err := readAs(t, plain, other(plain), Options{Target: "y"})
		if err != nil || !slices.Equal(later.Truth, want.Truth) || columnTexts(later, "w") != columnTexts(want, "w") ||
			len(later.Warnings) > 0 {
			t.Errorf("%s later: %v, %v", name, later, err)
		}
		asked, err := ReadCSV(strings.NewReader(plain), "in.csv", Options{Target: "y", Positive: other("d\u00e9c\u00e9d\u00e9 a b"),
			Ignore: []string{other("cr\u00e9a")}})
		if err != nil || len(asked.Columns) != 1 {
			t.Errorf("%s asked for: %v", name, err)
		}
	}
	f := mustRead(t, "x,y\n1,1.0\n2,0\n3,1\n4,0.0\n", Options{Target: "y"})
	if !slices.Equal(f.Classes, []string{"0", "1"}) || !slices.Equal(f.Truth, []int{1, 0, 1, 0}) {
		t.Errorf("classes %q, truth %v", f.Classes, f.Truth)
	}
}

// Levels that differ in letter case are kept apart and told once; a later cell is asked about.
func TestLevelsInOtherCase(t *testing.T) {
	text := rowsOf("x,w,y", 60, func(i int) string {
		return fmt.Sprintf("%d,%s,%c", i*7%59, []string{"Bern", "bern", "Genf"}[i*i%3], 'a'+i*3%5%2)
	})
	if got := fmt.Sprint(mustRead(t, text, Options{Target: "y"}).Warnings); strings.Count(got, "are kept apart") != 1 {
		t.Errorf("warnings %s", got)
	}
	f, err := readAs(t, strings.ReplaceAll(text, "bern", "Basel"), text, Options{Target: "y"})
	if err != nil || !strings.Contains(fmt.Sprint(f.Warnings), `(did you mean "Bern"?)`) {
		t.Errorf("%v, %v", f, err)
	}
}

// A column without a value in training decides nothing, so that whatever it has later refuses no file.
func TestEmptyThenWords(t *testing.T) {
	train := rowsOf("x,z,y", 20, func(i int) string { return fmt.Sprintf("%d,,%c", i*7%19, 'a'+i%2) })
	for _, words := range []string{"urgent", "12 mg", "2024-01-05", "7"} {
		f, err := readAs(t, train, strings.ReplaceAll(train, ",,", ","+words+","), Options{Target: "y"})
		if err != nil {
			t.Errorf("%s: %v", words, err)
			continue
		}
		told := strings.Contains(fmt.Sprint(f.Warnings), `column "z": 20 words are taken as missing`)
		if told != (words != "7") || words != "7" && !math.IsNaN(f.Columns[1].At(0)) {
			t.Errorf("%s: %v", words, f.Warnings)
		}
	}
	if _, err := readAs(t, strings.ReplaceAll(train, ",,", ",1,"), strings.ReplaceAll(train, ",,", ",urgent,"),
		Options{Target: "y"}); err == nil {
		t.Error("words in a column that had numbers are read")
	}
}

// What leaks is told to the reader as to the look, however few rows the classes have.
func TestLeaksAreToldWhileReading(t *testing.T) {
	for name, c := range map[string]struct {
		z    func(i, class int) string
		want string
	}{
		"recoded":        {func(_, class int) string { return strings.Repeat("N", class) + "Y" }, "gives the answer away"},
		"recoded as 0/1": {func(_, class int) string { return fmt.Sprint(class) }, "gives the answer away"},
		"follows":        {func(i, class int) string { return fmt.Sprint(20*class + i*7%11) }, "by this column alone"},
		"numbers":        {func(i, _ int) string { return fmt.Sprint(1 + i*37%80) }, "every whole number from 1 to 80"},
		"rising":         {func(i, _ int) string { return fmt.Sprint(100 + 3*i) }, "rise from row to row"},
		"names":          {func(i, _ int) string { return fmt.Sprintf("R%05d", i*37%80) }, "different category in every row"},
		"honest":         {func(i, class int) string { return fmt.Sprint(i*29%23 + 5*class) }, ""},
	} {
		text := rowsOf("x,z,y", 80, func(i int) string {
			class := map[bool]int{true: 1}[i*31%80 < 12]
			return fmt.Sprintf("%d.5,%s,%c", i*331%79, c.z(i, class), 'a'+class)
		})
		f := mustRead(t, text, Options{Target: "y"})
		found := ""
		for _, finding := range overviewOf(t, text, Options{Target: "y"}).Findings {
			found += finding.Text + "\n"
		}
		for _, said := range []string{fmt.Sprint(f.Warnings), found} {
			if c.want == "" && strings.Contains(said, `"z"`) || !strings.Contains(said, c.want) {
				t.Errorf("%s: %s, want %q", name, said, c.want)
			}
		}
	}
}

// The nameless index of a data frame is no feature, whatever pandas calls it, unless it is asked for.
func TestIndexOfDataFrames(t *testing.T) {
	for _, name := range []string{"__index_level_0__", "__index_level_1__", "Unnamed: 0", "Unnamed: 0.1"} {
		text := rowsOf("x,"+name+",y", 30, func(i int) string { return fmt.Sprintf("%d,%d,%c", i*7%29, i, 'a'+i*3%5%2) })
		f := mustRead(t, text, Options{Target: "y"})
		if len(f.Columns) != 1 {
			t.Errorf("%s is a feature", name)
		}
		if f = mustRead(t, text, Options{Target: "y", ID: name}); len(f.ID) != 30 {
			t.Errorf("%s is no id: %v", name, f.ID)
		}
		later, err := readAs(t, text, text, Options{Target: "y"})
		if err != nil || len(later.Warnings) > 0 {
			t.Errorf("%s later: %v, %v", name, later, err)
		}
	}
	f := mustRead(t, "Unnamed: 1,customer_id,index_of,y\n1,2,3,a\n2,4,5,b\n", Options{Target: "y"})
	if len(f.Columns) != 3 {
		t.Errorf("columns that have a name are left out: %d of 3 are there", len(f.Columns))
	}
}

// Numbers that programs fill missing cells with are told, of several rows and far from the rest.
func TestFillValues(t *testing.T) {
	for _, c := range []struct {
		cell string
		want bool
	}{
		{"-999.25", true}, {"-99", true}, {"99999999", true}, {"1e30", true}, {"-2147483648", true}, {"9.969209968386869e36", true}, {"-9999.0", true},
		{"1.70141e38", true}, {"32767", true}, {"-32768", true}, {"999.9", true}, {"-99999", true}, {"1e20", true},
		{"65535", true}, {"9223372036854775807", true}, {"-1234", false}, {"500", false}, {"4096", false}, {"1e6", false},
	} {
		text := rowsOf("x,z,y", 200, func(i int) string {
			cell := fmt.Sprintf("%d.%d", i*37%23, i%10)
			if i%17 == 3 {
				cell = c.cell
			}
			return fmt.Sprintf("%d.5,%s,%c", i*331%199, cell, 'a'+i*7%11%2)
		})
		warned := fmt.Sprint(mustRead(t, text, Options{Target: "y"}).Warnings)
		found := ""
		for _, f := range overviewOf(t, text, Options{Target: "y"}).Findings {
			found += f.Text + "\n"
		}
		for _, said := range []string{warned, found} {
			if strings.Contains(said, "is far from all other values; if it means that the value is not known") != c.want {
				t.Errorf("%s: %s", c.cell, said)
			}
		}
	}
}

// Rows of a sensor are told; rows in any order, rows sorted by class, and rows sorted by a column are not.
func TestSerialRows(t *testing.T) {
	type series struct{ class, walk, noise []float64 }
	draw := func(stay, keep float64) (s series) {
		rng := rand.New(rand.NewPCG(7, 7))
		class, walk := 0.0, 0.0
		for range 1200 {
			if rng.Float64() > stay {
				class = 1 - class
			}
			walk = keep*walk + rng.NormFloat64()
			s.class, s.walk, s.noise = append(s.class, class), append(s.walk, walk), append(s.noise, rng.NormFloat64())
		}
		return s
	}
	table := func(s series, order []int, first, second []float64) string {
		return rowsOf("a,b,y", len(order), func(i int) string {
			at := order[i]
			return fmt.Sprintf("%.4f,%.4f,%v", first[at], second[at]+s.class[at], s.class[at])
		})
	}
	straight := make([]int, 1200)
	for i := range straight {
		straight[i] = i
	}
	long, short, none := draw(0.95, 1), draw(0.9, 0.9), draw(0.5, 0.9)
	shuffled := rand.New(rand.NewPCG(1, 1)).Perm(1200)
	byClass := slices.Clone(shuffled)
	slices.SortStableFunc(byClass, func(a, b int) int { return int(long.class[a] - long.class[b]) })
	byColumn := slices.Clone(shuffled)
	slices.SortStableFunc(byColumn, func(a, b int) int { return int(math.Copysign(1, long.walk[a]-long.walk[b])) })
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"random walk":           {table(long, straight, long.walk, long.walk), true},
		"sensor that forgets":   {table(short, straight, short.walk, short.walk), true},
		"labels change at will": {table(none, straight, none.walk, none.walk), false},
		"features do":           {table(long, straight, long.noise, long.noise), false},
		"in any order":          {table(long, shuffled, long.walk, long.walk), false},
		"sorted by class":       {table(long, byClass, long.walk, long.noise), false},
		"sorted by a column":    {table(long, byColumn, long.walk, long.noise), false},
	} {
		got := strings.Contains(fmt.Sprint(mustRead(t, c.text, Options{Target: "y"}).Warnings), "neighbouring rows are alike")
		if got != c.want {
			t.Errorf("%s: told %v, want %v", name, got, c.want)
		}
	}
}

// Files as other programs write them: KEEL, R, and zstd with frames that are to be skipped.
func TestFilesOfOtherPrograms(t *testing.T) {
	const plain = "x,w,y\n1,p,a\n2,q,b\n3,p,a\n4,p,b\n"
	want := mustRead(t, plain, Options{Target: "y"})
	same := func(name string, f *Frame, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if columnTexts(f, "x") != columnTexts(want, "x") || columnTexts(f, "w") != columnTexts(want, "w") ||
			!slices.Equal(f.Truth, want.Truth) {
			t.Errorf("%s: x %s, w %s, %v", name, columnTexts(f, "x"), columnTexts(f, "w"), f.Truth)
		}
	}
	for name, text := range map[string]string{
		"tabs":                   "\"x\"\t\"w\"\t\"y\"\n\"1\"\t1\t\"p\"\t\"a\"\n\"2\"\t2\t\"q\"\t\"b\"\n\"3\"\t3\t\"p\"\t\"a\"\n\"4\"\t4\t\"p\"\t\"b\"\n",
		"tabs, no quotes":        "x\tw\ty\n1\t1\tp\ta\n2\t2\tq\tb\n3\t3\tp\ta\n4\t4\tp\tb\n",
		"blanks":                 "\"x\" \"w\" \"y\"\n\"1\" 1 \"p\" \"a\"\n\"2\" 2 \"q\" \"b\"\n\"3\" 3 \"p\" \"a\"\n\"4\" 4 \"p\" \"b\"\n",
		"blanks, no row names":   "x w y\n1 p a\n2 q b\n3 p a\n4 p b\n",
		"names of rows in words": "x;w;y\nann b;1;p;a\nbob;2;q;b\ncat;3;p;a\ndan;4;p;b\n",
		"blanks, names in words": "x w y\nann 1 p a\nbob 2 q b\ncat 3 p a\ndan 4 p b\n",
		"commas":                 "\"x\",\"w\",\"y\"\n\"ann\",1,\"p\",\"a\"\n\"bob\",2,\"q\",\"b\"\n\"cat\",3,\"p\",\"a\"\n\"dan\",4,\"p\",\"b\"\n",
	} {
		f, err := ReadCSV(strings.NewReader(text), "in.txt", Options{Target: "y"})
		same(name, f, err)
	}
	for name, head := range map[string]string{
		"KEEL": "@relation r\n@attribute x integer [1, 4]\n@attribute w {p, q}\n@attribute y {a, b}\n@inputs x, w\n@outputs y\n@data\n",
		"KEEL without blanks": "@relation r\n@attribute x real[1.0,4.0]\n@attribute w {p,q}\n@attribute y{a,b}\n@inputs x,w\n" +
			"@output y\n@data\n",
		"KEEL in capitals": "@RELATION r\n@ATTRIBUTE x REAL [1, 4]\n@ATTRIBUTE w {p, q}\n@ATTRIBUTE y {a, b}\n@INPUTS x, w\n@OUTPUTS y\n@DATA\n",
	} {
		s, err := ARFF(strings.NewReader(head+"1, p, a\n2, q, b\n3, p, a\n4, p, b\n"), "in.dat")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f, err := Read(s, Options{Target: "y"})
		same(name, f, err)
	}
	var packed bytes.Buffer
	skip := []byte("\x5a\x2a\x4d\x18\x03\x00\x00\x00abc")
	for _, part := range []string{plain[:9], plain[9:]} {
		packed.Write(skip)
		z, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		packed.Write(z.EncodeAll([]byte(part), nil))
	}
	packed.Write(skip)
	f, err := ReadCSV(&packed, "in.csv.zst", Options{Target: "y"})
	same("zstd", f, err)
}
