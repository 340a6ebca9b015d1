package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/internal/view"
	"github.com/rfpragma/rfpragma/vote"
)

// ReadTally reads a file of votes. It is nil where the file is something else, or cannot be read twice.
func ReadTally(c *urfave.Context, path string) (*vote.Table, error) {
	if info, err := os.Stat(path); path == "-" || err != nil || !info.Mode().IsRegular() {
		return nil, nil //nolint:nilerr // whoever reads the file says what is wrong
	}
	if is, err := StartsWith(c.Context, path, view.KindVotes); err != nil || !is {
		return nil, err
	}
	f, err := OpenFile(c.Context, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := rfpragma.ReadTally(f, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t.Table(), Usable(t, path)
}

// StartsWith reports whether a file begins with a text.
func StartsWith(ctx context.Context, path, text string) (bool, error) {
	f, err := OpenFile(ctx, path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	b := make([]byte, len(text))
	if _, err := io.ReadFull(f, b); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return string(b) == text, nil
}

// Usable refuses votes that say nothing about all of the rows, or about new ones.
func Usable(votes *rfpragma.Tally, name string) error {
	if err := votes.Whole(); err != nil {
		return err
	}
	if votes.TrainedOn() {
		return ErrTrainedOn(name)
	}
	return nil
}

// ErrTrainedOn refuses votes for the rows that a model was trained on.
func ErrTrainedOn(name string) error {
	return fmt.Errorf("%s: %w: these are votes for the rows that the model was trained on; count those for others, or "+
		"with the trees of grow", cmp.Or(name, "the votes"), anneal.ErrTrain)
}
