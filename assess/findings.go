package assess

import (
	"slices"

	"github.com/rfpragma/rfpragma/finding"
)

// Findings returns all findings about a subject, the gravest first; none without a report.
func Findings(subject *Subject) []finding.Finding {
	s, all := *subject, []finding.Finding{}
	if s.Report == nil {
		return all
	}
	if s.Goal.Classes == nil {
		s.Goal = goalOf(s.Report)
	}
	add := func(found ...*finding.Finding) {
		for _, f := range found {
			if f != nil {
				all = append(all, *f)
			}
		}
	}
	for _, name := range s.shown() {
		add(reversed(&s, name))
	}
	add(unreachable(&s), unsure(&s))
	unstable := folds(&s)
	s.Unstable = s.Unstable || unstable != nil
	add(unstable)
	for _, c := range s.matter()[:min(len(s.matter()), mostNamed)] {
		add(chance(&s, c))
	}
	add(besidePlain(&s), unprovenGain(&s), besideBaseline(&s), constant(&s))
	if matter := s.matter(); len(matter) <= mostNamed && !s.Goal.Costs.Amounts() {
		for _, c := range matter {
			alarms := alarms(&s, c)
			if all = append(all, alarms...); alarms == nil {
				add(misses(&s, c))
			}
		}
	}
	for _, f := range s.Goal.Floors {
		add(constraint(&s, f), fewInSlice(&s, f), unused(&s, f))
	}
	all = append(all, data(&s)...)
	add(never(&s), fewGroups(&s), spread(&s))
	all = slices.Concat(all, scarce(&s), wide(&s))
	add(costOfFew(&s))
	if s.Report.Votes != nil && s.Report.Together == nil { // else sums are of more rows than there are votes of
		plain := s.Report.Votes.Rule(nil)
		add(hang(&s, plain.Decide))
	}
	for _, name := range s.shown() {
		add(Miscalibrated(&s, name), uninformed(&s, name))
	}
	finding.Sort(all)
	return all
}
