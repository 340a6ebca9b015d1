package dataset

import "github.com/rfpragma/rfpragma/internal/spelling"

// spellings finds texts that are known by what they mean, see [spelling.Key].
type spellings struct {
	texts []string
	of    map[string]int // by key; -1 where several have it
	truth [2]int         // the texts that mean false and true, where these two are all; else both 0
}

func newSpellings(texts []string) spellings {
	s := spellings{texts: texts, of: make(map[string]int, len(texts))}
	for i, text := range texts {
		key := spelling.Key(text)
		if _, twice := s.of[key]; twice {
			i = -1
		}
		s.of[key] = i
	}
	if spelling.Pair(texts) || len(texts) == 1 && spelling.Words(texts) {
		s.truth = [2]int{-1, -1}
		for i, text := range texts {
			value, _ := spelling.Truth(text)
			s.truth[truthIndex(value)] = i
		}
	}
	return s
}

func truthIndex(value bool) int {
	if value {
		return 1
	}
	return 0
}

// level returns the number of the text that means the same as one that is none of them.
func (s *spellings) level(text string) (i int, known bool) {
	if i, known = s.of[spelling.Key(text)]; known && i >= 0 {
		return i, true
	}
	if value, ok := spelling.Truth(text); ok && s.truth != [2]int{} {
		i = s.truth[truthIndex(value)]
		return i, i >= 0
	}
	return 0, false
}

// same returns the text that means the same.
func (s *spellings) same(text string) (string, bool) {
	i, known := s.level(text)
	if !known {
		return "", false
	}
	return s.texts[i], true
}
