//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "macros_amd64.h"

// FETCHER is a function that fetches; its ids stand so many bytes behind the start of each row.
#define FETCHER(LOAD, size, behind, apart) \
	ADDQ $behind, SI         \
	FETCH(LOAD, size, apart) \
	RET

// func fetchNarrow(to []uint32, rows []uint64, codes []uint16, asked int)
TEXT ·fetchNarrow(SB), NOSPLIT, $0-80
	MOVQ to_base+0(FP), R10
	MOVQ rows_base+24(FP), SI
	MOVQ to_len+8(FP), CX
	MOVQ asked+72(FP), R14
	MOVQ codes_base+48(FP), BX
	FETCHER(MOVWLZX, 2, 4, 8)

// func fetchWide(to []uint32, rows []uint64, codes []uint32, asked int)
TEXT ·fetchWide(SB), NOSPLIT, $0-80
	MOVQ to_base+0(FP), R10
	MOVQ rows_base+24(FP), SI
	MOVQ to_len+8(FP), CX
	MOVQ asked+72(FP), R14
	MOVQ codes_base+48(FP), BX
	FETCHER(MOVL, 4, 4, 8)

// func fetchNarrowByID(to, ids []uint32, codes []uint16, asked int)
TEXT ·fetchNarrowByID(SB), NOSPLIT, $0-80
	MOVQ to_base+0(FP), R10
	MOVQ ids_base+24(FP), SI
	MOVQ to_len+8(FP), CX
	MOVQ asked+72(FP), R14
	MOVQ codes_base+48(FP), BX
	FETCHER(MOVWLZX, 2, 0, 4)

// func fetchWideByID(to, ids, codes []uint32, asked int)
TEXT ·fetchWideByID(SB), NOSPLIT, $0-80
	MOVQ to_base+0(FP), R10
	MOVQ ids_base+24(FP), SI
	MOVQ to_len+8(FP), CX
	MOVQ asked+72(FP), R14
	MOVQ codes_base+48(FP), BX
	FETCHER(MOVL, 4, 0, 4)

	// COUNT goes through CX rows, four at a time: WEIGH adds what a row so many behind the first at hand weighs, and of these AHEAD goes so many on.
#define COUNT(WEIGH, AHEAD) \
	SUBQ $4, CX \
	JLT  rest   \
	four:       \
	WEIGH(0)    \
	WEIGH(1)    \
	WEIGH(2)    \
	WEIGH(3)    \
	AHEAD(4)    \
	SUBQ $4, CX \
	JGE  four   \
	rest:       \
	ADDQ $4, CX \
	JEQ  done   \
	one:        \
	WEIGH(0)    \
	AHEAD(1)    \
	DECQ CX     \
	JNE  one    \
	done:

// WEIGH_ONE adds the weight of a row to its bin. (A row is loaded once and taken apart: two loads take a seventh
// longer.)
#define WEIGH_ONE(at) \
	MOVQ    (8*at)(SI), AX \
	MOVWLZX AX, R8         \
	SHRQ    $32, AX        \
	MOVBLZX (BX)(AX*1), AX \
	ADDL    R8, (DI)(AX*4)

#define ROWS_ON(n) ADDQ $(8*n), SI

// func countByID(bins *[256]int32, rows []uint64, binOf []uint8)
TEXT ·countByID(SB), NOSPLIT, $0-56
	MOVQ bins+0(FP), DI
	MOVQ rows_base+8(FP), SI
	MOVQ rows_len+16(FP), CX
	MOVQ binOf_base+32(FP), BX
	COUNT(WEIGH_ONE, ROWS_ON)
	RET

// WEIGH_TREES adds the weights of a row in all trees to its bin.
#define WEIGH_TREES(at) \
	MOVBLZX at(SI), AX         \
	SHLL    $5, AX             \
	VMOVDQU (32*at)(BX), Y0    \
	VPADDW  (DI)(AX*1), Y0, Y0 \
	VMOVDQU Y0, (DI)(AX*1)

#define BINS_ON(n) \
	ADDQ $n, SI \
	ADDQ $(32*n), BX

// func countTrees(bins *TreeCounts, binOf []uint8, weights [][Trees]uint16)
TEXT ·countTrees(SB), NOSPLIT, $0-56
	MOVQ bins+0(FP), DI
	MOVQ binOf_base+8(FP), SI
	MOVQ binOf_len+16(FP), CX
	MOVQ weights_base+32(FP), BX
	COUNT(WEIGH_TREES, BINS_ON)
	VZEROUPPER
	RET
