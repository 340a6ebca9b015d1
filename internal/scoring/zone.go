package scoring

import (
	"github.com/rfpragma/rfpragma"
)

// Zone says what is to be done with a row.
type Zone uint8

// The zones.
const (
	Pass      Zone = iota // nothing
	Alarm                 // act on its decision, which is a class that matters
	Review                // have somebody decide, as the votes are close, see rfpragma.Model.Close
	Undecided             // ask for what the row lacks, and have somebody look
	Zones                 // how many there are
)

// ZoneNames are the zones in answers.
var ZoneNames = [Zones]string{"pass", "alarm", "review", "undecided"}

// alarming tells by class whether a decision for it is an alarm: of the classes that the preference names; where it
// names none, of all but the most common one.
func alarming(m *rfpragma.Model) []bool {
	out, any := make([]bool, len(m.Classes())), false
	for c, class := range m.Classes() {
		if _, named := m.Spec[class]; named {
			out[c], any = true, true
		}
	}
	if !any {
		for c := range out {
			out[c] = c != m.Forest.TieOrder()[0]
		}
	}
	return out
}

// zoneOf is the zone of row i, which is decided.
func (b *Batch) zoneOf(i int, lacks bool) Zone {
	switch k := b.Of.K; {
	case lacks:
		return Undecided
	case b.Of.Model.Close(b.votes[i*k : (i+1)*k]):
		return Review
	case b.Of.alarms[b.Class[i]]:
		return Alarm
	}
	return Pass
}

// Withheld tells whether no decision is given of row i, as predict gives none: its votes are close, or, where rows are
// withheld that lack what decides, it lacks that.
func (b *Batch) Withheld(i int, lacking bool) bool {
	return b.Zone[i] == Review || b.Zone[i] == Undecided && lacking
}
