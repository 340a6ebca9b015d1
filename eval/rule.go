package eval

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/internal/effective"
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Rule says how well one way to decide did. A figure that cannot be computed is nil.
type Rule struct {
	Pragma   float64  `json:"pragma"`    // PRAGMA of all judged rows together
	PragmaSD *float64 `json:"pragma_sd"` // its standard deviation over the repeats
	// holds 95 of 100 resamples of the rows, or of their groups; only of the plain and the tuned rule, and not with few
	// groups
	PragmaInterval *[2]float64 `json:"pragma_interval,omitempty"`
	// the second measure, if any; if that is a cost, the mean cost of a row, or with costs by amount the sum
	Loss         *float64    `json:"loss,omitempty"`
	LossInterval *[2]float64 `json:"loss_interval,omitempty"` // likewise of the loss; not with costs by amount
	// what tuning gains over this rule; among the rules of a report only of the prior, the cost and the weights rule,
	// as Report.Gain is that of the plain one
	Gain *Gain `json:"gain,omitempty"`
	// summed cost of the judged rows, mean over the repeats; nil without costs
	Cost     *float64 `json:"cost,omitempty"`
	Accuracy float64  `json:"accuracy"` // share of the rows that are decided rightly
	// Brier score of the rule's probabilities, see calib.Brier
	Brier     float64          `json:"brier"`
	LogLoss   float64          `json:"log_loss"`  // log loss of these, see calib.LogLoss
	Confusion [][]float64      `json:"confusion"` // k×k, rows are the truth, mean over the repeats
	Classes   map[string]Class `json:"classes"`   // figures of each class
	Means     Means            `json:"means"`     // over several classes, weighted by their rows
	// groups of rows that something is required of, as --require says
	Slices []RuleSlice `json:"groups,omitempty"`
}

// Class says how well a rule did on one class. The intervals are Wilson's, at 95 %, for the effective number of
// rows (Σw)²/Σw² over the case weights w of the rows concerned (Kish, Survey Sampling, 1965): it does not
// depend on the unit of the weights, and is the number of rows if all weigh the same. It is smaller if rows
// have groups, or if the rows are of several blocks of time that differ by more than their rows explain, see
// [effective.Share].
type Class struct {
	// share of the rows of the class that are found (sensitivity); null if it has none
	Recall         *float64    `json:"recall"`
	RecallInterval *[2]float64 `json:"recall_interval"` // Wilson's, at 95 %
	// share of the rows decided as the class that belong to it (positive predictive value); null if there are none
	Precision         *float64    `json:"precision"`
	PrecisionInterval *[2]float64 `json:"precision_interval"` // Wilson's, at 95 %
	// share of the rows of other classes that are not decided as the class (true negative rate); null if there are none
	Specificity *float64 `json:"specificity"`
	// share of the rows of other classes that are decided as the class, 1 - specificity; null if there are none
	FalsePositives *float64 `json:"false_positive_rate"`
	// share of the rows not decided as the class that are of another one; null if all are decided as it
	NegativePredictive *float64 `json:"negative_predictive_value"`
	Support            float64  `json:"support"`   // weight of the rows of the class
	Predicted          float64  `json:"predicted"` // weight of the rows decided as the class
	// effective number of the rows of the class, regardless of groups
	Rows float64 `json:"-"`
}

// ClassOf returns the figures of class c in a confusion matrix, without the intervals and Rows, which a matrix
// does not tell.
func ClassOf(m *vote.Confusion, c int) Class {
	figure := func(value float64, ok bool) *float64 {
		if !ok {
			return nil
		}
		return &value
	}
	return Class{
		Recall: figure(m.Recall(c)), Precision: figure(m.Precision(c)),
		Specificity: figure(m.Specificity(c)), FalsePositives: figure(m.FalsePositives(c)),
		NegativePredictive: figure(m.NegativePredictive(c)),
		Support:            m.True(c), Predicted: m.Predicted(c),
	}
}

// Means are the class-size-weighted means of the paper's tables: over the priority classes
// (MP), the others (MA) and all (MG).
type Means struct {
	Priority *Mean `json:"priority"` // MP, of the classes that matter most; null if all matter alike
	Others   *Mean `json:"others"`   // MA, of the others
	All      *Mean `json:"all"`      // MG, of all classes
}

// Mean is a mean over classes, weighted by their rows. A class never predicted has precision 0.
type Mean struct {
	Recall    float64 `json:"recall"`    // mean share of the rows that are found
	Precision float64 `json:"precision"` // mean share of the decisions that are right
}

// judge collects the decisions of a rule over folds and repeats.
type judge struct {
	total    *vote.Confusion   // of all repeats
	stake    *vote.Confusion   // the same by what is at stake, see pragma.Costs.Stakes
	money    money             // what that costs
	repeat   *vote.Confusion   // of the present one
	truth    []effective.Share // by class, its rows; hits are found
	decided  []effective.Share // by class, the rows decided as it; hits are right
	losses   []float64         // by repeat
	brier    float64           // sums over the rows, by weight
	logLoss  float64
	weighted float64
	expected []float64    // by class, what the probabilities add up to, by weight,
	variance []float64    // and its variance where they are right
	decision []int        // of each row, of all repeats
	block    int          // that the next rows are of, from 1; 0 where that does not count
	kept     *kept        // what the rows are, and their probabilities; nil of rules that nobody asks for that
	names    []vote.Slice // rows that are counted apart, by slice,
	slices   []sliced     // and how
}

// table adds the judged rows of t, decided so. Errors: those of costs by amount.
func (j *judge) table(t *vote.Table, by decisions, prob func(dst []float64, votes []uint32), costs pragma.Costs) error {
	k := len(t.Classes)
	staked, err := costs.Stakes(t)
	if err != nil {
		return err
	}
	if j.total == nil {
		j.total, j.truth, j.decided = vote.NewConfusion(t.Classes, t.Slices...), j.bases(k), j.bases(k)
		j.names = t.Slices
		for range t.Slices {
			j.slices = append(j.slices, newSliced(t.Classes, j.block > 0))
		}
		j.stake = vote.NewConfusion(t.Classes)
		j.expected, j.variance = make([]float64, k), make([]float64, k)
	}
	if j.repeat == nil {
		j.repeat = vote.NewConfusion(t.Classes, t.Slices...)
	}
	m, plain := vote.NewConfusion(t.Classes, t.Slices...), t.Rule(nil)
	var probs, weights []float64
	var truth []int
	for i, votes := range t.Judged() {
		probs = append(probs, make([]float64, k)...)
		p := probs[len(probs)-k:]
		prob(p, votes)
		is, decision, weight := t.Truth[i], by(i, votes, p), t.WeightOf(i)
		if decision < 0 || decision >= k {
			return fmt.Errorf("%w: row %d is decided as class %d of %d; weights, costs and probabilities must be of the "+
				"classes of the votes", ErrConfig, i, decision, k)
		}
		m.AddIn(is, decision, weight, t.InOf(i))
		j.stake.Add(is, decision, staked.WeightOf(i))
		if len(costs.Matrix) > 0 {
			j.money.add(j.block, weight, float64(staked.WeightOf(i)*costs.Matrix[is][decision]))
		}
		j.truth[is].Add(weight, weight)
		j.decided[decision].Add(weight, weight)
		if group, ok := j.groupOf(t, i); ok {
			j.truth[is].Join(group, weight, is == decision)
			j.decided[decision].Join(group, weight, is == decision)
		}
		for s := range j.slices {
			if t.InOf(i)>>s&1 == 1 {
				j.slices[s].add(t, i, decision, j.groupOf)
			}
		}
		for c := range p {
			j.expected[c] += float64(weight * p[c])
			j.variance[c] += float64(weight * weight * p[c] * (1 - p[c]))
		}
		j.decision = append(j.decision, decision)
		if j.kept != nil {
			j.kept.decide(decision, plain.Decide(votes), p, weight)
			if group, ok := j.groupOf(t, i); ok {
				j.kept.group = append(j.kept.group, group)
			}
		}
		truth = append(truth, is)
		weights = append(weights, weight)
	}
	if j.kept != nil {
		j.kept.add(probs, truth, weights)
	}
	if err := errors.Join(j.repeat.Merge(m), j.total.Merge(m)); err != nil {
		return err
	}
	if sum := m.Total(); sum > 0 {
		j.brier += float64(calib.Brier(probs, truth, weights, k) * sum)
		j.logLoss += float64(calib.LogLoss(probs, truth, weights, k) * sum)
		j.weighted += sum
	}
	return nil
}

// bases returns those of the rows of k classes.
func (j *judge) bases(k int) []effective.Share {
	out := make([]effective.Share, k)
	for c := range out {
		out[c].Blocks = j.block > 0
	}
	return out
}

// groupOf returns the group of row i, or the block that all rows of the table are of; false where there is neither.
func (j *judge) groupOf(t *vote.Table, i int) (int, bool) {
	switch {
	case j.block > 0:
		return j.block, true
	case t.Group != nil:
		return t.Group[i], true
	}
	return 0, false
}

func (j *judge) endRepeat(measure pragma.Measure) {
	j.losses = append(j.losses, measure.Loss(j.repeat))
	j.repeat = nil
}

// rule sums up. All repeats judge the same rows, so counts are divided by their number.
func (j *judge) rule(c Config) Rule {
	m, repeats := j.total, float64(len(j.losses))
	out := Rule{
		Pragma: c.Pragma.Loss(m), PragmaSD: spread(j.losses),
		Brier: j.brier / j.weighted, LogLoss: j.logLoss / j.weighted,
		Classes: j.classes(repeats),
	}
	out.Accuracy, _ = m.Accuracy()
	if c.Loss != nil {
		loss := c.Loss.Loss(m)
		out.Loss = &loss
	}
	if len(c.Costs.Matrix) > 0 {
		total := c.Costs.Total(j.stake) / repeats
		if out.Cost = &total; c.Costs.Amounts() {
			out.Loss = &total
		}
	}
	for t := range m.Classes {
		line := make([]float64, len(m.Classes))
		for d := range line {
			line[d] = m.At(t, d) / repeats
		}
		out.Confusion = append(out.Confusion, line)
	}
	out.Means = MeansOf(m, c.Priority)
	for s, name := range j.names {
		out.Slices = append(out.Slices, j.slices[s].rule(name, repeats))
	}
	return out
}

// classes sums up by class.
func (j *judge) classes(repeats float64) map[string]Class {
	m, out := j.total, map[string]Class{}
	for t, name := range m.Classes {
		class := ClassOf(m, t)
		class.Support, class.Predicted, class.Rows = class.Support/repeats, class.Predicted/repeats, j.truth[t].Rows()/repeats
		_, class.RecallInterval = share(m.Hits(t), m.True(t), &j.truth[t], repeats)
		_, class.PrecisionInterval = share(m.Hits(t), m.Predicted(t), &j.decided[t], repeats)
		out[name] = class
	}
	return out
}

// expects returns by class how many rows its probabilities make expected. All repeats judge the same rows, so they
// are no more sure than one.
func (j *judge) expects(repeats float64) map[string]calib.Estimate {
	out := map[string]calib.Estimate{}
	for c, name := range j.total.Classes {
		out[name] = calib.Estimate{Value: j.expected[c] / repeats, SE: math.Sqrt(j.variance[c] / repeats)}
	}
	return out
}

// always returns by class what it costs to decide all rows as it.
func (j *judge) always(costs pragma.Costs) map[string]float64 {
	out := costs.Always(j.stake)
	for name := range out {
		out[name] /= float64(len(j.losses))
	}
	return out
}

// share returns hits/all and its interval for the rows it rests on, each judged so many times, or nil where all is 0.
func share(hits, all float64, of *effective.Share, repeats float64) (*float64, *[2]float64) {
	if !(all > 0) {
		return nil, nil
	}
	part := min(max(hits/all, 0), 1)
	n := of.Effective(part, repeats)
	lo, hi := calib.Wilson(float64(part*n), n, calib.Z95)
	return &part, &[2]float64{lo, hi}
}

// spread returns the standard deviation of at least two values.
func spread(values []float64) *float64 {
	if len(values) < 2 {
		return nil
	}
	sd := deviation(values)
	return &sd
}

// MeansOf returns the means of the decisions in m. Priority holds the classes that matter most; it is empty if
// all matter alike.
func MeansOf(m *vote.Confusion, priority []int) Means {
	if m == nil {
		return Means{}
	}
	over := func(want func(c int) bool) *Mean {
		var recalls, precisions, sum portable.Sum // rounded once, however the classes are listed
		for c := range m.Classes {
			if !want(c) {
				continue
			}
			recall, _ := m.Recall(c)
			precision, _ := m.Precision(c)
			sum.Add(m.True(c))
			recalls.Add(float64(recall * m.True(c)))
			precisions.Add(float64(precision * m.True(c)))
		}
		rows := sum.Value()
		if rows == 0 {
			return nil
		}
		return &Mean{recalls.Value() / rows, precisions.Value() / rows}
	}
	out := Means{All: over(func(int) bool { return true })}
	if len(priority) > 0 {
		out.Priority = over(func(c int) bool { return slices.Contains(priority, c) })
		out.Others = over(func(c int) bool { return !slices.Contains(priority, c) })
	}
	return out
}
