package main

import (
	"encoding/csv"
	"errors"
	"flag"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the expected output in testdata/script anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rfpragma": main})
}

// Whole journeys, as a user would type them.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			// the tables are small: collecting at 20, as main does, takes most of the time
			env.Setenv("GOGC", "400")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each command under the race detector takes a second to end
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits, "renamed": sameButNames},
	})
}

// exits is the script command "exits CODE program args...": the program must end with CODE.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE program args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var ended *exec.ExitError
		if !errors.As(err, &ended) {
			ts.Fatalf("%v", err)
		}
		code = ended.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// sameButNames is the script command "renamed ONE.csv TWO.csv OLD=NEW...": both are the same table, but for what the
// classes are called, in cells and at the end of the names of columns, and for the order of the columns.
func sameButNames(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: renamed ONE.csv TWO.csv OLD=NEW...")
	}
	columns := func(name string) map[string]string {
		rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(name))).ReadAll()
		ts.Check(err)
		out := map[string]string{}
		for j, head := range rows[0] {
			for _, row := range rows[1:] {
				out[head] += row[j] + "\n"
			}
		}
		return out
	}
	one, two := columns(args[0]), columns(args[1])
	for head, cells := range one {
		for _, name := range args[2:] {
			from, to, _ := strings.Cut(name, "=")
			if at, of := strings.CutSuffix(head, "_"+from); of {
				head = at + "_" + to
				break
			}
		}
		if head == "decision" {
			lines := strings.Split(cells, "\n")
			for i, cell := range lines {
				for _, name := range args[2:] {
					if from, to, _ := strings.Cut(name, "="); cell == from {
						lines[i] = to
					}
				}
			}
			cells = strings.Join(lines, "\n")
		}
		if two[head] != cells {
			ts.Fatalf("column %s:\n%s\nis in %s\n%s", head, cells, args[1], two[head])
		}
	}
	if len(one) != len(two) {
		ts.Fatalf("%d columns, and %d in %s", len(one), len(two), args[1])
	}
}
