package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// release is the commit that is released.
type release struct {
	module  string // its folder
	version string // without v
	at      time.Time
}

// file is one of an archive.
type file struct {
	name string
	data []byte
	mode os.FileMode
}

// artefact is a file of a release.
type artefact struct {
	name string
	data []byte
}

// newRelease reads which commit is checked out. A tag such as v0.1.0 is the version; other commits have none of
// their own.
func newRelease(ctx context.Context, module string) (*release, error) {
	r := &release{module: module}
	described, err := r.run(ctx, nil, "git", "describe", "--tags", "--always", "--dirty", "--match", "v[0-9]*")
	if err != nil {
		return nil, err
	}
	if version, tagged := strings.CutPrefix(described, "v"); tagged {
		r.version = version
	} else {
		r.version = "0.0.0-" + described
	}
	at, err := r.run(ctx, nil, "git", "show", "--no-patch", "--format=%cI", "HEAD")
	if err != nil {
		return nil, err
	}
	if r.at, err = time.Parse(time.RFC3339, at); err != nil {
		return nil, err
	}
	r.at = r.at.UTC()
	return r, nil
}

// run runs a command in the module and returns what it writes, without the end of the line.
func (r *release) run(ctx context.Context, env []string, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env = r.module, append(os.Environ(), env...)
	out, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%s: %w: %s", strings.Join(c.Args, " "), err, bytes.TrimSpace(failed.Stderr))
	}
	return strings.TrimRight(string(out), "\n"), err
}

func (r *release) command(t target) string {
	if t.os == "windows" {
		return "rfpragma.exe"
	}
	return "rfpragma"
}

// build compiles the command, static and without paths of this machine.
func (r *release) build(ctx context.Context, t target) ([]byte, error) {
	folder, err := os.MkdirTemp("", "rfpragma-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	to := filepath.Join(folder, r.command(t))
	_, err = r.run(ctx, []string{"CGO_ENABLED=0", "GOOS=" + t.os, "GOARCH=" + t.arch, "GOFLAGS="}, "go", "build",
		"-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", to, "./cmd/rfpragma")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(to)
}

// besides returns what goes into each archive beside the command, which writes some of it.
func (r *release) besides(ctx context.Context) ([]file, error) {
	host := target{runtime.GOOS, runtime.GOARCH}
	binary, err := r.build(ctx, host)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "rfpragma-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	command := filepath.Join(folder, r.command(host))
	if err := os.WriteFile(command, binary, 0o755); err != nil {
		return nil, err
	}
	var all []file
	for _, made := range []struct {
		name string
		args []string
	}{{"man/rfpragma.1", []string{"man"}}, {"completions/rfpragma.bash", []string{"completion", "bash"}},
		{"completions/_rfpragma", []string{"completion", "zsh"}}, {"completions/rfpragma.fish", []string{"completion",
			"fish"}},
		{"completions/rfpragma.ps1", []string{"completion", "powershell"}}} {
		text, err := r.run(ctx, nil, command, made.args...)
		if err != nil {
			return nil, err
		}
		all = append(all, file{made.name, []byte(text + "\n"), 0o644})
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(filepath.Join(r.module, name))
		if err != nil {
			return nil, err
		}
		all = append(all, file{name, data, 0o644})
	}
	licences, err := os.ReadFile(filepath.Join(r.module, licencesFile))
	return append(all, file{"LICENCES-OF-MODULES.txt", licences, 0o644}), err
}
