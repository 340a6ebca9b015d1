//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "macros_amd64.h"

// FETCH writes the code of each row, whose id is its upper half, four at a time. (Gathers, which load many at once, are no
// quicker, and read 32 bits where a code has 16, beyond the end of the codes.)
#define FETCH(LOAD, size) \
	SUBQ  $4, CX            \
	JLT   rest              \
	next:                   \
	MOVL  4(SI), AX         \
	MOVL  12(SI), DX        \
	MOVL  20(SI), R8        \
	MOVL  28(SI), R9        \
	LOAD  (BX)(AX*size), AX \
	LOAD  (BX)(DX*size), DX \
	LOAD  (BX)(R8*size), R8 \
	LOAD  (BX)(R9*size), R9 \
	MOVL  AX, (DI)          \
	MOVL  DX, 4(DI)         \
	MOVL  R8, 8(DI)         \
	MOVL  R9, 12(DI)        \
	ADDQ  $32, SI           \
	ADDQ  $16, DI           \
	SUBQ  $4, CX            \
	JGE   next              \
	rest:                   \
	ADDQ  $4, CX            \
	JEQ   done              \
	one:                    \
	MOVL  4(SI), AX         \
	LOAD  (BX)(AX*size), AX \
	MOVL  AX, (DI)          \
	ADDQ  $8, SI            \
	ADDQ  $4, DI            \
	DECQ  CX                \
	JNE   one               \
	done:                   \
	RET

// func fetchNarrow(to []uint32, rows []uint64, codes []uint16)
TEXT ·fetchNarrow(SB), NOSPLIT, $0-72
	MOVQ to_base+0(FP), DI
	MOVQ rows_base+24(FP), SI
	MOVQ rows_len+32(FP), CX
	MOVQ codes_base+48(FP), BX
	FETCH(MOVWLZX, 2)

// func fetchWide(to []uint32, rows []uint64, codes []uint32)
TEXT ·fetchWide(SB), NOSPLIT, $0-72
	MOVQ to_base+0(FP), DI
	MOVQ rows_base+24(FP), SI
	MOVQ rows_len+32(FP), CX
	MOVQ codes_base+48(FP), BX
	FETCH(MOVL, 4)

// func span(codes []uint32) (least, most uint32)
TEXT ·span(SB), NOSPLIT, $0-32
	MOVQ       codes_base+0(FP), SI
	MOVQ       codes_len+8(FP), CX
	VPXORD     Z1, Z1, Z1           // the largest
	VPTERNLOGD $0xff, Z2, Z2, Z2    // the least
	JMP        more

next:
	LANES(CX, 16)
	VMOVDQU32.Z (SI), K1, Z3
	VPMAXUD     Z3, Z1, K1, Z1
	VPMINUD     Z3, Z2, K1, Z2
	ADDQ        $64, SI
	SUBQ        $16, CX

more:
	TESTQ CX, CX
	JGT   next
	RANGE
	VMOVD X1, AX
	VMOVD X2, BX
	MOVL  BX, least+24(FP)
	MOVL  AX, most+28(FP)
	VZEROUPPER
	RET

// func weigh(narrow []uint32, wide []uint64, rows []uint64)
TEXT ·weigh(SB), NOSPLIT, $0-72
	MOVQ narrow_base+0(FP), DI
	MOVQ wide_base+24(FP), DX
	MOVQ rows_base+48(FP), SI
	MOVQ rows_len+56(FP), CX
	FILL(0xffff, Z0)
	FILL(const_NarrowBits, Z1)
	FILL(const_WideBits, Z2)
	JMP  more

next:
	LANES(CX, 8)
	VMOVDQU64.Z (SI), K1, Z3
	VPSRLQ      $16, Z3, Z4
	VPANDQ      Z0, Z3, Z3   // weights
	VPANDQ      Z0, Z4, Z4   // and classes
	VPMULUDQ    Z1, Z4, Z5
	VPMULUDQ    Z2, Z4, Z6
	VPSLLVQ     Z5, Z3, Z5
	VPSLLVQ     Z6, Z3, Z6
	VPMOVQD     Z5, Y5
	VMOVDQU32   Y5, K1, (DI)
	VMOVDQU64   Z6, K1, (DX)
	ADDQ        $64, SI
	ADDQ        $32, DI
	ADDQ        $64, DX
	SUBQ        $8, CX

more:
	TESTQ CX, CX
	JGT   next
	VZEROUPPER
	RET

// func neighbours(codes []uint32, code uint32) (lower, upper uint32)
TEXT ·neighbours(SB), NOSPLIT, $0-40
	MOVQ         codes_base+0(FP), SI
	MOVQ         codes_len+8(FP), CX
	MOVL         code+24(FP), AX
	VPBROADCASTD AX, Z0
	VPXORD       Z1, Z1, Z1           // the largest up to the code
	VPTERNLOGD   $0xff, Z2, Z2, Z2    // the least above it
	JMP          more

next:
	LANES(CX, 16)
	VMOVDQU32.Z (SI), K1, Z3
	VPCMPUD     $ATMOST, Z0, Z3, K1, K2
	VPCMPUD     $ABOVE, Z0, Z3, K1, K3
	VPMAXUD     Z3, Z1, K2, Z1
	VPMINUD     Z3, Z2, K3, Z2
	ADDQ        $64, SI
	SUBQ        $16, CX

more:
	TESTQ CX, CX
	JGT   next
	RANGE
	VMOVD X1, AX
	VMOVD X2, BX
	MOVL  AX, lower+32(FP)
	MOVL  BX, upper+36(FP)
	VZEROUPPER
	RET

// func part(rows, spare []uint64, codes []uint32, first, width uint32) int
//
// Both sides of each vector are pushed together and written where the rows of their side end.
TEXT ·part(SB), NOSPLIT, $0-88
	MOVQ         rows_base+0(FP), SI
	MOVQ         rows_len+8(FP), CX
	MOVQ         spare_base+24(FP), DX
	MOVQ         codes_base+48(FP), BX
	MOVL         first+72(FP), AX
	VPBROADCASTD AX, Y0
	MOVL         width+76(FP), AX
	VPBROADCASTD AX, Y1
	MOVQ         SI, DI
	JMP          more

next:
	LANES(CX, 8)
	VMOVDQU64.Z (SI), K1, Z2
	VMOVDQU32.Z (BX), K1, Y3
	VPSUBD      Y0, Y3, Y3
	VPCMPUD     $LESS, Y1, Y3, K1, K2 // to the left,
	KANDNB      K1, K2, K3            // and to the right
	VPCOMPRESSQ Z2, K2, Z4
	VPCOMPRESSQ Z2, K3, Z5
	KMOVB       K2, R8
	KMOVB       K3, R9
	POPCNTL     R8, R8
	POPCNTL     R9, R9
	BZHIL       R8, R11, AX
	KMOVB       AX, K2
	BZHIL       R9, R11, AX
	KMOVB       AX, K3
	VMOVDQU64   Z4, K2, (DI)
	VMOVDQU64   Z5, K3, (DX)
	LEAQ        (DI)(R8*8), DI
	LEAQ        (DX)(R9*8), DX
	ADDQ        $64, SI
	ADDQ        $32, BX
	SUBQ        $8, CX

more:
	TESTQ CX, CX
	JGT   next
	SUBQ  rows_base+0(FP), DI
	SHRQ  $3, DI
	MOVQ  DI, ret+80(FP)
	VZEROUPPER
	RET
