package verb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/cli"
	"github.com/rfpragma/rfpragma/internal/layout"
	"github.com/rfpragma/rfpragma/internal/race"
)

// manyClasses is a table of k classes with long names, some of them in wide characters, of n rows each, and features
// with long names.
func manyClasses(k, n int) (csv string, classes []string) {
	for c := range k {
		switch c % 3 {
		case 0:
			classes = append(classes, fmt.Sprintf(
				"a class with a name that is much longer than anybody would like it to be, number %d", c))
		case 1:
			classes = append(classes, fmt.Sprintf("分类名称很长很长很长很长很长很长%d号", c))
		default:
			classes = append(classes, fmt.Sprintf("c%d", c))
		}
	}
	var b strings.Builder
	b.WriteString("a feature with a very long name that goes on and on and on for no good reason at " +
		"all,特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征特征,class\n")
	for i := range k * n {
		c := i % k
		fmt.Fprintf(&b, "%d,%d,%s\n", c+i*i%7, (c*7+i*i*i%5)%11, quotedCell(classes[c]))
	}
	return b.String(), classes
}

func quotedCell(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// No line of any result is wider than a page, whatever the number of classes and their names, but for a single flag
// of a command.
func TestPageWidth(t *testing.T) {
	for _, k := range []int{2, 3, 6, 26, 100} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			if race.Enabled && k == 100 {
				t.Skip("26 classes show as many races in a tenth of the time")
			}
			data, classes := manyClasses(k, 3+60/k)
			inFolder(t, map[string]string{"data.csv": data})
			votes := "class"
			for _, c := range classes {
				votes += "," + quotedCell(c)
			}
			votes += "\n"
			for i := range k * (2 + 20/k) {
				votes += quotedCell(classes[i%k])
				for c := range k {
					votes += fmt.Sprintf(",%d", max(0, 9-(i*i+c*7)%13)+6*max(0, 1-(c-i%k)*(c-i%k)))
				}
				votes += "\n"
			}
			write(t, "votes.csv", votes)
			laterOf(t, "data.csv", "later.csv")
			prefer := fmt.Sprintf("%q;%q:theta=3,x=0.3,y=0.7", classes[0], classes[1])
			for _, args := range [][]string{
				{"cv", "data.csv", "--trees", "4", "--folds", "2", "--prefer", prefer, "--choice", "lowest", "--search",
					"coordinates", "--calibrate", "temperature", "--require", fmt.Sprintf("%q:recall>=0.01", classes[0]), "--top",
					classes[0] + "=3"},
				{"train", "data.csv", "--trees", "4", "--prefer", prefer, "--choice", "lowest", "--search", "coordinates",
					"--calibrate", "temperature", "-o", "model.rfp"},
				{"evaluate", "model.rfp", "later.csv"},
				{"inspect", "model.rfp"},
				{"importance", "model.rfp", "data.csv"},
				{"tune", "votes.csv", "--prefer", prefer, "--choice", "lowest", "--search", "coordinates", "--top", classes[1] +
					"=20%"},
				{"calibrate", "votes.csv", "--calibrate", "temperature"},
				{"inspect", "data.csv"},
				{"data", "list"},
			} {
				got := invoke(t, nil, args...)
				if got.code != cli.ExitDone {
					t.Fatalf("%s: exit %d\n%s", args[0], got.code, got.stderr)
				}
				for line := range strings.Lines(got.stdout) {
					line = strings.TrimRight(line, "\n")
					flag := strings.HasPrefix(line, "  --") && strings.Count(line, " --") == 1 // what is to be typed is not cut
					if w := layout.DisplayWidth(line); w > layout.PageWidth && !flag || strings.HasSuffix(line, " ") {
						t.Errorf("%s has a line of %d columns: %q", args[0], w, line)
					}
				}
			}
		})
	}
}
