// Package view lays results out for people and programs: pages for a terminal and in Markdown, grids, words, CSV, and
// the structs of JSON. It knows neither flags nor where a result goes.
package view
