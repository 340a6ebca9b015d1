package rfpragma_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/anneal"
	"github.com/rfpragma/rfpragma/calib"
	"github.com/rfpragma/rfpragma/eval"
	"github.com/rfpragma/rfpragma/pragma"
	"github.com/rfpragma/rfpragma/risk"
	"github.com/rfpragma/rfpragma/vote"
)

// functions are all exported functions of the packages in opened.
var functions = map[string]any{
	"risk.Fewest":            risk.Fewest,
	"rfpragma.CrossValidate": rfpragma.CrossValidate, "rfpragma.Fingerprint": rfpragma.Fingerprint,
	"rfpragma.Probabilities": rfpragma.Probabilities, "rfpragma.Uncalibrated": rfpragma.Uncalibrated,
	"rfpragma.FiguresOf": rfpragma.FiguresOf, "rfpragma.Fit": rfpragma.Fit, "rfpragma.Load": rfpragma.Load,
	"rfpragma.Open": rfpragma.Open, "rfpragma.Adopt": rfpragma.Adopt,
	"rfpragma.ReadModel": rfpragma.ReadModel, "rfpragma.GrowPart": rfpragma.GrowPart,
	"rfpragma.GrowScan": rfpragma.GrowScan, "rfpragma.MergeParts": rfpragma.MergeParts,
	"rfpragma.ReadPart": rfpragma.ReadPart, "rfpragma.Prepare": rfpragma.Prepare,
	"rfpragma.MergeTallies": rfpragma.MergeTallies, "rfpragma.ReadTally": rfpragma.ReadTally,

	"vote.TieOrder": vote.TieOrder, "vote.Ties": vote.Ties, "vote.Total": vote.Total, "vote.WriteCSV": vote.WriteCSV,
	"vote.NewConfusion": vote.NewConfusion, "vote.DecodeHistogram": vote.DecodeHistogram,
	"vote.NewHistogram": vote.NewHistogram, "vote.NewRule": vote.NewRule, "vote.ReadCSV": vote.ReadCSV,
	"vote.Prior": vote.Prior, "vote.Scaled": vote.Scaled,

	"pragma.CheckMeasure": pragma.CheckMeasure, "pragma.MattersMore": pragma.MattersMore,
	"pragma.PriorityClasses": pragma.PriorityClasses, "pragma.ParseCosts": pragma.ParseCosts,
	"pragma.ReadCosts": pragma.ReadCosts, "pragma.ParseFloor": pragma.ParseFloor, "pragma.F": pragma.F,
	"pragma.MacroF": pragma.MacroF, "pragma.ParseMeasure": pragma.ParseMeasure, "pragma.Within": pragma.Within,
	"pragma.Find": pragma.Find, "pragma.Neutral": pragma.Neutral, "pragma.Priority": pragma.Priority,
	"pragma.ParseSpec": pragma.ParseSpec,
	"pragma.ReadSpec":  pragma.ReadSpec, "pragma.Slices": pragma.Slices,

	"anneal.ParseChoice": anneal.ParseChoice, "anneal.ParseMethod": anneal.ParseMethod,

	"calib.Brier": calib.Brier, "calib.ChangePriors": calib.ChangePriors, "calib.ECE": calib.ECE,
	"calib.LogLoss": calib.LogLoss, "calib.Pinball": calib.Pinball, "calib.Smooth": calib.Smooth,
	"calib.UndoSampling": calib.UndoSampling, "calib.Wilson": calib.Wilson, "calib.Methods": calib.Methods,
	"calib.Parse": calib.Parse, "calib.Decompose": calib.Decompose, "calib.NewSample": calib.NewSample,
	"calib.NewRanks": calib.NewRanks, "calib.Score": calib.Score,

	"eval.Shares": eval.Shares, "eval.Weight": eval.Weight, "eval.Replay": eval.Replay,
	"eval.LaterList": eval.LaterList,
	"eval.ClassOf":   eval.ClassOf, "eval.ForecastCost": eval.ForecastCost,
	"eval.Judge": eval.Judge, "eval.MeansOf": eval.MeansOf, "eval.CrossValidate": eval.CrossValidate,
	"eval.Evaluate": eval.Evaluate, "eval.Top": eval.Top, "eval.Slices": eval.Slices,
	"eval.SpreadOf": eval.SpreadOf, "eval.EstimatedGaps": eval.EstimatedGaps, "eval.CountedGaps": eval.CountedGaps,
}

// receivers are all types of these packages that have exported methods.
var receivers = map[string]reflect.Type{
	"rfpragma.Config": typeOf[rfpragma.Config](), "rfpragma.Grown": typeOf[rfpragma.Grown](),
	"rfpragma.Interval": typeOf[rfpragma.Interval](), "rfpragma.Mapped": typeOf[rfpragma.Mapped](),
	"rfpragma.MissingCell": typeOf[rfpragma.MissingCell](),
	"rfpragma.Model":       typeOf[rfpragma.Model](), "rfpragma.Observed": typeOf[rfpragma.Observed](),
	"rfpragma.Overlap": typeOf[rfpragma.Overlap](), "rfpragma.Part": typeOf[rfpragma.Part](),
	"rfpragma.Prepared": typeOf[rfpragma.Prepared](), "rfpragma.Provenance": typeOf[rfpragma.Provenance](),
	"rfpragma.RowError": typeOf[rfpragma.RowError](), "rfpragma.RowReader": typeOf[rfpragma.RowReader](),
	"rfpragma.Tally": typeOf[rfpragma.Tally](),

	"vote.Confusion": typeOf[vote.Confusion](), "vote.Histogram": typeOf[vote.Histogram](),
	"vote.Rule": typeOf[vote.Rule](), "vote.Slice": typeOf[vote.Slice](), "vote.Table": typeOf[vote.Table](),
	"vote.Weights": typeOf[vote.Weights](),

	"pragma.Costs": typeOf[pragma.Costs](), "pragma.Floor": typeOf[pragma.Floor](), "pragma.Func": typeOf[pragma.Func](),
	"pragma.Goal":       typeOf[pragma.Goal](),
	"pragma.Preference": typeOf[pragma.Preference](), "pragma.Spec": typeOf[pragma.Spec](),
	"pragma.SpecError": typeOf[pragma.SpecError](),

	"anneal.Choice": typeOf[anneal.Choice](), "anneal.Method": typeOf[anneal.Method](),
	"anneal.Origin": typeOf[anneal.Origin](), "anneal.Search": typeOf[anneal.Search](),

	"calib.BetaCurve": typeOf[calib.BetaCurve](), "calib.ClassError": typeOf[calib.ClassError](),
	"calib.Estimate": typeOf[calib.Estimate](), "calib.Identity": typeOf[calib.Identity](),
	"calib.Isotonic": typeOf[calib.Isotonic](), "calib.Method": typeOf[calib.Method](),
	"calib.Power": typeOf[calib.Power](), "calib.Ranks": typeOf[calib.Ranks](),
	"calib.Report": typeOf[calib.Report](),
	"calib.Sample": typeOf[calib.Sample](), "calib.Set": typeOf[calib.Set](), "calib.Sigmoid": typeOf[calib.Sigmoid](),
	"calib.VennAbersTable": typeOf[calib.VennAbersTable](),

	"eval.Block": typeOf[eval.Block](), "eval.Report": typeOf[eval.Report](), "eval.Rule": typeOf[eval.Rule](),
	"eval.TopList":         typeOf[eval.TopList](),
	"eval.TrainingWarning": typeOf[eval.TrainingWarning](), "eval.Unlabelled": typeOf[eval.Unlabelled](),
	"eval.VoteSpread": typeOf[eval.VoteSpread](), "eval.Watch": typeOf[eval.Watch](),

	"risk.Check": typeOf[risk.Check](), "risk.Control": typeOf[risk.Control](),
	"risk.UnsureError": typeOf[risk.UnsureError](),
}

// opened are the packages, with their folders.
var opened = map[string]string{
	"rfpragma": ".", "vote": "vote", "pragma": "pragma", "anneal": "anneal", "calib": "calib", "eval": "eval",
	"risk": "risk",
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

var (
	doorSeed  = flag.Uint64("doorseed", 1, "seed of what the doors are called with")
	doorCalls = flag.Int("doorcalls", 1, "how many times as many calls")
)

// A new function, or a type with a method, is to be among those that are called below.
func TestDoorsAreListed(t *testing.T) {
	want := map[string]bool{}
	for name, folder := range opened {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(folder, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || !f.Name.IsExported() {
					continue
				}
				of := f.Name.Name
				if f.Recv != nil {
					of = receiverOf(f.Recv.List[0].Type)
				}
				if ast.IsExported(of) {
					want[name+"."+of] = true
				}
			}
		}
	}
	got := map[string]bool{}
	for name := range functions {
		got[name] = true
	}
	for name := range receivers {
		got[name] = true
	}
	if !maps.Equal(got, want) {
		for name := range want {
			if !got[name] {
				t.Errorf("%s is in no list of this file: add it, so that it is called with what does not fit", name)
			}
		}
		for name := range got {
			if !want[name] {
				t.Errorf("%s is listed, and not exported", name)
			}
		}
	}
}

// receiverOf is the name of the type of a method.
func receiverOf(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiverOf(of.X)
	case *ast.IndexExpr:
		return receiverOf(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}

// Whatever is given, no function panics but for a nil receiver or context: it returns an error or, without one to
// return, what its comment says of values that do not fit. Arguments are of other numbers of classes, slices of other
// lengths, nil, empty, negative, no numbers, zero values and all of these in fields.
func TestNoDoorPanics(t *testing.T) {
	t.Chdir(t.TempDir()) // some save files
	seed := *doorSeed
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		t.Run(name, func(t *testing.T) { misfits(t, seed, reflect.ValueOf(functions[name]), 0) })
	}
	for _, name := range slices.Sorted(maps.Keys(receivers)) {
		of := reflect.PointerTo(receivers[name])
		for i := range of.NumMethod() {
			t.Run(name+"."+of.Method(i).Name, func(t *testing.T) { misfits(t, seed, of.Method(i).Func, 1) })
		}
	}
}

// slow are functions that grow forests or search.
var slow = []string{"CrossValidate", "Fit", "GrowPart", "GrowScan", "Prepare", "HeldOut", "Evaluate", "Importance",
	"Retune",
	"Recalibrate", "Tune", "Calibrate", "Weights", "Zone", "Path", "Judge", "Expect", "Try", "FitClasses"}

// misfits calls f with arguments of all kinds. The first so many are receivers, which are not nil.
func misfits(t *testing.T, seed uint64, f reflect.Value, given int) {
	calls := 400
	for _, name := range slow {
		if strings.HasSuffix(t.Name(), "."+name) {
			calls = 60
		}
	}
	for i := range calls * *doorCalls {
		m := &maker{rand.New(rand.NewPCG(seed, uint64(i)))}
		args := make([]reflect.Value, f.Type().NumIn())
		for j := range args {
			for args[j] = m.value(f.Type().In(j), 0); j < given && args[j].IsNil(); {
				args[j] = m.value(f.Type().In(j), 0)
			}
		}
		if !called(t, f, args) {
			return
		}
	}
}

// called calls f, and what comes of it if that is a function.
func called(t *testing.T, f reflect.Value, args []reflect.Value) (fine bool) {
	defer func() {
		if fault := recover(); fault != nil {
			t.Errorf("panic: %v, of %s\n%s", fault, dumped(args), debug.Stack())
		}
	}()
	call := f.Call
	if f.Type().IsVariadic() {
		call = f.CallSlice
	}
	for _, out := range call(args) {
		switch out := out.Interface().(type) {
		case error:
			if out.Error() == "" {
				t.Errorf("an error that says nothing of %s", dumped(args))
				return false
			}
		case iter.Seq2[int, []uint32]:
			for range out {
			}
		case vote.Rule: // as lazy
			out.Decide([]uint32{1, 2})
		case pragma.Measure:
			out.Loss(ofClasses("a", "b"))
			out.Loss(ofClasses("a", "b", "c"))
		}
	}
	return true
}

// dumped shows arguments in a message.
func dumped(args []reflect.Value) string {
	var text strings.Builder
	for _, arg := range args {
		text.WriteString("\n\t")
		if v := fmt.Sprintf("%+v", arg); arg.Kind() == reflect.Pointer && !arg.IsNil() {
			fmt.Fprintf(&text, "&%.1500s", fmt.Sprintf("%+v", arg.Elem()))
		} else {
			fmt.Fprintf(&text, "%.1500s", v)
		}
	}
	return text.String()
}
