// Package forest grows random forests of classification trees and asks them for votes.
//
// Every tree casts one hard vote. [Grow] keeps what the trees say of the rows they did not
// see, the out-of-bag votes, as a [vote.Table]; weights for the votes and maps to
// probabilities are found from such tables, the trees are never grown again.
package forest
