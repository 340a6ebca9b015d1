package report

// Shown is a figure as the page shows it.
func Shown(k Key) shownKey { return shownKey{k} }
