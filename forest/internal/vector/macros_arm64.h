// What the loops for NEON share.
//
// The assembler of Go wants the result last, and the operands before it from right to left: VSUB V1, V2, V3 is V3 = V2 - V1.
// It does not know the instructions below. They are named by the kind of their lanes, and take the numbers of registers in
// its order.

// ATLEAST: all bits of the lanes where n >= m, without a sign.
#define ATLEAST_S4(m, n, d) WORD $(0x6ea03c00 | (m)<<16 | (n)<<5 | (d)) // CMHS

// SHIFT: n shifted left by m, right where that is below 0.
#define SHIFT_S4(m, n, d) WORD $(0x6ea04400 | (m)<<16 | (n)<<5 | (d)) // USHL

// The largest and the least lane.
#define LARGEST_S4(n, d) WORD $(0x6eb0a800 | (n)<<5 | (d)) // UMAXV
#define LEAST_S4(n, d) WORD $(0x6eb1a800 | (n)<<5 | (d)) // UMINV

// Numbers of 64 bits: of whole numbers, n + m, n - m, n·m, n/m, and all bits where n >= m.
#define NUMBER_D2(n, d) WORD $(0x6e61d800 | (n)<<5 | (d)) // UCVTF
#define ADD_D2(m, n, d) WORD $(0x4e60d400 | (m)<<16 | (n)<<5 | (d)) // FADD
#define SUB_D2(m, n, d) WORD $(0x4ee0d400 | (m)<<16 | (n)<<5 | (d)) // FSUB
#define MUL_D2(m, n, d) WORD $(0x6e60dc00 | (m)<<16 | (n)<<5 | (d)) // FMUL
#define DIV_D2(m, n, d) WORD $(0x6e60fc00 | (m)<<16 | (n)<<5 | (d)) // FDIV
#define GE_D2(m, n, d) WORD $(0x6e60e400 | (m)<<16 | (n)<<5 | (d)) // FCMGE
