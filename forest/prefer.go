package forest

import "math"

// Slope is what the criterion [Pragma] knows of a class: how steeply PRAGMA rises as the recall of the class
// falls from 1 to 0, and as its precision does. With the importance θ and the slopes α and β of its plane (see
// pragma.Preference) these are θ·|α| and θ·|β| (Thomas, Jouve, Nicoloyannis, EGC 2007). Only ratios matter.
type Slope struct {
	Recall    float64 `json:"recall"`    // θ·|α|, for the recall
	Precision float64 `json:"precision"` // θ·|β|, for the precision
}

// prices computes scores of the criterion Pragma, which the authors of the measure announced and left open.
//
// With R_c and P_c of the Slope of class c, N_c its weight among the training rows, PRAGMA is, but for a factor,
//
//	Σ_c R_c·(1 − recall_c) + P_c·(1 − precision_c)
//
// Of all N_c rows let M_c be missed, and V_c others named c in vain. Then 1 − recall_c = M_c/N_c, and near perfect
// decisions 1 − precision_c = V_c/(N_c − M_c + V_c) is V_c/N_c. So to first order PRAGMA is a sum over the errors: a
// row of class c that is named j costs R_c/N_c + P_j/N_j. Which j it is, a criterion cannot know. If it is one of
// the others in proportion to their rows, N_j/(N − N_c), the row costs
//
//	C_c = R_c/N_c + Σ_{j≠c} P_j / (N − N_c)
//
// This is the price of a row, and the impurity is Gini's for rows that weigh their price: of a side with v_c =
// C_c·w_c and their sum v
//
//	Σ_c v_c·(v − v_c)/v
//
// (altered priors: Breiman et al. 1984, section 4.4). It is what wrong labels cost in a side where labels are drawn
// at random by the shares of the v_c; impurity is largest where naming either of two classes costs the same. Where
// recall and precision count the same in either of two classes, these have the same price whatever their importance:
// then it is Gini itself.
//
// Why not PRAGMA itself, of the split as a rule that names a class on each side? Named by the best labels, a side of
// a single row has precision 1, so the criterion likes to cut off single rows, gains little elsewhere, and trees are
// chains (bench/criteria). Named at random by the shares n_sc/n_s in the sides s, class c is expected to be named
// N_c times, so recall and precision both come to Σ_s n_sc²/(n_s·N_c): α and β, which add up to −1, drop out, and
// for two classes θ as well. What remains is Gini.
// by class, as numbered in the grower; the largest is 1, so that gains are never above those of the rows unweighted
type prices []float64

func newPrices(d *coded, slopes []Slope) prices {
	least, largest, vain := 1.0, 0.0, 0.0
	for c, p := range slopes {
		largest = max(largest, p.Recall, p.Precision)
		if s := d.share[c]; s > 0 {
			least = min(least, s)
		}
	}
	for _, c := range d.classes { // the same sum whatever the order in which classes are named
		if d.share[c] > 0 {
			vain += slopes[c].Precision / largest
		}
	}
	out, most := make(prices, d.k), 0.0
	for nr, c := range d.classes {
		if s := d.share[c]; s > 0 {
			p := slopes[c]
			others := max(0, vain-p.Precision/largest)
			out[nr] = min(p.Recall/largest/s+others/max(1-s, least), math.MaxFloat64)
			most = max(most, out[nr])
		}
	}
	for nr := range out {
		if most == 0 { // the classes that count have no rows
			out[nr] = 1
		} else {
			out[nr] /= most
		}
	}
	return out
}

func (p prices) score(weights []float64, _ float64, classes []int32) float64 {
	sum, cross := 0.0, 0.0
	for _, c := range classes {
		sum += max(0, float64(p[c]*weights[c]))
	}
	if sum == 0 {
		return 0
	}
	for _, c := range classes {
		if v := float64(p[c] * weights[c]); v > 0 {
			cross += float64(v * (sum - v))
		}
	}
	return -cross / sum
}
