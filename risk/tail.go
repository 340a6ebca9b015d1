package risk

import (
	"math"

	"github.com/rfpragma/rfpragma/internal/portable"
)

// atLeast returns the probability of k hits or more among n, each a hit with probability p. Terms of less than 1e-20 of
// the largest are left out.
func atLeast(k, n int, p float64) float64 {
	switch {
	case k <= 0 || p >= 1:
		return 1
	case k > n || p <= 0:
		return 0
	}
	const least = 1e-20
	odds := p / (1 - p)
	mode := min(n, int(float64(n+1)*p))
	all, tail := 0.0, 0.0
	count := func(at int, term float64) {
		all += term
		if at >= k {
			tail += term
		}
	}
	term := 1.0
	for at := mode; at <= n && term > least; at++ {
		count(at, term)
		term = float64(term * (float64(n-at) / float64(at+1)) * odds)
	}
	term = 1
	for at := mode; at > 0; {
		if term = float64(term * (float64(at) / float64(n-at+1)) / odds); !(term > least) {
			break
		}
		at--
		count(at, term)
	}
	return tail / all
}

// Fewest returns how many rows it takes to be so sure, a confidence below 1, that a share of at least limit of new rows
// is right, if all of them are: the least n with limit^n <= 1 - confidence. It is +Inf of a limit of 1.
func Fewest(limit, confidence float64) float64 {
	if limit >= 1 {
		return math.Inf(1)
	}
	return math.Ceil(portable.Log(1-confidence) / portable.Log(limit))
}

// bets are the shares of the wealth at stake that a bet may take, see [wealth].
var bets = func() (out []float64) {
	for share := 0.9; len(out) < 12; share /= 2 {
		out = append(out, share)
	}
	return out
}()

// wealth is what bets on a mean above 0 have come to, see [wealth.value]. It does not depend on the order of the
// outcomes.
type wealth struct{ logs [12]float64 }

// add takes an outcome of -1 or more, which came so many times.
func (w *wealth) add(outcome, times float64) {
	if outcome == 0 || times == 0 {
		return
	}
	for i, share := range bets {
		w.logs[i] += float64(times * portable.Log1p(float64(share*outcome)))
	}
}

// p returns a p-value of the hypothesis that the mean of the outcomes is 0 or less: one over the mean wealth of
// gamblers who begin with 1 and each stake the same share of theirs on every outcome. Their expected wealth is at
// most 1 then, so that by Markov's inequality it is 1/δ or more with a probability of at most δ, at any number of
// outcomes. Source: Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting, JRSS B 86
// (2024) 1-27, with a fixed mixture of bets.
func (w *wealth) p() float64 {
	most := math.Inf(-1)
	for _, l := range w.logs {
		most = max(most, l)
	}
	sum := 0.0
	for _, l := range w.logs {
		sum += portable.Exp(l - most)
	}
	return min(1, portable.Exp(-most)/(sum/float64(len(w.logs))))
}
