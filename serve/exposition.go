package serve

import (
	"math"
	"strconv"
	"strings"
)

// exposition writes measurements in the text format that Prometheus reads.
//
// Source: Prometheus, exposition formats, text-based format 0.0.4.
type exposition struct {
	text []byte
	name string
}

// metric begins a metric of a kind: counter, gauge or histogram.
func (e *exposition) metric(name, kind, help string) {
	e.name = name
	for _, part := range []string{"# HELP ", name, " ", help, "\n# TYPE ", name, " ", kind, "\n"} {
		e.text = append(e.text, part...)
	}
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// value writes a value of the metric, with labels as names and values in turn. A value that is not known is left out.
func (e *exposition) value(v float64, labels ...string) { e.suffixed("", v, labels...) }

// suffixed is value of a part of a histogram.
func (e *exposition) suffixed(suffix string, v float64, labels ...string) {
	if math.IsNaN(v) {
		return
	}
	e.text = append(append(e.text, e.name...), suffix...)
	for i := 0; i+1 < len(labels); i += 2 {
		e.text = append(append(append(e.text, "{,"[min(i, 1)]), labels[i]...), `="`...)
		e.text = append(append(e.text, labelEscapes.Replace(labels[i+1])...), '"')
	}
	if len(labels) > 0 {
		e.text = append(e.text, '}')
	}
	e.text = append(strconv.AppendFloat(append(e.text, ' '), v, 'g', -1, 64), '\n')
}
