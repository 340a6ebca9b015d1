package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/vote"
)

// rival is a way to weigh votes that needs no tuning.
type rival struct {
	name string // as --weights takes it
	by   string
	rule *eval.Rule
}

// finds says of a rule that needs no tuning what it finds of the classes that matter most, up to three, and how many alarms are right, as the tables have only the plain and the tuned rule.
func (v *verdict) finds(they string, r *eval.Rule) string {
	if len(v.matter) > mostNamed || len(v.matter) == len(v.classes) {
		return ""
	}
	of := func(share, rows float64) string {
		if rows < english.Few {
			return plainText(share, rows)
		}
		return ofHundred(share) + " of 100"
	}
	var texts []string
	for _, c := range v.matter {
		name := v.classes[c]
		switch class := r.Classes[name]; {
		case class.Recall == nil:
		case class.Precision == nil:
			texts = append(texts, fmt.Sprintf("none of %q", name))
		default:
			right := "are right"
			if len(v.matter) > 1 {
				right = "for it are right"
			}
			texts = append(texts, fmt.Sprintf("%s rows of %q, and %s alarms %s", of(*class.Recall, class.Support), name, of(*class.Precision, class.Predicted), right))
		}
	}
	if texts == nil {
		return ""
	}
	return fmt.Sprintf(" %s %s.", they, strings.Join(texts, "; "))
}

// taken says how to decide by a rule that needs no tuning.
func (v *verdict) taken(rule string) string {
	return fmt.Sprintf(" To decide so, %s with --weights %s.", v.weighing(), rule)
}

// weighing names the verbs that take other weights: the votes that weights in the order of time are found by are in no file that tune reads.
func (v *verdict) weighing() string {
	if v.report.Blocks != nil {
		return "train"
	}
	return "train or tune"
}

// ruled are the rules that what is asked for compares, what tuning gains on the plain vote, and on which rows: of costs in the order of time on those of all blocks, as costs add up.
func (v *verdict) ruled() (rules *eval.Rules, gain *eval.Gain, on string) {
	all := v.report.Together
	if v.measure != "cost" || all == nil || all.Rules == nil {
		return &v.report.Rules, v.report.Gain, v.on()
	}
	plain, cost := all.Rules["plain"], all.Rules["cost"]
	return &eval.Rules{Plain: plain, Prior: all.Rules["prior"], Cost: &cost, Weights: weightsRule(all.Rules), Tuned: all.Rules["tuned"]}, plain.Gain, v.onAll()
}

// untuned are the ways among rules that need no tuning and keep what is required, those of less loss first.
func (v *verdict) untuned(r *eval.Rules) []rival {
	all := []rival{{"plain", "the plain vote", &r.Plain}, {"cost", "by cost alone", r.Cost}, {"prior", "by one over the share of each class (prior)", &r.Prior}}
	all = slices.DeleteFunc(all, func(o rival) bool { return o.rule == nil || o.rule.Confusion == nil || v.breaks(o.rule) })
	slices.SortStableFunc(all, func(a, b rival) int { return cmp.Compare(v.loss(a.rule), v.loss(b.rule)) })
	return all
}

// rival is the untuned way that is told of, nil where there is none: the plain vote where tuning does worse beyond noise, and weights that lose less than tuning
// does, or no more beyond noise where tuning gains on the plain vote; of new rows else the weights that lose the least. None is better by a few rows. Where tuning breaks what is required, see keepers.
func (v *verdict) rival() (told *rival) {
	r, gain, _ := v.ruled()
	if v.had != nil || v.breaks(&r.Tuned) || v.discord != nil && v.measure != "cost" { // figures of no single model recommend none; but costs add up, so they are what the models of folds cost in the mean
		return nil
	}
	always := v.report.Always
	if all := v.report.Together; all != nil {
		always = all.Always
	}
	better := false // by a few rows
	for _, o := range v.untuned(r) {
		if o.name == "plain" {
			if !v.fewGroups() && worse(v.loss(&r.Plain), v.loss(&r.Tuned), gain) && !v.slight(&r.Plain, &r.Tuned) {
				return &o
			}
			continue
		}
		itself := v.rows != newRows && sameConfusion(o.rule, &r.Tuned) // of a model that is judged as it is
		wasteful := o.rule.Cost != nil && (&spent{tuned: *o.rule.Cost, always: always}).wasted(v.alikeKept(o.rule))
		if o.rule.Gain == nil || itself || wasteful {
			continue
		}
		g := o.rule.Gain
		if v.asWell(g) || g.Loss < 0 && !v.slight(o.rule, &r.Tuned) {
			return &o
		}
		better = better || g.Loss < 0
		if told == nil && !better && v.rows == newRows {
			told = &o
		}
	}
	return told
}

// gained tells whether tuning gains on the plain vote beyond noise.
func (v *verdict) gained() bool {
	_, g, _ := v.ruled()
	return g != nil && g.Loss > sureErrors*g.StandardError
}

// asWell tells whether tuning gains on the plain vote, but not beyond noise on other weights, on which it gains that.
func (v *verdict) asWell(g *eval.Gain) bool {
	return math.Abs(g.Loss) <= sureErrors*g.StandardError && v.gained()
}

// slight tells whether most of what another rule gains on the tuned one hangs on no more than [mostHeavy] rows of a class.
func (v *verdict) slight(o, than *eval.Rule) bool {
	if v.asked == nil || v.report.Weighed {
		return false
	}
	loss := func(rows [][]float64) float64 { return v.asked.Loss(confusionOf(v.classes, rows)) }
	tuned := than.Confusion
	was := loss(tuned)
	gain := was - loss(o.Confusion)
	for truth, row := range tuned {
		moved := 0.0
		for decision, n := range row {
			moved += max(0, n-o.Confusion[truth][decision])
		}
		but := slices.Clone(o.Confusion)
		but[truth] = row
		if moved <= mostHeavy && was-loss(but) < gain/2 {
			return true
		}
	}
	return false
}

// gains says what tuning gains on the plain vote, and where that is no more than weights have that need no tuning; first, if they are better; then why tuning moves little. It gives one advice at most. Foremost is
// what is to be known first.
func (v *verdict) gains() (foremost, others []string) {
	rated, unproven := v.rated(), v.unproven()
	return slices.Concat(rated[:1], unproven, v.besideWeights()), append(rated[1:], v.unmoved()...)
}

// rated is gains without why.
func (v *verdict) rated() []string {
	line, o := v.gain()+v.alone(), v.rival()
	switch {
	case v.untunedBetter() != nil && v.unproven() != nil: // which tells of them
		return []string{line}
	case o == nil:
		return []string{line + v.indifferent()}
	case o.name == "plain" && v.whose == givenCosts:
		return []string{line}
	case o.name == "plain":
		return []string{line + " For the plain vote " + v.weighing() + " with --weights plain."}
	}
	r, _, _ := v.ruled()
	name := v.lossName()
	texts := lossTexts(v.measure, v.loss(o.rule), v.loss(&r.Tuned), v.loss(&r.Plain))
	g, loss, tuned, use := o.rule.Gain, texts[0], texts[1], v.finds("They find", o.rule)+v.taken(o.name)
	if v.whose == givenCosts || v.rows != newRows && g.Loss >= -sureErrors*g.StandardError { // the costs may be asked for, or chance of these rows would choose
		use = ""
	}
	weights := func(do, noise string) string {
		begin, which := "Weights", "which need no tuning"
		if v.whose != "" {
			begin = "By " + v.whose + " weights"
		}
		if v.discord != nil {
			which += " and on which no folds disagree"
		}
		return fmt.Sprintf("%s %s, %s, do %s %s%s: %s is %s", begin, o.by, which, do, v.itself("the tuned ones"), noise, name, loss)
	}
	if less := 1 - v.loss(o.rule)/v.loss(&r.Tuned); v.measure == "cost" && less > nextTo {
		tuned += ", " + percent(less) + " less"
	}
	instead := fmt.Sprintf(", not %s (two standard errors of the difference are %s).", tuned, significant(sureErrors*g.StandardError, 2))
	switch {
	case g.Loss < -sureErrors*g.StandardError:
		return []string{weights("better than", "") + instead + use, line}
	case g.Loss < 0:
		return []string{line, weights("better than", ", but not beyond noise") + instead + use}
	}
	noise := ", but not beyond noise"
	switch {
	case !v.asWell(g):
		line, use = line+v.indifferent(), ""
		if g.Loss > sureErrors*g.StandardError {
			noise = ""
		}
	case use != "": // nobody is sent to what may cost more
		use = v.finds("They find", o.rule) + fmt.Sprintf(" For them %s with --weights %s.", v.weighing(), o.name)
	}
	if loss == tuned {
		return []string{line, weights("as well as", "") + "." + use}
	}
	return []string{line, weights("worse than", noise) + instead + use}
}

// indifferent says that the plain vote may do as well, where nothing shows beyond noise whether tuning does better or worse.
func (v *verdict) indifferent() string {
	r, g, _ := v.ruled()
	if v.rows != newRows || v.had != nil || unprovenWarning(v.report.Warnings) != nil || v.whose != "" || v.discord != nil || g == nil || g.Loss == 0 || math.Abs(g.Loss) > sureErrors*g.StandardError || v.breaks(&r.Plain) {
		return ""
	}
	return " The plain vote may do as well: --weights plain."
}

// unmoved says why tuning moves nothing, or little.
func (v *verdict) unmoved() []string {
	r, _, _ := v.ruled()
	if v.rows != newRows || v.given || v.had != nil || unprovenWarning(v.report.Warnings) != nil {
		return nil
	}
	uneven := func(w vote.Weights) bool { return slices.Min(w) < slices.Max(w) }
	next := ""
	switch {
	case v.weights == nil || uneven(v.weights) || len(v.floors) > 0:
	case v.others != nil:
		next = " To decide otherwise take one of the other choices below."
	default:
		next = " To decide otherwise say what must hold (--require)."
	}
	switch {
	case !sameConfusion(&r.Plain, &r.Tuned) || v.weights == nil:
		return nil
	case uneven(v.weights) || slices.ContainsFunc(foldWeights(v.classes, v.report.WeightsByFold), uneven):
		return []string{"The weights are not equal, but decide no row otherwise."}
	case len(v.floors) > 0 && !v.unreached:
		return []string{"The plain vote already keeps what you require on the votes that weights are searched on, and there no others are proven to lose less."}
	}
	return []string{"On the votes that weights are searched on no others are proven to lose less." + next}
}

// edges says of which classes a weight outdoes all votes but one.
func (v *verdict) edges() []string {
	if v.rows != newRows || v.given || v.had != nil {
		return nil
	}
	return trainingWords(v.report.Warnings, anneal.ErrEdge)
}

// trainingWords are the warnings that wrap an error, each a sentence that says in how many trainings it holds where that is not in all.
func trainingWords(warnings []error, kind error) []string {
	var lines []string
	for _, w := range warnings {
		if !errors.Is(w, kind) {
			continue
		}
		var in *eval.TrainingWarning
		if errors.As(w, &in) && in.Times == in.Of {
			w = in.Warning
		}
		lines = append(lines, english.Capital(w.Error())+".")
	}
	return lines
}

// keepers says which rule that needs no tuning keeps what is required where the tuned weights do not: surely, if there is one, else that of the least loss. Nobody is sent to one that gives up
// what is wanted.
func (v *verdict) keepers() []string {
	all := v.untuned(&v.report.Rules)
	switch {
	case !v.breaks(&v.report.Rules.Tuned):
		return nil
	case len(all) == 0:
		return []string{"Neither the plain vote nor weights that need no tuning keep it all."}
	}
	sure := func(o rival) bool {
		return !slices.ContainsFunc(v.floors, func(f pragma.Floor) bool { return !v.surely(f, o.rule) })
	}
	o, but, use := all[0], "", ""
	if at := slices.IndexFunc(all, sure); at >= 0 {
		o = all[at]
	} else {
		but = unsurely
	}
	few := slices.ContainsFunc(v.floors, func(f pragma.Floor) bool { return o.rule.Classes[v.classes[f.Class]].Rows < eval.FewRows })
	dearer := v.gives(o.rule)
	if v.discord == nil && !few && dearer == "" && (but == "" || v.rows == newRows) {
		if o.name != "plain" { // which the tables have
			use = v.finds("They find", o.rule)
		}
		use += v.taken(o.name)
	}
	they := "Weights " + o.by + " keep"
	if o.name == "plain" {
		they = "The plain vote keeps"
	}
	return []string{fmt.Sprintf("%s what you require on %s%s%s.", they, v.on(), but, dearer) + use}
}

// gives says what a rule that loses more than the tuned weights gives up: the loss, and the recall or precision that falls most, of the classes that matter most; "" of one that loses no more.
func (v *verdict) gives(r *eval.Rule) string {
	tuned := &v.report.Rules.Tuned
	if !(v.loss(r) > v.loss(tuned)) {
		return ""
	}
	texts := lossTexts(v.measure, v.loss(r), v.loss(tuned), v.loss(&v.report.Rules.Plain))
	text, most := fmt.Sprintf("; then %s is %s, not %s", v.lossName(), texts[0], texts[1]), nextTo
	fallen := ""
	for _, c := range v.matter {
		name := v.classes[c]
		is, was := r.Classes[name], tuned.Classes[name]
		for _, f := range []struct {
			name    string
			is, was *float64
		}{{"recall", is.Recall, was.Recall}, {"precision", is.Precision, was.Precision}} {
			if f.is != nil && f.was != nil && *f.was-*f.is > most {
				most, fallen = *f.was-*f.is, fmt.Sprintf(", and the %s of %q %s, not %s", f.name, name, percent(*f.is), percent(*f.was))
			}
		}
	}
	return text + fallen
}

// sameConfusion tells whether two rules decide alike, as far as their matrices tell.
func sameConfusion(a, b *eval.Rule) bool {
	return slices.EqualFunc(a.Confusion, b.Confusion, slices.Equal[[]float64])
}
