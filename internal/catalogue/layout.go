package catalogue

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Layout says how the files of a set are written. Lines without a cell, and those that begin
// with % or |, hold no row. Blanks and quotes around a cell do not count.
type Layout struct {
	// of the zip archive, in the order of the rows; FOLDER.zip/FILE lies in an archive within. None: there is no
	// archive
	Members   []string
	Separator byte   // of cells; a blank stands for any number of blanks
	ARFF      bool   // rows begin after the line @data
	Header    bool   // the first line of each file holds names
	Missing   string // what stands for a missing value; "" where none is missing
	Columns   string // names in the order of the file, parted by commas; one is class, - is left out
	Suffix    string // that labels may have there
	Shorten   bool   // zeros at the end of a fraction are dropped: 9.00 is 9
}

// mostUnpacked is as many bytes as a file of an archive may have.
const mostUnpacked = 64 << 20

// open returns the files of the set.
func (l *Layout) open(raw []byte) ([]string, error) {
	if !bytes.HasPrefix(raw, []byte("PK\x03\x04")) {
		if len(l.Members) > 1 {
			return nil, fmt.Errorf("it is no zip archive, which should hold %s", strings.Join(l.Members, ", "))
		}
		return []string{string(raw)}, nil
	}
	files := make([]string, len(l.Members))
	for i, name := range l.Members {
		text, err := member(raw, name)
		if err != nil {
			return nil, err
		}
		files[i] = string(text)
	}
	if len(files) == 0 {
		return nil, errors.New("it is a zip archive where a text file is expected")
	}
	return files, nil
}

// member unpacks the file name of a zip archive, in whatever folder it lies there.
func member(archive []byte, name string) ([]byte, error) {
	name, inner, nested := strings.Cut(name, "/")
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, fmt.Errorf("the zip archive is damaged: %w", err)
	}
	at := slices.IndexFunc(z.File, func(f *zip.File) bool { return path.Base(f.Name) == name && !f.FileInfo().IsDir() })
	if at < 0 {
		return nil, fmt.Errorf("the zip archive has no file %s", name)
	}
	text, err := unpack(z.File[at])
	if err != nil {
		return nil, fmt.Errorf("%s in the zip archive is damaged: %w", name, err)
	}
	if nested {
		return member(text, inner)
	}
	return text, nil
}

func unpack(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, mostUnpacked+1))
	if err == nil && len(text) > mostUnpacked {
		err = fmt.Errorf("it has more than %d MB", mostUnpacked>>20)
	}
	return text, err
}

// table writes the rows of files as CSV text.
func (l *Layout) table(files []string) ([]byte, error) {
	columns := strings.Split(l.Columns, ",")
	var order []int // of the columns of the file in ours
	var out bytes.Buffer
	for j, name := range columns {
		if name != "-" && name != "class" {
			order = append(order, j)
			out.WriteString(name + ",")
		}
	}
	out.WriteString("class\n")
	order = append(order, slices.Index(columns, "class"))
	for i, file := range files {
		if err := l.rows(&out, file, len(columns), order); err != nil {
			if len(l.Members) > 1 {
				err = fmt.Errorf("%s, %w", l.Members[i], err)
			}
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// rows writes the rows of one file, of that many cells, in the given order.
func (l *Layout) rows(out *bytes.Buffer, file string, width int, order []int) error {
	head := l.ARFF || l.Header // still to come
	number := 0
	for line := range strings.Lines(file) {
		number++
		words := strings.TrimSpace(line)
		if words == "" || words[0] == '%' || words[0] == '|' {
			continue
		}
		if head {
			head = l.ARFF && !strings.EqualFold(words, "@data")
			continue
		}
		cells := l.cells(line)
		if len(cells) != width {
			return fmt.Errorf("line %d: %d cells where %d are expected", number, len(cells), width)
		}
		for n, j := range order {
			cell := l.clean(cells[j])
			end := byte(',')
			if n == len(order)-1 {
				cell, end = strings.TrimSuffix(cell, l.Suffix), '\n'
			}
			if strings.ContainsAny(cell, ",\"\r") {
				return fmt.Errorf("line %d: a cell with a comma or a quote in it", number)
			}
			out.WriteString(cell)
			out.WriteByte(end)
		}
	}
	if head {
		return errors.New("the rows never begin")
	}
	return nil
}

// cells parts a line.
func (l *Layout) cells(line string) []string {
	if l.Separator == ' ' {
		return strings.Fields(line)
	}
	return strings.Split(line, string(rune(l.Separator)))
}

// clean returns what a cell says.
func (l *Layout) clean(cell string) string {
	cell = strings.TrimSpace(cell)
	if n := len(cell); n > 1 && (cell[0] == '"' || cell[0] == '\'') && cell[n-1] == cell[0] {
		cell = cell[1 : n-1]
	}
	if cell == l.Missing {
		return ""
	}
	if l.Shorten && strings.Contains(cell, ".") && !strings.ContainsAny(cell, "eE") {
		if _, err := strconv.ParseFloat(cell, 64); err == nil {
			cell = strings.TrimSuffix(strings.TrimRight(cell, "0"), ".")
		}
	}
	return cell
}
