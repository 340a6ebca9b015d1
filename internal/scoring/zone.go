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
	Undecided             // ask for what the row lacks, and have somebody look
	Zones                 // how many there are
)

// ZoneNames are the zones in answers.
var ZoneNames = [Zones]string{"pass", "alarm", "undecided"}

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

// ZoneOf is the zone of row i, once it is decided.
func (b *Batch) ZoneOf(i int) Zone {
	switch {
	case b.lacks != nil && b.lacks[i] != nil:
		return Undecided
	case b.Of.alarms[b.Class[i]]:
		return Alarm
	}
	return Pass
}
