package verb

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rfpragma/rfpragma/internal/cli"
)

// asked runs tune on a small file of votes with these answers.
func asked(t *testing.T, answers string) outcome {
	t.Helper()
	inFolder(t, nil)
	write(t, "votes.csv", "class,a,b,\"c, d\"\na,9,1,0\na,8,1,1\nb,2,7,1\nb,1,8,1\nb,1,7,2\n\"c, d\",0,3,7\n\"c, "+
		"d\",0,2,8\n\"c, d\",1,1,8\n\"c, d\",1,2,7\n")
	return invoke(t, strings.NewReader(answers), "tune", "votes.csv", "--ask", "--format", "csv")
}

// The flag that is shown says the same as the answers, and so decides the same.
func TestAsk(t *testing.T) {
	for _, tc := range []struct{ name, answers, flag string }{
		{"usual answers", "\n\n\n\n", `a:theta=10,x=0.1,y=0.9`},
		{"per cent", "b\n5\n20 %\n60%\n", `b:theta=5,x=0.2,y=0.6`},
		{"numbers from 1 on", "b\n2.5\n1\n99\n", `b:theta=2.5,x=0.01,y=0.99`},
		{"shares", "b\n1\n0\n0.999\n", `b:theta=1,x=0,y=0.999`},
		{"several classes", "b, a,b\n\n20\n\n3\n\n50\n", `a:theta=3,x=0.1,y=0.5;b:theta=10,x=0.2,y=0.9`},
		{"all classes, whose ratio counts", "a,b,\"c, d\"\n0.5\n\n\n1\n\n\n2\n\n\n",
			`a:theta=0.5,x=0.1,y=0.9;b:theta=1,x=0.1,y=0.9;"c, d":theta=2,x=0.1,y=0.9`},
		{"a quoted class", "\"c, d\"\n\n20\n60\n", `"c, d":theta=10,x=0.2,y=0.6`},
		{"a name that is begun", "C\n\n20\n60\n", `"c, d":theta=10,x=0.2,y=0.6`},
		{"the last line does not end", "b\n\n\n60", `b:theta=10,x=0.1,y=0.6`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := asked(t, tc.answers)
			if got.code != cli.ExitDone || !strings.Contains(got.stderr, "The same without questions: --prefer '"+tc.flag+
				"'\n") {
				t.Fatalf("exit %d, want --prefer '%s'\n%s", got.code, tc.flag, got.stderr)
			}
			again := invoke(t, nil, "tune", "votes.csv", "--prefer", tc.flag, "--format", "csv")
			if again.stdout != got.stdout {
				t.Errorf("asked:\n%s--prefer %s:\n%s", got.stdout, tc.flag, again.stdout)
			}
		})
	}
}

// A bad answer is told what is wrong with it, and the question comes again.
func TestAskAgain(t *testing.T) {
	for _, tc := range []struct{ name, answers, want string }{
		{"no class", "d\nb\n\n\n\n", `  unknown class "d"; known are "a", "b", "c, d"; use one of them`},
		{"no list", "\"c\nb\n\n\n\n", `  separate the classes by commas, and quote a name with a comma or a quote in it`},
		{"no importance", "b\nvery\n\n\n\n", `  "very" is not a number; write digits, with a point if need be`},
		{"importance 0", "b\n0\n\n\n\n", `  0 is not above 0: the class would not matter; write a number such as 10`},
		{"importance below 1", "b\n0.2\n\n\n\n",
			`  0.2 is below 1: "b" would matter less than the rest; write 1 or more, or begin again (Ctrl-C) and name what matters most`},
		{"decimal comma", "b\n\n0,2\n\n\n",
			`  "0,2" is not a number; write the number with a point before its decimals, and no mark between thousands`},
		{"negative", "b\n\n-0.2\n\n\n", `  -0.2 is negative; write a share from 0 to 99 %`},
		{"all", "b\n\n\n100 %\n\n", `  100 % would give up nothing; write the least that you would accept, up to 99 %`},
		{"only a sign", "b\n\n%\n\n\n", `  "%" is not a number; write digits, with a point if need be`},
		{"control characters", "b\n\n\x1b[2J\n\n\n", `  "\x1b[2J" is not a number; write digits, with a point if need be`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := asked(t, tc.answers)
			if got.code != cli.ExitDone || !strings.Contains(got.stderr, "\n"+tc.want+"\n") || !strings.Contains(got.stderr,
				"--prefer 'b:theta=10,x=0.1,y=0.9'") {
				t.Errorf("exit %d, want %q\n%s", got.code, tc.want, got.stderr)
			}
		})
	}
}

// Where no class is left that is neutral, there is none to compare with.
func TestAskBesideWhat(t *testing.T) {
	for _, tc := range []struct{ answers, want string }{
		{"a\n\n\n\n", `How many times as much as a neutral class does "a" matter? [10]`},
		{"a,b\n\n\n\n\n\n\n", `How many times as much as a neutral class does "b" matter? [10]`},
		{"a,b,\"c, d\"\n\n\n\n\n\n\n\n\n\n", `How much does "b" matter? Only the ratio to the other classes counts. [10]`},
	} {
		if got := asked(t, tc.answers); !strings.Contains(got.stderr, tc.want) {
			t.Errorf("no %q in\n%s", tc.want, got.stderr)
		}
	}
}

// What the answers mean is said in words. By hand: (x, y) = (0.2, 0.6) gives α = −0.8/1.2 and β = −0.4/1.2, so
// recall is worth 0.8/0.4 = 2 times as much, and half-way between (1, 0.2) and (0.6, 1) lies (0.8, 0.6).
func TestAskWords(t *testing.T) {
	got := asked(t, "b\n\n20\n60\n")
	for _, want := range []string{
		`Which classes matter most, of "a", "b", "c, d"? Several are separated by commas. [a] b` + "\n",
		`You find all of "b". What share of the alarms must be right so that you would still accept it? [10 %] 20` + "\n",
		`Suppose instead that every alarm is right, but not all of "b" is found. What share of it, at the least, would be as good to you? [90 %] 60` + "\n",
		`So one point of recall of "b" is worth 2 points of precision.`,
		`As good as each other, recall at precision: 100 % at 20 %, 80 % at 60 %, 60 % at 100 %.`,
		`Other classes stay neutral: importance 1, x 0.8, y 0.8.`,
	} {
		if !strings.Contains(got.stderr, want) {
			t.Errorf("no %q in\n%s", want, got.stderr)
		}
	}
	if got := asked(t, "b\n\n20\n20\n"); !strings.Contains(got.stderr, "is worth 1 point of precision") {
		t.Error(got.stderr)
	}
	if got := asked(t, "a,b,\"c, d\"\n\n\n\n\n\n\n\n\n\n"); strings.Contains(got.stderr, "neutral: importance") {
		t.Errorf("no class is left, and yet:\n%s", got.stderr)
	}
}

// What cannot be asked, or is not answered to the end.
func TestAskRefused(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": small(60)})
	for _, tc := range []struct {
		name, line string
		stdin      io.Reader
		code       int
		want       string
	}{
		{"no answers", "cv data.csv --ask", strings.NewReader(""), cli.ExitUsage,
			"--ask: the input ended before the last question was answered; answer on a terminal, or write what you want with " +
				"--prefer"},
		{"few answers", "train data.csv --ask -o m.rfp", strings.NewReader("ill\n10\n"), cli.ExitUsage,
			"--ask: the input ended before the last question"},
		{"data on stdin", "cv - --ask", strings.NewReader("x"), cli.ExitUsage,
			"--ask reads the answers from stdin, and - the data; name a file"},
		{"both", "cv data.csv --ask --prefer ill", nil, cli.ExitUsage,
			"--ask asks for what --prefer and --prefer-file say; give one"},
		{"endless answer", "cv data.csv --ask", strings.NewReader(strings.Repeat("i", 1<<20)), cli.ExitUsage,
			"--ask: the answer is too long"},
		{"broken input", "cv data.csv --ask", iotest.ErrReader(&os.PathError{Op: "read", Path: "stdin",
			Err: errors.New("no tape")}), cli.ExitIO, "read stdin: no tape"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := invoke(t, tc.stdin, split(tc.line)...)
			if got.code != tc.code || !strings.Contains(got.stderr, tc.want) || got.stdout != "" {
				t.Errorf("exit %d, want %d with %q\n%s", got.code, tc.code, tc.want, got.stderr)
			}
		})
	}
	if _, err := os.Stat("m.rfp"); err == nil {
		t.Error("a model was written")
	}
}

// A preference that is set elsewhere does not stand against --ask on the command line.
func TestAskOverrides(t *testing.T) {
	t.Setenv("RFPRAGMA_PREFER", "c")
	if got := asked(t, "b\n\n\n\n"); got.code != cli.ExitDone || !strings.Contains(got.stderr, "--prefer 'b:") {
		t.Errorf("exit %d\n%s", got.code, got.stderr)
	}
}

// Nobody who answers can hold the command up beyond a signal.
func TestAskInterrupted(t *testing.T) {
	inFolder(t, map[string]string{"data.csv": small(60)})
	stdin, typist := io.Pipe()
	defer typist.Close()
	interrupted(t, "cv data.csv --ask", stdin, func() {
		if _, err := io.WriteString(typist, "ill\n1"); err != nil { // in the second answer
			t.Error(err)
		}
	})
}

// The command that comes next has the answers, however long they are.
func TestAskNext(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate wave --rows 300 -o wave.csv")
	got := invoke(t, strings.NewReader("1,2\n4\n35\n65\n10\n25\n75\n"), "cv", "wave.csv", "--ask", "--trees", "10",
		"--folds", "3")
	inWords(t, got.stdout, "rfpragma train wave.csv --prefer '1:theta=4,x=0.35,y=0.65;2:theta=10,x=0.25,y=0.75'")
}
