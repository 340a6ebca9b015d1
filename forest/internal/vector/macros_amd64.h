// What the loops in assembly share.
//
// The assembler of Go wants the result last, and the operands before it from right to left: VSUBPD b, a, r is r = a - b,
// VCMPPD $GE, b, a, k is k = a >= b. A mask register before the result limits what is done to its lanes; others keep what
// they have, with .Z they become 0.
//
// Each loop goes through its rows by vectors of 8 or 16 lanes. The lanes that are there have their bits in K1: all of
// them but in the last vector, so nothing is read beyond the end.

// What VPCMPU[DQ] and VCMPPD compare by.
#define LESS 1
#define ATMOST 2
#define ABOVE 6
#define EQ 0
#define GE 0x1d
#define GT 0x1e

// LANES sets K1 to the first lanes, n of most at most. AX is lost; R11 has all bits.
#define LANES(n, most) \
	MOVL    $most, AX   \
	CMPQ    n, AX       \
	CMOVQLT n, AX       \
	MOVL    $-1, R11    \
	BZHIL   AX, R11, AX \
	KMOVW   AX, K1

// BLOCK takes the next rows, 64 at most, of R12: their number is then in CX.
#define BLOCK \
	MOVQ    $64, CX \
	CMPQ    R12, CX \
	CMOVQLT R12, CX \
	SUBQ    CX, R12

// FILL sets all lanes of z to a number of 64 bits.
#define FILL(number, z) \
	MOVQ         $number, AX \
	VPBROADCASTQ AX, z

// RANGE leaves in X1 the largest of the 16 numbers in Z1, and in X2 the least of those in Z2: the best of halves, quarters,
// eighths, and of two lanes. Z3 and Z4 are lost.
#define RANGE \
	VEXTRACTI64X4 $1, Z1, Y3    \
	VEXTRACTI64X4 $1, Z2, Y4    \
	VPMAXUD       Y3, Y1, Y1    \
	VPMINUD       Y4, Y2, Y2    \
	VEXTRACTI128  $1, Y1, X3    \
	VEXTRACTI128  $1, Y2, X4    \
	VPMAXUD       X3, X1, X1    \
	VPMINUD       X4, X2, X2    \
	VPSHUFD       $0x4e, X1, X3 \
	VPSHUFD       $0x4e, X2, X4 \
	VPMAXUD       X3, X1, X1    \
	VPMINUD       X4, X2, X2    \
	VPSHUFD       $0xb1, X1, X3 \
	VPSHUFD       $0xb1, X2, X4 \
	VPMAXUD       X3, X1, X1    \
	VPMINUD       X4, X2, X2
