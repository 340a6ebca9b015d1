// Package anneal searches for the class vote weights under which a measure is lowest.
//
// The trees are never grown again, and the votes never counted again: a weight only decides
// which rows change their class, and a [Search] moves those rows within a confusion matrix.
// With two classes, and with three where the votes are not too many, all weights there are are tried. With more it
// anneals (Kirkpatrick, Gelatt and Vecchi, Science 220, 1983) and searches exactly along one class at a time,
// and in other directions. What the weights found owe to chance is taken back, and on few rows of many classes one number is
// searched for in the place of many, see [Choice].
//
// The same votes, measure and seed give the same weights, on any number of workers.
package anneal
