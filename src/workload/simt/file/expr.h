/* SPDX-License-Identifier: MIT */
/* Private to workload: arithmetic of a workload file.
 *
 * Numbers are whole (64 bits, wrapping) or real (double); an operation on both kinds is real, and
 * `/` of whole numbers rounds towards zero. An expression becomes a list of operations on a stack,
 * which are done for many indices at once. */
#ifndef MSW_WORKLOAD_SIMT_FILE_EXPR_H
#define MSW_WORKLOAD_SIMT_FILE_EXPR_H

#include "memsweep/workload/simt/device.h"
#include "workload/simt/file/tokens.h"

typedef struct msw_simt_number {
    bool real;
    int64_t whole;
    double value; /* where real */
} msw_simt_number;

typedef struct msw_simt_variable_name {
    const char *name; /* not zero-terminated */
    uint32_t size;
    uint32_t line; /* where it was given */
    bool settable; /* a size: the workload's name may set it */
    msw_simt_number number;
} msw_simt_variable_name;

enum { MSW_SIMT_NAMES_MAX = 1024 };

/* What expressions may name. */
typedef struct msw_simt_names {
    msw_simt_variable_name list[MSW_SIMT_NAMES_MAX];
    size_t count;
} msw_simt_names;

typedef struct msw_simt_op msw_simt_op;

typedef struct msw_simt_expr {
    const msw_simt_op *ops;
    uint32_t count;
    bool real;
    bool indexed; /* it names i */
} msw_simt_expr;

/* The position of the reader in a file. */
typedef struct msw_simt_cursor {
    const msw_simt_tokens *tokens;
    const msw_simt_token *next;
    msw_simt_names *names;
    msw_arena *arena;
    msw_err *err;
} msw_simt_cursor;

/* Finds a name. Returns it, or NULL. */
msw_simt_variable_name *msw_simt_names_find(msw_simt_names *names, const msw_simt_token *word);

/* Reads an expression; with `indexed` it may name the index i. Returns 0, or -1. */
int msw_simt_expr_read(msw_simt_cursor *c, bool indexed, msw_simt_expr *expr);

/* Reads an expression and computes it. Returns 0, or -1. */
int msw_simt_number_read(msw_simt_cursor *c, msw_simt_number *number);

/* The same for a whole number from `least` to `most`; `what` appears in the message. */
int msw_simt_whole_read(msw_simt_cursor *c, const char *what, int64_t least, int64_t most,
                        int64_t *value);

/* Computes an expression without index. Returns whether it divides by zero nowhere. */
bool msw_simt_expr_number(const msw_simt_expr *expr, msw_simt_number *number);

/* Initial values of an array. */
typedef struct msw_simt_fill {
    msw_simt_expr expr;
    msw_simt_type type;
} msw_simt_fill;

/* Computes them (msw_simt_values); `context` is a msw_simt_fill. A whole division by zero is 0. */
void msw_simt_fill_values(const void *context, uint64_t first, uint64_t count, void *out);

/* Puts a number into memory as an element of a type; a real one cannot become a whole one. */
void msw_simt_number_put(msw_simt_number number, msw_simt_type type, void *out);

/* Returns the 16 bits of the half nearest to a number, ties to even. */
uint16_t msw_simt_half(double value);

/* ---- between reading and computing ---- */

enum { MSW_SIMT_EXPR_STACK = 24 };

typedef enum msw_simt_opcode {
    MSW_SIMT_OP_WHOLE, /* constants */
    MSW_SIMT_OP_VALUE,
    MSW_SIMT_OP_INDEX,
    MSW_SIMT_OP_REAL,      /* the top becomes real */
    MSW_SIMT_OP_REAL_LEFT, /* the one below the top becomes real */
    MSW_SIMT_OP_TRUNCATE,  /* real to whole */
    MSW_SIMT_OP_FLOOR,     /* real to whole */
    MSW_SIMT_OP_NEGATE,
    MSW_SIMT_OP_ABS,
    MSW_SIMT_OP_NOT,
    MSW_SIMT_OP_INVERT,
    MSW_SIMT_OP_ADD,
    MSW_SIMT_OP_SUBTRACT,
    MSW_SIMT_OP_MULTIPLY,
    MSW_SIMT_OP_DIVIDE,
    MSW_SIMT_OP_REMAINDER,
    MSW_SIMT_OP_LEFT,
    MSW_SIMT_OP_RIGHT,
    MSW_SIMT_OP_AND,
    MSW_SIMT_OP_OR,
    MSW_SIMT_OP_XOR,
    MSW_SIMT_OP_LESS,
    MSW_SIMT_OP_LESS_EQUAL,
    MSW_SIMT_OP_EQUAL,
    MSW_SIMT_OP_UNEQUAL,
    MSW_SIMT_OP_MIN,
    MSW_SIMT_OP_MAX,
    MSW_SIMT_OP_UP,     /* division rounded up */
    MSW_SIMT_OP_SELECT, /* condition, then, else */
    MSW_SIMT_OP_UNIFORM,
    MSW_SIMT_OP_RANDOM,
    MSW_SIMT_OP_PERMUTE
} msw_simt_opcode;

struct msw_simt_op {
    msw_simt_opcode code;
    bool real; /* its operands are */
    int64_t whole;
    double value;
};

#endif
