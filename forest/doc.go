// Package forest grows random forests of classification trees and returns their votes.
//
// Every tree casts one vote, for a class or divided between classes. [Grow] also returns the out-of-bag votes,
// those of the trees for the rows that they did not see, as a [vote.Table]. From such tables weights for the
// votes and maps to probabilities are found without growing trees again.
//
// A tree depends only on the data, the settings, the seed and its number. So the trees of a forest can be grown
// by any number of workers, or in parts ([GrowTrees]) that are joined later ([Merge]), and are the same to the
// last bit.
package forest
