//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "macros_amd64.h"

// SPREAD writes 8 narrow weights in y as wide ones. Z16 and Z17 have the bits of the first and of the second class; Z19
// is
// lost.
#define SPREAD(y, z, t, to) \
	VPMOVZXDQ y, z                                     \
	VPANDQ    Z17, z, t                                \
	VPSLLQ    $(const_WideBits-const_NarrowBits), t, t \
	VPANDQ    Z16, z, Z19                              \
	VPORQ     Z19, t, t                                \
	VPSRLQ    $(2*const_NarrowBits), z, z              \
	VPSLLQ    $(2*const_WideBits), z, z                \
	VPORQ     z, t, t                                  \
	VMOVDQU64 t, to

// func compare512(left []uint64, codes, weights []uint32)
//
// Two vectors of codes at a time: every code is compared with them, and its weight added where it is not larger.
TEXT ·compare512(SB), NOSPLIT, $0-72
	MOVQ left_base+0(FP), DI
	MOVQ codes_base+24(FP), SI
	MOVQ codes_len+32(FP), CX
	MOVQ weights_base+48(FP), DX
	FILL(const_narrowMask, Z16)
	FILL(const_narrowMask<<const_NarrowBits, Z17)
	MOVQ SI, R9                  // the vectors at hand,
	MOVQ CX, R8                  // and how many codes are left

next:
	LANES(R8, 16)
	VMOVDQU32.Z (R9), K1, Z0
	VPXORD      Z2, Z2, Z2     // sums
	VPXORD      Z3, Z3, Z3
	XORL        BX, BX
	CMPQ        R8, $16
	JLE         last
	SUBQ        $16, R8
	LANES(R8, 16)
	VMOVDQU32.Z 64(R9), K1, Z1

each:
	VPBROADCASTD  (SI)(BX*4), Z4
	VPBROADCASTD  (DX)(BX*4), Z5
	VPCMPUD       $ATMOST, Z0, Z4, K2
	VPCMPUD       $ATMOST, Z1, Z4, K3
	VPADDD        Z5, Z2, K2, Z2
	VPADDD        Z5, Z3, K3, Z3
	INCQ          BX
	CMPQ          BX, CX
	JLT           each
	VEXTRACTI64X4 $1, Z2, Y4
	VEXTRACTI64X4 $1, Z3, Y5
	SPREAD(Y2, Z18, Z20, (DI))
	SPREAD(Y4, Z18, Z20, 64(DI))
	SPREAD(Y3, Z18, Z20, 128(DI))
	SPREAD(Y5, Z18, Z20, 192(DI))
	ADDQ          $256, DI
	ADDQ          $128, R9
	SUBQ          $16, R8
	JGT           next
	JMP           done

last:  // one vector
	TESTQ CX, CX
	JEQ   done

eachLast:
	VPBROADCASTD  (SI)(BX*4), Z4
	VPCMPUD       $ATMOST, Z0, Z4, K2
	VPADDD.BCST   (DX)(BX*4), Z2, K2, Z2
	INCQ          BX
	CMPQ          BX, CX
	JLT           eachLast
	VEXTRACTI64X4 $1, Z2, Y4
	SPREAD(Y2, Z18, Z20, (DI))
	SPREAD(Y4, Z18, Z20, 64(DI))

done:
	VZEROUPPER
	RET

// func count512(bins []uint64, codes []uint32, weights []uint64, least uint32, shift int)
//
// First the bins of 64 rows, then their weights: numbers are read back from memory quickly only when they have come to
// stand there.
TEXT ·count512(SB), NOSPLIT, $256-88
	MOVQ         bins_base+0(FP), DI
	MOVQ         codes_base+24(FP), SI
	MOVQ         codes_len+32(FP), R12
	MOVQ         weights_base+48(FP), DX
	MOVL         least+72(FP), AX
	VPBROADCASTD AX, Z0
	VMOVQ        shift+80(FP), X1
	JMP          more

block:
	BLOCK
	MOVQ CX, BX
	LEAQ bins64-256(SP), R10

sixteen:
	LANES(BX, 16)
	VMOVDQU32.Z (SI), K1, Z2
	VPSUBD      Z0, Z2, Z2
	VPSRLD      X1, Z2, Z2
	VMOVDQU32   Z2, (R10)
	ADDQ        $64, SI
	ADDQ        $64, R10
	SUBQ        $16, BX
	JGT         sixteen
	LEAQ        bins64-256(SP), R10
	ADD_TO_BINS

more:
	TESTQ R12, R12
	JGT   block
	VZEROUPPER
	RET

// CLASSES unpacks the wide weights in x into numbers of three classes. Mask has the bits of the first.
#define CLASSES(x, mask, a, b, c) \
	VPANDQ     mask, x, a                \
	VPSRLQ     $const_WideBits, x, b     \
	VPSRLQ     $(2*const_WideBits), x, c \
	VPANDQ     mask, b, b                \
	VCVTUQQ2PD a, a                      \
	VCVTUQQ2PD b, b                      \
	VCVTUQQ2PD c, c

// SUM adds three classes.
#define SUM(a, b, c, sum) \
	VADDPD b, a, sum \
	VADDPD c, sum, sum

// SQUARES sums the squares of three classes. (Products are fused with sums only where all are whole numbers below 2⁵³:
// then no bit
// is lost in either way.)
#define SQUARES(a, b, c, sum) \
	VMULPD      a, a, sum \
	VFMADD231PD b, b, sum \
	VFMADD231PD c, c, sum

// REACHES tells in k whether a cut reaches the bar, sl·wr + sr·wl >= bar·(wl·wr), given weights and squares of both
// sides.
#define REACHES(bar, wl, wr, sl, sr, t, u, k) \
	VMULPD wr, sl, t \
	VMULPD wl, sr, u \
	VADDPD u, t, t   \
	VMULPD wr, wl, u \
	VMULPD u, bar, u \
	VCMPPD $GE, u, t, K1, k

// The node, in Z0 to Z6.
#define WIDE Z0
#define TOTAL0 Z1
#define TOTAL1 Z2
#define TOTAL2 Z3
#define WHOLE Z4
#define BAR Z5
#define LEAST Z6
#define NODE(n) \
	FILL(const_wideMask, WIDE)             \
	VBROADCASTSD (Node_Sums+0)(n), TOTAL0  \
	VBROADCASTSD (Node_Sums+8)(n), TOTAL1  \
	VBROADCASTSD (Node_Sums+16)(n), TOTAL2 \
	VBROADCASTSD Node_Weight(n), WHOLE     \
	VBROADCASTSD Node_Bar(n), BAR          \
	VBROADCASTSD Node_Least(n), LEAST

// func best512(n *Node, left []uint64, codes []uint32) (score float64, code uint32, on uint64)
//
// Every lane keeps the best it has seen: its score in Z7, its code in Z8, what is left of it in Z9. At the end the
// best of the lanes is found.
TEXT ·best512(SB), NOSPLIT, $0-80
	MOVQ   n+0(FP), BX
	MOVQ   left_base+8(FP), SI
	MOVQ   codes_base+32(FP), DX
	MOVQ   codes_len+40(FP), CX
	NODE(BX)
	VPXORQ Z7, Z7, Z7
	VPXORQ Z8, Z8, Z8
	VPXORQ Z9, Z9, Z9
	KXNORB K1, K1, K1
	XORL   R8, R8                // whether any cut has reached the bar
	JMP    more

next:
	VMOVDQU64.Z (SI), K1, Z20
	CLASSES(Z20, WIDE, Z11, Z12, Z13)
	SUM(Z11, Z12, Z13, Z14)             // the weight on the left,
	VSUBPD      Z14, WHOLE, Z15         // on the right,
	SQUARES(Z11, Z12, Z13, Z16)         // and the squares
	VSUBPD      Z11, TOTAL0, Z11
	VSUBPD      Z12, TOTAL1, Z12
	VSUBPD      Z13, TOTAL2, Z13
	SQUARES(Z11, Z12, Z13, Z17)
	REACHES(BAR, Z14, Z15, Z16, Z17, Z18, Z19, K2)
	KORTESTB    K2, K2
	JEQ         skip
	VCMPPD      $GE, LEAST, Z14, K2, K2
	VCMPPD      $GE, LEAST, Z15, K2, K2
	KORTESTB    K2, K2
	JEQ         skip
	MOVL        $1, R8
	VDIVPD      Z14, Z16, Z16
	VDIVPD      Z15, Z17, Z17
	VADDPD      Z17, Z16, Z16           // the score
	VMOVDQU32.Z (DX), K1, Y10
	VPMOVZXDQ   Y10, Z10                // the code
	VCMPPD      $EQ, Z7, Z16, K2, K3
	VPCMPUQ     $LESS, Z8, Z10, K3, K3
	VCMPPD      $GT, Z7, Z16, K2, K2
	KORB        K3, K2, K2              // better, or as good and lower
	VMOVAPD     Z16, K2, Z7
	VMOVDQA64   Z10, K2, Z8
	VMOVDQA64   Z20, K2, Z9

skip:
	ADDQ $64, SI
	ADDQ $32, DX
	SUBQ $8, CX

more:
	CMPQ  CX, $8
	JGE   next
	LANES(CX, 8)
	TESTQ CX, CX
	JGT   next
	TESTL R8, R8
	JEQ   none

	// The largest score, to all lanes: the best of halves, quarters, eighths.
	VSHUFF64X2 $0x4e, Z7, Z7, Z10
	VMAXPD     Z10, Z7, Z10
	VSHUFF64X2 $0xb1, Z10, Z10, Z11
	VMAXPD     Z11, Z10, Z10
	VPERMILPD  $0x55, Z10, Z11
	VMAXPD     Z11, Z10, Z10

	// The lowest code of those that have it, in the same way.
	VCMPPD     $EQ, Z7, Z10, K2
	VPTERNLOGQ $0xff, Z11, Z11, Z11 // all bits
	VMOVDQA64  Z8, K2, Z11
	VSHUFI64X2 $0x4e, Z11, Z11, Z12
	VPMINUQ    Z12, Z11, Z12
	VSHUFI64X2 $0xb1, Z12, Z12, Z13
	VPMINUQ    Z13, Z12, Z12
	VPSHUFD    $0x4e, Z12, Z13
	VPMINUQ    Z13, Z12, Z12

	// What is left of it.
	VPCMPEQQ    Z12, Z8, K2, K2
	VPCOMPRESSQ Z9, K2, Z13
	VMOVSD      X10, score+56(FP)
	VMOVQ       X12, AX
	MOVL        AX, code+64(FP)
	VMOVQ       X13, DX
	MOVQ        DX, on+72(FP)
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

// CORNER marks in K3 the lanes where a cut with such weights and squares by class on its left, and such squares on its
// right, reaches the bar.
#define CORNER(l0, l1, l2, sl0, sl1, sl2, sr0, sr1, sr2) \
	SUM(l0, l1, l2, Z28)                           \
	VSUBPD Z28, WHOLE, Z29                         \
	SUM(sl0, sl1, sl2, Z30)                        \
	SUM(sr0, sr1, sr2, Z31)                        \
	REACHES(BAR, Z28, Z29, Z30, Z31, Z30, Z31, K4) \
	KORB   K4, K3, K3

// func mark512(n *Node, marks *Marks, bins, before []uint64, classes int, all bool) bool
//
// With l the weights by class left of a bin and m those in it, the corners are at l_c or l_c + m_c for each class c;
// all of
// the same kind are its ends. In the names of registers l, r are what is on the sides of the bin's start, L, R what is
// with
// the class of the bin gone left.
#define m0 Z7
#define m1 Z8
#define m2 Z9
#define l0 Z10
#define l1 Z11
#define l2 Z12
#define L0 Z7
#define L1 Z8
#define L2 Z9
#define sl0 Z13
#define sl1 Z14
#define sl2 Z15
#define sL0 Z16
#define sL1 Z17
#define sL2 Z18
#define sr0 Z19
#define sr1 Z20
#define sr2 Z21
#define sR0 Z22
#define sR1 Z23
#define sR2 Z24
TEXT ·mark512(SB), NOSPLIT, $0-81
	MOVQ         n+0(FP), BX
	MOVQ         marks+8(FP), DI
	MOVQ         bins_base+16(FP), SI
	MOVQ         bins_len+24(FP), CX
	MOVQ         before_base+40(FP), DX
	MOVQ         classes+64(FP), R8
	MOVBLZX      all+72(FP), R9
	NODE(BX)
	VPXORQ       Z25, Z25, Z25
	VMOVDQU64    Z25, (DI)              // no marks
	VMOVDQU64    Z25, 64(DI)
	VBROADCASTSD steepest<>(SB), LEAST  // which is not asked for here
	XORL         R10, R10               // the marks found, in any lane
	JMP          more

next:
	LANES(CX, 8)

	// Bins of two classes and more, or of any.
	VMOVDQU64.Z (SI), K1, Z25
	CLASSES(Z25, WIDE, m0, m1, m2)
	VPTESTMQ    m0, m0, K2
	VPTESTMQ    m1, m1, K3
	VPTESTMQ    m2, m2, K4
	KORB        K2, K3, K5
	KANDB       K2, K3, K2
	KANDB       K4, K5, K3
	KORB        K2, K3, K2
	TESTL       R9, R9
	JEQ         mixed
	KORB        K4, K5, K2

mixed:
	KTESTB K2, K2
	JEQ    skip

	// Of those, where the bar may be reached at the slope that is steepest.
	VMOVDQU64.Z (DX), K1, Z25
	CLASSES(Z25, WIDE, l0, l1, l2)
	VSUBPD      l0, TOTAL0, sr0
	VSUBPD      l1, TOTAL1, sr1
	VSUBPD      l2, TOTAL2, sr2
	VSUBPD      m0, sr0, sR0
	VSUBPD      m1, sr1, sR1
	VSUBPD      m2, sr2, sR2
	SUM(m0, m1, m2, Z25)
	VADDPD      m0, l0, L0
	VADDPD      m1, l1, L1
	VADDPD      m2, l2, L2
	VMULPD      l0, l0, sl0
	VMULPD      l1, l1, sl1
	VMULPD      l2, l2, sl2
	VMULPD      sr0, sr0, sr0
	VMULPD      sr1, sr1, sr1
	VMULPD      sr2, sr2, sr2
	VMULPD      Z25, LEAST, Z25
	VSUBPD      Z25, BAR, Z25
	SUM(l0, l1, l2, Z28)
	VSUBPD      Z28, WHOLE, Z29
	SUM(sl0, sl1, sl2, Z30)
	SUM(sr0, sr1, sr2, Z31)
	REACHES(Z25, Z28, Z29, Z30, Z31, Z30, Z31, K3)
	KANDB       K3, K2, K2
	KTESTB      K2, K2
	JEQ         skip

	// Of those, where a corner reaches it: two corners with two classes, six with three, and both ends if all are to be marked.
	VMULPD L0, L0, sL0
	VMULPD L1, L1, sL1
	VMULPD L2, L2, sL2
	VMULPD sR0, sR0, sR0
	VMULPD sR1, sR1, sR1
	VMULPD sR2, sR2, sR2
	KXORB  K3, K3, K3
	CORNER(L0, l1, l2, sL0, sl1, sl2, sR0, sr1, sr2)
	CORNER(l0, L1, l2, sl0, sL1, sl2, sr0, sR1, sr2)
	CMPQ   R8, $2
	JLE    corners
	CORNER(l0, l1, L2, sl0, sl1, sL2, sr0, sr1, sR2)
	CORNER(L0, L1, l2, sL0, sL1, sl2, sR0, sR1, sr2)
	CORNER(L0, l1, L2, sL0, sl1, sL2, sR0, sr1, sR2)
	CORNER(l0, L1, L2, sl0, sL1, sL2, sr0, sR1, sR2)
	TESTL  R9, R9
	JEQ    corners
	CORNER(l0, l1, l2, sl0, sl1, sl2, sr0, sr1, sr2)
	CORNER(L0, L1, L2, sL0, sL1, sL2, sR0, sR1, sR2)

corners:
	KANDB K3, K2, K2
	KMOVB K2, AX
	MOVB  AX, (DI)   // bit i of the words is bit i%8 of byte i/8
	ORL   AX, R10

skip:
	ADDQ $64, SI
	ADDQ $64, DX
	INCQ DI
	SUBQ $8, CX

more:
	TESTQ CX, CX
	JGT   next
	TESTL R10, R10
	SETNE ret+80(FP)
	VZEROUPPER
	RET

// func pick512(toCodes, toWeights, codes, weights []uint32, marks *Marks, least uint32, shift int) int
//
// The words of the marks are in Z0 and Z1, where VPERMI2D looks up that of each bin. What is picked is pushed together
// and written as a whole vector; the next one begins where its rows end.
TEXT ·pick512(SB), NOSPLIT, $0-128
	MOVQ         toCodes_base+0(FP), DI
	MOVQ         toCodes_len+8(FP), R8
	MOVQ         toWeights_base+24(FP), R9
	MOVQ         codes_base+48(FP), SI
	MOVQ         codes_len+56(FP), CX
	MOVQ         weights_base+72(FP), DX
	MOVQ         marks+96(FP), BX
	VMOVDQU32    (BX), Z0
	VMOVDQU32    64(BX), Z1
	MOVL         least+104(FP), AX
	VPBROADCASTD AX, Z2
	VMOVQ        shift+112(FP), X3
	MOVL         $1, AX
	VPBROADCASTD AX, Z4
	MOVL         $31, AX
	VPBROADCASTD AX, Z5
	SUBQ         $16, R8                   // the last place where a vector can be written
	XORL         R10, R10
	JMP          more

next:
	CMPQ        R10, R8
	JGT         done
	LANES(CX, 16)
	VMOVDQU32.Z (SI), K1, Z6
	VMOVDQU32.Z (DX), K1, Z7
	VPSUBD      Z2, Z6, Z8
	VPSRLD      X3, Z8, Z8      // the bin,
	VPSRLD      $5, Z8, Z9
	VPERMI2D    Z1, Z0, Z9      // the word of its mark,
	VPANDD      Z5, Z8, Z8
	VPSRLVD     Z8, Z9, Z9      // and its bit
	VPTESTMD    Z4, Z9, K1, K2
	VPCOMPRESSD Z6, K2, Z6
	VPCOMPRESSD Z7, K2, Z7
	VMOVDQU32   Z6, (DI)(R10*4)
	VMOVDQU32   Z7, (R9)(R10*4)
	KMOVW       K2, AX
	POPCNTL     AX, AX
	ADDQ        AX, R10
	ADDQ        $64, SI
	ADDQ        $64, DX
	SUBQ        $16, CX

more:
	TESTQ CX, CX
	JGT   next

done:
	MOVQ R10, ret+120(FP)
	VZEROUPPER
	RET
