package portable

import "testing"

func BenchmarkExp(b *testing.B) {
	x, sum := -8.0, 0.0
	for b.Loop() {
		if x += 0.001; x > 8 {
			x = -8
		}
		sum += Exp(x)
	}
	if sum < 0 {
		b.Fatal(sum)
	}
}

func BenchmarkLog1p(b *testing.B) {
	x, sum := 0.0, 0.0
	for b.Loop() {
		if x += 0.001; x > 1 {
			x = 0
		}
		sum += Log1p(x)
	}
	if sum < 0 {
		b.Fatal(sum)
	}
}
