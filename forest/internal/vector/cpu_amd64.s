//go:build !purego

#include "textflag.h"

// func isV4() bool
TEXT ·isV4(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	XORL AX, AX
	CPUID
	CMPL AX, $7
	JLT  no
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $0x08800000, CX // OSXSAVE: XGETBV may be asked; POPCNT
	CMPL CX, $0x08800000
	JNE  no
	XORL CX, CX
	XGETBV
	ANDL $0xe6, AX       // the system saves XMM, YMM, masks, and both parts of ZMM
	CMPL AX, $0xe6
	JNE  no
	MOVL $7, AX
	XORL CX, CX
	CPUID
	ANDL $0xd0030100, BX // AVX-512 F, DQ, CD, BW, VL; BMI2
	CMPL BX, $0xd0030100
	JNE  no
	MOVB $1, ret+0(FP)

no:
	RET
