package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/rfpragma/rfpragma/vote"
)

// mapiePython is the program that asks MAPIE.
//
//go:embed mapie.py
var mapiePython string

// task is what MAPIE is told, beside the shares of the votes for the class, the truth, and the samples, in files.
type task struct {
	Draws      int       `json:"draws"`
	Figures    []string  `json:"figures"`
	Limits     []float64 `json:"limits"`
	Confidence float64   `json:"confidence"`
}

// mapie has MAPIE make sure of the constraints by the same samples, and judges its thresholds on the pool.
func (s *study) mapie(ctx context.Context, pool *vote.Table, class int, all []constraint, samples [][]int, lines []line) (
	err error) {
	folder, err := os.MkdirTemp("", "sure-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	score, truth, drawn := make([]float64, pool.Rows()), make([]int32, pool.Rows()), []int32(nil)
	for i, class1 := range pool.Truth {
		score[i] = float64(pool.Votes(i)[class]) / float64(vote.Total(pool.Votes(i)))
		if class1 == class {
			truth[i] = 1
		}
	}
	for _, rows := range samples {
		for _, i := range rows {
			drawn = append(drawn, int32(i))
		}
	}
	t := task{Draws: len(samples), Confidence: confidence}
	for _, c := range all {
		t.Figures, t.Limits = append(t.Figures, string(c.floor.What)), append(t.Limits, c.floor.Limit)
	}
	told, err := json.Marshal(t)
	if err != nil {
		return err
	}
	for name, content := range map[string]any{"score": score, "truth": truth, "samples": drawn, "task.json": told} {
		var b bytes.Buffer
		if err := binary.Write(&b, binary.LittleEndian, content); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, s.python, "-c", mapiePython, folder)
	cmd.Stderr = s.log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("mapie: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "answer.json"))
	if err != nil {
		return err
	}
	var answer [][]*float64
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	for j, c := range all {
		judged := map[float64]*vote.Confusion{}
		for _, at := range answer[j] {
			if at == nil {
				lines[j].them.add(c, nil)
				continue
			}
			if judged[*at] == nil {
				m := vote.NewConfusion(pool.Classes)
				for i, p := range score {
					as := 1 - class
					if p >= *at {
						as = class
					}
					m.Add(pool.Truth[i], as, 1)
				}
				judged[*at] = m
			}
			lines[j].them.add(c, judged[*at])
		}
	}
	return nil
}
