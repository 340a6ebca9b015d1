package predictions

import "testing"

// Text that a spreadsheet takes for a formula is marked where that is asked for, and numbers are not.
func TestEscape(t *testing.T) {
	for _, c := range []struct{ id, class, want string }{
		{"=HYPERLINK(1)", "ill", "'=HYPERLINK(1),ill,0\n"}, {"-5", "@sum", "-5,'@sum,0\n"}, {"+A1", "-1.5", "'+A1,-1.5,0\n"},
		{"-x, y", "a=b", "\"'-x, y\",a=b,0\n"},
	} {
		for _, escape := range []bool{false, true} {
			form := RowForm{Escape: escape, ID: "id", Classes: []string{c.class}}
			var to DecidedLines
			form.Lines()(&to, Decided{ID: c.id, Class: 0, Votes: []float64{0}})
			got := string(to.text)
			if plain := got == c.want; escape && !plain || !escape && plain && c.want[0] == '\'' {
				t.Errorf("%q, %q: %q, want %q", c.id, c.class, got, c.want)
			}
		}
	}
}
