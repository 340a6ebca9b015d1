package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Keys are where they are written, whatever is around them.
func TestKeyLines(t *testing.T) {
	text := "# a = 1\r\nb = '''\nc = 2\n'''\n\n[cv]\nfolds = 3 # d = 4\nmissing = [\n 'x', # e\n 'y'\n]\n\"f g\" = " +
		"1\n[cv.prefer.\"a.b\"]\ntheta = 1\n[train]\nprefer.ill.x = 1"
	want := map[string]int{
		"b": 2, "cv": 6, "cv.folds": 7, "cv.missing": 8, `cv."f g"`: 12, "cv.prefer": 13, `cv.prefer."a.b"`: 13,
		`cv.prefer."a.b".theta`: 14,
		"train":                 15, "train.prefer": 16, "train.prefer.ill": 16, "train.prefer.ill.x": 16,
	}
	if diff := cmp.Diff(want, keyLines(text)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
