package verb

import "strings"

// begins returns the first words of sentences.
func begins(sentences []string) string {
	var words []string
	for _, s := range sentences {
		words = append(words, strings.Fields(s)[0])
	}
	return strings.Join(words, " ")
}
