package note

import (
	"errors"
	"fmt"
	"testing"
)

func TestMerge(t *testing.T) {
	few := func(class string, n int) *Note { return New("class %q has %v rows", class, Count(n)) }
	for _, tc := range []struct {
		name string
		a, b error
		want string // "" where they are of two kinds
	}{
		{"the same", few("ill", 3), few("ill", 3), `class "ill" has 3 rows`},
		{"another figure", few("ill", 3), few("ill", 2), `class "ill" has 2 to 3 rows`},
		{"another word", few("ill", 3), few("well", 3), ""},
		{"another text", few("ill", 3), New("class %q has %v trees", "ill", Count(3)), ""},
		{"no note", few("ill", 3), errors.New(`class "ill" has 3 rows`), ""},
		{"looks the same", New("loss %v", Of("%.2g", 0.123)), New("loss %v", Of("%.2g", 0.1199)), "loss 0.12"},
		{"another verb", New("loss %v", Of("%.2g", 1)), New("loss %v", Of("%.3g", 1)), ""},
		{"a figure and none", New("loss %v", Of("%.2g", 1)), New("loss %v", "1"), ""},
		{"a note in a note", New("%v; so what", few("ill", 3)), New("%v; so what", few("ill", 9)),
			`class "ill" has 3 to 9 rows; so what`},
		{"other notes in a note", New("%v; so what", few("ill", 3)), New("%v; so what", few("well", 3)), ""},
		{"a note and none in a note", New("%v; so what", few("ill", 3)), New("%v; so what", "3"), ""},
		{"a wrapped note", few("ill", 3), fmt.Errorf("fold: %w", few("ill", 4)), `class "ill" has 3 to 4 rows`},
		{"more figures", New("%v", Count(1)), New("%v", Count(1), Count(2)), ""},
	} {
		merged, ok := tc.a.(*Note).Merge(tc.b)
		if ok != (tc.want != "") || ok && merged.Error() != tc.want {
			t.Errorf("%s: %v, %v, want %q", tc.name, merged, ok, tc.want)
		}
	}
}

// The range of many is that of all, in any order.
func TestMergeMany(t *testing.T) {
	var all error = New("%v", Count(5))
	for _, n := range []int{7, 5, 2, 6} {
		merged, ok := all.(*Note).Merge(New("%v", Count(n)))
		if !ok {
			t.Fatalf("%d does not go with %v", n, all)
		}
		all = merged
	}
	if all.Error() != "2 to 7" {
		t.Errorf("%v, want 2 to 7", all)
	}
}

// Notes of several kinds at one place are told how often each was said, whatever came first.
func TestMergeCases(t *testing.T) {
	stays := func() Cases { return Case(New("the weights stay 1")) }
	power := func(v float64) Cases { return Case(New("one number is %v", Of("%.1f", v))) }
	all := func(cases ...Cases) error {
		var whole error = New("no gain; %v", cases[0])
		for _, c := range cases[1:] {
			merged, ok := whole.(*Note).Merge(New("no gain; %v", c))
			if !ok {
				t.Fatalf("%v does not go with %v", c, whole)
			}
			whole = merged
		}
		return whole
	}
	for _, tc := range []struct {
		cases []Cases
		want  string
	}{
		{[]Cases{stays()}, "no gain; the weights stay 1"},
		{[]Cases{stays(), stays()}, "no gain; the weights stay 1"},
		{[]Cases{power(0.2), power(0.1), power(0.4)}, "no gain; one number is 0.1 to 0.4"},
		{[]Cases{stays(), power(0.2), stays(), power(0.1), stays()},
			"no gain; in 3 trainings the weights stay 1, and in 2 one number is 0.1 to 0.2"},
		{[]Cases{stays(), power(0.2), power(0.1), power(0.1)},
			"no gain; in 3 trainings one number is 0.1 to 0.2, and in 1 the weights stay 1"},
	} {
		if got := all(tc.cases...); got.Error() != tc.want {
			t.Errorf("%v, want %s", got, tc.want)
		}
	}
	if merged, ok := New("no gain; %v", stays()).Merge(New("no gain; %v", "1")); ok {
		t.Errorf("cases and none: %v", merged)
	}
}

// What a note has to say beside its words is put together as they are, and is not in them.
func TestDetail(t *testing.T) {
	few := func(n int, loss float64) *Note {
		return New("%v rows are few", Count(n)).With(New("the loss is %v", Of("%.1f", loss)))
	}
	merged, ok := few(3, 0.2).Merge(fmt.Errorf("fold: %w", few(2, 0.5)))
	if !ok {
		t.Fatal("two notes of one kind do not go together")
	}
	wrapped := fmt.Errorf("in 2 of 3 trainings: %w", merged)
	if said, detail := wrapped.Error(), Detail(wrapped); said != "in 2 of 3 trainings: 2 to 3 rows are few" ||
		detail != "the loss is 0.2 to 0.5" {
		t.Errorf("it says %q, in detail %q", said, detail)
	}
	for _, other := range []*Note{New("%v rows are few", Count(2)), few(2, 0.5).With(New("the loss is unknown"))} {
		if both, ok := few(3, 0.2).Merge(other); ok {
			t.Errorf("one of another detail is merged: %v", both)
		}
	}
	for _, plain := range []error{errors.New("few rows"), New("few rows")} {
		if Detail(plain) != "" {
			t.Errorf("%v has the detail %q", plain, Detail(plain))
		}
	}
}

// What several say that wraps an error wraps it too, and does not go with notes that wrap none, or another one.
func TestWrapping(t *testing.T) {
	kind := errors.New("kind")
	few := func(n int) *Note { return New("%v rows are few", Count(n)).Wrapping(kind).With(New("so few")) }
	merged, same := few(1).Merge(fmt.Errorf("fold 2: %w", few(3)))
	if !same || !errors.Is(merged, kind) || merged.Error() != "1 to 3 rows are few" {
		t.Errorf("%v, %v", merged, same)
	}
	bare := New("%v rows are few", Count(2)).With(New("so few"))
	for _, other := range []error{kind, bare, bare.Wrapping(errors.New("another"))} {
		if merged, same := few(1).Merge(other); same {
			t.Errorf("%v goes with %v: %v", few(1), other, merged)
		}
	}
}
