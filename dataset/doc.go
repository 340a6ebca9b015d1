// Package dataset holds tables of labelled rows and reads them from files and databases.
//
// A [Frame] is a table in memory, column by column. [ReadCSV] reads one from a file, with types inferred from
// the whole file or, given a [Schema], as a model knows them; [NewReader] does the latter block by block in
// constant memory. [WriteCSV] writes a frame to a file. [inspectCSV] and [Frame.Overview] look at a table
// before training.
//
// [Read] and [NewSourceReader] do the same with a table in any format, a [Source]: [CSV], [ARFF] and [LibSVM]
// open files, [Query] takes the result of a database query ([FromRows] does both in one step), and package
// dataset/parquet opens Parquet files. The same table gives the same frame, and so the same model, in any
// format, if [Options].Categorical tells CSV which columns of numbers are categories. Training data is coded as
// it is read: a cell takes two bytes rather than eight, or, with more than 65,535 distinct values, four bytes
// besides each distinct value once; see [Codes].
//
// [Folds] divides rows into folds for cross-validation. [Wave] and [Fraud] make example data.
//
// # How a cell is read
//
// Blanks around a cell do not count. An empty cell, or one that is a word of
// [Options].Missing for all columns or for its own, is missing; there is no difference between an
// empty text and a missing one. A number is written in plain decimal syntax: an optional sign, digits, a point, an
// exponent. Words such as nan or Inf, hexadecimal numbers and digits with marks between them
// are not numbers.
//
// A column is numeric when every cell that is not missing is a number, and categorical when
// none is. A column that mixes both is an error that names the first places, because either
// guess would be silently wrong; so is a column of texts that merely look like numbers, with
// a decimal comma or a thousands mark. [Options].Categorical reads a column as text whatever
// it holds; a form that declares what a column holds, as ARFF, Parquet and databases do, is
// believed. A column without any value is numeric, unless it is declared.
//
// The labels are classes, maxClasses of them at most: more look like a column that names the
// rows, and the memory of what follows would grow with their square.
//
// # How a CSV file is read
//
// A file is UTF-8 text, with or without a byte-order mark, plain or compressed by gzip or zstd (told
// by its content), with lines that end in LF or CRLF, which are the same, also within quotes.
// The first line names the columns. Blank lines are not rows; in a file of a single column,
// where a blank line may well be meant as a row, they are an error.
package dataset
