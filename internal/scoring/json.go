package scoring

import "net/http"

// IsJSON tells whether a body begins as JSON does; else it may be CSV.
func IsJSON(body []byte) bool {
	c := (&scanner{data: body}).next()
	return c == '{' || c == '['
}

// JSON reads a row, or a list of rows.
func (b *Batch) JSON(body []byte, most int) (single bool, err error) {
	s := scanner{data: body}
	if single = s.next() == '{'; single {
		err = b.object(&s)
	} else {
		err = s.list(func() error {
			if b.Rows == most {
				return tooMany(most)
			}
			return b.object(&s)
		})
	}
	if err == nil {
		err = s.end()
	}
	return single, err
}

// tooMany refuses a request of too many rows.
func tooMany(most int) error {
	return Refusef(http.StatusRequestEntityTooLarge, "there are more than %d rows; send fewer at once, or all as "+
		"application/x-ndjson", most)
}

// Alone appends the members of the only row.
func (a *Answers) Alone(to []byte, _, _ int) []byte { return a.row(to, 0) }

// List appends the objects of rows, with a comma between them.
func (a *Answers) List(to []byte, lo, hi int) []byte {
	for i := lo; i < hi; i++ {
		if i > lo {
			to = append(to, ',')
		}
		to = append(a.row(append(to, '{'), i), '}')
	}
	return to
}
