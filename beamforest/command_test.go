package beamforest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
)

// patience is how long a command may take. A busy machine may need half a minute for what else takes half a second.
const patience = 3 * time.Minute

// serverPort says in the environment that this process is to be a stand-alone Prism.
const serverPort = "BEAMFOREST_PRISM_PORT"

func TestMain(m *testing.M) {
	if port, err := strconv.Atoi(os.Getenv(serverPort)); err == nil {
		if _, err := prism.CreateJobServer(context.Background(), prism.Options{Port: port}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		_, _ = io.Copy(io.Discard, os.Stdin) // until the test has ended, however it has
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "beamforest")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	commands = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// commands is the folder of the commands, which the first test that needs them builds.
var commands string

var build = sync.OnceValue(func() (err error) {
	for _, c := range []struct{ name, from, pkg string }{
		{"rfpragma", "..", "./cmd/rfpragma"},
		{"rfpragma-beam", ".", "./cmd/rfpragma-beam"},
		{"boot", ".", "github.com/apache/beam/sdks/v2/go/container"},
	} {
		cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(commands, c.name), c.pkg) // stripped, as for a cluster
		cmd.Dir = c.from
		if out, fault := cmd.CombinedOutput(); fault != nil {
			err = errors.Join(err, fmt.Errorf("%v: %w\n%s", cmd.Args, fault, out))
		}
	}
	return err
})

// bench is a folder with data.
type bench struct {
	*testing.T
	dir string
}

func (b bench) path(name string) string { return filepath.Join(b.dir, name) }

func newBench(t *testing.T) bench {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	b := bench{t, t.TempDir()}
	if err := os.Mkdir(b.path("tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	b.must("rfpragma generate fraud --rows 900 --seed 3 -o data.csv")
	return b
}

// command returns a command line, to be run in the folder; what Beam leaves behind is left in there, too.
func (b bench) command(line string) (cmd *exec.Cmd, stop context.CancelFunc) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	words := strings.Fields(line)
	cmd = exec.CommandContext(ctx, filepath.Join(commands, words[0]), words[1:]...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "TMPDIR="+b.path("tmp"))
	cmd.WaitDelay = time.Second
	return cmd, stop
}

// run runs a command line and returns its exit code and what it said.
func (b bench) run(line string) (code int, said string) {
	b.Helper()
	cmd, stop := b.command(line)
	defer stop()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.Fatalf("%s: %v", line, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func (b bench) must(line string) {
	b.Helper()
	if code, said := b.run(line); code != 0 {
		b.Fatalf("%s: exit %d\n%s", line, code, said)
	}
}

func (b bench) same(got, want string) {
	b.Helper()
	x, errX := os.ReadFile(b.path(got))
	y, errY := os.ReadFile(b.path(want))
	if errX != nil || errY != nil || len(y) == 0 || !bytes.Equal(x, y) {
		b.Errorf("%s (%v) has other bytes than %s (%v)", got, errX, want, errY)
	}
}

func (b bench) absent(pattern string) {
	b.Helper()
	found, err := filepath.Glob(b.path(pattern))
	if err != nil || len(found) > 0 {
		b.Errorf("left behind: %q, %v", found, err)
	}
}

// Trees and votes have the bytes of the ordinary command, on any number of parts; so they have with hash bags, when each part reads the
// file and holds the rows of its own bags, and with these in memory.
func TestPrismEqualsOneMachine(t *testing.T) {
	b := newBench(t)
	for name, flags := range map[string]string{
		"all rows":       "--trees 30 --seed 7 --min-leaf 2",
		"sampled":        "--trees 30 --bag hash:60 --categorical channel",
		"sampled weight": "--trees 12 --bag hash:60 --weight amount --soft-votes",
	} {
		b.must("rfpragma grow data.csv -o plain.part " + flags)
		b.must("rfpragma tally plain.part data.csv -o plainvotes.part")
		for _, parts := range []int{1, 3, 7} {
			b.must(fmt.Sprintf("rfpragma-beam grow %s data.csv -o beam.part --parts %d", flags, parts))
			b.same("beam.part", "plain.part")
			b.must(fmt.Sprintf("rfpragma-beam tally beam.part data.csv -o votes.part --parts %d", parts))
			b.same("votes.part", "plainvotes.part")
			if t.Failed() {
				t.Fatalf("%s, %d parts", name, parts)
			}
		}
	}
	b.must("rfpragma grow data.csv -o trees.part --trees 30")
	b.must("rfpragma-beam tally trees.part data.csv -o votes.part --parts 5")
	b.must("rfpragma merge trees.part votes.part --prefer fraud -o many.rfp")
	b.must("rfpragma train data.csv --trees 30 --votes oob --prefer fraud -o one.rfp")
	b.same("many.rfp", "one.rfp")
	b.absent(".*tmp*")
}

// What is said of a file and of its labels is understood as the ordinary command does.
func TestOtherFiles(t *testing.T) {
	b := newBench(t)
	text := "x;y;day;class\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%d;%d;2025-03-%02d;%s\n", i%7, i%10, i%11, 1+i/3, []string{"flu", "well", "cold"}[i%3])
	}
	if err := os.WriteFile(b.path("data.csv"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.must("rfpragma grow data.csv --decimal , --time day --merge-labels ill=flu,cold --trees 9 -o plain.part")
	b.must("rfpragma tally plain.part data.csv --decimal , -o plainvotes.part")
	b.must("rfpragma-beam grow data.csv --decimal , --time day --merge-labels ill=flu,cold --trees 9 --parts 2 -o beam.part")
	b.must("rfpragma-beam tally beam.part data.csv --decimal , --parts 2 -o votes.part")
	b.same("beam.part", "plain.part")
	b.same("votes.part", "plainvotes.part")
}

// A fault of the data ends the job, and leaves no file.
func TestFaults(t *testing.T) {
	b := newBench(t)
	for line, want := range map[string]string{
		"grow data.csv -o x.part --target nil":                  `"nil"`,
		"grow nodata.csv -o x.part":                             "nodata.csv",
		"grow data.csv -o x.part --mtry 99":                     "mtry 99; the data has",
		"tally data.csv data.csv -o x.part":                     "data.csv: model file: this is not a model",
		"grow data.csv --trees 5 -o missing/x.part":             "missing",
		"grow data.csv":                                         "--output is missing",
		"grow data.csv -o data.csv":                             "is an input",
		"grow -o x.part":                                        "grow takes DATA.csv, 0 given",
		"tally x.part -o y.part":                                "tally takes TREES.part DATA.csv, 1 given",
		"grow data.csv -o x.part --trees 0":                     "--trees 0; give a number from 1 to 1048576",
		"grow data.csv -o x.part --parts 0":                     "--parts 0; give a number from 1 to 1048576",
		"grow data.csv -o x.part --criterion pragma":            "choose gini, entropy, hellinger or offcentred",
		"grow data.csv -o x.part --bag hash:20 --fraction 1e-1": "cannot be drawn",
		"grow data.csv -o x.part --sep ab":                      "is not one character",
		"grow data.csv -o x.part --decimal ;":                   "is neither . nor ,",
		"grow data.csv -o x.part --merge-labels ill":            "is no CLASS=LABEL,LABEL",
		"grow data.csv -o x.part --merge-labels ill=flu,":       "is no CLASS=LABEL,LABEL",
		"grow data.csv -o x.part --tree 7":                      "-tree; rfpragma-beam grow -h lists the flags",
		"plant data.csv":                                        `"plant" is no verb; choose grow or tally`,
		"-x":                                                    "flag provided but not defined",
	} {
		code, said := b.run("rfpragma-beam " + line)
		if code == 0 || !strings.Contains(said, want) {
			t.Errorf("%s: exit %d, want %q in\n%s", line, code, want, said)
		}
		b.absent("x.part")
	}
	if code, said := b.run("rfpragma-beam tally -h"); code != 0 || !strings.Contains(said, "-amount COLUMN") || strings.Contains(said, "-mtry") {
		t.Errorf("help: exit %d\n%s", code, said)
	}
}

// A worker in a process of its own, which knows nothing but what is sent to it, makes the same bytes. One that is killed ends the
// job with an error, in time, and without a file; run again, the job makes the same bytes.
func TestWorkerProcess(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("processes are found in /proc, and there is none")
	}
	b := newBench(t)
	server, flags := b.server()
	b.must("rfpragma grow data.csv --trees 9 --bag hash:99 -o plain.part")
	b.must("rfpragma tally plain.part data.csv -o plainvotes.part")

	if err := syscall.Mkfifo(b.path("endless.csv"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, stop := b.command("rfpragma-beam grow endless.csv --trees 9 --bag hash:99 --parts 3 -o beam.part " + flags)
	defer stop()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	data, err := os.OpenFile(b.path("endless.csv"), os.O_WRONLY, 0) // returns when the worker reads
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	if _, err := data.WriteString("x,class\n1,a\n2,b\n"); err != nil {
		t.Fatal(err)
	}
	worker := b.deepest(server)
	start := time.Now()
	if err := syscall.Kill(worker, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || time.Since(start) > time.Minute {
		t.Errorf("a job without its worker: %v after %v", err, time.Since(start))
	}
	b.absent("*beam.part*")

	b.must("rfpragma-beam grow data.csv --trees 9 --bag hash:99 --parts 3 -o beam.part " + flags)
	b.same("beam.part", "plain.part")
	b.must("rfpragma-beam tally beam.part data.csv --parts 2 -o votes.part " + flags)
	b.same("votes.part", "plainvotes.part")
}

// server starts a stand-alone Prism, which ends with the test, and with it the workers. It returns its process, and the flags of jobs for it.
func (b bench) server() (pid int, flags string) {
	b.Helper()
	free, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		b.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Dir = b.path("tmp") // where boot leaves the options of a job
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", serverPort, port), "TMPDIR="+b.path("tmp"))
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		below := descendants(cmd.Process.Pid)
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			b.Errorf("Prism: %v", err)
		}
		for _, worker := range below { // they outlive it
			_ = syscall.Kill(worker, syscall.SIGKILL)
		}
		b.removeCopies()
	})
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", fmt.Sprintf("localhost:%d", port)); err == nil {
			c.Close()
			break
		} else if time.Now().After(end) {
			b.Fatal(err)
		}
	}
	// Prism gives --id='...' to its workers, with the quotes, which boot takes for a part of the name.
	wrapper := "#!/bin/sh\nfor a; do shift; set -- \"$@\" \"$(printf %s \"$a\" | tr -d \\')\"; done\nexec '" + filepath.Join(commands, "boot") + "' \"$@\" --semi_persist_dir '" + b.path("tmp") + "'\n"
	if err := os.WriteFile(b.path("worker.sh"), []byte(wrapper), 0o700); err != nil {
		b.Fatal(err)
	}
	return cmd.Process.Pid, fmt.Sprintf(`--runner universal --endpoint localhost:%d --environment_type PROCESS --environment_config {"command":%q} --worker_binary %s --timeout 2m`,
		port, b.path("worker.sh"), filepath.Join(commands, "rfpragma-beam"))
}

// removeCopies removes the copies of the command that boot makes in /tmp, whatever TMPDIR says, and leaves there.
func (b bench) removeCopies() {
	b.Helper()
	ours, err := os.ReadFile(filepath.Join(commands, "rfpragma-beam"))
	if err != nil {
		b.Fatal(err)
	}
	found, _ := filepath.Glob("/tmp/bin*/worker")
	for _, path := range found {
		if theirs, err := os.ReadFile(path); err == nil && bytes.Equal(theirs, ours) {
			_ = os.RemoveAll(filepath.Dir(path))
		}
	}
}

// deepest returns the process that others have started which pid has started, the last one.
func (b bench) deepest(pid int) int {
	b.Helper()
	below := descendants(pid)
	if len(below) < 2 {
		b.Fatalf("processes below %d: %v; want boot and the worker", pid, below)
	}
	return below[len(below)-1]
}

// descendants returns the processes that pid has started, and those that these have, parents first.
func descendants(pid int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		b, err := os.ReadFile(stat)
		if err != nil {
			continue // ended meanwhile
		}
		fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
		parent, _ := strconv.Atoi(fields[1])
		children[parent] = append(children[parent], child)
	}
	var all []int
	for next := children[pid]; len(next) > 0; {
		all = append(all, next...)
		var deeper []int
		for _, child := range next {
			deeper = append(deeper, children[child]...)
		}
		next = deeper
	}
	return all
}
