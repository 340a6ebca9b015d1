// Package shapley splits what a tree says of a row into parts of its features: the Shapley values of a game whose
// players are the features, and which pays for a set of them what the tree says when only their cells are known.
//
// What it says then is, path-dependent, the mean over both ways of each split on an unknown cell, weighted by the
// covers of the two nodes [Tree.Add]; or, interventional, what it says of the row with the unknown cells of another
// row [Tree.AddAgainst]. Both follow Lundberg et al., Nature Machine Intelligence 2 (2020) 56-67.
//
// A leaf pays its value times a product with one factor for each feature on its path: 1 if the feature is known and
// its cell leads to the leaf, 0 if it is known and leads elsewhere, and z, the part of the cover that goes on to the
// leaf, if it is unknown. The Shapley value of such a game is an integral (Owen, Management Science 18 (1972) P64-P79):
// let each feature be known with chance t, then it is the mean over t from 0 to 1 of what it adds by being known,
//
//	value · (o_j − z_j) · ∫ Π_{i≠j} (z_i + (o_i − z_i)·t) dt,   o being 1 where the cell leads to the leaf, else 0.
//
// The integrand is a polynomial, of a degree one below the number of features on the path. Gauss and Legendre's rule
// with half as many points as features is exact for it; all its terms lie between 0 and 1, so nothing cancels. The
// products are carried down the tree, and their sums up, as in Linear TreeSHAP (Yu, Xu and Liang, NeurIPS 2022): so a
// row takes O(nodes · features on a path / 2), not O(leaves · depth²).
package shapley
