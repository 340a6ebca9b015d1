// Package anneal searches for the class vote weights under which a measure is lowest.
//
// It neither grows trees nor counts votes again: a weight only decides which rows change their class, and a
// [Search] moves those rows within a confusion matrix. For two classes it tries all weights there are, and also
// for three if the votes are not too many. For more it anneals (Kirkpatrick, Gelatt and Vecchi, Science 220,
// 1983) and searches exactly along one class at a time, and in other directions. What the weights found owe to
// chance is taken back, and with few rows of many classes one number is searched for instead of many, see
// [Choice].
//
// The same votes, measure and seed give the same weights, on any number of workers.
package anneal
