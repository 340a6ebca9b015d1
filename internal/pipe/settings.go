package pipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
	"github.com/rfpragma/rfpragma/internal/rarest"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Options are the settings of the command under the names of its flags, with _ for -. A setting that is left out has
// the default that it has there, so that the same rows give the same model.
type Options struct {
	// How the columns of a table are read.
	Target         string              `json:"target"` // "" means class
	Positive       string              `json:"positive"`
	Merge          map[string][]string `json:"merge_labels"`
	ID             string              `json:"id"`
	Weight         string              `json:"weight"`
	Amount         string              `json:"amount"`
	Group          string              `json:"group"`
	Time           string              `json:"time"`
	Ignore         []string            `json:"ignore"`
	Categorical    []string            `json:"categorical"`
	Number         []string            `json:"number"`
	Missing        []string            `json:"missing"`
	DropUnlabelled bool                `json:"drop_unlabelled"`
	Strict         bool                `json:"strict"`

	// What is wanted of decisions.
	Prefer     *Preference        `json:"prefer"`
	Cost       map[string]any     `json:"cost"`  // by class a number, or a text such as amount
	Costs      *Costs             `json:"costs"` // a whole matrix
	Measure    string             `json:"measure"`
	Require    []string           `json:"require"`
	AcceptBest bool               `json:"accept_best"`
	Sure       float64            `json:"sure"`       // confidence that what is required holds on new rows; 0 for none
	SureShare  *float64           `json:"sure_share"` // of the rows, kept apart to test it
	MaxCost    float64            `json:"max_cost"`   // that new rows are to keep to in the mean
	Decide     string             `json:"decide"`
	Weights    map[string]float64 `json:"weights"` // by class, instead of a search; 1 for the others

	// How trees are grown.
	Trees         *int               `json:"trees"`
	Mtry          *int               `json:"mtry"`
	MinLeaf       *int               `json:"min_leaf"`
	MaxDepth      *int               `json:"max_depth"`
	MaxLeaves     *int               `json:"max_leaves"`
	Criterion     string             `json:"criterion"`
	RandomCuts    bool               `json:"random_cuts"`
	SubsetLevels  *int               `json:"subset_levels"`
	Bag           string             `json:"bag"`
	Fraction      *float64           `json:"fraction"`
	NoReplacement bool               `json:"no_replacement"`
	SoftVotes     bool               `json:"soft_votes"`
	ClassWeight   map[string]float64 `json:"class_weight"`
	TuneForest    string             `json:"tune_forest"`

	// How weights and maps are fitted.
	Votes       string `json:"votes"`
	InnerFolds  *int   `json:"inner_folds"`
	Calibrate   string `json:"calibrate"`
	CalibrateOn string `json:"calibrate_on"`
	Search      string `json:"search"`
	Choice      string `json:"choice"`

	Seed    uint64 `json:"seed"`
	Threads int    `json:"threads"` // 0 means as many as there are processors
}

// Preference is a preference as a text, such as ill:theta=10,x=0.2,y=0.6, or as an object by class.
type Preference struct{ pragma.Spec }

// UnmarshalJSON reads either form.
func (p *Preference) UnmarshalJSON(b []byte) error {
	if !bytes.HasPrefix(b, []byte{'"'}) {
		return json.Unmarshal(b, &p.Spec)
	}
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	var err error
	p.Spec, err = pragma.ParseSpec(text)
	return err
}

// Costs is a matrix of costs by true class and decision, both in the order of Classes.
type Costs struct {
	Classes  []string    `json:"classes"`
	Matrix   [][]float64 `json:"matrix"`
	ByAmount []bool      `json:"by_amount"`
}

// in returns the costs in the order of classes.
func (c *Costs) in(classes []string) (pragma.Costs, error) {
	k := len(classes)
	if len(c.Classes) != k || len(c.Matrix) != k || c.ByAmount != nil && len(c.ByAmount) != k {
		return pragma.Costs{}, csvtext.Usagef("the costs are of %s, and there are %d; give a line and a column for each",
			english.Plural(len(c.Classes), "class"), k)
	}
	out := pragma.Costs{Matrix: make([][]float64, k)}
	if c.ByAmount != nil {
		out.ByAmount = make([]bool, k)
	}
	at := make([]int, k)
	for i, class := range classes {
		if at[i] = slices.Index(c.Classes, class); at[i] < 0 {
			return out, csvtext.Usagef("the costs lack class %s", english.Quote(class))
		}
	}
	for i := range classes {
		line := c.Matrix[at[i]]
		if len(line) != k {
			return out, csvtext.Usagef("the costs of class %s are %d, one for each of %d decisions are needed",
				english.Quote(classes[i]), len(line), k)
		}
		for j := range classes {
			out.Matrix[i] = append(out.Matrix[i], line[at[j]])
		}
		if c.ByAmount != nil {
			out.ByAmount[i] = c.ByAmount[at[i]]
		}
	}
	return out, nil
}

// reading returns how a table is read to train on.
func (o *Options) reading(memory int64) dataset.Options {
	return dataset.Options{Target: or(o.Target, "class"), Positive: o.Positive, Merge: o.Merge, ID: o.ID, Weight: o.Weight,
		Amount: o.Amount, Group: o.Group, Time: o.Time, Ignore: o.Ignore, Categorical: o.Categorical, Number: o.Number,
		Missing: o.Missing, DropUnlabelled: o.DropUnlabelled, Workers: o.Threads, Memory: memory}
}

func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// numbers are the settings that count something, with the least that they may be.
func (o *Options) checkNumbers() error {
	for _, n := range []struct {
		name  string
		value *int
		least int
	}{{"trees", o.Trees, 1}, {"mtry", o.Mtry, 1}, {"min-leaf", o.MinLeaf, 1}, {"max-depth", o.MaxDepth, 1},
		{"max-leaves", o.MaxLeaves, 2}, {"subset-levels", o.SubsetLevels, 1}, {"inner-folds", o.InnerFolds, 2}} {
		if n.value != nil && *n.value < n.least {
			return csvtext.Usagef("{"+n.name+"} is %d; give a number from %d", *n.value, n.least)
		}
	}
	if o.Fraction != nil && !(*o.Fraction > 0 && *o.Fraction <= 1) {
		return csvtext.Usagef("{fraction} is %v; give a share above 0 and up to 1", *o.Fraction)
	}
	if o.Trees != nil && *o.Trees > forest.MaxTrees {
		return csvtext.Limitf("{trees} is %d; the limit is %d trees, and some hundreds are enough for most data", *o.Trees,
			forest.MaxTrees)
	}
	if o.Threads < 0 {
		return csvtext.Usagef("{threads} is %d; give a number from 1, or 0 for as many as there are processors", o.Threads)
	}
	return nil
}

func valueOf[T any](v *T) T {
	var zero T
	if v == nil {
		return zero
	}
	return *v
}

// forest returns how trees are grown on rows of these classes.
func (o *Options) forest(classes []string, memory int64) (forest.Config, error) {
	c := forest.Config{Trees: 500, Mtry: valueOf(o.Mtry), MinLeaf: 1, MaxDepth: valueOf(o.MaxDepth),
		MaxLeaves: valueOf(o.MaxLeaves), Criterion: forest.Criterion(or(o.Criterion, string(forest.Gini))),
		RandomCuts: o.RandomCuts, SubsetLevels: forest.Config{}.Resolved(1).SubsetLevels, Bag: forest.Bag(o.Bag),
		Fraction: valueOf(o.Fraction), NoReplacement: o.NoReplacement, Soft: o.SoftVotes, Seed: o.Seed, Workers: o.Threads,
		MaxMemory: memory}
	for _, set := range []struct{ from, to *int }{{o.Trees, &c.Trees}, {o.MinLeaf, &c.MinLeaf},
		{o.SubsetLevels, &c.SubsetLevels}} {
		if set.from != nil {
			*set.to = *set.from
		}
	}
	if o.tunes() { // what was not given may be chosen
		c.MinLeaf, c.Criterion = valueOf(o.MinLeaf), forest.Criterion(o.Criterion)
	}
	if err := c.CheckKinds(); err != nil {
		return c, err
	}
	var err error
	c.ClassWeight, err = byClass("class-weight", o.ClassWeight, classes)
	return c, err
}

// tunes tells whether the settings of the forest are chosen.
func (o *Options) tunes() bool { return o.TuneForest != string(rfpragma.TuneOff) }

// byClass returns numbers by class in the order of classes, 1 for those that are not named; nil if none is.
func byClass(name string, of map[string]float64, classes []string) ([]float64, error) {
	if len(of) == 0 {
		return nil, nil
	}
	out := slices.Repeat([]float64{1}, len(classes))
	for _, class := range slices.Sorted(maps.Keys(of)) {
		at := slices.Index(classes, class)
		if at < 0 {
			return nil, csvtext.Usagef("{"+name+"}: %v", nearest.Unknown("class", class, classes))
		}
		out[at] = of[class]
	}
	return out, nil
}

// search returns how weights are searched for.
func (o *Options) search(classes []string) (anneal.Search, error) {
	s := anneal.Search{Seed: o.Seed, Workers: o.Threads}
	var err error
	if s.Method, err = anneal.ParseMethod(or(o.Search, "auto")); err != nil {
		return s, err
	}
	if s.Choice, err = anneal.ParseChoice(or(o.Choice, "careful")); err != nil {
		return s, err
	}
	for _, text := range o.Require {
		floor, err := pragma.ParseFloor(text, classes)
		if err != nil {
			return s, fmt.Errorf("{require}: %w", err)
		}
		s.Floors = append(s.Floors, floor)
	}
	return s, nil
}

// wish is what is wanted of decisions.
type wish struct {
	spec    pragma.Spec
	costs   pragma.Costs
	measure pragma.Measure
	name    string // of the measure
	chosen  bool   // the measure does not follow from the preference and what is required
	byCost  bool
}

// wish reads what is wanted of decisions on classes with so many rows, which win ties in that order.
func (o *Options) wish(classes []string, count []float64, order []int, floors []pragma.Floor) (w wish, err error) {
	if w.costs, err = o.costs(classes); err != nil {
		return w, err
	}
	switch {
	case o.Prefer != nil:
		w.spec = o.Prefer.Spec
	case o.unpreferred(w.costs, floors):
		w.spec = pragma.Spec{}
	default:
		class, _ := rarest.Class(count, order)
		w.spec = pragma.Spec{classes[class]: pragma.Find()}
	}
	if _, err := w.spec.Resolve(classes); err != nil {
		return w, fmt.Errorf("{prefer}: %w", err)
	}
	w.spec = w.spec.For(classes, count)
	w.byCost = o.Decide == "cost"
	switch {
	case o.Decide != "" && o.Decide != "cost" && o.Decide != "weights":
		return w, csvtext.Usagef("{decide} is %s; choose weights or cost", english.Quote(o.Decide))
	case w.byCost && w.costs.Matrix == nil:
		return w, csvtext.Usagef("{decide} cost needs the costs; give them with {cost}")
	case w.byCost && floors != nil:
		return w, csvtext.Usagef("{decide} cost decides each row for itself, and {require} is kept by vote weights alone; " +
			"give one")
	case w.costs.Amounts() && floors != nil:
		return w, csvtext.Usagef("{require} counts rows, and costs by amount count what is at stake; give one")
	case w.costs.Matrix != nil:
		w.name, w.chosen = "cost", true
		w.measure, err = w.costs.Measure()
	case o.Measure != "":
		w.name, w.chosen = o.Measure, true
		if w.measure, err = w.spec.ParseMeasure(o.Measure, classes); err != nil {
			err = fmt.Errorf("{measure}: %w", err)
		}
	default:
		w.measure, w.name, err = w.spec.Default(classes, floors)
	}
	return w, err
}

// surely returns how surely what is required is to hold on new rows.
func (o *Options) surely() rfpragma.Sure {
	return rfpragma.Sure{Confidence: o.Sure, Share: valueOf(o.SureShare), MaxCost: o.MaxCost,
		OnVotes: o.SureShare != nil && *o.SureShare == 0}
}

// unpreferred tells whether no class is preferred where no preference is given: beside costs, another measure or floors
// of recall alone, unless trees are split by a preference.
func (o *Options) unpreferred(costs pragma.Costs, floors []pragma.Floor) bool {
	measured := o.Measure != "" && !strings.HasPrefix(o.Measure, "pragma")
	onlyRecall := len(floors) > 0 && !slices.ContainsFunc(floors, func(f pragma.Floor) bool {
		return f.What != pragma.RecallFloor
	})
	return (costs.Matrix != nil || measured || onlyRecall) && o.Criterion != string(forest.Pragma)
}

// costs reads what decisions cost; without a matrix nothing is said.
func (o *Options) costs(classes []string) (pragma.Costs, error) {
	var c pragma.Costs
	var err error
	switch {
	case o.Cost != nil && o.Costs != nil:
		return c, csvtext.Usagef("{cost} and {costs} are both given; give one")
	case (o.Cost != nil || o.Costs != nil) && o.Measure != "" && o.Measure != "cost":
		return c, csvtext.Usagef("{measure} and {cost} are both given; give one")
	case o.Costs != nil:
		c, err = o.Costs.in(classes)
	case len(o.Cost) > 0:
		var texts []string
		for _, class := range slices.Sorted(maps.Keys(o.Cost)) {
			text, ok := o.Cost[class].(string)
			if v, is := o.Cost[class].(float64); is {
				text, ok = strconv.FormatFloat(v, 'g', -1, 64), true
			}
			if !ok {
				return c, csvtext.Usagef("{cost} of class %s is neither a number nor a text", english.Quote(class))
			}
			texts = append(texts, class+"="+text)
		}
		if c, err = pragma.ParseCosts(texts, classes); err != nil {
			err = fmt.Errorf("{cost}: %w", err)
		}
	case o.Measure == "cost":
		return c, csvtext.Usagef("{measure} cost needs the costs; give them with {cost}")
	}
	switch {
	case err != nil:
	case c.Amounts() && o.Amount == "":
		err = csvtext.Usagef("a cost is by amount, but which column has the amounts? Name it with {amount}")
	case !c.Amounts() && o.Amount != "":
		err = csvtext.Usagef("{amount} is of no use: no cost is by amount")
	}
	return c, err
}

// config returns how a model is fitted to a frame, and for what.
func (o *Options) config(frame *dataset.Frame, memory int64) (rfpragma.Config, wish, error) {
	c := rfpragma.Config{Votes: vote.Source(o.Votes), Folds: 5, TuneForest: rfpragma.TuneForest(o.TuneForest),
		Calibration: calib.Auto, AcceptBest: o.AcceptBest, Sure: o.surely()}
	if err := o.checkNumbers(); err != nil {
		return c, wish{}, err
	}
	if o.InnerFolds != nil {
		c.Folds = *o.InnerFolds
	}
	var err error
	if c.Search, err = o.search(frame.Classes); err != nil {
		return c, wish{}, err
	}
	if o.Calibrate != "" {
		if c.Calibration, err = calib.Parse(o.Calibrate); err != nil {
			return c, wish{}, err
		}
	}
	switch o.CalibrateOn {
	case "", "votes":
	case "weighted":
		c.CalibrateWeighted = true
	default:
		return c, wish{}, csvtext.Usagef("{calibrate-on} is %s; choose votes or weighted", english.Quote(o.CalibrateOn))
	}
	if c.Forest, err = o.forest(frame.Classes, memory); err != nil {
		return c, wish{}, err
	}
	w, err := o.wish(frame.Classes, frame.ClassWeights(), vote.TieOrder(frame.ClassWeights(), frame.FirstRows()),
		c.Search.Floors)
	if err != nil {
		return c, w, err
	}
	if c.Costs, c.ByCost = w.costs, w.byCost; w.chosen {
		c.Measure, c.MeasureName = w.measure, w.name
	}
	given, err := byClass("weights", o.Weights, frame.Classes)
	if given != nil {
		c.Weights = func(*vote.Table) vote.Weights { return given }
	}
	return c, w, err
}

// frame reads a table to train on.
func (s *Server) frame(r *Request, buffers [][]byte) (*dataset.Frame, error) {
	src, err := r.Table.source(buffers)
	if err != nil {
		return nil, err
	}
	return dataset.Read(src, r.Options.reading(s.memory()))
}
