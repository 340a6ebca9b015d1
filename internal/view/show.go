package view

// AllForms are the forms of a result: for people on a terminal, for programs, for a document.
const AllForms = "table, json, csv, markdown"

// SchemaVersion is the version of all JSON output. It changes when a field changes its
// meaning or goes; new fields may come at any time.
const SchemaVersion = 1

// Heading begins each result.
type Heading struct {
	SchemaVersion int    `json:"schema_version"` // of this page; see Above
	Command       string `json:"command"`        // the verb
}

// Remarks end the results that have something to say.
type Remarks struct {
	Warnings []string `json:"warnings"` // what one should know although the work went on
	Words    []string `json:"words"`    // the result in plain words, sentence by sentence
}
