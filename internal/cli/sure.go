package cli

import (
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/rfpragma/rfpragma"
	"github.com/rfpragma/rfpragma/internal/csvtext"
	"github.com/rfpragma/rfpragma/internal/english"
	"github.com/rfpragma/rfpragma/internal/nearest"
)

// ReadSure reads how surely what is required is to hold on new rows.
func ReadSure(c *urfave.Context) (rfpragma.Sure, error) {
	s := rfpragma.Sure{Confidence: c.Float64("sure"), Share: c.Float64("sure-share"), MaxCost: c.Float64("max-cost")}
	for _, flag := range []string{"sure-share", "max-cost"} {
		if c.IsSet(flag) && !c.IsSet("sure") {
			return s, Usagef("--%s says how to be sure; say how sure, such as --sure 95%%, or leave it out", flag)
		}
	}
	switch {
	case !c.IsSet("sure"):
		return s, nil
	case s.Confidence > 1 && s.Confidence < 100:
		return s, Usagef("--sure %v looks like a percentage; write %[1]v%% or %.6g", s.Confidence, s.Confidence/100)
	case !(s.Confidence >= 0.5 && s.Confidence < 1):
		return s, Usagef("--sure %.6g%%; give a confidence from 50%% to below 100%%, such as 95%%", 100*s.Confidence)
	case !(s.Share >= 0 && s.Share < 1):
		return s, Usagef("--sure-share %v; give a share below 1, such as 20%%, or 0 to test on the votes that weights are "+
			"searched on", s.Share)
	case c.IsSet("max-cost") && !(s.MaxCost > 0):
		return s, Usagef("--max-cost %v; give a number above 0", s.MaxCost)
	case len(required(c)) == 0 && s.MaxCost == 0 && c.Command.Name != "tune": // of a model something may be required
		return s, Usagef("--sure %.6g%% of what? say what is required, such as --require 'CLASS:recall>=0.9'",
			100*s.Confidence)
	}
	s.OnVotes = c.IsSet("sure-share") && s.Share == 0
	return s, nil
}

// ReadReview reads which rows a person is to look at. Nil classes are not known yet.
func ReadReview(c *urfave.Context, classes []string) (rfpragma.Review, error) {
	r := rfpragma.Review{Cost: c.Float64("review-cost")}
	if c.IsSet("review-cost") && !(r.Cost > 0) {
		return r, Usagef("--review-cost %v; give a number above 0", r.Cost)
	}
	if !c.IsSet("review") {
		return r, nil
	}
	text := c.String("review")
	limit := strings.TrimSpace(text)
	if class, after, named := strings.Cut(text, "<="); named {
		r.Class, limit = strings.Trim(strings.TrimSpace(class), `"`), strings.TrimSpace(after)
	}
	n, of, counted := strings.Cut(limit, "/")
	var err error
	if r.Share, err = csvtext.Share(n); counted {
		var whole float64
		if r.Share, err = csvtext.Typed(strings.TrimSpace(n)); err == nil {
			whole, err = csvtext.Typed(strings.TrimSpace(of))
		}
		r.Share /= whole
	}
	if err != nil || !(r.Share > 0 && r.Share <= 1) {
		return r, Usagef("--review %s; write which part of the rows people can look at, such as 2%%, 20/1000, or "+
			"'CLASS<=20/1000'", english.Quote(text))
	}
	if r.Class != "" && classes != nil && !slices.Contains(classes, r.Class) {
		return r, Usagef("--review: %w", nearest.Unknown("class", r.Class, classes))
	}
	return r, CheckReviewed(classes)
}

// ReadScore tells whether scores are asked for.
func ReadScore(c *urfave.Context) (bool, error) {
	switch kind := c.String("score"); kind {
	case "":
		return false, nil
	case "fpr":
		return true, nil
	default:
		return false, Usagef("--score %s; the only kind is fpr", english.Quote(kind))
	}
}
