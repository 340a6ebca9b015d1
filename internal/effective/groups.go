package effective

// FewGroups is the effective number of groups, see [Share.Groups], below which noise is not estimated: a
// handful of groups, drawn anew, tells little about others.
const FewGroups = 10

// TooFew reports whether rows have groups, but effectively fewer than [FewGroups], allowing for rounding.
func TooFew(groups float64) bool { return groups > 0 && groups < FewGroups-1e-9 }
