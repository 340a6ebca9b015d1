//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// func cpuSet() Set
TEXT ·cpuSet(SB), NOSPLIT, $0-1
	MOVB $const_Plain, ret+0(FP)
	XORL AX, AX
	CPUID
	CMPL AX, $7
	JLT  done
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $0x18801000, CX         // AVX; OSXSAVE: XGETBV may be asked; POPCNT; FMA
	CMPL CX, $0x18801000
	JNE  done
	XORL CX, CX
	XGETBV
	MOVL AX, R8
	MOVL $7, AX
	XORL CX, CX
	CPUID

	MOVL R8, AX
	ANDL $0x06, AX              // the system saves XMM and YMM
	CMPL AX, $0x06
	JNE  done
	MOVL BX, AX
	ANDL $0x128, AX             // BMI1, AVX2, BMI2
	CMPL AX, $0x128
	JNE  done
	MOVB $const_AVX2, ret+0(FP)

	ANDL $0xe6, R8                // and also masks, and both parts of ZMM
	CMPL R8, $0xe6
	JNE  done
	ANDL $0xd0030000, BX          // AVX-512 F, DQ, CD, BW, VL
	CMPL BX, $0xd0030000
	JNE  done
	MOVB $const_AVX512, ret+0(FP)

done:
	RET
