// Command wave repeats a classic experiment on calibration: on two classes of the waveform data it takes the raw scores of several models, fits maps
// on a tuning part, and judges the probabilities on a test part, before and after. The scores of the other models are made by
// scores.py, those of our forest here. Run it in the folder above:
//
//	go run ./wave -readme wave/README.md -svg wave/reliability.svg
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/rfpragma/rfpragma/bench/page"
	"github.com/rfpragma/rfpragma/dataset"
)

// The parts, by their rows.
const (
	train = 500
	tune  = 500
	test  = 10_000
)

// rows are all parts, one after the other.
func rows() *dataset.Frame { return dataset.Wave(train+tune+test, 2, 1) }

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "wave:", err)
		os.Exit(1)
	}
}

func run() error {
	write := flag.String("write", "", "CSV `FILE` to write with the rows of all parts, for scores.py; nothing else is done")
	from := flag.String("scores", "wave/scores.csv", "CSV `FILE` that scores.py has written")
	readme := flag.String("readme", "", "Markdown `FILE` to put the table into")
	svg := flag.String("svg", "", "`FILE` to draw the reliability diagrams into")
	flag.Parse()
	if *write != "" {
		return writeRows(*write)
	}
	models, err := readScores(*from)
	if err != nil {
		return err
	}
	own, err := forestScores(context.Background())
	if err != nil {
		return err
	}
	results, err := judge(append(models, own))
	if err != nil {
		return err
	}
	text := table(results)
	fmt.Print(text)
	if *svg != "" {
		if err := drawAll(*svg, results); err != nil {
			return err
		}
	}
	if *readme != "" {
		return page.Put(*readme, "wave", text)
	}
	return nil
}

func writeRows(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := dataset.WriteCSV(f, rows(), "class"); err != nil {
		return err
	}
	return f.Close()
}
