package verb

import "fmt"

// CountedWords says what rows without a name are called, and how they get one.
func CountedWords(file string) string {
	return fmt.Sprintf("Column \"row\" counts the rows of %s from 1; a column that names them, such as the number of a "+
		"customer, can be carried along with --id COLUMN.", file)
}
