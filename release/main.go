// Command release makes all that a release consists of: for each platform an archive with the static command, its
// manual page, completions and licences, a list of what is linked (CycloneDX), Debian packages, a Homebrew formula,
// and the checksums of all. The same commit gives the same bytes.
//
//	cd release && go run . -o ../dist
//	cd release && go run . -licences      writes ../internal/licences/licences.txt anew
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	to := flag.String("o", "../dist", "`folder` to write to")
	module := flag.String("module", "..", "`folder` of the module")
	licences := flag.Bool("licences", false, "write the licences of linked modules anew, and nothing else")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	do := func() error { return makeRelease(ctx, *module, *to) }
	if *licences {
		do = func() error { return writeLicences(ctx, *module) }
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// target is a platform.
type target struct{ os, arch string }

// targets are the platforms that are released for.
var targets = []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}}

func (t target) String() string { return t.os + "_" + t.arch }

// makeRelease makes a release of the commit that is checked out in the folder of a module.
func makeRelease(ctx context.Context, module, to string) error {
	r, err := newRelease(ctx, module)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	beside, err := r.besides(ctx)
	if err != nil {
		return err
	}
	var made []artefact
	for _, t := range targets {
		all, err := r.makeTarget(ctx, t, beside)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		made = append(made, all...)
	}
	made = append(made, r.formula(made))
	made = append(made, checksums(made))
	for _, a := range made {
		if err := os.WriteFile(filepath.Join(to, a.name), a.data, 0o644); err != nil {
			return err
		}
		fmt.Println(filepath.Join(to, a.name))
	}
	return nil
}

// makeTarget makes what there is for a platform.
func (r *release) makeTarget(ctx context.Context, t target, beside []file) ([]artefact, error) {
	binary, err := r.build(ctx, t)
	if err != nil {
		return nil, err
	}
	bill, err := r.bill(t, binary)
	if err != nil {
		return nil, err
	}
	archive, err := r.archive(t, append([]file{{r.command(t), binary, 0o755}}, beside...))
	if err != nil {
		return nil, err
	}
	made := []artefact{archive, bill}
	if t.os == "linux" {
		deb, err := r.deb(t, binary, beside)
		if err != nil {
			return nil, err
		}
		made = append(made, deb)
	}
	return made, nil
}
