package table

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func gzipped(t *testing.T, text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstded(t *testing.T, text string) string {
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(z, text); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFormByContent(t *testing.T) {
	for text, want := range map[string]string{
		"PAR1\x15\x04":                        ParquetTable,
		"PARE":                                ParquetTable,
		"@relation x\n":                       ArffTable,
		"\ufeff% a comment\r\n\n @RELATION\t": ArffTable,
		"@attribute x real\n":                 ArffTable,
		"@relations,x\n":                      CSVTable,
		"%a,b\n1,2\n":                         CSVTable,
		"+1 3:0.5\n":                          LibsvmTable,
		"# c\n\n-1.0\t0:1 2:1\n":              LibsvmTable,
		"1 2:30:00\n":                         CSVTable,
		"a,b\n":                               CSVTable,
		"1 2\n":                               CSVTable,
		"":                                    CSVTable,
		"x":                                   CSVTable,
		gzipped(t, "@relation x\n"):           ArffTable,
		zstded(t, "1 2:3\n"):                  LibsvmTable,
		"\x1f\x8b":                            CSVTable,
		"\x28\xb5\x2f\xfd":                    CSVTable,
	} {
		b := bufio.NewReader(strings.NewReader(text))
		if got := formByContent(b); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
		if rest, err := io.ReadAll(b); err != nil || string(rest) != text {
			t.Errorf("of %q is left %q, %v", text, rest, err)
		}
	}
}
