package view

// DecideHows are the values of that flag.
var DecideHows = []string{"weights", "cost"}
