// Package forest grows random forests of classification trees and asks them for votes.
//
// Every tree casts one vote, for a class or divided between classes. [Grow] keeps what the trees
// say of the rows they did not see, the out-of-bag votes, as a [vote.Table]; weights for the
// votes and maps to probabilities are found from such tables, the trees are never grown again.
//
// A tree depends on the data, the settings, the seed and its number alone. So the trees of a
// forest can be grown by any number of workers, or in parts ([GrowTrees]) that are put together
// later ([Merge]), and are the same to the last bit.
package forest
