/* SPDX-License-Identifier: MIT */
/* ops: operations, their words and operands, as the parser leaves them and the interpreter takes
 * them. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_OPS_H
#define MEMSWEEP_WORKLOAD_SIMT_OPS_H

#include "memsweep/workload/simt/program.h"

typedef enum simt_op {
    OP_ABS,
    OP_ACTIVEMASK,
    OP_ADD,
    OP_ADDC,
    OP_AND,
    OP_ATOM,
    OP_BAR,
    OP_BARRIER,
    OP_BFE,
    OP_BFI,
    OP_BFIND,
    OP_BRA,
    OP_BREV,
    OP_CLZ,
    OP_CNOT,
    OP_COPYSIGN,
    OP_COS,
    OP_CVT,
    OP_CVTA,
    OP_DIV,
    OP_DP2A,
    OP_DP4A,
    OP_EX2,
    OP_EXIT,
    OP_FENCE,
    OP_FMA,
    OP_FNS,
    OP_ISSPACEP,
    OP_LD,
    OP_LG2,
    OP_LOP3,
    OP_MAD,
    OP_MADC,
    OP_MAD24,
    OP_MATCH,
    OP_MAX,
    OP_MIN,
    OP_MOV,
    OP_MUL,
    OP_MUL24,
    OP_NEG,
    OP_NOP, /* nanosleep, prefetch, pmevent: nothing that a value depends on */
    OP_NOT,
    OP_OR,
    OP_POPC,
    OP_PRMT,
    OP_RCP,
    OP_RED,
    OP_REDUX,
    OP_REM,
    OP_RET,
    OP_RSQRT,
    OP_SAD,
    OP_SELP,
    OP_SET,
    OP_SETP,
    OP_SHF,
    OP_SHFL,
    OP_SHL,
    OP_SHR,
    OP_SIN,
    OP_SLCT,
    OP_SQRT,
    OP_ST,
    OP_SUB,
    OP_SUBC,
    OP_TANH,
    OP_TESTP,
    OP_TRAP,
    OP_VOTE,
    OP_XOR,
    OP_CALL,    /* gone after inlining */
    OP_EXTRACT, /* of a cell: parameters of inlined calls; value: offset in bytes */
    OP_INSERT,
    OPS
} simt_op;

/* Words behind an operation, in the order of the table of words. */
typedef enum simt_word {
    W_NONE,
    W_RN,
    W_RZ,
    W_RM,
    W_RP,
    W_RNA,
    W_RNI,
    W_RZI,
    W_RMI,
    W_RPI,
    W_FTZ,
    W_SAT,
    W_APPROX,
    W_FULL,
    W_NAN, /* of comparisons: either is NaN */
    W_NAN_MINMAX,
    W_XORSIGN,
    W_ABS,
    W_RELU,
    W_LO,
    W_HI,
    W_WIDE,
    W_CC,
    W_EQ,
    W_NE,
    W_LT,
    W_LE,
    W_GT,
    W_GE,
    W_LS,
    W_HS,
    W_EQU,
    W_NEU,
    W_LTU,
    W_LEU,
    W_GTU,
    W_GEU,
    W_NUM,
    W_AND,
    W_OR,
    W_XOR,
    W_ADD,
    W_MIN,
    W_MAX,
    W_INC,
    W_DEC,
    W_EXCH,
    W_CAS,
    W_GLOBAL,
    W_SHARED,
    W_SHARED_CTA,
    W_LOCAL,
    W_CONST,
    W_PARAM,
    W_PARAM_ENTRY,
    W_PARAM_FUNC,
    W_VOLATILE,
    W_WEAK,
    W_RELAXED,
    W_ACQUIRE,
    W_RELEASE,
    W_ACQ_REL,
    W_SC,
    W_CTA,
    W_CLUSTER,
    W_GPU,
    W_GL,
    W_SYS,
    W_CA,
    W_CG,
    W_CS,
    W_LU,
    W_CV,
    W_WB,
    W_WT,
    W_NC,
    W_EVICT_NORMAL,
    W_EVICT_UNCHANGED,
    W_EVICT_FIRST,
    W_EVICT_LAST,
    W_NO_ALLOCATE,
    W_L2_64,
    W_L2_128,
    W_L2_256,
    W_NOFTZ,
    W_V2,
    W_V4,
    W_SYNC,
    W_ALIGNED,
    W_ARRIVE,
    W_RED,
    W_POPC,
    W_WARP,
    W_UP,
    W_DOWN,
    W_BFLY,
    W_IDX,
    W_ALL,
    W_ANY,
    W_UNI,
    W_BALLOT,
    W_L,
    W_R,
    W_WRAP,
    W_CLAMP,
    W_F4E,
    W_B4E,
    W_RC8,
    W_ECL,
    W_ECR,
    W_RC16,
    W_TO,
    W_SHIFTAMT,
    W_FINITE,
    W_INFINITE,
    W_NUMBER,
    W_NOTANUMBER,
    W_NORMAL,
    W_SUBNORMAL,
    W_U32, /* nanosleep */
    W_L1,
    W_L2,
    WORDS
} simt_word;

typedef enum simt_operand_kind {
    O_NONE,
    O_REG,
    O_VALUE,   /* bits of the operand's type */
    O_SPECIAL, /* reg: simt_special */
    O_SINK,    /* _ */
    O_GLOBAL,  /* the address of the module's variable `reg`, plus value */
    O_DYNAMIC, /* where dynamic shared memory begins, plus value */
    O_OBJECT,  /* in the parser only: a parameter of a call, at an offset of value */
} simt_operand_kind;

/* In an address (the first source of a memory operation) a register has `value` added. */
typedef struct simt_operand {
    uint8_t kind;
    bool negated;       /* !%p */
    bool generic;       /* of an address of a variable */
    msw_simt_type type; /* how it is read or written */
    uint32_t reg;
    uint64_t value;
} simt_operand;

typedef enum simt_special {
    S_TID_X,
    S_TID_Y,
    S_TID_Z,
    S_NTID_X,
    S_NTID_Y,
    S_NTID_Z,
    S_CTAID_X,
    S_CTAID_Y,
    S_CTAID_Z,
    S_NCTAID_X,
    S_NCTAID_Y,
    S_NCTAID_Z,
    S_LANEID,
    S_WARPID,
    S_NWARPID,
    S_SMID,
    S_NSMID,
    S_GRIDID,
    S_LANEMASK_EQ,
    S_LANEMASK_LE,
    S_LANEMASK_LT,
    S_LANEMASK_GE,
    S_LANEMASK_GT,
    S_DYNAMIC_SMEM,
    S_TOTAL_SMEM,
    S_ZERO,  /* what is always 0: %tid.w, %gridid's upper part */
    S_ONE,   /* %ntid.w */
    S_CLOCK, /* the warp's instructions so far; the last ones change while it runs */
    S_CLOCK_HI,
    SPECIALS
} simt_special;

/* Most destinations (a vector and a predicate) and sources (an address and a vector). */
enum { SIMT_DSTS = 5, SIMT_SRCS = 6 };

/* What the interpreter takes: the operation with its words, types and operands. */
typedef struct msw_simt_detail {
    simt_op op;
    msw_simt_type type, type2; /* type2: of the source of cvt, set, slct; wide results */
    uint64_t words[2];
    msw_simt_space space;
    uint8_t dst_count, src_count;
    bool dst_vector, src_vector; /* braces: mov packs or unpacks */
    simt_operand dst2;           /* the predicate behind | */
    simt_operand *dst, *src;
    uint32_t target;
} msw_simt_detail;

static inline bool simt_has(const msw_simt_detail *detail, simt_word word)
{
    return detail->words[word / 64] >> word % 64 & 1;
}

static inline void simt_set_word(msw_simt_detail *detail, simt_word word)
{
    detail->words[word / 64] |= (uint64_t)1 << word % 64;
}

static inline bool simt_is_signed(msw_simt_type type)
{
    return type >= MSW_SIMT_S8 && type <= MSW_SIMT_S64;
}

static inline bool simt_is_float(msw_simt_type type)
{
    return type >= MSW_SIMT_F16 && type <= MSW_SIMT_F64;
}

#endif
