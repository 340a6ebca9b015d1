// Package licences has the licences of the modules that are linked into the command. "go run . -licences" in the folder
// release writes them.
package licences

import _ "embed" // the texts

// Text has the licences, each under the name and version of its module.
//
//go:embed licences.txt
var Text string
