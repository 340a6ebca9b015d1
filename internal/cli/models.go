package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/view"
)

// load reads a model file.
func load(ctx context.Context, path string) (m *rfpragma.Model, from view.ModelOrigin, err error) {
	if path == "-" {
		return nil, from, Usagef("a model is a file, and stdin is for rows; write the name of the file instead of -")
	}
	in, err := OpenFile(ctx, path)
	if err != nil {
		return nil, from, err
	}
	defer in.Close()
	sum := sha256.New()
	if m, err = rfpragma.ReadModel(io.TeeReader(in, sum)); err != nil {
		return nil, from, fmt.Errorf("%s: %w", path, err)
	}
	return m, view.ModelOrigin{File: filepath.Base(path), SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// LoadFirst reads the model that is the first of the arguments.
func LoadFirst(c *urfave.Context, args []string) (*rfpragma.Model, view.ModelOrigin, error) {
	m, from, err := load(c.Context, args[0])
	if err != nil {
		err = cmp.Or(SwappedArguments(c, args, rfpragma.Magic, "the model"), err)
	}
	return m, from, err
}

// SwappedArguments is the error for two arguments of which the second is what should be the first, by how the file
// begins. It is nil where it is not.
func SwappedArguments(c *urfave.Context, args []string, start, what string) error {
	if info, err := os.Stat(args[len(args)-1]); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if is, err := StartsWith(c.Context, args[len(args)-1], start); err != nil || !is || len(args) != 2 {
		return nil
	}
	return Usagef("%.256s is %s, and stands second: the files are swapped; write rfpragma %s %s %s", args[1], what,
		c.Command.Name, csvtext.Quoted(args[1]), csvtext.Quoted(args[0]))
}
