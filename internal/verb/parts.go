package verb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/vote"
)

// portion is a part of the work: one of so many, counted from 0.
type portion struct{ part, of int }

// partFlag says which part of what is to be done.
func partFlag(what string) urfave.Flag {
	return &urfave.StringFlag{Name: "part", DefaultText: "all", Category: "Part", Usage: "`PART` I/N of the " + what +
		", counted from 0; auto/N in an array job"}
}

// partVariables are those in which array jobs tell a task its number.
func partVariables() []string {
	return []string{"JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "AWS_BATCH_JOB_ARRAY_INDEX", "CLOUD_RUN_TASK_INDEX",
		"BATCH_TASK_INDEX"}
}

// part reads --part.
func part(c *urfave.Context) (portion, error) {
	if !c.IsSet("part") {
		return portion{0, 1}, nil
	}
	text := c.String("part")
	number, of, ok := strings.Cut(text, "/")
	n, err := strconv.Atoi(of)
	if !ok || err != nil || n < 1 || n > rfpragma.MaxParts {
		return portion{}, cli.Usagef("--part %s; write I/N, such as 3/100 for part 3 of 100, counted from 0, or auto/100 "+
			"in an array job", english.Quote(text))
	}
	from := ""
	if number == "auto" {
		if from, number, err = arrayIndex(text, os.LookupEnv); err != nil {
			return portion{}, err
		}
	}
	i, err := strconv.Atoi(number)
	switch {
	case err != nil || i < 0 || i >= n && from == "":
		return portion{}, cli.Usagef("--part %s; parts are counted from 0, so of %d parts the last is %d/%d",
			english.Quote(text), n, n-1, n)
	case i >= n:
		return portion{}, cli.Usagef("--part %s: %s is %d, and of %d parts the last is %d, as they are counted from 0; "+
			"number the tasks 0 to %d", text, from, i, n, n-1, n-1)
	}
	return portion{i, n}, nil
}

// arrayIndex returns the number of the task of an array job that this is, and the variable that says so.
func arrayIndex(flag string, lookup func(string) (string, bool)) (name, value string, err error) {
	for _, v := range partVariables() {
		text, set := lookup(v)
		if !set || text == "" {
			continue
		}
		if name != "" && text != value {
			return "", "", cli.Usagef("--part %s: %s is %s and %s is %s; write the number of the part, such as 0 for auto", flag,
				name, english.Quote(value), v, english.Quote(text))
		}
		if _, err := strconv.ParseUint(text, 10, 31); err != nil {
			return "", "", cli.Usagef("--part %s: %s is %s, which is no number from 0; write the number of the part, such as "+
				"0 for auto", flag, v, english.Quote(text))
		}
		name, value = v, text
	}
	if name == "" {
		return "", "", cli.Usagef("--part %s: this is no task of an array job, as none of %s is set; write the number of "+
			"the part, such as 0 for auto", flag, strings.Join(partVariables(), ", "))
	}
	return name, value, nil
}

// trees returns the range of the trees that are the part.
func (s portion) trees(trees int) (from, to int, err error) {
	if s.of > trees {
		return 0, 0, cli.Usagef("--part %d/%d: there %s %s; deal them out to at most as many parts", s.part, s.of,
			english.Verb(trees, "is", "are"), english.Plural(trees, "tree"))
	}
	return trees * s.part / s.of, trees * (s.part + 1) / s.of, nil
}

// readTask reads what part of the work is to be done, where its result goes, which is of a kind, and how the data is
// read.
func readTask(p *cli.Program, c *urfave.Context, out cli.Product) (s portion, to string, o dataset.Options,
	err error) {
	if s, err = part(c); err != nil {
		return s, to, o, err
	}
	to = c.String("output")
	if err = writable(p, c, out); err != nil {
		return s, to, o, err
	}
	o, err = p.DataOptions(c)
	return s, to, o, err
}

// stored are the files given to a verb, by what they hold.
type stored struct {
	models []*rfpragma.Model
	trees  []*rfpragma.Part
	votes  []*rfpragma.Tally
}

// readStored reads files of any kind; each is opened once, as it may be a pipe.
func readStored(ctx context.Context, paths []string) (*stored, error) {
	s := &stored{}
	for _, path := range paths {
		f, err := cli.OpenFile(ctx, path)
		if err != nil {
			return nil, err
		}
		err = s.read(f, path)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return s, nil
}

func (s *stored) read(r io.Reader, name string) error {
	in := bufio.NewReader(r)
	start, err := in.Peek(len(cli.KindVotes))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch string(start) {
	case cli.KindVotes:
		t, err := rfpragma.ReadTally(in, name)
		s.votes = append(s.votes, t)
		return err
	case rfpragma.Magic:
		m, err := rfpragma.ReadModel(in)
		s.models = append(s.models, m)
		return err
	}
	t, err := rfpragma.ReadPart(in, name)
	s.trees = append(s.trees, t)
	return err
}

// plainVotes tells whether votes are written in the plain form.
func plainVotes(to string) bool { return to == "-" || strings.HasSuffix(to, ".csv") }

// writeTally writes votes.
func writeTally(p *cli.Program, ctx context.Context, to string, t *rfpragma.Tally) error {
	return p.WriteTo(ctx, to, func(w io.Writer) error {
		if plainVotes(to) {
			return vote.WriteCSV(w, t.Table(), "")
		}
		_, err := t.WriteTo(w)
		return err
	})
}

var errNoOutput = cli.Usagef("--output is missing; name the file to write, or - for stdout")

// writable refuses an output that is missing or cannot be written.
func writable(p *cli.Program, c *urfave.Context, out cli.Product) error {
	if c.String("output") == "" {
		return errNoOutput
	}
	return p.MayWrite(c, "output", out)
}
