package view

import (
	"fmt"
	"strings"

	"github.com/rfpragma/rfpragma/forest"
)

// BagText is what bag reads.
func BagText(c forest.Config, classes []string) string {
	var parts []string
	for class, rows := range c.ClassRows {
		if rows > 0 {
			parts = append(parts, fmt.Sprintf("%s=%v", classes[class], rows))
		}
	}
	if parts == nil {
		return string(c.Bag)
	}
	return string(c.Bag) + ":" + strings.Join(parts, ",")
}
