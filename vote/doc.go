// Package vote holds the raw votes of a forest and what is decided from them.
//
// A [Table] has one row of counts for each row of data: how many trees voted for each class, or thousandths of
// trees if votes are soft. [Weights] multiply these counts, a [Rule] decides which class wins, and a
// [Confusion] counts truth against decision. [Table.Compress] turns a table of any length into the histogram of
// its distinct rows. [ReadCSV] reads the votes of any other model.
package vote
