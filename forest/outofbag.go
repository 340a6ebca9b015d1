package forest

import (
	"github.com/rfpragma/rfpragma/internal/portable"
	"github.com/rfpragma/rfpragma/vote"
)

// Soft reports whether trees vote with the shares of the classes in their leaves.
func (f *Forest) Soft() bool { return f.soft }

// Unit returns the number of counts that make the vote of a tree: 1, or [vote.Unit] if votes are soft.
func (f *Forest) Unit() float64 { return (&vote.Table{Soft: f.soft}).Unit() }

// LeftOut returns about which share of the trees leaves a row out of its bag, if n rows can be drawn: it says
// how many out-of-bag votes there are. For a balanced bag it is the share for the rarest class, which is drawn
// most. 0 means that no tree leaves out any row, or any of the rarest class. With ClassRows, too, it is that of
// the class of which most is drawn; numbers of rows are to be shares, see [Config.Proportional].
func (c Config) LeftOut(n int) float64 {
	c = c.Resolved(1)
	if c.ClassRows != nil {
		most := 0.0
		for _, share := range c.ClassRows {
			if share == 0 {
				share = c.Fraction
			}
			most = max(most, min(share, 1))
		}
		if c.NoReplacement {
			return 1 - most
		}
		return portable.Exp(-most)
	}
	if m, hash := c.Bag.Rows(); hash {
		return max(0, 1-float64(m)/float64(n))
	}
	if c.NoReplacement {
		return 1 - float64(c.share(n))/float64(n)
	}
	return portable.Exp(-c.Fraction)
}
