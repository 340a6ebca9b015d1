package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// licencesFile has the licences of linked modules; the command prints it.
const licencesFile = "internal/licences/licences.txt"

// linked is a module that is linked into the command.
type linked struct{ Path, Version, Dir string }

// linkedModules lists the modules of all packages of the command, on any platform that is released for.
func (r *release) linkedModules(ctx context.Context) ([]linked, error) {
	found := map[string]linked{}
	for _, t := range targets {
		text, err := r.run(ctx, []string{"GOOS=" + t.os, "GOARCH=" + t.arch, "CGO_ENABLED=0"}, "go", "list", "-deps",
			"-json=Module", "./cmd/rfpragma")
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(strings.NewReader(text)); ; {
			var p struct {
				Module *struct {
					linked
					Main bool
				}
			}
			err := d.Decode(&p)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, err
			}
			if p.Module != nil && !p.Module.Main {
				found[p.Module.Path] = p.Module.linked
			}
		}
	}
	var all []linked
	for _, m := range found {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b linked) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// writeLicences writes the licences of linked modules, and that of Go.
func writeLicences(ctx context.Context, module string) error {
	r := &release{module: module}
	all, err := r.linkedModules(ctx)
	if err != nil {
		return err
	}
	root, err := r.run(ctx, nil, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	var out bytes.Buffer
	out.WriteString("rfpragma is under the Apache License 2.0. The command has code of these modules linked into it:\n")
	for _, m := range append([]linked{{"the Go standard library", "", root}}, all...) {
		texts, err := licencesIn(m.Dir)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Path, err)
		}
		line := strings.TrimSpace(m.Path + " " + m.Version)
		fmt.Fprintf(&out, "\n%s\n%s\n%s\n", strings.Repeat("=", 80), line, strings.Repeat("=", 80))
		for _, text := range texts {
			out.WriteString("\n" + strings.TrimSpace(text) + "\n")
		}
	}
	return os.WriteFile(filepath.Join(module, licencesFile), out.Bytes(), 0o644)
}

// licencesIn returns the texts of the licences in a folder, each once.
func licencesIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(name, "LICEN") && !strings.HasPrefix(name, "COPYING") && !strings.HasPrefix(name,
			"NOTICE") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		if text := strings.ReplaceAll(string(data), "\r\n", "\n"); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if texts == nil {
		return nil, errors.New("there is no licence; do not link this module, or find out under what it is")
	}
	return texts, nil
}
