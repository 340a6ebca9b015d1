//go:build !purego && !noavx512

package vector

// most is the fastest set that is used where the processor has it.
const most = AVX512
