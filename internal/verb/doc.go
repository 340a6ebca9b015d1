// Package verb has the verbs of the command: each turns flags into a request, has the library answer it, and hands the
// answer to package view. [Run] executes a command line.
package verb
