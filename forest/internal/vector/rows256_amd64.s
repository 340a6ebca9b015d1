//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "macros_amd64.h"
#include "macros256_amd64.h"

LANES256

// RANGE256 leaves in X1 the largest of the 8 numbers in Y1, and in X2 the least of those in Y2. Y3 and Y4 are lost.
#define RANGE256 \
	VEXTRACTI128 $1, Y1, X3    \
	VEXTRACTI128 $1, Y2, X4    \
	VPMAXUD      X3, X1, X1    \
	VPMINUD      X4, X2, X2    \
	VPSHUFD      $0x4e, X1, X3 \
	VPSHUFD      $0x4e, X2, X4 \
	VPMAXUD      X3, X1, X1    \
	VPMINUD      X4, X2, X2    \
	VPSHUFD      $0xb1, X1, X3 \
	VPSHUFD      $0xb1, X2, X4 \
	VPMAXUD      X3, X1, X1    \
	VPMINUD      X4, X2, X2

// func span256(codes []uint32) (least, most uint32)
TEXT ·span256(SB), NOSPLIT, $0-32
	MOVQ     codes_base+0(FP), SI
	MOVQ     codes_len+8(FP), CX
	VPXOR    Y1, Y1, Y1           // the largest
	VPCMPEQD Y2, Y2, Y2           // the least
	VPCMPEQD Y6, Y6, Y6
	SUBQ     $8, CX
	JLT      last

next:
	VMOVDQU (SI), Y3
	VPMAXUD Y3, Y1, Y1
	VPMINUD Y3, Y2, Y2
	ADDQ    $32, SI
	SUBQ    $8, CX
	JGE     next

last:
	ADDQ       $8, CX
	JEQ        done
	FIRST8(CX, X5, Y5)
	VPMASKMOVD (SI), Y5, Y3
	VPMAXUD    Y3, Y1, Y1
	VPXOR      Y6, Y5, Y5
	VPOR       Y5, Y3, Y3
	VPMINUD    Y3, Y2, Y2

done:
	RANGE256
	VMOVD X1, AX
	VMOVD X2, BX
	MOVL  BX, least+24(FP)
	MOVL  AX, most+28(FP)
	VZEROUPPER
	RET

// WITHIN takes the codes in Y3 into account. Lanes of 0 change nothing.
#define WITHIN \
	VPMINUD  Y0, Y3, Y4 \
	VPCMPEQD Y4, Y3, Y4 \
	VPAND    Y4, Y3, Y5 \
	VPOR     Y4, Y3, Y4 \
	VPMAXUD  Y5, Y1, Y1 \
	VPMINUD  Y4, Y2, Y2

// func neighbours256(codes []uint32, code uint32) (lower, upper uint32)
TEXT ·neighbours256(SB), NOSPLIT, $0-40
	MOVQ     codes_base+0(FP), SI
	MOVQ     codes_len+8(FP), CX
	MOVL     code+24(FP), AX
	SPREAD32(AX, X0, Y0)
	VPXOR    Y1, Y1, Y1           // the largest up to the code
	VPCMPEQD Y2, Y2, Y2           // the least above it
	SUBQ     $8, CX
	JLT      last

next:
	VMOVDQU (SI), Y3
	WITHIN
	ADDQ    $32, SI
	SUBQ    $8, CX
	JGE     next

last:
	ADDQ       $8, CX
	JEQ        done
	FIRST8(CX, X5, Y5)
	VPMASKMOVD (SI), Y5, Y3
	WITHIN

done:
	RANGE256
	VMOVD X1, AX
	VMOVD X2, BX
	MOVL  AX, lower+32(FP)
	MOVL  BX, upper+36(FP)
	VZEROUPPER
	RET

// func weigh256(narrow []uint32, wide []uint64, rows []uint64)
TEXT ·weigh256(SB), NOSPLIT, $0-72
	MOVQ narrow_base+0(FP), DI
	MOVQ wide_base+24(FP), DX
	MOVQ rows_base+48(FP), SI
	MOVQ rows_len+56(FP), CX
	SPREAD64(0xffff, X0, Y0)
	SPREAD64(const_NarrowBits, X1, Y1)
	SPREAD64(const_WideBits, X2, Y2)
	SUBQ $4, CX
	JLT  last

next:
	VMOVDQU      (SI), Y3
	VPSRLQ       $16, Y3, Y4
	VPAND        Y0, Y3, Y3        // weights
	VPAND        Y0, Y4, Y4        // and classes
	VPMULUDQ     Y1, Y4, Y5
	VPMULUDQ     Y2, Y4, Y6
	VPSLLVQ      Y5, Y3, Y5
	VPSLLVQ      Y6, Y3, Y6
	VEXTRACTI128 $1, Y5, X7
	VSHUFPS      $0x88, X7, X5, X5
	VMOVDQU      X5, (DI)
	VMOVDQU      Y6, (DX)
	ADDQ         $32, SI
	ADDQ         $16, DI
	ADDQ         $32, DX
	SUBQ         $4, CX
	JGE          next

last:
	ADDQ $4, CX
	JEQ  done

one:
	MOVL    (SI), AX
	MOVWLZX AX, R8
	SHRL    $16, AX
	IMUL3Q  $const_NarrowBits, AX, R9
	SHLXQ   R9, R8, R10
	MOVL    R10, (DI)
	IMUL3Q  $const_WideBits, AX, R9
	SHLXQ   R9, R8, R10
	MOVQ    R10, (DX)
	ADDQ    $8, SI
	ADDQ    $4, DI
	ADDQ    $8, DX
	DECQ    CX
	JNE     one

done:
	VZEROUPPER
	RET

// SIDES256 sets Y0 to the first code that goes left, and Y1 to how many do, both turned over: codes less the former are
// then so, too.
#define SIDES256(first, width) \
	MOVL first, AX       \
	ADDL $0x80000000, AX \
	SPREAD32(AX, X0, Y0) \
	MOVL width, AX       \
	ADDL $0x80000000, AX \
	SPREAD32(AX, X1, Y1)

// SIDE sends the rows of a vector to DI and DX. In AX is a bit for each lane that goes left. Rows are pushed together
// by what
// packs says, which also pushes those together that go right. A whole vector is written on either side: of this what
// does not
// belong there is overwritten by what follows, and there is room for it, since no side has more rows than have been
// read.
#define SIDE(packs, bytes, all) \
	POPCNTL   AX, R8             \
	VPMOVZXBD (R11)(AX*8), Y4    \
	XORL      $all, AX           \
	POPCNTL   AX, R9             \
	VPMOVZXBD (R11)(AX*8), Y5    \
	VPERMD    Y2, Y4, Y4         \
	VPERMD    Y2, Y5, Y5         \
	VMOVDQU   Y4, (DI)           \
	VMOVDQU   Y5, (DX)           \
	LEAQ      (DI)(R8*bytes), DI \
	LEAQ      (DX)(R9*bytes), DX

// SINGLE parts CX rows one by one.
#define SINGLE(MOVE, bytes) \
	ADDQ  $(32/bytes), CX     \
	JEQ   parted              \
	VMOVD X0, R8              \
	VMOVD X1, R9              \
	single:                   \
	MOVL  (R10), AX           \
	SUBL  R8, AX              \
	XORL  R11, R11            \
	CMPL  AX, R9              \
	SETLT R11                 \
	MOVE  (SI), AX            \
	MOVE  AX, (DI)            \
	MOVE  AX, (DX)            \
	LEAQ  (DI)(R11*bytes), DI \
	XORL  $1, R11             \
	LEAQ  (DX)(R11*bytes), DX \
	ADDQ  $bytes, SI          \
	ADDQ  $4, R10             \
	DECQ  CX                  \
	JNE   single              \
	parted:

// PART_ROWS256 and PART_IDS256 are PART of rows and of ids.
#define PART_ROWS256 \
	SUBQ      $4, CX            \
	JLT       few               \
	LEAQ      ·packs64(SB), R11 \
	next:                       \
	VMOVDQU   (SI), Y2          \
	VMOVDQU   (R10), X3         \
	VPSUBD    X0, X3, X3        \
	VPCMPGTD  X3, X1, X3        \
	VMOVMSKPS X3, AX            \
	SIDE(packs64, 8, 0xf)       \
	ADDQ      $32, SI           \
	ADDQ      $16, R10          \
	SUBQ      $4, CX            \
	JGE       next              \
	few:                        \
	SINGLE(MOVQ, 8)

#define PART_IDS256 \
	SUBQ      $8, CX            \
	JLT       few               \
	LEAQ      ·packs32(SB), R11 \
	next:                       \
	VMOVDQU   (SI), Y2          \
	VMOVDQU   (R10), Y3         \
	VPSUBD    Y0, Y3, Y3        \
	VPCMPGTD  Y3, Y1, Y3        \
	VMOVMSKPS Y3, AX            \
	SIDE(packs32, 4, 0xff)      \
	ADDQ      $32, SI           \
	ADDQ      $32, R10          \
	SUBQ      $8, CX            \
	JGE       next              \
	few:                        \
	SINGLE(MOVL, 4)

// PART_BY_BIN256 is PART_BY_BIN. (Behind the bins of a block there is room for a vector; what it tells of lanes without
// a row is cleared.)
#define PART_BY_BIN256(PARTED, behind, apart, codes, right) \
	block:                             \
	BLOCK                              \
	MOVQ      SI, R15                  \
	MOVQ      R13, R10                 \
	ADDQ      $behind, SI              \
	XORL      R14, R14                 \
	FETCH(MOVBLZX, 1, apart)           \
	MOVQ      R10, CX                  \
	SUBQ      R13, CX                  \
	SHRQ      $2, CX                   \
	MOVQ      CX, R14                  \
	MOVQ      R15, SI                  \
	MOVQ      R13, R10                 \
	binned:                            \
	VPCMPEQD  (R10), Y6, Y3            \
	VMOVMSKPS Y3, AX                   \
	MOVL      $8, R8                   \
	CMPQ      CX, R8                   \
	CMOVQLT   CX, R8                   \
	BZHIL     R8, AX, AX               \
	TESTL     AX, AX                   \
	JEQ       told                     \
	MOVQ      codes, R11               \
	within:                            \
	TZCNTL    AX, R8                   \
	MOVL      behind(SI)(R8*apart), R9 \
	MOVL      (R11)(R9*4), R9          \
	CMPL      R9, right                \
	SBBL      R9, R9                   \
	NOTL      R9                       \
	ORL       R9, (R10)(R8*4)          \
	BLSRL     AX, AX                   \
	JNE       within                   \
	told:                              \
	ADDQ      $32, R10                 \
	ADDQ      $(8*apart), SI           \
	SUBQ      $8, CX                   \
	JGT       binned                   \
	MOVQ      R14, CX                  \
	MOVQ      R15, SI                  \
	MOVQ      R13, R10                 \
	PARTED                             \
	TESTQ     R12, R12                 \
	JGT       block                    \
	VZEROUPPER

// func part256(rows, left, right []uint64, codes []uint32, first, width uint32) int
TEXT ·part256(SB), NOSPLIT, $0-112
	MOVQ rows_base+0(FP), SI
	MOVQ rows_len+8(FP), CX
	MOVQ right_base+48(FP), DX
	MOVQ codes_base+72(FP), R10
	SIDES256(first+96(FP), width+100(FP))
	MOVQ left_base+24(FP), DI
	PART_ROWS256
	VZEROUPPER
	SUBQ left_base+24(FP), DI
	SHRQ $3, DI
	MOVQ DI, ret+104(FP)
	RET

// func partNarrow256(rows, left, right []uint64, codes []uint16, first, width uint32, asked int) int
TEXT ·partNarrow256(SB), NOSPLIT, $256-120
	MOVQ rows_base+0(FP), SI
	MOVQ rows_len+8(FP), R12
	MOVQ right_base+48(FP), DX
	MOVQ codes_base+72(FP), BX
	SIDES256(first+96(FP), width+100(FP))
	MOVQ left_base+24(FP), DI
	MOVQ asked+104(FP), R14
	LEAQ codes-256(SP), R13
	PART_BY_ID(PART_ROWS256, MOVWLZX, 2, 4, 8)
	SUBQ left_base+24(FP), DI
	SHRQ $3, DI
	MOVQ DI, ret+112(FP)
	RET

// func partWide256(rows, left, right []uint64, codes []uint32, first, width uint32, asked int) int
TEXT ·partWide256(SB), NOSPLIT, $256-120
	MOVQ rows_base+0(FP), SI
	MOVQ rows_len+8(FP), R12
	MOVQ right_base+48(FP), DX
	MOVQ codes_base+72(FP), BX
	SIDES256(first+96(FP), width+100(FP))
	MOVQ left_base+24(FP), DI
	MOVQ asked+104(FP), R14
	LEAQ codes-256(SP), R13
	PART_BY_ID(PART_ROWS256, MOVL, 4, 4, 8)
	SUBQ left_base+24(FP), DI
	SHRQ $3, DI
	MOVQ DI, ret+112(FP)
	RET

// func partIDsNarrow256(rows, left, right []uint32, codes []uint16, first, width uint32, asked int) int
TEXT ·partIDsNarrow256(SB), NOSPLIT, $256-120
	MOVQ rows_base+0(FP), SI
	MOVQ rows_len+8(FP), R12
	MOVQ right_base+48(FP), DX
	MOVQ codes_base+72(FP), BX
	SIDES256(first+96(FP), width+100(FP))
	MOVQ left_base+24(FP), DI
	MOVQ asked+104(FP), R14
	LEAQ codes-256(SP), R13
	PART_BY_ID(PART_IDS256, MOVWLZX, 2, 0, 4)
	SUBQ left_base+24(FP), DI
	SHRQ $2, DI
	MOVQ DI, ret+112(FP)
	RET

// func partIDsWide256(rows, left, right, codes []uint32, first, width uint32, asked int) int
TEXT ·partIDsWide256(SB), NOSPLIT, $256-120
	MOVQ rows_base+0(FP), SI
	MOVQ rows_len+8(FP), R12
	MOVQ right_base+48(FP), DX
	MOVQ codes_base+72(FP), BX
	SIDES256(first+96(FP), width+100(FP))
	MOVQ left_base+24(FP), DI
	MOVQ asked+104(FP), R14
	LEAQ codes-256(SP), R13
	PART_BY_ID(PART_IDS256, MOVL, 4, 0, 4)
	SUBQ left_base+24(FP), DI
	SHRQ $2, DI
	MOVQ DI, ret+112(FP)
	RET

// func partByBin256(rows, left, right []uint64, bins []uint8, codes []uint32, bin, above uint32) int
TEXT ·partByBin256(SB), NOSPLIT, $256-136
	MOVQ rows_base+0(FP), SI
	MOVQ rows_len+8(FP), R12
	MOVQ right_base+48(FP), DX
	MOVQ bins_base+72(FP), BX
	MOVL bin+120(FP), AX
	SPREAD32(AX, X6, Y6)
	INCL AX
	MOVL AX, R8
	SIDES256($0, R8)
	MOVQ left_base+24(FP), DI
	LEAQ fetched-256(SP), R13
	PART_BY_BIN256(PART_ROWS256, 4, 8, codes_base+96(FP), above+124(FP))
	SUBQ left_base+24(FP), DI
	SHRQ $3, DI
	MOVQ DI, ret+128(FP)
	RET

// func partIDsByBin256(rows, left, right []uint32, bins []uint8, codes []uint32, bin, above uint32) int
TEXT ·partIDsByBin256(SB), NOSPLIT, $256-136
	MOVQ rows_base+0(FP), SI
	MOVQ rows_len+8(FP), R12
	MOVQ right_base+48(FP), DX
	MOVQ bins_base+72(FP), BX
	MOVL bin+120(FP), AX
	SPREAD32(AX, X6, Y6)
	INCL AX
	MOVL AX, R8
	SIDES256($0, R8)
	MOVQ left_base+24(FP), DI
	LEAQ fetched-256(SP), R13
	PART_BY_BIN256(PART_IDS256, 0, 4, codes_base+96(FP), above+124(FP))
	SUBQ left_base+24(FP), DI
	SHRQ $2, DI
	MOVQ DI, ret+128(FP)
	RET
