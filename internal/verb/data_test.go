package verb

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// A41, by the command: rows are added to the table from before it is opened until it is refused. No verb makes
// anything of what it has read.
func TestGrowingTableIsRefused(t *testing.T) {
	trained(t)
	text := small(60) + strings.Repeat("1,p,ill\n", 200000)
	for _, line := range []string{"train in.csv --trees 2 -o new.rfp", "cv in.csv --trees 2 --folds 2", "inspect in.csv",
		"predict model.rfp in.csv -o new.csv", "evaluate model.rfp in.csv"} {
		write(t, "in.csv", text)
		begun, done, ended := make(chan error), make(chan bool), make(chan bool)
		go func() {
			defer close(ended)
			f, err := os.OpenFile("in.csv", os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteString("2,q,well\n")
			}
			begun <- err
			for more := true; more && err == nil; {
				select {
				case <-done:
					more = false
				case <-time.After(time.Millisecond):
					_, err = f.WriteString("2,q,well\n")
				}
			}
			_ = f.Close()
		}()
		if err := <-begun; err != nil {
			t.Fatal(err)
		}
		got := invoke(t, nil, split(line)...)
		close(done)
		<-ended
		if want := "reading in.csv: it changed while it was read; read it again when it is " +
			"complete"; got.code != cli.ExitData || got.stdout != "" || !strings.Contains(got.stderr, want) {
			t.Errorf("A41 %s: exit %d, %s%s", line, got.code, got.stdout, got.stderr)
		}
		if left, err := filepath.Glob("*new.*"); err != nil || left != nil {
			t.Errorf("A41 %s: %q are left, %v", line, left, err)
		}
	}
}

// manyRows makes rows to predict while they are read, and looks at the memory in use.
type manyRows struct {
	left int
	text string
	most uint64
}

func (m *manyRows) Read(b []byte) (int, error) {
	if m.text == "" {
		if m.left == 0 {
			return 0, io.EOF
		}
		n := min(m.left, 10_000)
		m.left -= n
		m.text = strings.Repeat("1.5,p\n", n)
		m.most = max(m.most, heapInUse())
	}
	n := copy(b, m.text)
	m.text = m.text[n:]
	return n, nil
}

// The memory that predicting takes does not grow with the number of rows.
func TestPredictTakesConstantMemory(t *testing.T) {
	inFolder(t, map[string]string{"in.csv": small(30)})
	must(t, "train in.csv --trees 5 --prefer ill -o m.rfp")
	grown := func(rows int) uint64 {
		in := &manyRows{left: rows, text: "x,kind\n"}
		var out lines
		before := heapInUse()
		if code := Run(context.Background(), []string{"rfpragma", "predict", "m.rfp", "-", "--threads", "2", "--quiet"}, in,
			&out, io.Discard); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		if out.n != rows+1 {
			t.Errorf("%d lines for %d rows", out.n, rows)
		}
		return max(in.most, before) - before
	}
	few := grown(100_000)
	if many := grown(2_000_000); many > 2*few+8<<20 { // how many blocks are under way at a time is left to chance
		t.Errorf("%d bytes at the most for 100,000 rows, %d for 2,000,000", few, many)
	}
}

// lines counts the lines that are written.
type lines struct{ n int }

func (l *lines) Write(b []byte) (int, error) {
	l.n += strings.Count(string(b), "\n")
	return len(b), nil
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
