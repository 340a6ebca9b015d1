// Package vote holds the raw votes of a forest and everything that is decided from them.
//
// A [Table] has one row of counts for each row of data: how many trees voted for each class, in thousandths
// where votes are soft.
// [Weights] multiply those counts, a [Rule] decides which class wins, and a [Confusion]
// counts truth against decision. [Table.Compress] turns a table of any length into the
// histogram of its distinct rows. [ReadCSV] takes the votes of any other model.
package vote
