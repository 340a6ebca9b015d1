// Package layout lays pages, tables and numbers out for a terminal or in Markdown. It knows nothing of results.
package layout
