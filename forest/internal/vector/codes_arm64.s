//go:build !purego

#include "go_asm.h"
#include "textflag.h"
#include "macros_arm64.h"

// SPREAD_TWO writes two narrow weights in V26 as wide ones. V30 and V31 have the bits of the first and of the second class.
#define SPREAD_TWO \
	VAND   V31.B16, V26.B16, V27.B16                           \
	VSHL   $(const_WideBits-const_NarrowBits), V27.D2, V27.D2  \
	VAND   V30.B16, V26.B16, V28.B16                           \
	VORR   V28.B16, V27.B16, V27.B16                           \
	VUSHR  $(2*const_NarrowBits), V26.D2, V26.D2               \
	VSHL   $(2*const_WideBits), V26.D2, V26.D2                 \
	VORR   V26.B16, V27.B16, V27.B16                           \
	VST1.P [V27.D2], 16(R0)

// SPREAD writes the four of a vector.
#define SPREAD(lower, all) \
	VUXTL  lower, V26.D2 \
	SPREAD_TWO           \
	VUXTL2 all, V26.D2   \
	SPREAD_TWO

// ADD_IN adds the weight in V25 in the lanes of sums whose code is not below that in V24; V26 to V29 take turns.
#define ADD_IN(at, sums, turn, bits) \
	ATLEAST_S4(24, at, turn)          \
	VAND V25.B16, bits.B16, bits.B16  \
	VADD bits.S4, sums.S4, sums.S4

// func compareNEON(left []uint64, codes, weights []uint32)
//
// Eight vectors of codes at a time, at last four or eight: every code is compared with them, and its weight added where it is
// not larger. The last codes are copied, so that there are whole vectors of them.
TEXT ·compareNEON(SB), NOSPLIT, $128-72
	MOVD left_base+0(FP), R0
	MOVD codes_base+24(FP), R1
	MOVD codes_len+32(FP), R2
	MOVD weights_base+48(FP), R3
	MOVD $const_narrowMask, R9
	VDUP R9, V30.D2
	MOVD $(const_narrowMask<<const_NarrowBits), R9
	VDUP R9, V31.D2
	MOVD R1, R4                  // the vectors at hand,
	MOVD R2, R5                  // and how many codes are left
	CBZ  R2, done

next:
	MOVD R4, R6
	CMP  $32, R5
	BGE  eight
	MOVD $last-128(SP), R6
	MOVD R6, R7
	MOVD R5, R8

copy:
	MOVWU.P 4(R4), R9
	MOVW.P  R9, 4(R7)
	SUBS    $1, R8, R8
	BNE     copy
	CMP     $16, R5
	BLE     four

eight:
	VLD1.P (64)(R6), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1   (R6), [V4.S4, V5.S4, V6.S4, V7.S4]
	VEOR   V16.B16, V16.B16, V16.B16             // sums
	VEOR   V17.B16, V17.B16, V17.B16
	VEOR   V18.B16, V18.B16, V18.B16
	VEOR   V19.B16, V19.B16, V19.B16
	VEOR   V20.B16, V20.B16, V20.B16
	VEOR   V21.B16, V21.B16, V21.B16
	VEOR   V22.B16, V22.B16, V22.B16
	VEOR   V23.B16, V23.B16, V23.B16
	MOVD   R1, R7
	MOVD   R3, R8
	MOVD   R2, R9

each:
	VLD1R.P 4(R7), [V24.S4]
	VLD1R.P 4(R8), [V25.S4]
	ADD_IN(0, V16, 26, V26)
	ADD_IN(1, V17, 27, V27)
	ADD_IN(2, V18, 28, V28)
	ADD_IN(3, V19, 29, V29)
	ADD_IN(4, V20, 26, V26)
	ADD_IN(5, V21, 27, V27)
	ADD_IN(6, V22, 28, V28)
	ADD_IN(7, V23, 29, V29)
	SUBS    $1, R9, R9
	BNE     each
	SPREAD(V16.S2, V16.S4)
	SPREAD(V17.S2, V17.S4)
	SPREAD(V18.S2, V18.S4)
	SPREAD(V19.S2, V19.S4)
	SPREAD(V20.S2, V20.S4)
	SPREAD(V21.S2, V21.S4)
	SPREAD(V22.S2, V22.S4)
	SPREAD(V23.S2, V23.S4)
	ADD     $128, R4, R4
	SUBS    $32, R5, R5
	BGT     next
	RET

four:
	VLD1 (R6), [V0.S4, V1.S4, V2.S4, V3.S4]
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16

eachLast:
	VLD1R.P 4(R1), [V24.S4]
	VLD1R.P 4(R3), [V25.S4]
	ADD_IN(0, V16, 26, V26)
	ADD_IN(1, V17, 27, V27)
	ADD_IN(2, V18, 28, V28)
	ADD_IN(3, V19, 29, V29)
	SUBS    $1, R2, R2
	BNE     eachLast
	SPREAD(V16.S2, V16.S4)
	SPREAD(V17.S2, V17.S4)
	SPREAD(V18.S2, V18.S4)
	SPREAD(V19.S2, V19.S4)

done:
	RET

// The bits 0 to 7.
DATA bits<>+0(SB)/8, $0x8040201008040201
GLOBL bits<>(SB), RODATA|NOPTR, $8

// BINS leaves in two vectors of 16 bits the bins of two of 32: V23 has the least code, V24 by how much to shift.
#define BINS(x, xs, y, ys, to) \
	VSUB  V23.S4, x.S4, V26.S4      \
	VSUB  V23.S4, y.S4, V27.S4      \
	SHIFT_S4(24, 26, 26)            \
	SHIFT_S4(24, 27, 27)            \
	VUZP1 V27.H8, V26.H8, to.H8

// PICKED writes the rows whose byte in R12 is set, so many rows on.
#define PICKED(rows, each, none) \
	CBZ  R12, none               \
	each:                        \
	RBIT R12, R13                \
	CLZ  R13, R13                \
	LSL  R13, R14, R15           \
	BIC  R15, R12, R12           \
	LSR  $3, R13, R13            \
	ADD  $rows, R13, R13         \
	MOVWU (R3)(R13<<2), R15      \
	MOVW  R15, (R0)(R10<<2)      \
	MOVWU (R5)(R13<<2), R15      \
	MOVW  R15, (R2)(R10<<2)      \
	ADD  $1, R10, R10            \
	CBNZ R12, each               \
	none:

// func pickNEON(toCodes, toWeights, codes, weights []uint32, marks *Marks, least uint32, shift int) int
//
// Of 16 rows at a time the byte of the mark is looked up, in two tables of 64 bytes, and its bit; mostly none is set.
TEXT ·pickNEON(SB), NOSPLIT, $0-128
	MOVD  toCodes_base+0(FP), R0
	MOVD  toCodes_len+8(FP), R1
	MOVD  toWeights_base+24(FP), R2
	MOVD  codes_base+48(FP), R3
	MOVD  codes_len+56(FP), R4
	MOVD  weights_base+72(FP), R5
	MOVD  marks+96(FP), R6
	MOVWU least+104(FP), R7
	MOVD  shift+112(FP), R8
	MOVD  R6, R9
	VLD1.P 64(R9), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1  (R9), [V4.B16, V5.B16, V6.B16, V7.B16]
	VDUP  R7, V23.S4
	NEG   R8, R9
	VDUP  R9, V24.S4
	MOVD  $64, R9
	VDUP  R9, V25.B16
	MOVD  $7, R9
	VDUP  R9, V28.B16
	MOVD  $bits<>(SB), R9
	VLD1R (R9), [V29.D2]
	MOVD  $0xff, R14
	SUB   $16, R1, R1         // the last place where a vector can be written
	MOVD  ZR, R10
	CMP   $16, R4
	BLT   few

next:
	CMP    R1, R10
	BGT    done
	VLD1   (R3), [V16.S4, V17.S4, V18.S4, V19.S4]
	BINS(V16, 16, V17, 17, V20)
	BINS(V18, 18, V19, 19, V21)
	VUZP1  V21.B16, V20.B16, V22.B16
	VAND   V28.B16, V22.B16, V22.B16               // the bit,
	VUSHR  $3, V20.H8, V20.H8
	VUSHR  $3, V21.H8, V21.H8
	VUZP1  V21.B16, V20.B16, V20.B16               // the byte,
	VSUB   V25.B16, V20.B16, V21.B16
	VTBL   V20.B16, [V0.B16, V1.B16, V2.B16, V3.B16], V20.B16
	VTBL   V21.B16, [V4.B16, V5.B16, V6.B16, V7.B16], V21.B16
	VORR   V21.B16, V20.B16, V20.B16
	VTBL   V22.B16, [V29.B16], V22.B16
	VCMTST V22.B16, V20.B16, V20.B16               // and whether it is set
	VMOV   V20.D[0], R12
	PICKED(0, each, none)
	VMOV   V20.D[1], R12
	PICKED(8, eachHigh, noneHigh)
	ADD    $64, R3, R3
	ADD    $64, R5, R5
	SUB    $16, R4, R4
	CMP    $16, R4
	BGE    next

few:
	CBZ R4, done
	CMP R1, R10
	BGT done

one:
	MOVWU.P 4(R3), R11
	MOVWU.P 4(R5), R12
	SUBW    R7, R11, R13
	LSRW    R8, R13, R13
	LSR     $5, R13, R15
	MOVWU   (R6)(R15<<2), R15
	LSRW    R13, R15, R15              // by the lowest five bits
	AND     $1, R15, R15
	MOVW    R11, (R0)(R10<<2)
	MOVW    R12, (R2)(R10<<2)
	ADD     R15, R10, R10
	SUBS    $1, R4, R4
	BNE     one

done:
	MOVD R10, ret+120(FP)
	RET

// func neighboursNEON(codes []uint32, code uint32) (lower, upper uint32)
TEXT ·neighboursNEON(SB), NOSPLIT, $0-40
	MOVD  codes_base+0(FP), R0
	MOVD  codes_len+8(FP), R1
	MOVWU code+24(FP), R2
	VDUP  R2, V0.S4
	VEOR  V1.B16, V1.B16, V1.B16 // the largest up to the code
	MOVD  $-1, R3
	VDUP  R3, V2.D2              // the least above it
	SUBS  $4, R1, R1
	BLT   last

next:
	VLD1.P 16(R0), [V3.S4]
	ATLEAST_S4(3, 0, 4)
	VAND   V4.B16, V3.B16, V5.B16
	VORR   V4.B16, V3.B16, V4.B16
	VUMAX  V5.S4, V1.S4, V1.S4
	VUMIN  V4.S4, V2.S4, V2.S4
	SUBS   $4, R1, R1
	BGE    next

last:
	LARGEST_S4(1, 1)
	LEAST_S4(2, 2)
	VMOV V1.S[0], R4
	VMOV V2.S[0], R5
	ADDS $4, R1, R1
	BEQ  done

one:
	MOVWU.P 4(R0), R6
	CMPW    R2, R6
	BHI     above
	CMPW    R4, R6
	CSEL    HI, R6, R4, R4
	JMP     on

above:
	CMPW R5, R6
	CSEL LO, R6, R5, R5

on:
	SUBS $1, R1, R1
	BNE  one

done:
	MOVW R4, lower+32(FP)
	MOVW R5, upper+36(FP)
	RET

// func countTreesNEON(bins *TreeCounts, binOf []uint8, weights [][Trees]uint16)
TEXT ·countTreesNEON(SB), NOSPLIT, $0-56
	MOVD bins+0(FP), R0
	MOVD binOf_base+8(FP), R1
	MOVD binOf_len+16(FP), R2
	MOVD weights_base+32(FP), R3
	CBZ  R2, done

next:
	MOVBU.P 1(R1), R4
	ADD     R4<<5, R0, R4
	VLD1    (R4), [V0.H8, V1.H8]
	VLD1.P  32(R3), [V2.H8, V3.H8]
	VADD    V2.H8, V0.H8, V0.H8
	VADD    V3.H8, V1.H8, V1.H8
	VST1    [V0.H8, V1.H8], (R4)
	SUBS    $1, R2, R2
	BNE     next

done:
	RET
