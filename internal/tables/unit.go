package tables

// Unit returns what numbers of rows are, as a column heading: rows, or case weight if rows are weighed.
func Unit(weighed bool) string {
	if weighed {
		return "case weight"
	}
	return "rows"
}
