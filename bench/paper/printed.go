package main

// both is a recall and a precision, in percent.
type both struct{ recall, precision float64 }

// printed holds what the paper prints of one set: by column, for the plain and the optimised forest.
type printed struct {
	plain, tuned []both
}

// Tables 1 and 2, the columns in the order of columnsOf.
var (
	printedAutos = printed{
		plain: []both{{81.4, 84.6}, {68.7, 84.6}, {74.1, 72.7}, {85.1, 77.0}, {81.8, 81.8}, {33.3, 50.0}, {74.6, 84.6}, {79.4, 75.6}, {78.0, 78.2}},
		tuned: []both{{92.6, 80.6}, {71.9, 82.1}, {74.1, 76.9}, {83.6, 75.7}, {68.2, 83.3}, {66.7, 100}, {81.4, 81.5}, {77.4, 77.8}, {78.5, 78.8}},
	}
	printedLetters = printed{
		plain: []both{{88.5, 90.8}, {88.0, 87.9}, {88.1, 88.5}},
		tuned: []both{{95.0, 78.9}, {84.8, 90.9}, {87.1, 88.1}},
	}
)

// rare is what table 4 prints of a way on a set: recall and precision of the rare class, and accuracy.
type rare struct {
	both
	accuracy float64
}

// printedRare holds the lines of table 4: C4.5, the plain and the optimised forest.
var printedRare = map[string][3]rare{
	"Hypothyroid": {{both{96.9, 95.2}, 99.4}, {both{95.1, 94.2}, 99.1}, {both{99.5, 97.7}, 99.2}},
	"Satimage":    {{both{55.0, 59.0}, 91.9}, {both{50.9, 83.2}, 94.2}, {both{62.0, 73.9}, 94.3}},
	"Mammography": {{both{8.3, 66.7}, 98.1}, {both{29.2, 84.5}, 98.5}, {both{43.5, 82.0}, 98.7}}, // of Mammo, another set
}
