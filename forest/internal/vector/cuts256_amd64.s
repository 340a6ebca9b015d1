//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "macros_amd64.h"
#include "macros256_amd64.h"

LANES256

// The node, in Y0 to Y6.
#define WIDE Y0
#define MAGIC Y1
#define TOTAL0 Y2
#define TOTAL1 Y3
#define TOTAL2 Y4
#define WHOLE Y5
#define BAR Y6
#define NODE256(n) \
	SPREAD64(const_wideMask, X0, WIDE)      \
	SPREAD64(0x4330000000000000, X1, MAGIC) \
	VBROADCASTSD (Node_Sums+0)(n), TOTAL0   \
	VBROADCASTSD (Node_Sums+8)(n), TOTAL1   \
	VBROADCASTSD (Node_Sums+16)(n), TOTAL2  \
	VBROADCASTSD Node_Weight(n), WHOLE      \
	VBROADCASTSD Node_Bar(n), BAR

// UNPACK takes the wide weights in x apart.
#define UNPACK(x, a, b, c) \
	VPSRLQ $const_WideBits, x, b     \
	VPSRLQ $(2*const_WideBits), x, c \
	VPAND  WIDE, x, a                \
	VPAND  WIDE, b, b

// NUMBERS makes numbers of what was taken apart: with the exponent of 2⁵² above it, less 2⁵².
#define NUMBERS(a, b, c) \
	VPOR   MAGIC, a, a \
	VPOR   MAGIC, b, b \
	VPOR   MAGIC, c, c \
	VSUBPD MAGIC, a, a \
	VSUBPD MAGIC, b, b \
	VSUBPD MAGIC, c, c

// SQUARES sums the squares of three classes. (Products are fused with sums only where all are whole numbers below 2⁵³:
// then no bit
// is lost in either way.)
#define SQUARES(a, b, c, sum) \
	VMULPD      a, a, sum \
	VFMADD231PD b, b, sum \
	VFMADD231PD c, c, sum

// REACHES leaves in sl the lanes of the cuts that reach the bar, as in cuts512_amd64.s.
#define REACHES(bar, wl, wr, sl, sr) \
	VMULPD wr, sl, sl  \
	VMULPD wl, sr, sr  \
	VADDPD sr, sl, sl  \
	VMULPD wr, wl, sr  \
	VMULPD sr, bar, sr \
	VCMPPD $GE, sr, sl, sl

#define SCORES bestScores-32(SP)
#define CODES bestCodes-64(SP)
#define ONS bestOns-96(SP)
#define LEAST256 least-128(SP)

// func best256(n *Node, left []uint64, codes []uint32) (score float64, code uint32, on uint64)
//
// As best512. Lanes without a cut have no weight on their left, which is less than the least.
TEXT ·best256(SB), NOSPLIT, $128-80
	MOVQ         n+0(FP), BX
	MOVQ         left_base+8(FP), SI
	MOVQ         codes_base+32(FP), DX
	MOVQ         codes_len+40(FP), CX
	NODE256(BX)
	VBROADCASTSD Node_Least(BX), Y7
	VMOVUPD      Y7, LEAST256
	VPXOR        Y7, Y7, Y7
	VMOVDQU      Y7, SCORES
	VMOVDQU      Y7, CODES
	VMOVDQU      Y7, ONS
	XORL         R8, R8                // whether any cut has reached the bar
	JMP          more

next:
	VMOVDQU (SI), Y7

loaded:
	UNPACK(Y7, Y8, Y9, Y10)
	NUMBERS(Y8, Y9, Y10)
	VADDPD     Y9, Y8, Y11
	VADDPD     Y10, Y11, Y11           // the weight on the left,
	VSUBPD     Y11, WHOLE, Y12         // on the right,
	SQUARES(Y8, Y9, Y10, Y13)          // and the squares
	VSUBPD     Y8, TOTAL0, Y8
	VSUBPD     Y9, TOTAL1, Y9
	VSUBPD     Y10, TOTAL2, Y10
	SQUARES(Y8, Y9, Y10, Y14)
	VMOVAPD    Y13, Y9
	VMOVAPD    Y14, Y10
	REACHES(BAR, Y11, Y12, Y9, Y10)
	VMOVMSKPD  Y9, AX
	TESTL      AX, AX
	JEQ        skip
	VCMPPD     $GE, LEAST256, Y11, Y10
	VANDPD     Y10, Y9, Y9
	VCMPPD     $GE, LEAST256, Y12, Y10
	VANDPD     Y10, Y9, Y9
	VMOVMSKPD  Y9, AX
	TESTL      AX, AX
	JEQ        skip
	MOVL       $1, R8
	VDIVPD     Y11, Y13, Y13
	VDIVPD     Y12, Y14, Y14
	VADDPD     Y14, Y13, Y13           // the score
	FIRST4(CX, X8)
	VPMASKMOVD (DX), X8, X8
	VPMOVZXDQ  X8, Y8                  // the code
	VMOVDQU    SCORES, Y10
	VMOVDQU    CODES, Y11
	VCMPPD     $EQ, Y10, Y13, Y12
	VPCMPGTQ   Y8, Y11, Y14
	VPAND      Y14, Y12, Y12
	VCMPPD     $GT, Y10, Y13, Y14
	VPOR       Y14, Y12, Y12           // better, or as good and lower
	VPAND      Y12, Y9, Y9
	VBLENDVPD  Y9, Y13, Y10, Y10
	VBLENDVPD  Y9, Y8, Y11, Y11
	VMOVDQU    Y10, SCORES
	VMOVDQU    Y11, CODES
	VMOVDQU    ONS, Y10
	VBLENDVPD  Y9, Y7, Y10, Y10
	VMOVDQU    Y10, ONS

skip:
	ADDQ $32, SI
	ADDQ $16, DX
	SUBQ $4, CX

more:
	CMPQ       CX, $4
	JGE        next
	TESTQ      CX, CX
	JLE        end
	FIRST4(CX, X8)
	VPMOVSXDQ  X8, Y8
	VPMASKMOVQ (SI), Y8, Y7
	JMP        loaded

end:
	TESTL R8, R8
	JEQ   none

	// The largest score, to all lanes.
	VMOVDQU      SCORES, Y7
	VMOVDQU      CODES, Y8
	VEXTRACTF128 $1, Y7, X10
	VMAXPD       X10, X7, X10
	VPERMILPD    $1, X10, X11
	VMAXPD       X11, X10, X10
	VBROADCASTSD X10, Y11

	// The lowest code of those that have it.
	VCMPPD       $EQ, Y7, Y11, Y12
	VPCMPEQD     Y11, Y11, Y11     // all bits
	VBLENDVPD    Y12, Y8, Y11, Y11
	VEXTRACTI128 $1, Y11, X13
	VPMINUD      X13, X11, X11
	VPSHUFD      $0x4e, X11, X13
	VPMINUD      X13, X11, X11
	VMOVD        X11, AX           // which clears the upper bits
	MOVL         AX, code+64(FP)

	// What is left of it.
	VMOVQ        AX, X13
	VPBROADCASTQ X13, Y13
	VPCMPEQQ     Y13, Y8, Y13
	VPAND        Y13, Y12, Y12
	VMOVMSKPD    Y12, BX
	TZCNTL       BX, BX
	LEAQ         ONS, SI
	MOVQ         (SI)(BX*8), DX
	VMOVSD       X10, score+56(FP)
	MOVQ         DX, on+72(FP)
	VZEROUPPER
	RET

none:
	MOVQ R8, score+56(FP)
	MOVL R8, code+64(FP)
	MOVQ R8, on+72(FP)
	VZEROUPPER
	RET

// That of plain.go.
DATA steepest<>+0(SB)/8, $2.000000001
GLOBL steepest<>(SB), RODATA|NOPTR, $8

// The weights by class of a bin's start, and with the class of the bin gone left.
#define l0 start0-32(SP)
#define l1 start1-64(SP)
#define l2 start2-96(SP)
#define L0 end0-128(SP)
#define L1 end1-160(SP)
#define L2 end2-192(SP)

// SIDES takes the weights by class left of a cut, in a, b, c, and has of its left and right the weights in Y14 and Y15,
// and the squares
// in Y7 and Y9. Y8 is lost.
#define SIDES(a, b, c) \
	VADDPD      b, a, Y14       \
	VADDPD      c, Y14, Y14     \
	VSUBPD      Y14, WHOLE, Y15 \
	SQUARES(a, b, c, Y7)        \
	VSUBPD      a, TOTAL0, Y8   \
	VMULPD      Y8, Y8, Y9      \
	VSUBPD      b, TOTAL1, Y8   \
	VFMADD231PD Y8, Y8, Y9      \
	VSUBPD      c, TOTAL2, Y8   \
	VFMADD231PD Y8, Y8, Y9

// CORNER adds to Y10 the lanes where a cut with such weights by class on its left reaches the bar.
#define CORNER(a, b, c) \
	VMOVUPD a, Y11                 \
	VMOVUPD b, Y12                 \
	VMOVUPD c, Y13                 \
	SIDES(Y11, Y12, Y13)           \
	REACHES(BAR, Y14, Y15, Y7, Y9) \
	VORPD   Y7, Y10, Y10

// func mark256(n *Node, marks *Marks, bins, before []uint64, classes int, all bool) bool
//
// As mark512, of four bins at a time, of which CX are to come; R12 have been seen.
TEXT ·mark256(SB), NOSPLIT, $192-81
	MOVQ    n+0(FP), BX
	MOVQ    marks+8(FP), DI
	MOVQ    bins_base+16(FP), SI
	MOVQ    bins_len+24(FP), CX
	MOVQ    before_base+40(FP), DX
	MOVQ    classes+64(FP), R8
	MOVBLZX all+72(FP), R9
	NODE256(BX)
	VPXOR   Y7, Y7, Y7
	VMOVDQU Y7, (DI)               // no marks
	VMOVDQU Y7, 32(DI)
	VMOVDQU Y7, 64(DI)
	VMOVDQU Y7, 96(DI)
	XORL    R10, R10               // the marks found, in any lane
	XORL    R12, R12
	JMP     more

next:
	VMOVDQU (SI), Y10
	VMOVDQU (DX), Y14

loaded:
	// Bins of two classes and more, or of any.
	UNPACK(Y10, Y7, Y8, Y9)
	VPXOR    Y15, Y15, Y15
	TESTL    R9, R9
	JNE      any
	VPCMPEQQ Y15, Y7, Y11
	VPCMPEQQ Y15, Y8, Y12
	VPCMPEQQ Y15, Y9, Y13
	VPOR     Y12, Y11, Y10
	VPAND    Y12, Y11, Y11
	VPAND    Y13, Y10, Y10
	VPOR     Y11, Y10, Y10 // without two of the classes
	JMP      tell

any:
	VPCMPEQQ Y15, Y10, Y10

tell:
	VMOVMSKPD Y10, R13
	XORL      $0xf, R13
	JEQ       skip

	// Of those, where the bar may be reached at the slope that is steepest.
	NUMBERS(Y7, Y8, Y9)
	UNPACK(Y14, Y11, Y12, Y13)
	NUMBERS(Y11, Y12, Y13)
	VMOVUPD      Y11, l0
	VMOVUPD      Y12, l1
	VMOVUPD      Y13, l2
	VADDPD       Y8, Y7, Y10
	VADDPD       Y9, Y10, Y10
	VADDPD       Y7, Y11, Y7
	VADDPD       Y8, Y12, Y8
	VADDPD       Y9, Y13, Y9
	VMOVUPD      Y7, L0
	VMOVUPD      Y8, L1
	VMOVUPD      Y9, L2
	VBROADCASTSD steepest<>(SB), Y14
	VMULPD       Y10, Y14, Y10
	VSUBPD       Y10, BAR, Y10
	SIDES(Y11, Y12, Y13)
	REACHES(Y10, Y14, Y15, Y7, Y9)
	VMOVMSKPD    Y7, AX
	ANDL         AX, R13
	JEQ          skip

	// Of those, where a corner reaches it: two corners with two classes, six with three, and both ends if all are to be marked.
	VPXOR Y10, Y10, Y10
	CORNER(L0, l1, l2)
	CORNER(l0, L1, l2)
	CMPQ  R8, $2
	JLE   corners
	CORNER(l0, l1, L2)
	CORNER(L0, L1, l2)
	CORNER(L0, l1, L2)
	CORNER(l0, L1, L2)
	TESTL R9, R9
	JEQ   corners
	CORNER(l0, l1, l2)
	CORNER(L0, L1, L2)

corners:
	VMOVMSKPD Y10, AX
	ANDL      R13, AX
	ORL       AX, R10
	BTL       $2, R12
	JCC       lower
	SHLL      $4, AX

lower:
	MOVQ R12, R11
	SHRQ $3, R11
	ORB  AX, (DI)(R11*1) // bit i of the words is bit i%8 of byte i/8

skip:
	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $4, R12
	SUBQ $4, CX

more:
	CMPQ       CX, $4
	JGE        next
	TESTQ      CX, CX
	JLE        done
	FIRST4(CX, X8)
	VPMOVSXDQ  X8, Y8
	VPMASKMOVQ (SI), Y8, Y10
	VPMASKMOVQ (DX), Y8, Y14
	JMP        loaded

done:
	TESTL R10, R10
	SETNE ret+80(FP)
	VZEROUPPER
	RET
