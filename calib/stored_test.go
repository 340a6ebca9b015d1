package calib

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const storedExample = `{"maps":[{"kind":"none"},{"kind":"sigmoid","a":-1.5,"b":0.1,"logit":true},` +
	`{"kind":"isotonic","score":[-0.25,3e+100],"value":[0,0.3333333333333333],"linear":false}]}`

const storedPairs = `{"coupling":"coupled","maps":[{"kind":"beta","a":1.5,"b":0,"c":-0.1},` +
	`{"kind":"venn-abers","score":[0.5],"low":[0.25],"high":[1]},null,{"kind":"power","a":2,"b":-1},null,null]}`

// Four classes, the last of which has no maps.
func TestStoredFormOfPairs(t *testing.T) {
	set := Set{Coupling: coupled, Maps: []Map{
		BetaCurve{A: 1.5, C: -.1}, VennAbersTable{Score: []float64{.5}, Low: []float64{.25}, High: []float64{1}}, nil,
		Power{A: 2, B: -1}, nil, nil,
	}}
	data, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(storedPairs, string(data)); d != "" {
		t.Error(d)
	}
	var back Set
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(set, back); d != "" {
		t.Error(d)
	}
}

func TestStoredForm(t *testing.T) {
	o := Set{Maps: []Map{
		Identity{},
		Sigmoid{A: -1.5, B: .1, Logit: true},
		Isotonic{Score: []float64{-.25, 3e100}, Value: []float64{0, 1. / 3}},
	}}
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(storedExample, string(data)); d != "" {
		t.Error(d)
	}
	var back Set
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(o, back); d != "" {
		t.Error(d)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, data, "", "  "); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(indented.Bytes(), &back); err != nil {
		t.Errorf("white space is refused: %v", err)
	}
}

// Every bit survives, that of minus zero included.
func TestStoredFormKeepsBits(t *testing.T) {
	numbers := []float64{0, math.Copysign(0, -1), 1. / 3, math.MaxFloat64, -math.MaxFloat64, 5e-324, math.Nextafter(1, 2),
		1e21, 1e-7}
	for _, x := range numbers {
		data, err := json.Marshal(Set{Maps: []Map{Sigmoid{A: x, B: -x}}})
		if err != nil {
			t.Fatal(err)
		}
		var back Set
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		got := back.Maps[0].(Sigmoid)
		if math.Float64bits(got.A) != math.Float64bits(x) || math.Float64bits(got.B) != math.Float64bits(-x) {
			t.Errorf("%s: got %v, want %g", data, got, x)
		}
	}
}

func TestStoredFormRefuses(t *testing.T) {
	sigmoid := `{"kind":"sigmoid","a":1,"b":2,"logit":false}`
	form := errForm.Error()
	for _, tc := range []struct{ name, data, want string }{
		{"empty object", `{}`, "calibration has 0 maps"},
		{"null", `null`, "calibration has 0 maps"},
		{"an array", `[]`, form},
		{"two maps", `{"maps":[` + sigmoid + `,` + sigmoid + `]}`, "calibration has 2 maps"},
		{"unknown field outside", `{"maps":[` + sigmoid + `],"more":1}`, form},
		{"unknown kind", `{"maps":[{"kind":"be\nta","a":1}]}`,
			`calibration map 0: kind "be\nta" is unknown; update rfpragma if a newer one wrote the file`},
		{"no kind", `{"maps":[{"a":1,"b":2,"logit":false}]}`, `calibration map 0: kind "" is unknown`},
		{"map is no object", `{"maps":[7]}`, "calibration map 0: " + form},
		{"unknown field", `{"maps":[{"kind":"none","a":1}]}`, form},
		{"field of another kind", `{"maps":[{"kind":"sigmoid","a":1,"b":2,"logit":false,"linear":true}]}`, form},
		{"missing field", `{"maps":[{"kind":"sigmoid","a":1,"b":2}]}`, form},
		{"repeated field", `{"maps":[{"kind":"sigmoid","a":3,"a":1,"b":2,"logit":false}]}`, form},
		{"misspelt field", `{"maps":[{"kind":"sigmoid","A":1,"b":2,"logit":false}]}`, form},
		{"wrong type", `{"maps":[{"kind":"sigmoid","a":"1","b":2,"logit":false}]}`, "calibration map 0: " + form},
		{"number too large", `{"maps":[{"kind":"sigmoid","a":1e999,"b":2,"logit":false}]}`, "calibration map 0: " + form},
		{"number in another spelling", `{"maps":[{"kind":"sigmoid","a":1.0,"b":2,"logit":false}]}`, form},
		{"a pair that is not missing by class", `{"coupling":"pairs","maps":[null,` + sigmoid + `,` + sigmoid + `]}`,
			"calibration has maps for 2 pairs of classes, where those that occur make 3 pairs"},
		{"unknown coupling", `{"coupling":"ovo","maps":[` + sigmoid + `]}`, `calibration has the coupling "ovo"`},
		{"a coupling that goes without saying", `{"coupling":"","maps":[` + sigmoid + `]}`, form},
		{"coupling last", `{"maps":[` + sigmoid + `,null,null],"coupling":"pairs"}`, form},
		{"a map missing", `{"maps":[null]}`, "calibration map 0: calibration map of type <nil>"},
		{"curve too steep", `{"maps":[{"kind":"beta","a":1e9,"b":0,"c":0}]}`, "calibration map 0: beta map has A = 1e+09"},
		{"field of another kind", `{"maps":[{"kind":"power","a":1,"b":0,"c":0}]}`, form},
		{"lengths differ", `{"maps":[{"kind":"isotonic","score":[1,2],"value":[0],"linear":true}]}`,
			"calibration map 0: isotonic map has 2 scores and 1 values"},
		{"an order as they are listed", `{"maps":[` + sigmoid + `],"order":[0,1]}`,
			"calibration has the order [0 1] of 2 classes"},
		{"an order with a class twice", `{"maps":[` + sigmoid + `],"order":[1,1]}`,
			"calibration has the order [1 1] of 2 classes"},
		{"an order of more classes", `{"maps":[` + sigmoid + `],"order":[2,1,0]}`,
			"calibration has the order [2 1 0] of 2 classes"},
		{"an order of none", `{"maps":[` + sigmoid + `],"order":[]}`, "calibration has the order [] of 2 classes"},
		{"falling", `{"maps":[{"kind":"isotonic","score":[1,2],"value":[1,0],"linear":true}]}`,
			"calibration map 0: isotonic map: value 1 is 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := Set{Maps: []Map{Identity{}}}
			err := json.Unmarshal([]byte(tc.data), &o)
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want %s", err, tc.want)
			}
			if d := cmp.Diff(Set{Maps: []Map{Identity{}}}, o); d != "" {
				t.Errorf("changed all the same: %s", d)
			}
		})
	}
	for _, bad := range []string{"", "{", `{"maps":[]} x`} { // not even JSON, given without encoding/json in front
		var o Set
		if err := o.UnmarshalJSON([]byte(bad)); err == nil || !strings.HasPrefix(err.Error(), form) {
			t.Errorf("%q: got %v, want %s", bad, err, form)
		}
	}
}

func TestUnsoundMapsAreNotStored(t *testing.T) {
	for _, m := range []Map{nil, foreign{}, Sigmoid{A: nan}, Isotonic{}} {
		if data, err := json.Marshal(Set{Maps: []Map{m}}); err == nil {
			t.Errorf("%v is stored as %s", m, data)
		}
	}
}

// FuzzStored: what is read is sound, and is written as it was read.
func FuzzStored(f *testing.F) {
	f.Add([]byte(storedExample))
	f.Add([]byte(`{"maps":[{"kind":"sigmoid","a":-0,"b":5e-324,"logit":false}]}`))
	f.Add([]byte(`{"maps":[{"kind":"isotonic","score":[0],"value":[1],"linear":true}]}`))
	f.Add([]byte(storedPairs))
	f.Add([]byte(`{"coupling":"pairs","maps":[{"kind":"none"},null,null]}`))
	f.Add([]byte(`{"maps":[{"kind":"power","a":100,"b":-1e300},{"kind":"power","a":0,"b":0},{"kind":"power","a":0.5,"b":-3}]}`))
	f.Add([]byte(` {"maps" : [{"kind":"none"}]}`))
	f.Add([]byte(`{"maps":[{"kind":"none"}],"order":[1,0]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var o Set
		if o.UnmarshalJSON(data) != nil {
			return
		}
		if err := o.Check(); err != nil {
			t.Fatal(err)
		}
		again, err := o.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, data); err != nil || compact.String() != string(again) {
			t.Errorf("read %s, wrote %s (%v)", data, again, err)
		}
		share, dst := make([]float64, o.Classes()), make([]float64, o.Classes())
		for c := range share {
			share[c] = 1 / float64(len(share))
		}
		o.Probabilities(dst, share)
		sum := 0.0
		for _, p := range dst {
			sum += p
		}
		if !near(sum, 1, 1e-12) {
			t.Errorf("probabilities %v sum to %g", dst, sum)
		}
	})
}
