package assess

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/finding"
	"github.com/rfpragma/rfpragma/internal/codes"
	"github.com/rfpragma/rfpragma/internal/effective"
)

const (
	// offErrors is by how many standard errors probabilities must be off before it is told.
	offErrors = 3
	// offPart is by what part of it a probability, or that of the contrary, must be off in a group of rows.
	offPart = 0.1
	// offRows is by what part of the rows of the class, or of the others where these are fewer, expected and came must
	// differ: nobody acts on fewer.
	offRows = 0.05
	// fewRows is below how many rows a group is not told of.
	fewRows = 10
)

// Miscalibrated says in which parts of the rows the probabilities of a class are off by more than chance, the
// highest probabilities first; nil where they are not. That they are must show in slope, in intercept or in groups
// taken together, each as rarely by chance as three standard errors; then the groups are told that are off by what
// chance makes once in 20 times. All rows of a group of the data count as one, as nobody knows how alike they are.
//
// Each part has the figures probability, of which the interval has the least and the largest in it, next_below and
// next_above, the nearest ones of other rows, if there are any, rows, expected and came: how many of these rows were
// expected to be of the class, and how many are.
func Miscalibrated(s *Subject, class string) *finding.Finding {
	j, wider := s.Report.Probabilities[class].Calibrated, 1.0
	if j == nil {
		return nil
	}
	if n := s.Report.EffectiveGroups; n > 0 {
		wider = max(1, j.Figures.Rows/n)
	}
	tables := [][]calib.Bin{filled(j.Bins), filled(j.Quantiles)}
	if !offAsAWhole(&j.Figures, tables, wider) {
		return nil
	}
	f := finding.New(codes.CalibrationOff, s.Where())
	f.Classes = []string{class}
	add := func(name string, value float64, unit string, interval *[2]float64) {
		f.Figures = append(f.Figures, finding.Figure{Name: name, Class: class, Value: value, Unit: unit, Interval: interval})
	}
	least := offRows * j.Figures.Rows * min(j.Figures.Share, 1-j.Figures.Share)
	for _, p := range offParts(tables, wider) {
		if math.Abs(float64(p.Count*p.Mean)-float64(p.Count*p.Share)) < least {
			continue
		}
		add("probability", p.Mean, codes.Share, &[2]float64{p.Low, p.High})
		if p.from > 0 {
			add("next_below", p.table[p.from-1].High, codes.Share, nil)
		}
		if p.to < len(p.table)-1 {
			add("next_above", p.table[p.to+1].Low, codes.Share, nil)
		}
		add("rows", p.Count, codes.Rows, nil)
		add("expected", p.Count*p.Mean, codes.Rows, nil)
		add("came", p.Count*p.Share, codes.Rows, nil)
	}
	if f.Figures == nil {
		return nil
	}
	if figures := &j.Figures; !s.onNew() && s.Report.Blocks == nil && s.Remaps && // a model that there is
		figures.Rows*min(figures.Share, 1-figures.Share) >= effective.FewRows {
		f.Remedies = []finding.Remedy{{Do: codes.Recalibrate}}
	}
	return &f
}

// Probabilities returns the findings about probabilities alone, the gravest first, for a subject that has a goal, and
// whose report need know nothing else.
func Probabilities(s *Subject) []finding.Finding {
	all := []finding.Finding{}
	for _, name := range s.shown() {
		for _, f := range []*finding.Finding{reversed(s, name), uninformed(s, name), Miscalibrated(s, name)} {
			if f != nil {
				all = append(all, *f)
			}
		}
	}
	finding.Sort(all)
	return all
}

// uninformed says that the probabilities of a class are no better than one for all rows, the share of the class among
// them: by Brier score, by log loss or by both, which are among its figures beside those of that share; nil where they
// are better.
func uninformed(s *Subject, class string) *finding.Finding {
	j := s.Report.Probabilities[class].Calibrated
	if j == nil || j.Figures.Share == 0 || j.Figures.Share == 1 {
		return nil
	}
	f := finding.New(codes.CalibrationUninformed, s.Where(),
		finding.Figure{Name: "share", Class: class, Value: j.Figures.Share, Unit: codes.Share})
	f.Classes = []string{class}
	for _, score := range []struct {
		name string
		of   calib.CORP
	}{{"brier", j.Figures.Brier}, {"log_loss", j.Figures.LogLoss}} {
		if score.of.Score >= score.of.UNC {
			f.Figures = append(f.Figures, figure(score.name, score.of.Score, codes.Loss),
				figure(score.name+"_of_share", score.of.UNC, codes.Loss))
		}
	}
	if len(f.Figures) == 1 {
		return nil
	}
	return &f
}

// filled are the groups that have rows.
func filled(table []calib.Bin) []calib.Bin {
	return slices.DeleteFunc(slices.Clone(table), func(b calib.Bin) bool { return b.Count == 0 })
}

// offAsAWhole tells whether slope or intercept are off by more than chance, or the groups of a table taken
// together, by the sum of their squared errors (Hosmer and Lemeshow, Communications in Statistics A9 (1980)
// 1043-1069), of as many degrees of freedom as there are groups.
func offAsAWhole(r *calib.Report, tables [][]calib.Bin, wider float64) bool {
	far := func(gap, se float64) bool { return math.Abs(gap) > offErrors*se*math.Sqrt(wider) }
	if far(r.Slope.Value-1, r.Slope.SE) || far(r.Intercept.Value, r.Intercept.SE) {
		return true
	}
	return slices.ContainsFunc(tables, func(table []calib.Bin) bool {
		sum := 0.0
		for i := range table {
			z := errorsOf(&table[i], wider)
			sum += float64(z * z)
		}
		return len(table) > 0 && mathext.GammaIncRegComp(float64(len(table))/2, sum/2) < math.Erfc(offErrors/math.Sqrt2)
	})
}

// errorsOf is by how many standard errors a group is off: as rare by chance as the number of rows that came, by the
// binomial distribution, which needs no many of them.
func errorsOf(b *calib.Bin, wider float64) float64 {
	const most = 30
	rows := b.Rows / wider
	came := float64(rows * b.Share)
	rare := 1.0
	if came > 0 { // so many, or more
		rare = mathext.RegIncBeta(came, rows-came+1, b.Mean)
	}
	if came < rows { // or fewer
		rare = min(rare, 1-mathext.RegIncBeta(came+1, rows-came, b.Mean))
	}
	return min(most, math.Erfcinv(min(1, 2*rare))) * math.Sqrt2
}

// part are groups of a table, side by side, that are off in the same direction.
type part struct {
	calib.Bin             // all of them as one
	table     []calib.Bin // with the groups beside
	from, to  int         // their places
}

// offParts are those that are off by more than chance makes once in 20 times, the highest probabilities first: of
// those of two tables that have rows in common the one that is off by most standard errors.
func offParts(tables [][]calib.Bin, wider float64) []part {
	var all []part
	for _, table := range tables {
		for i, b := range table {
			gap := math.Abs(b.Mean - b.Share)
			if b.Rows/wider >= fewRows && errorsOf(&b, wider) > calib.Z95 && gap >= offPart*min(b.Mean, 1-b.Mean) {
				all = append(all, part{b, table, i, i})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b part) int {
		return cmp.Compare(errorsOf(&b.Bin, wider),
			errorsOf(&a.Bin, wider))
	})
	var apart []part
	for _, p := range all {
		if !slices.ContainsFunc(apart, func(q part) bool {
			return p.Low < q.High && q.Low < p.High ||
				p.Low == q.Low && p.High == q.High
		}) {
			apart = append(apart, p)
		}
	}
	slices.SortFunc(apart, func(a, b part) int { return cmp.Compare(b.Mean, a.Mean) })
	var out []part
	for _, p := range apart {
		if last := len(out) - 1; last >= 0 && &p.table[0] == &out[last].table[0] && p.to+1 == out[last].from &&
			(p.Mean > p.Share) == (out[last].Mean > out[last].Share) {
			out[last].widen(p)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// widen takes in the groups below.
func (p *part) widen(below part) {
	count := p.Count + below.Count
	p.Mean = (float64(p.Count*p.Mean) + float64(below.Count*below.Mean)) / count
	p.Share = (float64(p.Count*p.Share) + float64(below.Count*below.Share)) / count
	p.Count, p.Low, p.from = count, below.Low, below.from
}

// reversed says that rows of a class have lower probabilities of it than other rows, by more than chance makes of it:
// by the standard error of the area or, if that is larger, by that of an area of rows ranked at random (Hanley and
// McNeil, Radiology 143 (1982) 29-36); nil where they do not.
func reversed(s *Subject, class string) *finding.Finding {
	j := s.Report.Probabilities[class].Calibrated
	if j == nil {
		return nil
	}
	f := &j.Figures
	hits := float64(f.Rows * f.Share)
	chance := math.Sqrt((f.Rows + 1) / (12 * hits * (f.Rows - hits)))
	if f.AUCSE > chance { // it may be unknown
		chance = f.AUCSE
	}
	if !(f.AUC+calib.Z95*chance < 0.5) {
		return nil
	}
	out := finding.New(codes.CalibrationReversed, s.Where(), finding.Figure{Name: "area", Class: class, Value: f.AUC,
		Unit: codes.Area})
	out.Classes = []string{class}
	return &out
}
