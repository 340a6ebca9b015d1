//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "macros_arm64.h"

// The node, in V0 to V6: the bits of a class, the weights by class, that in all, the bar and the least.
#define WIDE V0
#define NODE(n) \
	MOVD  $const_wideMask, R9    \
	VDUP  R9, WIDE.D2            \
	FMOVD (Node_Sums+0)(n), F1   \
	FMOVD (Node_Sums+8)(n), F2   \
	FMOVD (Node_Sums+16)(n), F3  \
	FMOVD Node_Weight(n), F4     \
	FMOVD Node_Bar(n), F5        \
	FMOVD Node_Least(n), F6      \
	VDUP  V1.D[0], V1.D2         \
	VDUP  V2.D[0], V2.D2         \
	VDUP  V3.D[0], V3.D2         \
	VDUP  V4.D[0], V4.D2         \
	VDUP  V5.D[0], V5.D2         \
	VDUP  V6.D[0], V6.D2

// UNPACK takes the wide weights in x apart.
#define UNPACK(x, a, b, c) \
	VUSHR $const_WideBits, x.D2, b.D2     \
	VUSHR $(2*const_WideBits), x.D2, c.D2 \
	VAND  WIDE.B16, x.B16, a.B16          \
	VAND  WIDE.B16, b.B16, b.B16

// NUMBERS makes numbers of them.
#define NUMBERS(a, b, c) \
	NUMBER_D2(a, a) \
	NUMBER_D2(b, b) \
	NUMBER_D2(c, c)

// SIDES takes the weights by class left of a cut, and has of its left and right the weights in V16 and V17, and the squares in
// V18 and V19. V20 to V22 are lost. (Products are fused with sums only where all are whole numbers below 2⁵³: then no bit is
// lost in either way.)
#define SIDES(a, b, c, A, B, C) \
	ADD_D2(b, a, 16)               \
	SUB_D2(a, 1, 20)               \
	SUB_D2(b, 2, 21)               \
	SUB_D2(c, 3, 22)               \
	ADD_D2(c, 16, 16)              \
	MUL_D2(a, a, 18)               \
	MUL_D2(20, 20, 19)             \
	VFMLA B.D2, B.D2, V18.D2       \
	VFMLA V21.D2, V21.D2, V19.D2   \
	VFMLA C.D2, C.D2, V18.D2       \
	VFMLA V22.D2, V22.D2, V19.D2   \
	SUB_D2(16, 4, 17)

// REACHES leaves in V20 the lanes where a cut reaches the bar, sl·wr + sr·wl >= bar·(wl·wr). V21 and V22 are lost.
#define REACHES(bar) \
	MUL_D2(17, 18, 20) \
	MUL_D2(16, 19, 21) \
	MUL_D2(17, 16, 22) \
	ADD_D2(21, 20, 20) \
	MUL_D2(22, bar, 22) \
	GE_D2(22, 20, 20)

// BETTER takes the cut of a lane, if it counts: its score is in F23, its code so many behind R2, what is left of it in a lane
// of V7. The best is in F24, R6 and R7.
#define BETTER(counts, lane, behind, next) \
	CBZ    counts, next         \
	MOVWU  behind(R2), R9       \
	FCMPD  F24, F23             \
	CSET   EQ, R10              \
	CSET   GT, R11              \
	CMP    R6, R9               \
	CSEL   LO, R10, ZR, R10     \
	ORR    R10, R11, R11        \
	CBZ    R11, next            \
	FMOVD  F23, F24             \
	MOVD   R9, R6               \
	VMOV   V7.D[lane], R7       \
	next:

// func bestNEON(n *Node, left []uint64, codes []uint32) (score float64, code uint32, on uint64)
//
// Two cuts at a time. A lane without a cut has no weight on its left, which is less than the least.
TEXT ·bestNEON(SB), NOSPLIT, $0-80
	MOVD n+0(FP), R0
	MOVD left_base+8(FP), R1
	MOVD codes_base+32(FP), R2
	MOVD codes_len+40(FP), R3
	NODE(R0)
	FMOVD ZR, F24
	MOVD ZR, R6
	MOVD ZR, R7
	SUBS $2, R3, R3
	BLT  last

next:
	VLD1.P 16(R1), [V7.D2]

loaded:
	UNPACK(V7, V8, V9, V10)
	NUMBERS(8, 9, 10)
	SIDES(8, 9, 10, V8, V9, V10)
	REACHES(5)
	VMOV V20.D[0], R4
	VMOV V20.D[1], R5
	ORR  R4, R5, R9
	CBZ  R9, skip
	GE_D2(6, 16, 21)
	GE_D2(6, 17, 22)
	VAND V21.B16, V20.B16, V20.B16
	VAND V22.B16, V20.B16, V20.B16
	VMOV V20.D[0], R4
	VMOV V20.D[1], R5
	ORR  R4, R5, R9
	CBZ  R9, skip
	DIV_D2(16, 18, 18)
	DIV_D2(17, 19, 19)
	ADD_D2(19, 18, 23)              // the score
	VDUP V23.D[1], V25.D2
	BETTER(R4, 0, 0, second)
	FMOVD F25, F23
	BETTER(R5, 1, 4, skip)
	ADD  $8, R2, R2
	SUBS $2, R3, R3
	BGE  next

last:
	CMP   $-1, R3
	BNE   done
	FMOVD (R1), F7 // and 0
	JMP   loaded

done:
	FMOVD F24, score+56(FP)
	MOVW  R6, code+64(FP)
	MOVD  R7, on+72(FP)
	RET

// That of plain.go.
DATA steepest<>+0(SB)/8, $2.000000001
GLOBL steepest<>(SB), RODATA|NOPTR, $8

// CORNER adds to V23 the lanes where a cut with such weights by class on its left reaches the bar.
#define CORNER(a, b, c, A, B, C) \
	SIDES(a, b, c, A, B, C)          \
	REACHES(5)                       \
	VORR V20.B16, V23.B16, V23.B16

// func markNEON(n *Node, marks *Marks, bins, before []uint64, classes int, all bool) bool
//
// Two bins at a time, of which R4 are to come; R8 have been seen. V10 to V12 have the weights by class at the start of a bin, V13
// to V15 those with the class of the bin gone left.
TEXT ·markNEON(SB), NOSPLIT, $0-81
	MOVD  n+0(FP), R0
	MOVD  marks+8(FP), R1
	MOVD  bins_base+16(FP), R2
	MOVD  before_base+40(FP), R3
	MOVD  bins_len+24(FP), R4
	MOVD  classes+64(FP), R5
	MOVBU all+72(FP), R6
	NODE(R0)
	MOVD  $steepest<>(SB), R9
	VLD1R (R9), [V6.D2]
	VEOR  V24.B16, V24.B16, V24.B16
	VEOR  V25.B16, V25.B16, V25.B16
	VEOR  V26.B16, V26.B16, V26.B16
	VEOR  V27.B16, V27.B16, V27.B16
	MOVD  R1, R9
	VST1.P [V24.B16, V25.B16, V26.B16, V27.B16], 64(R9) // no marks
	VST1  [V24.B16, V25.B16, V26.B16, V27.B16], (R9)
	MOVD  ZR, R7                                        // whether marks have been found
	MOVD  ZR, R8
	SUBS  $2, R4, R4
	BLT   last

next:
	VLD1.P 16(R2), [V7.D2]
	VLD1.P 16(R3), [V8.D2]

loaded:
	// Bins of two classes and more, or of any.
	UNPACK(V7, V13, V14, V15)
	CBNZ  R6, any
	VCMEQ V24.D2, V13.D2, V16.D2
	VCMEQ V24.D2, V14.D2, V17.D2
	VCMEQ V24.D2, V15.D2, V18.D2
	VORR  V17.B16, V16.B16, V19.B16
	VAND  V17.B16, V16.B16, V16.B16
	VAND  V18.B16, V19.B16, V19.B16
	VORR  V19.B16, V16.B16, V16.B16 // without two of the classes
	JMP   tell

any:
	VCMEQ V24.D2, V7.D2, V16.D2

tell:
	VMOV V16.D[0], R10
	VMOV V16.D[1], R11
	MVN  R10, R10
	MVN  R11, R11
	ORR  R10, R11, R9
	CBZ  R9, skip

	// Of those, where the bar may be reached at the slope that is steepest.
	NUMBERS(13, 14, 15)
	UNPACK(V8, V10, V11, V12)
	NUMBERS(10, 11, 12)
	ADD_D2(14, 13, 23)
	ADD_D2(15, 23, 23)
	MUL_D2(23, 6, 23)
	SUB_D2(23, 5, 23)
	ADD_D2(13, 10, 13)
	ADD_D2(14, 11, 14)
	ADD_D2(15, 12, 15)
	SIDES(10, 11, 12, V10, V11, V12)
	REACHES(23)
	VMOV V20.D[0], R9
	AND  R9, R10, R10
	VMOV V20.D[1], R9
	AND  R9, R11, R11
	ORR  R10, R11, R9
	CBZ  R9, skip

	// Of those, where a corner reaches it: two corners with two classes, six with three, and both ends if all are to be marked.
	VEOR V23.B16, V23.B16, V23.B16
	CORNER(13, 11, 12, V13, V11, V12)
	CORNER(10, 14, 12, V10, V14, V12)
	CMP  $2, R5
	BLE  corners
	CORNER(10, 11, 15, V10, V11, V15)
	CORNER(13, 14, 12, V13, V14, V12)
	CORNER(13, 11, 15, V13, V11, V15)
	CORNER(10, 14, 15, V10, V14, V15)
	CBZ  R6, corners
	CORNER(10, 11, 12, V10, V11, V12)
	CORNER(13, 14, 15, V13, V14, V15)

corners:
	VMOV  V23.D[0], R9
	AND   R9, R10, R10
	VMOV  V23.D[1], R9
	AND   R9, R11, R11
	AND   $1, R10, R10
	AND   $2, R11, R11
	ORR   R11, R10, R10
	ORR   R10, R7, R7
	AND   $7, R8, R9
	LSL   R9, R10, R10
	LSR   $3, R8, R9
	MOVBU (R1)(R9), R11
	ORR   R11, R10, R10
	MOVB  R10, (R1)(R9) // bit i of the words is bit i%8 of byte i/8

skip:
	ADD  $2, R8, R8
	SUBS $2, R4, R4
	BGE  next

last:
	CMP   $-1, R4
	BNE   done
	FMOVD (R2), F7 // and 0
	FMOVD (R3), F8
	JMP   loaded

done:
	CMP  $0, R7
	CSET NE, R7
	MOVB R7, ret+80(FP)
	RET
