package option

import "testing"

// The same message for each reader.
func TestReaders(t *testing.T) {
	const form = `name it with {ignore}, as {x=2}`
	for _, c := range []struct {
		reader      func()
		text, value string
		ok          bool
	}{
		{func() { whose.Store(int32(goProgram)) }, "name it with option Ignore, as {x=2}", `option Ignore "a\"b"`, true},
		{ForShell, "name it with --ignore, as {x=2}", "", false},
		{ForPeer, form, `{ignore="a\"b"}`, true},
	} {
		c.reader()
		if got := Text(form); got != c.text {
			t.Errorf("%q, want %q", got, c.text)
		}
		if got, ok := Value("ignore", `a"b`); got != c.value || ok != c.ok {
			t.Errorf("%q, %v, want %q, %v", got, ok, c.value, c.ok)
		}
	}
	if got, _ := Value("ignore", string(make([]byte, longest+1))); got != "{ignore}" { // a peer still reads
		t.Errorf("%q for a long value", got)
	}
}
