package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// task returns the command as a task of an array job, in a process of its own: the command is this test, see TestMain.
func task(number int, line string) *exec.Cmd {
	cmd := exec.Command("rfpragma", split(line)...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", fmt.Sprintf("JOB_COMPLETION_INDEX=%d", number))
	return cmd
}

// killed starts a task that waits for the rest of its input, kills it, and makes sure that nothing of it stays behind.
func killed(t *testing.T, cmd *exec.Cmd, input string) {
	t.Helper()
	before := listing(t)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, input); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("a task that is killed has ended well")
	}
	if after := listing(t); after != before {
		t.Errorf("a killed task leaves files:\n%.500s\nbefore\n%.500s", after, before)
	}
}

// array runs the tasks of an array job, two at once; of the second a first run is killed, and the third is run
// twice. In the line of a task I stands for its number and DATA for the data. It returns the files that they write.
func array(t *testing.T, tasks int, line, data string) []string {
	t.Helper()
	var files []string
	of := func(i int, data string) string {
		return strings.NewReplacer("#", fmt.Sprint(i), "DATA", data).Replace(line)
	}
	killed(t, task(1, of(1, "-")), data[:len(data)/2])
	for i := 0; i < tasks; i += 2 {
		two := []*exec.Cmd{task(i, of(i, "data.csv")), task(i+1, of(i+1, "data.csv"))}
		for _, cmd := range two {
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
		}
		for _, cmd := range two {
			if err := cmd.Wait(); err != nil {
				t.Fatalf("%q: %v", cmd.Args, err)
			}
			files = append(files, cmd.Args[len(cmd.Args)-1])
		}
	}
	once := read(t, files[2])
	if out, err := task(2, of(2, "data.csv")).CombinedOutput(); err != nil || read(t, files[2]) != once {
		t.Errorf("task 2 run again: %v, other bytes %v\n%s", err, read(t, files[2]) != once, out)
	}
	return files
}

// Array jobs of 4 processes that grow and 16 that count make the model of a single process, byte for byte, though
// one of each is killed and run again. So they do where each holds the rows of its bags alone.
func TestArrayJobsEqualOneProcess(t *testing.T) {
	inFolder(t, nil)
	must(t, "generate fraud --rows 900 -o data.csv")
	data := read(t, "data.csv")
	for _, flags := range []string{"--trees 40 --seed 7", "--trees 40 --bag hash:60 --max-depth 6"} {
		must(t, "train data.csv --votes oob --prefer fraud -o one.rfp "+flags)
		must(t, "grow data.csv -o one-trees.part "+flags)
		must(t, "tally one-trees.part data.csv -o one-votes.part")
		for _, n := range []struct{ trees, votes int }{{4, 16}, {16, 4}} {
			trees := array(t, n.trees, fmt.Sprintf("grow DATA %s --part auto/%d -o trees-#.part", flags, n.trees), data)
			votes := array(t, n.votes, fmt.Sprintf("tally %s DATA --part auto/%d -o votes-#.part", strings.Join(trees, " "),
				n.votes), data)
			slices.Reverse(trees)
			must(t, "merge "+strings.Join(trees, " ")+" -o many-trees.part")
			must(t, "merge "+strings.Join(votes, " ")+" -o many-votes.part")
			parts := strings.Join(slices.Concat(votes[2:], trees, votes[:2]), " ")
			if out, err := task(0, "merge "+parts+" --prefer fraud -o many.rfp").CombinedOutput(); err != nil {
				t.Fatalf("merge: %v\n%s", err, out)
			}
			for _, file := range []string{"-trees.part", "-votes.part", ".rfp"} {
				if one, many := read(t, "one"+file), read(t, "many"+file); one != many {
					t.Errorf("%s: %d and %d processes make another many%s than one process:\n%.1200s\n%.1200s", flags, n.trees,
						n.votes, file, many, one)
				}
			}
		}
	}
}
