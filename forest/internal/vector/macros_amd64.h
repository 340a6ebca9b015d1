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

// ASK asks for the code of a row so many bytes behind SI.
#define ASK(size, behind, id) \
	MOVL       behind(SI), id \
	PREFETCHT0 (BX)(id*size)

// FOUR writes the codes of four rows.
#define FOUR(LOAD, size, apart) \
	MOVL (SI), AX            \
	MOVL apart(SI), R8       \
	MOVL (2*apart)(SI), R9   \
	MOVL (3*apart)(SI), R11  \
	LOAD (BX)(AX*size), AX   \
	LOAD (BX)(R8*size), R8   \
	LOAD (BX)(R9*size), R9   \
	LOAD (BX)(R11*size), R11 \
	MOVL AX, (R10)           \
	MOVL R8, 4(R10)          \
	MOVL R9, 8(R10)          \
	MOVL R11, 12(R10)        \
	ADDQ $(4*apart), SI      \
	ADDQ $16, R10

// FETCH writes the codes of CX rows to R10 and on, four at a time. Their ids stand so many bytes apart, the first where SI points;
// BX has the codes by id. As long as R14 is not used up, it asks for those of rows that come later. (Gathers, which load many at
// once, are no quicker, and read 32 bits where a code has 16, beyond the end of the codes.)
#define FETCH(LOAD, size, apart) \
	SUBQ $4, CX                             \
	JLT  rest                               \
	asking:                                 \
	SUBQ $4, R14                            \
	JLT  four                               \
	ASK(size, ((const_ahead+0)*apart), AX)  \
	ASK(size, ((const_ahead+1)*apart), R8)  \
	ASK(size, ((const_ahead+2)*apart), R9)  \
	ASK(size, ((const_ahead+3)*apart), R11) \
	FOUR(LOAD, size, apart)                 \
	SUBQ $4, CX                             \
	JGE  asking                             \
	JMP  rest                               \
	four:                                   \
	FOUR(LOAD, size, apart)                 \
	SUBQ $4, CX                             \
	JGE  four                               \
	rest:                                   \
	ADDQ $4, CX                             \
	JEQ  fetched                            \
	one:                                    \
	MOVL (SI), AX                           \
	LOAD (BX)(AX*size), AX                  \
	MOVL AX, (R10)                          \
	ADDQ $apart, SI                         \
	ADDQ $4, R10                            \
	DECQ CX                                 \
	JNE  one                                \
	fetched:

// PART_BY_ID parts R12 rows, from SI on, of which BX has the codes by id: it fetches 64 of these to R13, and parts their rows.
#define PART_BY_ID(PARTED, LOAD, size, behind, apart) \
	block:                   \
	BLOCK                    \
	MOVQ  SI, R15            \
	MOVQ  R13, R10           \
	ADDQ  $behind, SI        \
	FETCH(LOAD, size, apart) \
	MOVQ  R10, CX            \
	SUBQ  R13, CX            \
	SHRQ  $2, CX             \
	MOVQ  R15, SI            \
	MOVQ  R13, R10           \
	PARTED                   \
	TESTQ R12, R12           \
	JGT   block              \
	VZEROUPPER

// ADD adds the weight of a row, so many after that of DX, to a bin.
#define ADD(row, bin) \
	MOVQ (8*row)(DX), R8 \
	ADDQ R8, (DI)(bin*8)

// ADD_TO_BINS adds the weights of CX rows, from DX on, to their bins, which R10 points to.
#define ADD_TO_BINS \
	SUBQ $4, CX       \
	JLT  rest         \
	four:             \
	MOVL (R10), AX    \
	MOVL 4(R10), BX   \
	MOVL 8(R10), R9   \
	MOVL 12(R10), R11 \
	ADD(0, AX)        \
	ADD(1, BX)        \
	ADD(2, R9)        \
	ADD(3, R11)       \
	ADDQ $16, R10     \
	ADDQ $32, DX      \
	SUBQ $4, CX       \
	JGE  four         \
	rest:             \
	ADDQ $4, CX       \
	JEQ  added        \
	one:              \
	MOVL (R10), AX    \
	ADD(0, AX)        \
	ADDQ $4, R10      \
	ADDQ $8, DX       \
	DECQ CX           \
	JNE  one          \
	added:

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
