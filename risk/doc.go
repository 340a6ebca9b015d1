// Package risk finds vote weights under which constraints hold on new rows, with a confidence that is given beforehand:
// with 95 %, the figures of new rows break a constraint for at most one in twenty samples of rows to test on. Weights
// that are merely searched under a floor miss it on new rows in about half of all samples.
//
// [Control.Path] lays candidates in an order on the votes that weights are searched on. [Control.Test] tests them in
// that order on votes for other rows, and takes the last of those that pass (Learn then Test: Angelopoulos, Bates,
// Candès, Jordan and Lei 2021, with fixed sequence testing). What that guarantees, what it needs, and the proof stand
// in docs/design/guarantees.md.
package risk
