package serve

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/internal/scoring"
)

// window counts the rows that a model has decided: all of them, and those of the latest slots of time.
type window struct {
	of      *scoring.Scorer
	watched []int // the features that are counted one by one: those that the model owes most to
	mu      sync.Mutex
	total   slot // of which decided and zones are counted
	slots   [slots]slot
	began   [slots]int64 // the number of the stretch of time that each slot counts, from 1970 on
}

// slots is how many stretches of time a window has, mostWatched how many features are counted one by one.
const (
	slots       = 20
	mostWatched = 64
)

// slot counts rows.
type slot struct {
	rows    int
	decided []int // by class
	zones   [scoring.Zones]int
	cells   int // of all features
	missing []int
	unseen  []int
	gaps    int // missing cells of all features
	news    int // cells of unseen categories, of all features
	sampled int // rows of which prob and bins are
	prob    []float64
	bins    [][]int // by watched feature, of its values as its baseline parts them
}

func newWindow(of *scoring.Scorer) *window {
	w := &window{of: of}
	gains := of.Model.Forest.Importance()
	for j := range of.P {
		w.watched = append(w.watched, j)
	}
	slices.SortStableFunc(w.watched, func(a, b int) int { return cmp.Compare(gains[b], gains[a]) })
	w.watched = w.watched[:min(len(w.watched), mostWatched)]
	slices.Sort(w.watched)
	w.total = w.slot()
	for i := range w.slots {
		w.slots[i] = w.slot()
	}
	return w
}

// slot returns one with room for all there is to count.
func (w *window) slot() slot {
	s := slot{decided: make([]int, w.of.K), prob: make([]float64, w.of.K), missing: make([]int, len(w.watched)),
		unseen: make([]int, len(w.watched)), bins: make([][]int, len(w.watched))}
	for n, j := range w.watched {
		if was := w.of.Fields[j].Baseline; was != nil {
			s.bins[n] = make([]int, len(was.Counts))
		}
	}
	return s
}

// clear counts nothing anew.
func (s *slot) clear() {
	decided, prob, missing, unseen, bins := s.decided, s.prob, s.missing, s.unseen, s.bins
	clear(decided)
	clear(prob)
	clear(missing)
	clear(unseen)
	for _, of := range bins {
		clear(of)
	}
	*s = slot{decided: decided, prob: prob, missing: missing, unseen: unseen, bins: bins}
}

// add counts a batch that was decided at a time.
func (w *window) add(b *scoring.Batch, at time.Time, length time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.at(at, length)
	s.rows += b.Rows
	w.total.rows += b.Rows
	for i, c := range b.Class {
		z := b.Zone[i]
		s.decided[c]++
		s.zones[z]++
		w.total.decided[c]++
		w.total.zones[z]++
	}
	s.cells += len(b.X)
	for _, v := range b.X {
		if v != v {
			s.gaps++
		}
	}
	w.gaps(s, b)
	for i := 0; i < b.Rows; i += b.Step() {
		s.sample(w, b, i)
	}
}

// gaps counts the missing cells and unseen categories of each feature that is watched.
func (w *window) gaps(s *slot, b *scoring.Batch) {
	for n, j := range w.watched {
		for at := j; at < len(b.X); at += b.Of.P {
			if v := b.X[at]; v != v {
				s.missing[n]++
			}
		}
	}
	for _, found := range b.Notes {
		if found.Code == scoring.UnseenCategory {
			s.news++
			j, _ := b.Of.Field(found.Column)
			if n, watched := slices.BinarySearch(w.watched, j); watched {
				s.unseen[n]++
			}
		}
	}
}

// sample counts the probabilities and values of a row.
func (s *slot) sample(w *window, b *scoring.Batch, i int) {
	s.sampled++
	for c, p := range b.Prob[i*b.Of.K : (i+1)*b.Of.K] {
		s.prob[c] += p
	}
	for n, j := range w.watched {
		if v := b.X[i*b.Of.P+j]; v == v && len(s.bins[n]) > 0 {
			s.bins[n][binOf(b.Of.Fields[j].Baseline, v)]++
		}
	}
}

// binOf returns the bin of a value, or of the index of a level.
func binOf(was *dataset.Baseline, v float64) int {
	if was.Range == nil {
		return int(v)
	}
	bin, _ := slices.BinarySearch(was.Cuts, v)
	return bin
}

// at returns the slot for a time.
func (w *window) at(t time.Time, length time.Duration) *slot {
	number := t.UnixNano() / max(1, int64(length)/slots)
	i := int(number % slots)
	if w.began[i] < number {
		w.slots[i].clear()
		w.began[i] = number
	}
	return &w.slots[i]
}

// sum returns what the window counts at a time, and a copy of all there was.
func (w *window) sum(t time.Time, length time.Duration) (latest, total slot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	number := t.UnixNano() / max(1, int64(length)/slots)
	latest, total = w.slot(), w.slot()
	total.add(&w.total)
	for i := range w.slots {
		if age := number - w.began[i]; age >= 0 && age < slots {
			latest.add(&w.slots[i])
		}
	}
	return latest, total
}

// add adds what another slot counts.
func (s *slot) add(o *slot) {
	s.rows, s.cells, s.gaps, s.news, s.sampled = s.rows+o.rows, s.cells+o.cells, s.gaps+o.gaps, s.news+o.news,
		s.sampled+o.sampled
	addTo(s.decided, o.decided)
	addTo(s.zones[:], o.zones[:])
	addTo(s.missing, o.missing)
	addTo(s.unseen, o.unseen)
	addTo(s.prob, o.prob)
	for n := range s.bins {
		addTo(s.bins[n], o.bins[n])
	}
}

func addTo[T int | float64](sums, more []T) {
	for i, v := range more {
		sums[i] += v
	}
}
