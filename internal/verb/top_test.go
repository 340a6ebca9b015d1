package verb

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfpragma/rfpragma/internal/english"
)

// The rows of --top are those that sorting all rows gives, of any number of rows, in either form.
func TestTop(t *testing.T) {
	trained(t)
	var text strings.Builder
	text.WriteString("x,kind,name\n")
	for i := range 3000 { // several blocks
		fmt.Fprintf(&text, "%d.5,%s,n%d\n", i*7919%61, []string{"p", "q"}[i%2], i)
	}
	write(t, "new.csv", text.String())
	all := strings.Split(strings.TrimSpace(must(t, "predict model.rfp new.csv").stdout), "\n")
	slices.SortStableFunc(all[1:], func(a, b string) int {
		of := func(line string, column int) float64 {
			v, err := strconv.ParseFloat(strings.Split(line, ",")[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v // six digits of the probability, and where it is the same the votes
		}
		return cmp.Or(cmp.Compare(of(b, 2), of(a, 2)), cmp.Compare(of(b, 4), of(a, 4)))
	})
	list := func(n int) string { // with their places
		lines := slices.Clone(all[:1+n])
		for i, line := range lines {
			place := strconv.Itoa(i)
			if i == 0 {
				place = "rank"
			}
			lines[i] = strings.Replace(line, ",", ","+place+",", 1)
		}
		return strings.Join(lines, "\n") + "\n"
	}
	random := 0.0
	for _, line := range all[1:] {
		p, _ := strconv.ParseFloat(strings.Split(line, ",")[2], 64) // as above
		random += p / 3000
	}
	for _, n := range []int{1, 2, 7, 2999, 3000, 4000} {
		got := must(t, fmt.Sprintf("predict model.rfp new.csv --top ill=%d", n))
		want := list(min(n, 3000))
		if got.stdout != want {
			t.Errorf("the first %d are others than sorting gives", n)
		}
		words := fmt.Sprintf("3000 rows decided, and the %d likeliest to be \"ill\" written", n)
		if n > 3000 {
			words = "3000 rows decided, fewer than the list is long: all are written, the likeliest to be \"ill\" first"
		}
		if decided := strings.Count(want, ",ill,"); n <= 3000 && decided < n {
			words += fmt.Sprintf(": %d of them are also decided as \"ill\"; the list is what to look into", decided)
		}
		words += ".\n"
		sum, variance := 0.0, 0.0
		for _, prob := range column(want, slices.Index(strings.Split(list(0)[:len(list(0))-1], ","), "probability_ill")) {
			p, err := strconv.ParseFloat(prob, 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += p
			variance += p * (1 - p)
		}
		if n > 1 {
			half := 1.96 * math.Sqrt(variance)
			drawn := ""
			if n < 3000 {
				drawn = fmt.Sprintf("; of as many drawn at random about %s would be", english.About(float64(n)*random))
			}
			words += fmt.Sprintf("By their probabilities about %s of these %d are of \"ill\" (chance makes that %.0f to "+
				"%.0f)%s. This holds if these rows are like those of the training; rfpragma cv --time COLUMN tells how far off "+
				"it is on later rows.\n",
				english.About(sum), min(n, 3000), math.Floor(max(0, sum-half)), math.Ceil(min(sum+half, float64(n))), drawn)
		}
		if words += "Column \"row\" counts the rows of new.csv from 1; a column that names them, such as the number of a " +
			"customer, can be carried along with --id COLUMN.\n"; !strings.HasSuffix(got.stderr, words) {
			t.Errorf("%q does not end with %q", got.stderr, words)
		}
	}
	for share, n := range map[string]int{"1%": 30, "0.05 %": 2, "0.001%": 1, "33.34%": 1000, "100%": 3000} {
		if got := must(t, "predict model.rfp new.csv", "--top", "ill="+share); got.stdout != list(n) {
			t.Errorf("the first %s are others than sorting gives", share)
		}
	}
	lines := strings.Split(must(t, "predict model.rfp new.csv --top ill=2 --format json --id name").stdout, "\n")
	var first struct {
		Name          string
		Probabilities map[string]float64
	}
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil || len(lines) != 3 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	cells := strings.Split(all[1], ",")
	if row, _ := strconv.Atoi(cells[0]); first.Name != fmt.Sprintf("n%d", row-1) ||
		strconv.FormatFloat(first.Probabilities["ill"], 'g', 6, 64) != cells[2] {
		t.Errorf("the first is %v, want row %s", first, all[1])
	}
	write(t, "none.csv", "x,kind\n")
	if got := must(t, "predict model.rfp none.csv --top well=3"); got.stdout != list(0) {
		t.Errorf("of no rows: %q", got.stdout)
	}
	must(t, "predict model.rfp new.csv --top ill="+strconv.Itoa(int(^uint(0)>>1)))
}
