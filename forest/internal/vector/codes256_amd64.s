//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "macros_amd64.h"
#include "macros256_amd64.h"

LANES256

// SPREAD_SUMS writes the narrow weights in y, the lower half of which is x, as wide ones. Y13 and Y14 have the bits of the first and
// of the second class; Y8 to Y11 are lost.
#define SPREAD_SUMS(x, y, to, further) \
	VEXTRACTI128 $1, y, X8 \
	VPMOVZXDQ    x, Y9     \
	VPMOVZXDQ    X8, Y8    \
	SPREAD_FOUR(Y9, to)    \
	SPREAD_FOUR(Y8, further)

#define SPREAD_FOUR(y, to) \
	VPAND   Y14, y, Y10                                  \
	VPSLLQ  $(const_WideBits-const_NarrowBits), Y10, Y10 \
	VPAND   Y13, y, Y11                                  \
	VPOR    Y11, Y10, Y10                                \
	VPSRLQ  $(2*const_NarrowBits), y, y                  \
	VPSLLQ  $(2*const_WideBits), y, y                    \
	VPOR    y, Y10, Y10                                  \
	VMOVDQU Y10, to

// LOAD8 loads the codes so many lanes behind R9, turned over, of which R8 lanes are there.
#define LOAD8(lanes, y) \
	LEAQ       -lanes(R8), AX       \
	FIRST8(AX, X8, Y8)              \
	VPMASKMOVD (4*lanes)(R9), Y8, y \
	VPXOR      Y15, y, y

// ADD8 adds the weight in Y9 in the lanes of sums whose code is not below that in Y8.
#define ADD8(codes, sums) \
	VPCMPGTD codes, Y8, Y10 \
	VPANDN   Y9, Y10, Y10   \
	VPADDD   Y10, sums, sums

// EACH takes the next code to Y8, and its weight to Y9.
#define EACH \
	VPBROADCASTD (SI)(BX*4), Y8 \
	VPBROADCASTD (DX)(BX*4), Y9 \
	VPXOR        Y15, Y8, Y8

// func compare256(left []uint64, codes, weights []uint32)
//
// Four vectors of codes at a time, then two: every code is compared with them, and its weight added where it is not
// larger.
TEXT ·compare256(SB), NOSPLIT, $0-72
	MOVQ  left_base+0(FP), DI
	MOVQ  codes_base+24(FP), SI
	MOVQ  codes_len+32(FP), CX
	MOVQ  weights_base+48(FP), DX
	SPREAD64(const_narrowMask, X13, Y13)
	SPREAD64(const_narrowMask<<const_NarrowBits, X14, Y14)
	MOVL  $0x80000000, AX
	SPREAD32(AX, X15, Y15)
	MOVQ  SI, R9                  // the vectors at hand,
	MOVQ  CX, R8                  // and how many codes are left
	TESTQ CX, CX
	JEQ   done

next:
	LOAD8(0, Y0)
	LOAD8(8, Y1)
	VPXOR Y4, Y4, Y4 // sums
	VPXOR Y5, Y5, Y5
	XORL  BX, BX
	CMPQ  R8, $16
	JLE   last
	LOAD8(16, Y2)
	LOAD8(24, Y3)
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

each:
	EACH
	ADD8(Y0, Y4)
	ADD8(Y1, Y5)
	ADD8(Y2, Y6)
	ADD8(Y3, Y7)
	INCQ BX
	CMPQ BX, CX
	JLT  each
	SPREAD_SUMS(X4, Y4, (DI), 32(DI))
	SPREAD_SUMS(X5, Y5, 64(DI), 96(DI))
	SPREAD_SUMS(X6, Y6, 128(DI), 160(DI))
	SPREAD_SUMS(X7, Y7, 192(DI), 224(DI))
	ADDQ $256, DI
	ADDQ $128, R9
	SUBQ $32, R8
	JGT  next
	JMP  done

last:
	EACH
	ADD8(Y0, Y4)
	ADD8(Y1, Y5)
	INCQ BX
	CMPQ BX, CX
	JLT  last
	SPREAD_SUMS(X4, Y4, (DI), 32(DI))
	SPREAD_SUMS(X5, Y5, 64(DI), 96(DI))

done:
	VZEROUPPER
	RET

// func count256(bins []uint64, codes []uint32, weights []uint64, least uint32, shift int)
//
// As count512: first the bins of 64 rows, then their weights.
TEXT ·count256(SB), NOSPLIT, $256-88
	MOVQ  bins_base+0(FP), DI
	MOVQ  codes_base+24(FP), SI
	MOVQ  codes_len+32(FP), R12
	MOVQ  weights_base+48(FP), DX
	MOVL  least+72(FP), AX
	SPREAD32(AX, X0, Y0)
	VMOVQ shift+80(FP), X1
	JMP   more

block:
	BLOCK
	MOVQ CX, BX
	LEAQ bins64-256(SP), R10
	JMP  binned

eight:
	VMOVDQU (SI), Y2
	VPSUBD  Y0, Y2, Y2
	VPSRLD  X1, Y2, Y2
	VMOVDQU Y2, (R10)
	ADDQ    $32, SI
	ADDQ    $32, R10

binned:
	SUBQ       $8, BX
	JGE        eight
	ADDQ       $8, BX
	JEQ        add
	FIRST8(BX, X3, Y3)
	VPMASKMOVD (SI), Y3, Y2
	VPSUBD     Y0, Y2, Y2
	VPSRLD     X1, Y2, Y2
	VMOVDQU    Y2, (R10)

add:
	LEAQ bins64-256(SP), R10
	ADD_TO_BINS

more:
	TESTQ R12, R12
	JGT   block
	VZEROUPPER
	RET

// MARKED tells in AX which of the codes in y are in marked bins: the word of the mark of each is one of the 32 in Y0 to
// Y3, of
// which the lowest three bits of its number choose one of each, and the next two one of these.
#define MARKED(y) \
	VPSUBD    Y4, y, Y8          \
	VPSRLD    X5, Y8, Y8         \
	VPSRLD    $5, Y8, Y9         \
	VPERMD    Y0, Y9, Y10        \
	VPERMD    Y1, Y9, Y11        \
	VPERMD    Y2, Y9, Y12        \
	VPERMD    Y3, Y9, Y13        \
	VPSLLD    $28, Y9, Y14       \
	VPSLLD    $27, Y9, Y9        \
	VBLENDVPS Y14, Y11, Y10, Y10 \
	VBLENDVPS Y14, Y13, Y12, Y12 \
	VBLENDVPS Y9, Y12, Y10, Y10  \
	VPANDN    Y15, Y8, Y8        \
	VPSLLVD   Y8, Y10, Y10       \
	VMOVMSKPS Y10, AX

// PICK8 writes codes and weights of those rows.
#define PICK8(codes, weights) \
	VPMOVZXBD (R11)(AX*8), Y9  \
	VPERMD    codes, Y9, Y10   \
	VPERMD    weights, Y9, Y11 \
	VMOVDQU   Y10, (DI)(R10*4) \
	VMOVDQU   Y11, (R9)(R10*4) \
	POPCNTL   AX, AX           \
	ADDQ      AX, R10

// func pick256(toCodes, toWeights, codes, weights []uint32, marks *Marks, least uint32, shift int) int
//
// What is picked is pushed together and written as a whole vector; the next one begins where its rows end. There is
// room for 16 rows.
TEXT ·pick256(SB), NOSPLIT, $0-128
	MOVQ    toCodes_base+0(FP), DI
	MOVQ    toCodes_len+8(FP), R8
	MOVQ    toWeights_base+24(FP), R9
	MOVQ    codes_base+48(FP), SI
	MOVQ    codes_len+56(FP), CX
	MOVQ    weights_base+72(FP), DX
	MOVQ    marks+96(FP), BX
	VMOVDQU (BX), Y0
	VMOVDQU 32(BX), Y1
	VMOVDQU 64(BX), Y2
	VMOVDQU 96(BX), Y3
	MOVL    least+104(FP), AX
	SPREAD32(AX, X4, Y4)
	VMOVQ   shift+112(FP), X5
	MOVL    $31, AX
	SPREAD32(AX, X15, Y15)
	LEAQ    ·packs32(SB), R11
	SUBQ    $16, R8                   // the last place where two vectors can be written
	XORL    R10, R10
	JMP     more

next:
	CMPQ    R10, R8
	JGT     done
	VMOVDQU (SI), Y6
	MARKED(Y6)
	TESTL   AX, AX
	JEQ     second
	VMOVDQU (DX), Y7
	PICK8(Y6, Y7)

second:
	VMOVDQU 32(SI), Y6
	MARKED(Y6)
	TESTL   AX, AX
	JEQ     on
	VMOVDQU 32(DX), Y7
	PICK8(Y6, Y7)

on:
	ADDQ $64, SI
	ADDQ $64, DX
	SUBQ $16, CX

more:
	CMPQ CX, $16
	JGE  next
	CMPQ R10, R8
	JGT  done

few:
	TESTQ      CX, CX
	JLE        done
	FIRST8(CX, X7, Y7)
	VPMASKMOVD (SI), Y7, Y6
	MARKED(Y6)
	VMOVMSKPS  Y7, BX
	ANDL       BX, AX
	VPMASKMOVD (DX), Y7, Y7
	PICK8(Y6, Y7)
	ADDQ       $32, SI
	ADDQ       $32, DX
	SUBQ       $8, CX
	JMP        few

done:
	MOVQ R10, ret+120(FP)
	VZEROUPPER
	RET
