// Package csvtext is how every CSV text is read: with a header, with the place of every
// fault, and with plain decimal numbers.
//
// A [Reader] gives the rows one by one, or in parts that can be read at the same time. What
// encoding/csv takes without a word is refused: NUL bytes, text that is not UTF-8, carriage
// returns alone, rows of another length than the header, cells, rows and files beyond the limits. [ParseNumber] is
// the one syntax of numbers. Messages name flags of the command, where one mends the fault.
package csvtext
