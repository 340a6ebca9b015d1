// Package cli has what all verbs of the command share: flags, settings, help, completion, exit codes, progress and
// files.
package cli
