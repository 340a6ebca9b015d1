package rfpragma

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"time"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/dataset"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/forest"
	"github.com/rfpragma/rfpragma/internal/digest"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// Provenance is the audit record of a model: on what and how it was fitted.
type Provenance struct {
	Grown

	// the program that grew the trees, and what it calls them; "" if that is this one, see Adopt
	Origin string `json:"origin,omitempty"`

	// when the model was trained, by RFC 3339 in UTC, if Config.Trained says so; "" if not
	Trained string `json:"trained,omitempty"`
	Library string `json:"library_version,omitempty"` // version of this module then, or development; "" if Trained is

	// source of the votes that the weights and maps were fitted on
	Votes vote.Source `json:"votes"`
	// number of folds of cv votes, or of judged blocks of forward votes
	Folds   int `json:"folds"`
	Unvoted int `json:"unvoted"` // number of rows without such a vote
	// how the settings of the forest were chosen; nil if they were given
	ForestChoice *ForestChoice `json:"forest_choice,omitempty"`
	Search       string        `json:"search"` // method of the search for the weights
	// how the weights were chosen: "" means careful, given that they were not searched for
	Choice string `json:"choice,omitempty"`
	// floors that the weights were to reach, see pragma.ParseFloor
	Floors []string `json:"require,omitempty"`
	// which rows a person is to look at; nil where all are decided, see Config.Review
	Review *Reviewing `json:"review,omitempty"`
	// what was shown of them on new rows; nil if nothing was asked for, see Config.Sure
	Guarantee *Guarantee `json:"guarantee,omitempty"`

	Reading dataset.Reading `json:"reading"` // how to read new rows
	// what the weights were searched for, see Model.Measure
	Measure string `json:"measure"`
	// whether the measure was asked for, although it also follows from the preference and the floors, see
	// pragma.Spec.Default
	Chosen bool `json:"measure_chosen,omitempty"`
	// cost of each decision, a line for each true class; nil without costs
	Costs [][]float64 `json:"costs,omitempty"`
	// by true class, whether its costs are for each unit of the amount of a row, see pragma.Costs
	ByAmount []bool `json:"by_amount,omitempty"`
	// whether rows are decided by expected cost, see Config.ByCost, and not by the weights
	ByCost bool `json:"by_cost,omitempty"`
	// method of the maps; for auto the one that it picked
	Calibration string `json:"calibration"`
	// source of the votes that the maps were fitted on, if not Votes
	MapVotes vote.Source `json:"map_votes,omitempty"`
	// SHA-256 of the rows that the weights were tuned on, without case weights; "" if they are those of training, or
	// not known
	VotesData string `json:"votes_data_sha256,omitempty"`
	// SHA-256 of the rows that the maps were fitted on, likewise
	MapData string `json:"map_votes_data_sha256,omitempty"`
	// shares of the classes among the rows that the maps were fitted on, if not those of training
	MapShare []float64 `json:"map_share,omitempty"`
	// shares of the classes in the population that the model is for, if not those of training, see Model.ForPrevalence
	Prevalence []float64 `json:"prevalence,omitempty"`

	// loss of those votes as the model decides them, which is optimistic; nil if no vote could be judged
	Loss *float64 `json:"loss"`
	// loss of those votes under the plain majority vote; Loss and Plain are the largest finite number where they are
	// not finite
	Plain   *float64   `json:"plain"`
	Plateau []Interval `json:"plateau"` // by class, a range of weights that decide those votes just as well

	// By class, where its weight comes from: own, shrunk, shared or one, see anneal.Origin; nil of two classes, and
	// where weights were given or are 1 each.
	Origins []anneal.Origin `json:"weight_origins,omitempty"`

	// Figures of each class on those votes as the model decides them; nil where they would say nothing of new rows, and
	// where rows of different weights were merged beforehand, see Model.Drift.
	Figures []ClassFigures `json:"figures,omitempty"`
	// how the votes that the maps were fitted on spread; nil where that would say nothing of new rows, see Model.Estimate
	Spread *eval.VoteSpread `json:"votes_spread,omitempty"`
}

// Given is the Choice of a model whose weights were given instead of searched for, see [Config.Weights].
const Given = "given"

// Grown is the record of a forest: on what and how its trees were grown.
type Grown struct {
	Seed uint64 `json:"seed"` // seed of all random choices
	Rows int    `json:"rows"` // number of rows of the training frame
	// SHA-256 of the training frame: its columns, classes, labels, case weights and cells
	Data string `json:"data_sha256"`
	Bare string `json:"rows_sha256,omitempty"` // likewise without the case weights; "" if it has none
	// columns by which the rows were sorted: if one is a time, figures of the training flatter, see
	// dataset.Frame.Ordered
	Ordered []string `json:"ordered,omitempty"`
	Mtry    int      `json:"mtry"`      // features tried at each node
	MinLeaf int      `json:"min_leaf"`  // smallest weight of a leaf
	Depth   int      `json:"max_depth"` // largest depth of a tree; 0 means no limit
	Bag     string   `json:"bag"`       // how bags were drawn

	// Settings that forests do not usually have; see Growth and forest.Config.
	Criterion string `json:"criterion,omitempty"` // criterion of the splits; "" means gini
	// of the criterion pragma, by class; the weights may be tuned for another preference
	Slopes     []forest.Slope `json:"criterion_slopes,omitempty"`
	RandomCuts bool           `json:"random_cuts,omitempty"` // one random cut is tried of each feature
	// up to how many levels a column is split by subsets of its levels; 0 means the default
	SubsetLevels int `json:"subset_levels,omitempty"`
	// largest number of leaves of a tree; 0 means no limit
	Leaves        int     `json:"max_leaves,omitempty"`
	Fraction      float64 `json:"fraction,omitempty"`       // share of the rows that a bag draws; 0 means all
	NoReplacement bool    `json:"no_replacement,omitempty"` // a row is in a bag at most once
	// how much of each class a stratified bag draws, see forest.Config
	ClassRows   []float64 `json:"class_rows,omitempty"`
	Soft        bool      `json:"soft_votes,omitempty"`   // trees vote with the shares of their leaves
	ClassWeight []float64 `json:"class_weight,omitempty"` // weights of the classes in the choice of splits
}

// Interval is a range of weights. High may be +Inf, which JSON shows as null.
type Interval struct{ Low, High float64 }

// MarshalJSON writes [low, high].
func (v Interval) MarshalJSON() ([]byte, error) {
	if math.IsInf(v.High, 1) {
		return json.Marshal([]any{v.Low, nil})
	}
	return json.Marshal([]float64{v.Low, v.High})
}

// UnmarshalJSON reads [low, high].
func (v *Interval) UnmarshalJSON(b []byte) error {
	var ends [2]*float64
	if err := json.Unmarshal(b, &ends); err != nil {
		return err
	}
	*v = Interval{High: math.Inf(1)}
	if ends[0] != nil {
		v.Low = *ends[0]
	}
	if ends[1] != nil {
		v.High = *ends[1]
	}
	return nil
}

// of records what else is known of the rows: which they are beside their case weights, and their order.
func (g Grown) of(train *dataset.Frame) Grown {
	g.Ordered, _ = train.Ordered()
	if train.Weight != nil {
		g.Bare = bare(train)
	}
	return g
}

// grownOn records how trees are grown with c on n rows of p features, of that fingerprint.
func grownOn(n, p int, data string, c forest.Config) Grown {
	f := c.Resolved(p)
	g := Grown{
		Seed: f.Seed, Rows: n, Data: data,
		Mtry: f.Mtry, MinLeaf: f.MinLeaf, Depth: f.MaxDepth, Bag: string(f.Bag),
		Slopes: f.Slopes, RandomCuts: f.RandomCuts, Leaves: f.MaxLeaves, NoReplacement: f.NoReplacement,
		ClassRows: f.ClassRows, Soft: f.Soft, ClassWeight: f.ClassWeight,
	}
	if f.Criterion != forest.Gini {
		g.Criterion = string(f.Criterion)
	}
	if f.SubsetLevels != (forest.Config{}).Resolved(p).SubsetLevels {
		g.SubsetLevels = f.SubsetLevels
	}
	if f.Fraction != 1 {
		g.Fraction = f.Fraction
	}
	return g
}

// fitted records on which votes weights and maps were fitted, and how.
func (r *Provenance) fitted(c Config, table *vote.Table, found anneal.Result, maps calib.Set) {
	r.Votes, r.Unvoted, r.ForestChoice = table.Source, table.Unvoted(), c.choice
	if !c.Trained.IsZero() {
		r.Trained, r.Library = c.Trained.UTC().Format(time.RFC3339), libraryVersion()
	}
	r.Calibration, r.Spread = string(maps.Method), eval.SpreadOf(table)
	if table.Source == vote.Forward { // where the first rows have none
		r.MapShare = classShares(table)
	}
	if !slices.ContainsFunc(maps.Maps, isFitted) {
		r.Calibration = string(calib.None)
	}
	r.searched(c, found, table)
}

// classShares returns the shares of the classes among the rows of votes; nil where there are none.
func classShares(votes *vote.Table) []float64 {
	counts := votes.Confuse(nil)
	if !(counts.Total() > 0) {
		return nil
	}
	shares := make([]float64, len(votes.Classes))
	for c := range shares {
		shares[c] = counts.True(c) / counts.Total()
	}
	return shares
}

// fittedOn records where the votes came from that weights and maps were fitted on. Votes of the training are the
// same for both, those for other rows need not be.
func (r *Provenance) fittedOn(weights, maps vote.Source) {
	if r.Votes, r.MapVotes = weights, maps; weights == maps && weights != vote.Holdout {
		r.MapVotes = ""
	}
}

// searched records what weights were searched for on votes, how, and what was found.
func (r *Provenance) searched(c Config, found anneal.Result, votes *vote.Table) {
	s := c.Search
	r.Measure, r.Chosen, r.Costs, r.ByAmount = c.MeasureName, c.chosen, c.Costs.Matrix, c.Costs.ByAmount
	r.ByCost = c.ByCost
	r.Search, r.Choice, r.Floors, r.Loss, r.Plain, r.Plateau, r.Figures = s.Method.String(), "", nil, nil, nil, nil, nil
	switch {
	case c.Weights != nil:
		r.Choice = Given
	case s.Choice != anneal.Careful:
		r.Choice = s.Choice.String()
	}
	for _, floor := range s.Floors {
		r.Floors = append(r.Floors, floor.Text(votes.Classes))
	}
	if found.Loss == found.Loss {
		r.Loss, r.Plain = stored(found.Loss), stored(found.Plain)
		if votes.Source != vote.Train {
			r.Figures = FiguresOf(votes, found.Weights)
		}
	}
	if r.Origins = nil; slices.ContainsFunc(found.Origins, func(o anneal.Origin) bool { return o != anneal.One }) {
		r.Origins = found.Origins
	}
	for i := range found.Low {
		r.Plateau = append(r.Plateau, Interval{found.Low[i], found.High[i]})
	}
}

// libraryVersion returns the version of this module in the running program.
func libraryVersion() string {
	const path, unknown = "github.com/rfpragma/rfpragma", "development"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknown
	}
	for _, module := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if module.Path == path && module.Version != "" && module.Version != "(devel)" {
			return module.Version
		}
	}
	return unknown
}

// stored is a loss as a file can hold it: a measure of one's own may be infinite, or no number.
func stored(loss float64) *float64 {
	if !(loss <= math.MaxFloat64) {
		loss = math.MaxFloat64
	}
	return &loss
}

// CostsOf returns the costs behind the measure "cost"; without costs they have no matrix.
func (r *Provenance) CostsOf() pragma.Costs {
	return pragma.Costs{Matrix: r.Costs, ByAmount: r.ByAmount}
}

// Growth returns the settings that the trees were grown with, except their number.
func (r *Grown) Growth() forest.Config {
	c := forest.Config{
		Mtry: r.Mtry, MinLeaf: r.MinLeaf, MaxDepth: r.Depth, MaxLeaves: r.Leaves, Criterion: forest.Criterion(r.Criterion),
		Slopes: r.Slopes, RandomCuts: r.RandomCuts, SubsetLevels: r.SubsetLevels,
		Bag: forest.Bag(r.Bag), Fraction: r.Fraction, NoReplacement: r.NoReplacement, ClassRows: r.ClassRows, Soft: r.Soft,
		Seed: r.Seed, ClassWeight: r.ClassWeight,
	}
	if c.Fraction == 0 {
		c.Fraction = 1
	}
	return c
}

// proportions returns Growth with ClassRows as shares of the rows of each class, which have these shares of all
// rows: near enough where rows have weights.
func (r *Grown) proportions(share []float64) forest.Config {
	c := r.Growth()
	if c.ClassRows == nil {
		return c
	}
	rows := make([]int, len(share))
	for class, s := range share {
		rows[class] = int(math.Round(float64(r.Rows) * s))
	}
	c.ClassRows = shared(c.ClassRows, rows)
	return c
}

// check says what cannot be in a record of a model of p features, with these shares of the classes.
func (r *Provenance) check(p int, share []float64) error {
	k := len(share)
	_, calibration := calib.Parse(r.Calibration)
	_, search := anneal.ParseMethod(r.Search)
	if err := r.checkGrown(p, k); err != nil {
		return err
	}
	switch {
	case (r.Trained == "") != (r.Library == "") || r.Trained != "" && !isTime(r.Trained):
		return fmt.Errorf("trained %.40q by version %.40q", r.Trained, r.Library)
	case r.Unvoted < 0 || r.Unvoted > r.Rows || r.Folds < 1:
		return fmt.Errorf("%d rows, %d without a vote, %d folds", r.Rows, r.Unvoted, r.Folds)
	case !slices.Contains([]vote.Source{vote.OOB, vote.CV, vote.Forward, vote.Holdout, vote.Train}, r.Votes) &&
		(r.Votes != vote.External || r.Origin == ""):
		return fmt.Errorf("votes %s", english.Quote(string(r.Votes)))
	case !slices.Contains([]vote.Source{"", vote.OOB, vote.CV, vote.Forward, vote.Holdout, vote.External, vote.Train},
		r.MapVotes):
		return fmt.Errorf("votes of the maps %s", english.Quote(string(r.MapVotes)))
	case r.VotesData != "" && !isSum(r.VotesData) || r.MapData != "" && !isSum(r.MapData):
		return fmt.Errorf("data sum %.80q of the weights, %.80q of the maps", r.VotesData, r.MapData)
	case len(r.Plateau) != k || (r.Loss == nil) != (r.Plain == nil):
		return fmt.Errorf("%d plateaus for %d classes", len(r.Plateau), k)
	case r.Origins != nil && len(r.Origins) != k:
		return fmt.Errorf("origins of %d weights for %d classes", len(r.Origins), k)
	case len(r.Costs) != 0 && len(r.Costs) != k || len(r.Costs) == 0 && r.ByAmount != nil:
		return fmt.Errorf("costs of %d classes, where there are %d", len(r.Costs), k)
	case r.ByCost && (r.Measure != costMeasure || r.Costs == nil || r.Choice == Given || len(r.Floors) > 0):
		return fmt.Errorf("decisions by expected cost with measure %s, costs %v, weights %q, floors %.80q",
			english.Quote(r.Measure), r.Costs != nil, r.Choice, r.Floors)
	}
	for _, shares := range [][]float64{r.Prevalence, r.MapShare} {
		if shares != nil && (len(shares) != k || slices.ContainsFunc(shares, func(s float64) bool {
			return !(s >= 0) ||
				s > 1
		})) {
			return fmt.Errorf("shares of the classes %v, where there are %d classes", shares, k)
		}
	}
	if r.Prevalence != nil {
		if r.MapShare != nil {
			share = r.MapShare
		}
		even := slices.Repeat([]float64{1 / float64(k)}, k)
		if err := calib.ChangePriors(even, even, share, r.Prevalence); err != nil || slices.Contains(r.Prevalence, 0) {
			return fmt.Errorf("shares of the classes %v for which there are probabilities of shares %v", r.Prevalence, share)
		}
	}
	if r.Spread != nil {
		if err := r.Spread.Sound(k); err != nil {
			return err
		}
	}
	if err := r.Guarantee.check(); err != nil {
		return err
	}
	if err := checkFigures(r.Figures, k); err != nil {
		return err
	}
	var costs error
	if r.Costs != nil {
		_, costs = r.CostsOf().Measure()
	}
	return errors.Join(calibration, search, costs)
}

// checkGrown is Grown.check, and says what cannot be of a forest of another program, of which little is known.
func (r *Provenance) checkGrown(p, k int) error {
	g, known := &r.Grown, r.Rows > 0
	if r.Origin == "" {
		return g.check(p, k)
	}
	if g.Rows < 0 || known != isSum(g.Data) || !known && g.Data != "" || g.Bare != "" && !isSum(g.Bare) || g.Soft ||
		g.Mtry != 0 || g.Bag != "" {
		return fmt.Errorf("a forest of %.80q with %d rows, data sum %.80q", r.Origin, g.Rows, g.Data)
	}
	return nil
}

// check says what cannot be in the record of a forest of p features and k classes.
func (r *Grown) check(p, k int) error {
	switch {
	case r.Rows < 1:
		return fmt.Errorf("%d rows", r.Rows)
	case r.Mtry < 1 || r.Mtry > p || r.MinLeaf < 1 || r.Depth < 0 || r.SubsetLevels < 0:
		return fmt.Errorf("mtry %d of %d, smallest leaf %d, depth %d, subsets of %d levels", r.Mtry, p, r.MinLeaf, r.Depth,
			r.SubsetLevels)
	case r.Criterion == string(forest.Gini) || r.Leaves < 0 || r.Leaves == 1 || r.Fraction == 1 || r.Bag == "":
		return fmt.Errorf("criterion %s, at most %d leaves, fraction %v, bag %s", english.Quote(r.Criterion), r.Leaves,
			r.Fraction, english.Quote(r.Bag))
	case r.Criterion == string(forest.Pragma) && len(r.Slopes) != k:
		return fmt.Errorf("%d slopes of the criterion for %d classes", len(r.Slopes), k)
	case !isSum(r.Data) || r.Bare != "" && !isSum(r.Bare):
		return fmt.Errorf("data sum %.80q, without weights %.80q", r.Data, r.Bare)
	case r.ClassRows != nil && len(r.ClassRows) != k:
		return fmt.Errorf("draws of %d classes for %d classes", len(r.ClassRows), k)
	case r.ClassWeight != nil && len(r.ClassWeight) != k:
		return fmt.Errorf("%d class weights for %d classes", len(r.ClassWeight), k)
	}
	return r.Growth().CheckKinds()
}

// isTime tells whether a text is a time in UTC.
func isTime(text string) bool {
	at, err := time.Parse(time.RFC3339, text)
	return err == nil && at.UTC().Format(time.RFC3339) == text
}

// isSum tells whether a text is a SHA-256.
func isSum(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == sha256.Size
}

// TrainedOn reports whether the labelled rows of frame are exactly those that the model was trained on,
// whatever their case weights. How the model does on them says nothing about new rows.
func (m *Model) TrainedOn(frame *dataset.Frame) bool {
	if m.check() != nil || checkFrame(frame) != nil {
		return false
	}
	g := &m.Provenance.Grown
	return bare(frame) == cmp.Or(g.Bare, g.Data) || frame.Weight != nil && Fingerprint(frame.Labelled()) == g.Data
}

// FittedOn reports whether the weights were tuned, and whether the maps were fitted, after the training on
// exactly the labelled rows of frame, whatever their case weights, see [Model.Retune] and
// [Model.Recalibrate]. How the model does on them flatters it.
func (m *Model) FittedOn(frame *dataset.Frame) (weights, maps bool) {
	p := &m.Provenance
	if p.VotesData == "" && p.MapData == "" || checkFrame(frame) != nil {
		return false, false
	}
	rows := bare(frame)
	return p.VotesData == rows, p.MapData == rows
}

// dataOf is what a record says of the rows of votes: nothing of those of training.
func (g *Grown) dataOf(rows *dataset.Frame) string {
	if rows == nil {
		return ""
	}
	if sum := bare(rows); sum != cmp.Or(g.Bare, g.Data) {
		return sum
	}
	return ""
}

// bare is the fingerprint of the labelled rows of a frame without their case weights, by which they are known again:
// the others take no part in training, nor in judging.
func bare(f *dataset.Frame) string {
	g := *f.Labelled()
	g.Weight = nil
	return Fingerprint(&g)
}

// Fingerprint returns the SHA-256, in hex, of the content of a frame, which a model trained on it records, see
// [Grown]. A table has the same one whatever file format it was read from, and in whichever form its columns
// are held. It is empty for a frame that [dataset.Frame.Check] refuses.
func Fingerprint(f *dataset.Frame) string {
	if checkFrame(f) != nil {
		return ""
	}
	return digest.Of(f, nil).Fingerprint(f.Schema(), f.Classes, f.Rows())
}
