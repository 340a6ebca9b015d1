package pragma

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// Measures over all classes that need no setting.
var (
	// Accuracy is the share of rows decided wrongly, in [0, 1]. Without rows it is 1.
	Accuracy Measure = accuracy

	// Balanced is 1 − the mean recall of the classes that have rows, in [0, 1]. Without rows it
	// is 1.
	Balanced Measure = balanced

	// GMean is 1 − the geometric mean of the recalls of the classes that have rows, in [0, 1].
	// Without rows it is 1. Source: Kubat and Matwin, ICML 1997.
	GMean Measure = gMean

	// MCC is 1 − the correlation of Matthews, in its form for several classes R_K (Gorodkin,
	// Computational Biology and Chemistry 28, 2004), in [0, 2]. The correlation is 0, and so
	// the loss 1, when all rows are of one class, or decided as one, or when there are none.
	MCC Measure = Func(mcc)

	// Kappa is 1 − Cohen's kappa (Educational and Psychological Measurement 20, 1960), in
	// [0, 2]. Kappa is 0, and so the loss 1, when the agreement expected by chance is complete,
	// and when there are no rows.
	Kappa Measure = Func(kappa)
)

var accuracy = sum{term: (*vote.Confusion).Hits, of: func(m *vote.Confusion, hits float64) float64 {
	n := m.Total()
	if !(n > 0) {
		return 1
	}
	return 1 - min(max(hits/n, 0), 1)
}}

var balanced = sum{
	term: func(m *vote.Confusion, c int) float64 {
		r, _ := m.Recall(c)
		return r
	},
	of: func(m *vote.Confusion, recalls float64) float64 { return 1 - mean(m, recalls) },
}

var gMean = sum{
	term: func(m *vote.Confusion, c int) float64 {
		r, ok := m.Recall(c)
		if !ok {
			return 0
		}
		return portable.Log(r) // -Inf when no row was found, and then the mean is 0
	},
	of: func(m *vote.Confusion, logs float64) float64 {
		if filled(m) == 0 {
			return 1
		}
		return 1 - portable.Exp(logs/float64(filled(m)))
	},
}

// F returns the loss 1 − F-beta of one class, in [0, 1]. Recall counts beta times as much as
// precision (van Rijsbergen 1979). A class without a right decision has F = 0, also when it
// has no rows and is never predicted.
//
// Errors: class is no index of a class, which is at least 0; beta is not finite or not above 0.
func F(class int, beta float64) (Measure, error) {
	if class < 0 {
		return nil, &SpecError{Err: fmt.Errorf("class index %d is negative; give one from 0 on", class)}
	}
	if err := checkBeta(beta); err != nil {
		return nil, err
	}
	return sum{
		term: func(m *vote.Confusion, c int) float64 {
			if c != class {
				return 0
			}
			return fBeta(m, c, beta)
		},
		of:    func(_ *vote.Confusion, f float64) float64 { return 1 - f },
		class: class,
	}, nil
}

// MacroF returns the loss 1 − the mean of F-beta over the classes that have rows, in [0, 1].
// Without rows it is 1.
//
// Errors: beta is not finite or not above 0.
func MacroF(beta float64) (Measure, error) {
	if err := checkBeta(beta); err != nil {
		return nil, err
	}
	return sum{
		term: func(m *vote.Confusion, c int) float64 {
			if !(m.True(c) > 0) {
				return 0
			}
			return fBeta(m, c, beta)
		},
		of: func(m *vote.Confusion, f float64) float64 { return 1 - mean(m, f) },
	}, nil
}

func checkBeta(beta float64) error {
	if !(beta > 0) || math.IsInf(beta, 1) {
		return &SpecError{Err: fmt.Errorf("beta = %v is not a finite number above 0; write 1 for F1, 2 to count recall twice",
			beta)}
	}
	return nil
}

// fBeta is (1+β²)·hits / (β²·true + predicted), divided through by 1+β² so that no beta overflows.
func fBeta(m *vote.Confusion, c int, beta float64) float64 {
	recall := 1 / (1 + 1/(beta*beta))
	whole := float64(recall*m.True(c)) + float64((1-recall)*m.Predicted(c))
	if !(whole > 0) {
		return 0
	}
	return min(max(m.Hits(c)/whole, 0), 1)
}

// mean returns the mean over the classes that have rows, given the sum; 0 without rows.
func mean(m *vote.Confusion, sum float64) float64 {
	n := filled(m)
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// filled returns the number of classes that have rows.
func filled(m *vote.Confusion) int {
	n := 0
	for c := range m.Classes {
		if m.True(c) > 0 {
			n++
		}
	}
	return n
}

func mcc(m *vote.Confusion) float64 {
	var above, truth, predicted portable.Sum
	n := m.Total()
	if !(n > 0) {
		return 1
	}
	for c := range m.Classes {
		t, p := m.True(c)/n, m.Predicted(c)/n
		above.Add(covariance(m, c, n))
		truth.Add(float64(t * rest(n, m.True(c))))
		predicted.Add(float64(p * rest(n, m.Predicted(c))))
	}
	if !(truth.Value() > 0) || !(predicted.Value() > 0) {
		return 1
	}
	return 1 - min(max(above.Value()/math.Sqrt(truth.Value())/math.Sqrt(predicted.Value()), -1), 1)
}

func kappa(m *vote.Confusion) float64 {
	var above, chance portable.Sum // observed agreement above chance, and the most it could be
	n := m.Total()
	if !(n > 0) {
		return 1
	}
	for c := range m.Classes {
		above.Add(covariance(m, c, n))
		chance.Add(float64(m.True(c) / n * rest(n, m.Predicted(c))))
	}
	if !(chance.Value() > 0) {
		return 1
	}
	return 1 - min(max(above.Value()/chance.Value(), -1), 1)
}

// covariance is hits/n − true/n · predicted/n of class c, written as right decisions for and
// against the class minus wrong ones, so that rare classes keep their digits.
func covariance(m *vote.Confusion, c int, n float64) float64 {
	hits, missed, alarms := m.Hits(c), m.True(c)-m.Hits(c), m.Predicted(c)-m.Hits(c)
	others := n - m.True(c) - alarms
	return float64(hits/n*(others/n)) - float64(missed/n*(alarms/n))
}

// rest is 1 − part/n without the loss of digits when part is nearly n.
func rest(n, part float64) float64 { return max(n-part, 0) / n }

// The names that ParseMeasure knows.
var measures = []string{"accuracy", "balanced", "f1", "f:CLASS", "gmean", "mcc", "kappa"}

// ParseMeasure returns the measure of that name over classes:
//
//	accuracy  balanced  gmean  mcc  kappa
//	f1                  mean of F1 over the classes
//	f:ill               F1 of class ill
//	f:ill,beta=2        F-beta of class ill
//	f:*,beta=2          mean of F-beta over the classes
//
// A class name is quoted as in [ParseSpec]. With nil classes only the name of the measure is checked, and any
// class will do. PRAGMA itself needs preferences, see [Spec.ParseMeasure].
//
// Errors: *[SpecError] for names and classes that are unknown and for a beta that is not finite or not above 0.
func ParseMeasure(name string, classes []string) (Measure, error) {
	kind, _, detailed := strings.Cut(name, ":")
	switch kind = strings.TrimSpace(kind); {
	case kind == "f":
		p := &parser{text: name, at: min(strings.IndexByte(name+":", ':')+1, len(name))}
		return p.f(classes)
	case !slices.Contains(measures, kind):
		return nil, &SpecError{Err: unknownMeasure(kind, measures)}
	case detailed:
		return nil, &SpecError{Err: fmt.Errorf(
			"measure %s is one number over all classes; write %s alone, or f:CLASS for one class", kind, kind)}
	}
	switch kind {
	case "accuracy":
		return Accuracy, nil
	case "balanced":
		return Balanced, nil
	case "f1":
		return MacroF(1)
	case "gmean":
		return GMean, nil
	case "mcc":
		return MCC, nil
	default:
		return Kappa, nil
	}
}

// unknownMeasure is the error for a name that no measure has, with what to write for those that others call so.
func unknownMeasure(name string, known []string) error {
	switch word := strings.ToLower(name); {
	case strings.HasPrefix(word, "youden"):
		return fmt.Errorf("unknown measure %s; write balanced: of two classes sensitivity + specificity - 1 is 2 × "+
			"balanced - 1, best under the same weights", english.Quote(name))
	case len(word) > 1 && word[0] == 'f':
		if beta, err := csvtext.Number(strings.TrimLeft(word[1:], "-_")); err == nil && beta > 0 && beta != 1 {
			return fmt.Errorf("unknown measure %s; write f:CLASS,beta=%v", english.Quote(name), beta)
		}
	}
	return nearest.Unknown("measure", name, known)
}

// f reads what follows "f:", a class and perhaps a beta.
func (p *parser) f(classes []string) (Measure, error) {
	class, err := p.name()
	if err != nil {
		return nil, &SpecError{Err: errors.New(
			"measure f needs a class; write f:CLASS or f:CLASS,beta=2, or f1 for the mean over all classes")}
	}
	beta := 1.0
	if p.take(',') {
		p.blanks()
		start := p.at
		if key := p.word("="); key != "beta" || !p.take('=') {
			return nil, p.fault(start, fmt.Errorf("%s is not beta=NUMBER; write f:CLASS,beta=2", english.Quote(p.text[start:])))
		}
		if beta, err = csvtext.Typed(p.word("")); err != nil {
			return nil, &SpecError{Err: fmt.Errorf("beta: %w", err)}
		}
	}
	if p.at < len(p.text) {
		return nil, p.fault(p.at, fmt.Errorf("unexpected %q; write f:CLASS,beta=2, and quote a name that contains one of %s",
			p.next(), delimiters))
	}
	if class == Others {
		return MacroF(beta)
	}
	c := slices.Index(classes, class)
	if c < 0 && classes != nil {
		return nil, &SpecError{Err: nearest.Unknown("class", class, classes)}
	}
	return F(max(c, 0), beta)
}
