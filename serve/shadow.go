package serve

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/parallel"
	"github.com/rfpragma/rfpragma/internal/scoring"
)

// shadow decides the rows of another model a second time, beside the requests, and counts where the two differ.
type shadow struct {
	name   string
	holder *Holder
	busy   atomic.Int64 // batches that are being decided
	log    *sampledLog

	rows, skipped atomic.Int64
	mu            sync.Mutex
	differ        map[[2]string]int64 // rows, by what the model served and what the shadow decided
}

// mostShadowed is how many batches a shadow decides at a time; rows of further ones are skipped, and counted.
const mostShadowed = 2

// newShadows checks that each shadow can decide the rows of its model.
func newShadows(models map[string]*Holder, o Options) (map[string]*shadow, error) {
	all := map[string]*shadow{}
	log := &sampledLog{w: o.ShadowLog}
	for name, holder := range o.Shadows {
		if models[name] == nil {
			return nil, fmt.Errorf("%w: there is a shadow of %.80q, and no such model; give it the name of one that is served",
				rfpragma.ErrConfig, name)
		}
		if _, err := newTranslation(models[name].now.Load().Scorer, holder.now.Load().Scorer); err != nil {
			return nil, err
		}
		all[name] = &shadow{name: name, holder: holder, log: log, differ: map[[2]string]int64{}}
	}
	return all, nil
}

// translation is how the rows of one model are read by another.
type translation struct {
	from   []int       // by feature, that of the other; -1 for an amount beside the features
	levels [][]float64 // by feature, of the levels of the other the cells; nil where cells stay
	amount int         // the field of the amount; -1 for none
}

func newTranslation(of, by *scoring.Scorer) (*translation, error) {
	t := &translation{amount: -1}
	for j := range by.Fields {
		f := &by.Fields[j]
		at, known := of.Field(f.Name)
		switch {
		case !known:
			return nil, fmt.Errorf("%w: the shadow needs column %.80q, which the model served does not read; serve it by itself",
				rfpragma.ErrConfig, f.Name)
		case of.Fields[at].Kind != f.Kind:
			return nil, fmt.Errorf("%w: column %.80q is %v for the shadow, and %v for the model served; serve it by itself",
				rfpragma.ErrConfig, f.Name, f.Kind, of.Fields[at].Kind)
		}
		if j == by.Amount {
			t.amount = at
		}
		if j == by.P {
			continue
		}
		var levels []float64
		if f.Kind == dataset.Categorical {
			levels = make([]float64, len(of.Fields[at].Levels))
			for l, level := range of.Fields[at].Levels {
				levels[l] = f.Level(level)
			}
		}
		t.from, t.levels = append(t.from, at), append(t.levels, levels)
	}
	return t, nil
}

// look has the rows of a batch decided again, without keeping the request waiting.
func (s *shadow) look(b *scoring.Batch) {
	if s.busy.Add(1) > mostShadowed {
		s.busy.Add(-1)
		s.skipped.Add(int64(b.Rows))
		return
	}
	rows := &scoring.Batch{Of: b.Of, Rows: b.Rows, X: append([]float64(nil), b.X...), Class: append([]int(nil),
		b.Class...)}
	if b.Amounts != nil {
		rows.Amounts = append([]float64(nil), b.Amounts...)
	}
	go func() {
		defer s.busy.Add(-1)
		if parallel.Safely(func() error { return s.decide(rows) }) != nil {
			s.skipped.Add(int64(rows.Rows))
		}
	}()
}

// decide decides rows, and counts and samples what differs.
func (s *shadow) decide(b *scoring.Batch) error {
	by := s.holder.now.Load()
	t, err := newTranslation(b.Of, by.Scorer)
	if err != nil {
		return err
	}
	x, votes := make([]float64, by.P), make([]uint32, by.K)
	for i := range b.Rows {
		cell := func(at int) float64 {
			if at == b.Of.P {
				return b.Amounts[i]
			}
			return b.X[i*b.Of.P+at]
		}
		for j, at := range t.from {
			x[j] = cell(at)
			if levels := t.levels[j]; levels != nil && x[j] == x[j] {
				x[j] = levels[int(x[j])]
			}
		}
		amount := math.NaN()
		if t.amount >= 0 {
			amount = cell(t.amount)
		}
		clear(votes)
		by.Model.Forest.Vote(votes, x)
		was, now := b.Of.Model.Classes()[b.Class[i]], by.Model.Classes()[by.Model.DecideFor(votes, amount)]
		s.rows.Add(1)
		if was != now {
			s.differs(b, i, was, now, by)
		}
	}
	return nil
}

// differs counts a row that is decided otherwise.
func (s *shadow) differs(b *scoring.Batch, i int, was, now string, by *served) {
	s.mu.Lock()
	s.differ[[2]string{was, now}]++
	s.mu.Unlock()
	s.log.add(func(line []byte) []byte {
		line = scoring.AppendText(append(line, `,"model":`...), s.name)
		line = append(append(append(line, `,"id":"`...), b.Of.ID...), `","shadow":"`...)
		line = scoring.AppendText(append(append(line, by.ID...), `","decision":`...), was)
		line = scoring.AppendText(append(line, `,"shadow_decision":`...), now)
		return b.AppendRow(append(line, `,"row":`...), i)
	})
}

// sampledLog writes a few lines of JSON in each second, and drops the others.
type sampledLog struct {
	mu     sync.Mutex
	w      io.Writer
	second int64
	n      int
}

// mostLines is how many lines are written in a second.
const mostLines = 10

// add writes a line that begins with the time, unless there were enough of late.
func (s *sampledLog) add(rest func(line []byte) []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if s.w == nil {
		return
	}
	if second := now.Unix(); second != s.second {
		s.second, s.n = second, 0
	}
	if s.n++; s.n > mostLines {
		return
	}
	line := now.UTC().AppendFormat([]byte(`{"time":"`), time.RFC3339Nano)
	_, _ = s.w.Write(append(rest(append(line, '"')), "}\n"...)) // a sample: what does not fit is not needed
}

// pairs are the pairs of classes that differ, sorted.
func (s *shadow) pairs() [][2]string {
	return slices.SortedFunc(maps.Keys(s.differ), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
}
