// What the loops for AVX2 share. They have neither masks of lanes nor numbers without a sign to compare: a mask is a
// vector, all
// of whose bits are set in the lanes that are meant, and numbers are compared after their highest bit has been turned
// over.

// SPREAD32 sets all lanes of y, the lower half of which is x, to the number of 32 bits in a register, SPREAD64 to one
// of 64.
#define SPREAD32(register, x, y) \
	VMOVD        register, x \
	VPBROADCASTD x, y

#define SPREAD64(number, x, y) \
	MOVQ         $number, AX \
	VMOVQ        AX, x       \
	VPBROADCASTQ x, y

// FIRST8 sets the first lanes of y, as many as n, and FIRST4 of x. (More than there are is all.)
#define FIRST8(n, x, y) \
	VMOVD        n, x \
	VPBROADCASTD x, y \
	VPCMPGTD     lanes256<>(SB), y, y

#define FIRST4(n, x) \
	VMOVD        n, x \
	VPBROADCASTD x, x \
	VPCMPGTD     lanes256<>(SB), x, x

#define LANES256 \
	DATA  lanes256<>+0x00(SB)/4, $0 \
	DATA  lanes256<>+0x04(SB)/4, $1 \
	DATA  lanes256<>+0x08(SB)/4, $2 \
	DATA  lanes256<>+0x0c(SB)/4, $3 \
	DATA  lanes256<>+0x10(SB)/4, $4 \
	DATA  lanes256<>+0x14(SB)/4, $5 \
	DATA  lanes256<>+0x18(SB)/4, $6 \
	DATA  lanes256<>+0x1c(SB)/4, $7 \
	GLOBL lanes256<>(SB), RODATA|NOPTR, $32
