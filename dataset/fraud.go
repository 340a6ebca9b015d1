package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

var (
	channels  = []string{"chip", "contactless", "online", "phone"}
	countries = []string{"home", "neighbour", "overseas", "region"}
	merchants = []string{"clothing", "electronics", "fuel", "gaming", "gift cards", "grocery", "jewellery", "restaurant",
		"travel"}
)

// Shares in percent of the levels above, of an everyday purchase and of one by a thief.
var (
	usualChannel, thiefChannel   = []float64{34, 38, 25, 3}, []float64{8, 14, 66, 12}
	usualCountry, thiefCountry   = []float64{88, 6, 2, 4}, []float64{38, 14, 30, 18}
	usualMerchant, thiefMerchant = []float64{12, 5, 13, 4, 2, 38, 1, 19, 6}, []float64{10, 24, 4, 14, 18, 6, 10, 4, 10}
)

// Fraud returns n made-up card payments, about 2 % of class "fraud" and the rest "ok", with some missing cells. The
// columns are amount, hour, weekday, distance_km, days_since_last, purchases_24h, spent_24h, account_age_days and
// failed_pins, which are numeric, and channel ("chip"), country ("home") and merchant ("grocery"), which are not. They
// depend on how odd a payment is: most payments are not odd and most of the thieves' are, but travellers and shopping
// sprees look odd as well, and some thieves lie low. So a majority vote finds about half of the fraud with few false
// alarms; most of the rest can be found at the price of many more.
//
// The same arguments give the same frame on every machine. Fraud panics if n is negative.
func Fraud(n int, seed uint64) *Frame { return DriftedFraud(n, seed, 0) }

// DriftedFraud returns payments like those of [Fraud] at a later time, when thieves have learnt to look like
// customers: their payments are less odd by the share drift. At 0 nothing has changed; at 1 nothing
// distinguishes them from those of the least odd customers.
func DriftedFraud(n int, seed uint64, drift float64) *Frame {
	if n < 0 || !(drift >= 0 && drift <= 1) {
		panic(fmt.Sprintf("dataset: Fraud of %d rows, drift %v", n, drift))
	}
	d := draws{rand.NewPCG(seed, 1)}
	f := &Frame{Reading: Reading{Target: "class"}, Classes: []string{"fraud", "ok"}, Truth: make([]int, n)}
	for _, name := range []string{"amount", "hour", "weekday", "distance_km", "days_since_last", "purchases_24h",
		"spent_24h", "account_age_days", "failed_pins"} {
		f.Columns = append(f.Columns, Column{Field: Field{Name: name}, Values: make([]float64, n)})
	}
	for _, field := range []Field{{Name: "channel", Levels: channels}, {Name: "country", Levels: countries},
		{Name: "merchant", Levels: merchants}} {
		field.Kind, field.Levels = Categorical, slices.Clone(field.Levels)
		f.Columns = append(f.Columns, Column{Field: field, Values: make([]float64, n)})
	}
	for i := range n {
		odd := 0.0
		if d.chance(0.02) {
			odd = d.thief() * (1 - drift)
		} else {
			odd = d.customer()
			f.Truth[i] = 1
		}
		for j, v := range d.payment(odd) {
			f.Columns[j].Values[i] = v
		}
	}
	return f
}

// customer returns how odd an honest payment is, in [0, 1].
func (d draws) customer() float64 {
	if d.chance(0.06) {
		return d.between(0.2, 0.7)
	}
	return d.between(0, 0.2)
}

// thief returns how odd a payment by a thief is, in [0, 1].
func (d draws) thief() float64 {
	switch u := d.uniform(); {
	case u < 0.06:
		return d.between(0, 0.3)
	case u < 0.4:
		return d.between(0.35, 0.8)
	default:
		return d.between(0.85, 1)
	}
}

// payment returns the 12 cells of a payment.
func (d draws) payment(odd float64) [12]float64 {
	cell := func(usual, thief []float64) float64 {
		if d.chance(odd) {
			return d.pick(thief)
		}
		return d.pick(usual)
	}
	channel, country, merchant := cell(usualChannel, thiefChannel), cell(usualCountry, thiefCountry), cell(usualMerchant,
		thiefMerchant)

	amount := round(d.skewed(22+float64(500*odd*odd), 0.7), 100)
	hour := math.Floor(d.between(7, 23))
	if d.chance(odd / 2) {
		hour = math.Floor(d.between(0, 6))
	}
	distance := round(d.skewed(5+float64(250*odd*odd), 0.8)*(1+float64(12*country)), 10)
	if channels[int(channel)] == "online" && d.chance(0.3) {
		distance = math.NaN() // the shop did not say where the buyer was
	}
	since := round(d.skewed(1.8, 0.8)*(1-float64(0.95*odd)), 100)
	age := math.Round(d.skewed(900, 0.7) * (1 - float64(0.85*odd)))
	if age < 60 || d.chance(0.02) {
		since = math.NaN() // no purchase before
	}
	count := math.Floor(d.skewed(1.2+float64(8*odd), 0.5))
	spent := round(amount+float64(count*d.skewed(20+float64(90*odd), 0.6)), 100)
	fails := 0.0
	for range 3 {
		if d.chance(0.01 + float64(0.4*odd*odd)) {
			fails++
		}
	}
	return [12]float64{amount, hour, math.Floor(d.between(1, 8)), distance, since, count, spent, age, fails, channel,
		country, merchant}
}
