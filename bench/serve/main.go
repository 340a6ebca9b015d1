// Command serve measures how many rows a second rfpragma serve decides on loopback, and how long each waits, beside a
// random forest of scikit-learn behind FastAPI and uvicorn, asked by the same client in the same run.
//
//	go run ./serve -letter ../../sets/letter/letter.csv -seconds 10
//	go run ./serve -letter ../../sets/letter/letter.csv -python venv/bin/python   # with scikit-learn, fastapi, uvicorn
//
// Both serve a forest of 100 trees grown on the whole set, in a process of their own. The client keeps a few connections
// open, and sends requests that were made before. What it takes is part of the figures.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/bench/command"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/pragma"
)

func main() { command.Run("serve", run) }

// batch is how many rows a request of many has.
const batch = 1000

func run(ctx context.Context) error {
	letter := flag.String("letter", "", "`FILE` of the letter data")
	seconds := flag.Int("seconds", 10, "of each measurement")
	connections := flag.Int("connections", 16, "that ask at a time")
	python := flag.String("python", "", "`PYTHON` with scikit-learn, fastapi and uvicorn; none leaves these out")
	flag.Parse()
	if *letter == "" {
		return errors.New("name the file of the letter data with -letter")
	}
	folder, err := os.MkdirTemp("", "serve")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file, err := os.Open(*letter)
	if err != nil {
		return err
	}
	defer file.Close()
	frame, err := dataset.ReadCSV(file, "letter", dataset.Options{Target: "class"})
	if err != nil {
		return err
	}
	r := requestsOf(frame)
	l := load{connections: *connections, length: time.Duration(*seconds) * time.Second}
	fmt.Println("| server | request | rows/s | of both processors | rows per second of processor | p50 ms | p99 ms |")
	fmt.Println("|---|---|---|---|---|---|---|")
	single, err := ours(ctx, folder, frame, r, l)
	if err != nil {
		return err
	}
	if *python == "" {
		return nil
	}
	theirs, err := fastAPI(ctx, *python, *letter, r, l)
	if err != nil {
		return err
	}
	fmt.Printf("\nA single row: %.0f times the rate of FastAPI by the clock, %.0f times by time of processors.\n",
		single.rate()/theirs.rate(), single.perProcessor()/theirs.perProcessor())
	return nil
}

// ours measures rfpragma serve.
func ours(ctx context.Context, folder string, frame *dataset.Frame, r *requests, l load) (single measured, err error) {
	model := filepath.Join(folder, "letter.rfp")
	m, err := rfpragma.Fit(ctx, frame, pragma.Spec{}, rfpragma.Config{Forest: forest.Config{Trees: 100, Seed: 1}})
	if err != nil {
		return single, err
	}
	if err := m.Save(model); err != nil {
		return single, err
	}
	binary := filepath.Join(folder, "rfpragma")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/rfpragma")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return single, fmt.Errorf("%w\n%s", err, out)
	}
	p, err := start(ctx, exec.Command(binary, "serve", model, "--listen", address, "--connections", "64"))
	if err != nil {
		return single, err
	}
	defer p.end()
	for _, of := range []struct {
		name string
		rows int
		all  [][]byte
	}{{"/score, a row as JSON", 1, r.objects}, {"/v2, a row as JSON", 1, r.tensors},
		{"/score, 1,000 rows as JSON", batch, r.lists}, {"/score, 1,000 rows as CSV", batch, r.tables},
		{"/v2, 1,000 rows in binary form, decision", batch, r.decisions},
		{"/v2, 1,000 rows in binary form, probabilities and votes too", batch, r.binary}} {
		got, err := l.measure(ctx, p, of.all, of.rows)
		if err != nil {
			return single, fmt.Errorf("%s: %w", of.name, err)
		}
		if single.rows == 0 {
			single = got
		}
		got.print("rfpragma serve", of.name)
	}
	l.paced = single.rate() / 2
	got, err := l.measure(ctx, p, r.objects, 1)
	if err == nil {
		got.print("rfpragma serve", "/score, a row as JSON, at half of that rate")
	}
	return single, err
}

// fastAPI measures scikit-learn behind FastAPI.
func fastAPI(ctx context.Context, python, letter string, r *requests, l load) (single measured, err error) {
	script, err := filepath.Abs("serve/fastapi_server.py")
	if err != nil {
		return single, err
	}
	p, err := start(ctx, exec.Command(python, script, letter, address[strings.LastIndexByte(address, ':')+1:]))
	if err != nil {
		return single, err
	}
	defer p.end()
	if single, err = l.measure(ctx, p, r.objects, 1); err != nil {
		return single, err
	}
	single.print("scikit-learn, FastAPI, uvicorn", "/score, a row as JSON")
	many, err := l.measure(ctx, p, r.batches, batch)
	if err == nil {
		many.print("scikit-learn, FastAPI, uvicorn", "/batch, 1,000 rows as JSON")
	}
	return single, err
}
