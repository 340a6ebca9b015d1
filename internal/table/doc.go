// Package table opens a table of any form, compressed or not, as a [dataset.Source].
package table
