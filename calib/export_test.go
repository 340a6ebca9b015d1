package calib

// What only tests take from here.
var FitIsotonic = isotonicOf
var FitOneVsRest = oneVsRestOf
var FitSigmoid = sigmoidOf
var FitVennAbers = vennAbersOf
