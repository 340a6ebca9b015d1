package dataset_test

import (
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/dataset"
)

const payments = `amount,channel,class
12.50,chip,ok
980,online,fraud
7,chip,ok
31.20,online,ok
640,,fraud
`

func ExampleReadCSV() {
	f, err := dataset.ReadCSV(strings.NewReader(payments), "payments.csv", dataset.Options{Target: "class"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Rows(), "rows of classes", f.Classes)
	for j, c := range f.Columns {
		fmt.Println(c.Name, c.Kind, c.Levels, "missing:", f.Missing()[j])
	}
	// Output:
	// 5 rows of classes [fraud ok]
	// amount numeric [] missing: 0
	// channel categorical [chip online] missing: 1
}

// Rows to train on are coded. At gives the cell itself.
func ExampleCodes() {
	f, err := dataset.ReadCSV(strings.NewReader(payments), "payments.csv", dataset.Options{Target: "class"})
	if err != nil {
		fmt.Println(err)
		return
	}
	amount, channel := f.Columns[0], f.Columns[1]
	fmt.Println(amount.Codes.Distinct.Append(nil), amount.Codes.Narrow, amount.At(1))
	fmt.Println(channel.Levels, channel.Codes.Narrow, channel.At(1), channel.At(4))
	// Output:
	// [7 12.5 31.2 640 980] [2 5 1 3 4] 980
	// [chip online] [1 2 1 2 0] 1 NaN
}

func ExampleReadCSV_error() {
	text := strings.Replace(payments, "7,chip", "seven,chip", 1)
	_, err := dataset.ReadCSV(strings.NewReader(text), "payments.csv", dataset.Options{Target: "class"})
	fmt.Println(err)
	// Output:
	// payments.csv:4:1: column "amount": mixes numbers and text: 1 of 5 cells is not a number: "seven" in line 4; correct it, or use --missing seven, --categorical amount or --ignore amount
}

func ExampleReader() {
	train, err := dataset.ReadCSV(strings.NewReader(payments), "payments.csv", dataset.Options{Target: "class"})
	if err != nil {
		fmt.Println(err)
		return
	}
	today := "channel,amount\nchip,3\nwatch,15\nonline,99\n"
	r, err := dataset.NewReader(strings.NewReader(today), "today.csv", dataset.Options{Schema: train.Schema()})
	for err == nil {
		var block *dataset.Frame
		if block, err = r.Next(2); err == nil {
			fmt.Println(block.Rows(), "rows, unseen:", block.Unseen)
		}
	}
	if err != io.EOF {
		fmt.Println(err)
	}
	fmt.Println(r.Warnings())
	// Output:
	// 2 rows, unseen: [0 1]
	// 1 rows, unseen: [0 0]
	// [today.csv: column "channel": 1 cell of a category unseen in training taken as missing: "watch" in line 3]
}

func ExampleFolds() {
	f := dataset.Wave(10, 2, 1)
	folds, err := dataset.Folds(f, 5, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	sizes := make([]int, 5)
	for _, fold := range folds {
		sizes[fold]++
	}
	fmt.Println(sizes)
	// Output:
	// [2 2 2 2 2]
}

func ExampleWriteCSV() {
	f := dataset.Fraud(3, 1).Take([]int{0, 1})
	f.Columns = f.Columns[:3]
	if err := dataset.WriteCSV(os.Stdout, f, "class"); err != nil {
		fmt.Println(err)
	}
	// Output:
	// amount,hour,weekday,class
	// 27.01,20,7,ok
	// 59.58,15,7,ok
}

// A row is built by hand from numbers and the levels of categories.
func ExampleField_Level() {
	field := dataset.Field{Name: "channel", Kind: dataset.Categorical, Levels: []string{"phone", "shop", "web"}}
	fmt.Println(field.Level("shop"), field.Level("fax"))
	// Output: 1 NaN
}

// A sparse row names what is not 0, or not the category declared first.
func ExampleARFF() {
	const text = `@relation payments
@attribute amount numeric
@attribute channel {chip,online}
@attribute class {ok,fraud}
@data
12.50, chip, ok
{0 980, 1 online, 2 fraud}
{0 7}
?, online, fraud
`
	s, err := dataset.ARFF(strings.NewReader(text), "payments.arff")
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := dataset.Read(s, dataset.Options{Target: "class"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range f.Columns {
		fmt.Println(c.Name, c.Kind, c.Levels, c.At(0), c.At(1), c.At(2), c.At(3))
	}
	fmt.Println(f.Classes, f.Truth)
	// Output:
	// amount numeric [] 12.5 980 7 NaN
	// channel categorical [chip online] 0 1 0 1
	// [fraud ok] [1 0 1 0]
}

// Rows that a program holds make a frame column by column: numbers, and texts as indices of levels.
func ExampleFrame() {
	amount := []float64{12.5, 890, 40, math.NaN()} // NaN is a missing cell
	channel := []string{"chip", "online", "", "chip"}
	label := []string{"ok", "fraud", "ok", "ok"}

	field := dataset.Field{Name: "channel", Kind: dataset.Categorical, Levels: []string{"chip", "online"}} // sorted
	codes := make([]float64, len(channel))
	for i, text := range channel {
		codes[i] = field.Level(text) // NaN for what is no level
	}
	frame := &dataset.Frame{
		Columns: []dataset.Column{
			{Field: dataset.Field{Name: "amount", Kind: dataset.Numeric}, Values: amount},
			{Field: field, Values: codes},
		},
		Classes: []string{"fraud", "ok"}, // sorted
	}
	for _, name := range label {
		frame.Truth = append(frame.Truth, slices.Index(frame.Classes, name)) // -1 for a row without a label
	}
	if err := frame.Check(); err != nil {
		log.Fatal(err) // says where, what, and how to mend it
	}
	fmt.Println(frame.Rows(), "rows;", frame.Columns[0].Name, "and", frame.Columns[1].Name, "lack", "cells, by column:", frame.Missing())
	// Output: 4 rows; amount and channel lack cells, by column: [1 1]
}
