package anneal

// What only tests take from here.
var ErrMeasure = errMeasure
