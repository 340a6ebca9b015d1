package vote

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Unknown returns the error for a name that is none of the known ones. What says what is
// named ("class", "key"). The text lists the first ten known names and the nearest one.
func Unknown(what, name string, known []string) error {
	var list strings.Builder
	for i, k := range known {
		if i == 10 {
			fmt.Fprintf(&list, " and %d more", len(known)-i)
			break
		}
		if i > 0 {
			list.WriteString(", ")
		}
		fmt.Fprintf(&list, "%.64q", k)
	}
	cure := "use one of them"
	if near, ok := nearest(name, known); ok {
		cure = fmt.Sprintf("did you mean %.64q?", near)
	}
	return fmt.Errorf("unknown %s %.64q; known are %s; %s", what, name, list.String(), cure)
}

// nearest returns the known name with the fewest edits from name, if they are at most half
// its letters.
func nearest(name string, known []string) (string, bool) {
	best, fewest := "", max(1, len(letters(name))/2)+1
	for _, k := range known {
		if d := edits(letters(name), letters(k)); d < fewest {
			best, fewest = k, d
		}
	}
	return best, best != ""
}

// letters folds the case and cuts long names, which would take long to compare.
func letters(name string) []rune {
	r := []rune(strings.ToLower(name))
	return r[:min(len(r), 64)]
}

// edits is the distance of Levenshtein (1966): insertions, deletions and changes of a letter.
func edits(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			change := diagonal
			if x != y {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Number reads a plain decimal number, with blanks around it or not. Hexadecimal, digits
// grouped by underscores, NaN and infinity, which Go would read, are errors: other tools
// take them as words.
func Number(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, errors.New("a number is missing; write one")
	}
	if strings.Trim(text, "0123456789+-.eE") != "" || strings.Contains(text, "_") {
		return 0, fmt.Errorf("%.64q is not a number; write digits, with a point if need be", text)
	}
	v, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%.64q is too large for a number; write a smaller one", text)
	}
	if err != nil {
		return 0, fmt.Errorf("%.64q is not a number; write digits, with a point if need be", text)
	}
	return v, nil
}

// sortClasses sorts numerically when all names are whole numbers, else bytewise.
func sortClasses(names []string) {
	numbers := make(map[string]int64, len(names))
	for _, name := range names {
		v, err := strconv.ParseInt(name, 10, 64)
		if err != nil {
			slices.Sort(names)
			return
		}
		numbers[name] = v
	}
	slices.SortFunc(names, func(a, b string) int {
		if numbers[a] != numbers[b] {
			if numbers[a] < numbers[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
}
