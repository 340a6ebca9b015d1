//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "macros_amd64.h"

// func span512(codes []uint32) (least, most uint32)
TEXT ·span512(SB), NOSPLIT, $0-32
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

// func weigh512(narrow []uint32, wide []uint64, rows []uint64)
TEXT ·weigh512(SB), NOSPLIT, $0-72
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

// func neighbours512(codes []uint32, code uint32) (lower, upper uint32)
TEXT ·neighbours512(SB), NOSPLIT, $0-40
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

// PART writes of CX rows, from SI on, those that go left by their codes, from R10 on, to DI and on, and the others to DX and on;
// either may be where they stand. Both sides of each vector are pushed together and written where the rows of their side end. Y0 or
// Z0 is the first code that goes left, the next one how many do.
#define PART(MOVE, COMPRESS, KANDN, KMOVE, lanes, bytes, first, width, codes) \
	JMP         more                        \
	next:                                   \
	LANES(CX, lanes)                        \
	MOVE.Z      (SI), K1, Z2                \
	VMOVDQU32.Z (R10), K1, codes            \
	VPSUBD      first, codes, codes         \
	VPCMPUD     $LESS, width, codes, K1, K2 \
	KANDN       K1, K2, K3                  \
	COMPRESS    Z2, K2, Z4                  \
	COMPRESS    Z2, K3, Z5                  \
	KMOVE       K2, R8                      \
	KMOVE       K3, R9                      \
	POPCNTL     R8, R8                      \
	POPCNTL     R9, R9                      \
	BZHIL       R8, R11, AX                 \
	KMOVE       AX, K2                      \
	BZHIL       R9, R11, AX                 \
	KMOVE       AX, K3                      \
	MOVE        Z4, K2, (DI)                \
	MOVE        Z5, K3, (DX)                \
	LEAQ        (DI)(R8*bytes), DI          \
	LEAQ        (DX)(R9*bytes), DX          \
	ADDQ        $(lanes*bytes), SI          \
	ADDQ        $(lanes*4), R10             \
	SUBQ        $lanes, CX                  \
	more:                                   \
	TESTQ       CX, CX                      \
	JGT         next

#define PART_ROWS PART(VMOVDQU64, VPCOMPRESSQ, KANDNB, KMOVB, 8, 8, Y0, Y1, Y3)
#define PART_IDS PART(VMOVDQU32, VPCOMPRESSD, KANDNW, KMOVW, 16, 4, Z0, Z1, Z3)

// PART_BY_BIN parts R12 rows, from SI on, of which BX has the bins by id: it fetches 64 of these to R13, and sets to all bits those
// that are the bin in Z6 of rows whose codes are not below the one above; then bins up to that one go left.
#define PART_BY_BIN(PARTED, behind, apart, codes, right) \
	block:                           \
	BLOCK                            \
	MOVQ    SI, R15                  \
	MOVQ    R13, R10                 \
	ADDQ    $behind, SI              \
	XORL    R14, R14                 \
	FETCH(MOVBLZX, 1, apart)         \
	MOVQ    R10, CX                  \
	SUBQ    R13, CX                  \
	SHRQ    $2, CX                   \
	MOVQ    CX, R14                  \
	MOVQ    R15, SI                  \
	MOVQ    R13, R10                 \
	binned:                          \
	LANES(CX, 16)                    \
	VPCMPUD $EQ, (R10), Z6, K1, K2   \
	KMOVW   K2, AX                   \
	TESTL   AX, AX                   \
	JEQ     told                     \
	MOVQ    codes, R11               \
	within:                          \
	TZCNTL  AX, R8                   \
	MOVL    behind(SI)(R8*apart), R9 \
	MOVL    (R11)(R9*4), R9          \
	CMPL    R9, right                \
	SBBL    R9, R9                   \
	NOTL    R9                       \
	ORL     R9, (R10)(R8*4)          \
	BLSRL   AX, AX                   \
	JNE     within                   \
	told:                            \
	ADDQ    $64, R10                 \
	ADDQ    $(16*apart), SI          \
	SUBQ    $16, CX                  \
	JGT     binned                   \
	MOVQ    R14, CX                  \
	MOVQ    R15, SI                  \
	MOVQ    R13, R10                 \
	PARTED                           \
	TESTQ   R12, R12                 \
	JGT     block                    \
	VZEROUPPER

// func part512(rows, left, right []uint64, codes []uint32, first, width uint32) int
TEXT ·part512(SB), NOSPLIT, $0-112
	MOVQ         rows_base+0(FP), SI
	MOVQ         rows_len+8(FP), CX
	MOVQ         right_base+48(FP), DX
	MOVQ         codes_base+72(FP), R10
	MOVL         first+96(FP), AX
	VPBROADCASTD AX, Z0
	MOVL         width+100(FP), AX
	VPBROADCASTD AX, Z1
	MOVQ         left_base+24(FP), DI
	PART_ROWS
	VZEROUPPER
	SUBQ         left_base+24(FP), DI
	SHRQ         $3, DI
	MOVQ         DI, ret+104(FP)
	RET

// func partNarrow512(rows, left, right []uint64, codes []uint16, first, width uint32, asked int) int
TEXT ·partNarrow512(SB), NOSPLIT, $256-120
	MOVQ         rows_base+0(FP), SI
	MOVQ         rows_len+8(FP), R12
	MOVQ         right_base+48(FP), DX
	MOVQ         codes_base+72(FP), BX
	MOVL         first+96(FP), AX
	VPBROADCASTD AX, Z0
	MOVL         width+100(FP), AX
	VPBROADCASTD AX, Z1
	MOVQ         left_base+24(FP), DI
	MOVQ         asked+104(FP), R14
	LEAQ         codes-256(SP), R13
	PART_BY_ID(PART_ROWS, MOVWLZX, 2, 4, 8)
	SUBQ         left_base+24(FP), DI
	SHRQ         $3, DI
	MOVQ         DI, ret+112(FP)
	RET

// func partWide512(rows, left, right []uint64, codes []uint32, first, width uint32, asked int) int
TEXT ·partWide512(SB), NOSPLIT, $256-120
	MOVQ         rows_base+0(FP), SI
	MOVQ         rows_len+8(FP), R12
	MOVQ         right_base+48(FP), DX
	MOVQ         codes_base+72(FP), BX
	MOVL         first+96(FP), AX
	VPBROADCASTD AX, Z0
	MOVL         width+100(FP), AX
	VPBROADCASTD AX, Z1
	MOVQ         left_base+24(FP), DI
	MOVQ         asked+104(FP), R14
	LEAQ         codes-256(SP), R13
	PART_BY_ID(PART_ROWS, MOVL, 4, 4, 8)
	SUBQ         left_base+24(FP), DI
	SHRQ         $3, DI
	MOVQ         DI, ret+112(FP)
	RET

// func partIDsNarrow512(rows, left, right []uint32, codes []uint16, first, width uint32, asked int) int
TEXT ·partIDsNarrow512(SB), NOSPLIT, $256-120
	MOVQ         rows_base+0(FP), SI
	MOVQ         rows_len+8(FP), R12
	MOVQ         right_base+48(FP), DX
	MOVQ         codes_base+72(FP), BX
	MOVL         first+96(FP), AX
	VPBROADCASTD AX, Z0
	MOVL         width+100(FP), AX
	VPBROADCASTD AX, Z1
	MOVQ         left_base+24(FP), DI
	MOVQ         asked+104(FP), R14
	LEAQ         codes-256(SP), R13
	PART_BY_ID(PART_IDS, MOVWLZX, 2, 0, 4)
	SUBQ         left_base+24(FP), DI
	SHRQ         $2, DI
	MOVQ         DI, ret+112(FP)
	RET

// func partIDsWide512(rows, left, right, codes []uint32, first, width uint32, asked int) int
TEXT ·partIDsWide512(SB), NOSPLIT, $256-120
	MOVQ         rows_base+0(FP), SI
	MOVQ         rows_len+8(FP), R12
	MOVQ         right_base+48(FP), DX
	MOVQ         codes_base+72(FP), BX
	MOVL         first+96(FP), AX
	VPBROADCASTD AX, Z0
	MOVL         width+100(FP), AX
	VPBROADCASTD AX, Z1
	MOVQ         left_base+24(FP), DI
	MOVQ         asked+104(FP), R14
	LEAQ         codes-256(SP), R13
	PART_BY_ID(PART_IDS, MOVL, 4, 0, 4)
	SUBQ         left_base+24(FP), DI
	SHRQ         $2, DI
	MOVQ         DI, ret+112(FP)
	RET

// func partByBin512(rows, left, right []uint64, bins []uint8, codes []uint32, bin, above uint32) int
TEXT ·partByBin512(SB), NOSPLIT, $256-136
	MOVQ         rows_base+0(FP), SI
	MOVQ         rows_len+8(FP), R12
	MOVQ         right_base+48(FP), DX
	MOVQ         bins_base+72(FP), BX
	VPXORD       Z0, Z0, Z0
	MOVL         bin+120(FP), AX
	VPBROADCASTD AX, Z6
	INCL         AX
	VPBROADCASTD AX, Z1
	MOVQ         left_base+24(FP), DI
	LEAQ         fetched-256(SP), R13
	PART_BY_BIN(PART_ROWS, 4, 8, codes_base+96(FP), above+124(FP))
	SUBQ         left_base+24(FP), DI
	SHRQ         $3, DI
	MOVQ         DI, ret+128(FP)
	RET

// func partIDsByBin512(rows, left, right []uint32, bins []uint8, codes []uint32, bin, above uint32) int
TEXT ·partIDsByBin512(SB), NOSPLIT, $256-136
	MOVQ         rows_base+0(FP), SI
	MOVQ         rows_len+8(FP), R12
	MOVQ         right_base+48(FP), DX
	MOVQ         bins_base+72(FP), BX
	VPXORD       Z0, Z0, Z0
	MOVL         bin+120(FP), AX
	VPBROADCASTD AX, Z6
	INCL         AX
	VPBROADCASTD AX, Z1
	MOVQ         left_base+24(FP), DI
	LEAQ         fetched-256(SP), R13
	PART_BY_BIN(PART_IDS, 0, 4, codes_base+96(FP), above+124(FP))
	SUBQ         left_base+24(FP), DI
	SHRQ         $2, DI
	MOVQ         DI, ret+128(FP)
	RET
