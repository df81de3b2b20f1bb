/* SPDX-License-Identifier: MIT */
/* program: a PTX module, parsed and checked: kernels as lists of instructions with their registers,
 * variables, blocks and post-dominators.
 *
 * Calls of functions are inlined, scopes are flat, labels are indices. Everything lies in the arena
 * that the module was parsed with, and is not changed afterwards. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_PROGRAM_H
#define MEMSWEEP_WORKLOAD_SIMT_PROGRAM_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MSW_SIMT_LANES 32
#define MSW_SIMT_NONE  UINT32_MAX /* no register, no block, no instruction */

typedef enum msw_simt_type {
    MSW_SIMT_NO_TYPE,
    MSW_SIMT_U8,
    MSW_SIMT_U16,
    MSW_SIMT_U32,
    MSW_SIMT_U64,
    MSW_SIMT_S8,
    MSW_SIMT_S16,
    MSW_SIMT_S32,
    MSW_SIMT_S64,
    MSW_SIMT_B8,
    MSW_SIMT_B16,
    MSW_SIMT_B32,
    MSW_SIMT_B64,
    MSW_SIMT_F16,
    MSW_SIMT_F16X2,
    MSW_SIMT_BF16, /* conversions alone */
    MSW_SIMT_BF16X2,
    MSW_SIMT_F32,
    MSW_SIMT_F64,
    MSW_SIMT_PRED,
    MSW_SIMT_TYPES
} msw_simt_type;

typedef enum msw_simt_space {
    MSW_SIMT_NO_SPACE,
    MSW_SIMT_REG,
    MSW_SIMT_GLOBAL,
    MSW_SIMT_SHARED,
    MSW_SIMT_LOCAL,
    MSW_SIMT_CONST,
    MSW_SIMT_PARAM,
    MSW_SIMT_GENERIC, /* an address in one of the windows of memory.h, else global */
} msw_simt_space;

/* Returns where the generic addresses of a space begin; 0: they are those of global memory. */
uint64_t msw_simt_window_of(msw_simt_space space);

/* What kind of work an instruction is; unit and energy of a mechanism go by it. */
typedef enum msw_simt_class {
    MSW_SIMT_CLASS_INT,     /* integer and logic, moves, selects, predicates */
    MSW_SIMT_CLASS_MUL,     /* integer multiplication and division */
    MSW_SIMT_CLASS_FLOAT,   /* f32 and f16 additions, multiplications, comparisons */
    MSW_SIMT_CLASS_DOUBLE,  /* the same of f64 */
    MSW_SIMT_CLASS_SPECIAL, /* division, roots, sin, ex2, ... of any type */
    MSW_SIMT_CLASS_CONVERT, /* cvt; cvta counts as integer */
    MSW_SIMT_CLASS_LOAD,    /* ld of any space but param and const */
    MSW_SIMT_CLASS_STORE,
    MSW_SIMT_CLASS_PARAM,   /* ld.param, ld.const */
    MSW_SIMT_CLASS_ATOMIC,  /* atom, red */
    MSW_SIMT_CLASS_SHUFFLE, /* shfl, vote, match, redux, activemask */
    MSW_SIMT_CLASS_BARRIER, /* bar, barrier */
    MSW_SIMT_CLASS_FENCE,   /* membar, fence, bar.warp.sync */
    MSW_SIMT_CLASS_BRANCH,  /* bra */
    MSW_SIMT_CLASS_EXIT,    /* exit, ret, trap */
    MSW_SIMT_CLASSES
} msw_simt_class;

/* Returns a class's name ("int", "load", ...). */
const char *msw_simt_class_name(msw_simt_class class_number);

/* A register of one kernel. Predicates have 0 bytes, others 2, 4 or 8 (8-bit ones have 2). */
typedef struct msw_simt_reg {
    const char *name;
    msw_simt_type type;
    uint8_t bytes;
} msw_simt_reg;

/* A variable of the module or of one kernel. Offsets: in its space of the kernel for shared, local
 * and const; of a global one the caller chooses an address (msw_simt_launch). */
typedef struct msw_simt_variable {
    const char *name;
    msw_simt_space space;
    msw_simt_type type;
    uint64_t bytes, align, offset; /* 0 bytes: extern shared, sized by the launch */
    const unsigned char *initial;  /* NULL: zeros */
    uint32_t line;
    bool is_extern;
    const struct msw_simt_reference *references; /* addresses in the initial value */
    uint32_t reference_count;
} msw_simt_variable;

/* An initial value that is an address: 8 bytes at `offset` get the address of variable `variable`
 * of the module plus `addend`; with `generic`, its generic address. */
typedef struct msw_simt_reference {
    uint64_t offset, addend;
    uint32_t variable;
    bool generic;
} msw_simt_reference;

typedef struct msw_simt_param {
    const char *name;
    msw_simt_type type;
    uint32_t offset, bytes, align; /* bytes of all of an array (a struct by value) */
    bool is_pointer;               /* .ptr */
} msw_simt_param;

/* One instruction as mechanisms see it. `defs` and `uses` name each register once; the guard and
 * registers of addresses are among the uses. A guarded instruction may leave its `defs` as they
 * were: those are not listed as uses. */
typedef struct msw_simt_insn {
    const char *text; /* the whole operation: "ld.global.v4.f32" */
    uint32_t line;
    uint32_t block;
    msw_simt_class kind;
    msw_simt_type type;
    msw_simt_space space;              /* of loads, stores, atomics */
    bool is_store, is_atomic;          /* red and atom are both */
    bool is_volatile, is_readonly;     /* .volatile; .nc */
    bool has_immediate, reads_special; /* an operand is a number; %tid, %clock, ... */
    uint8_t vector;                    /* 1, 2 or 4 elements of `type` */
    uint32_t guard;                    /* predicate register or MSW_SIMT_NONE */
    bool guard_negated;
    uint32_t target; /* of a branch: instruction, else MSW_SIMT_NONE */
    uint16_t def_count, use_count;
    const uint32_t *defs, *uses;
    uint16_t address_count; /* the uses that make the address */
    const uint32_t *address_uses;
    uint16_t value_count; /* the uses that are stored, added, ... */
    const uint32_t *value_uses;
    const struct msw_simt_detail *detail; /* for the interpreter */
} msw_simt_insn;

/* Calls of the device's library that are no instructions here: whoever launches a kernel with them
 * has to say that they may be left out. */
typedef enum msw_simt_library {
    MSW_SIMT_PRINTF = 1, /* vprintf */
    MSW_SIMT_ASSERT = 2, /* __assertfail */
} msw_simt_library;

/* Instructions [first, first + count) in a row; only the last may branch. */
typedef struct msw_simt_block {
    uint32_t first, count;
    uint32_t next[2]; /* falling through, then branching; MSW_SIMT_NONE: none */
    uint32_t next_count;
    uint32_t post_dominator; /* immediate; MSW_SIMT_NONE: the end of the kernel */
    uint32_t loop_depth;     /* natural loops around it */
} msw_simt_block;

typedef struct msw_simt_kernel {
    const char *name, *file;
    uint32_t line;
    uint32_t insn_count, reg_count, block_count, param_count, variable_count;
    const msw_simt_insn *insns;
    const msw_simt_reg *regs;
    const msw_simt_block *blocks;
    const msw_simt_param *params;
    const msw_simt_variable *variables; /* its own: shared and local */
    uint32_t param_bytes;
    uint64_t shared_bytes; /* static; dynamic shared memory begins at dynamic_offset */
    uint64_t dynamic_offset;
    uint64_t local_bytes; /* of a thread */
    uint64_t const_bytes;
    bool uses_dynamic_shared;
    uint32_t max_threads[3];      /* .maxntid, 0: not said */
    uint32_t required_threads[3]; /* .reqntid */
    uint32_t min_ctas;            /* .minnctapersm, 0: not said */
    const struct msw_simt_program *program;
    unsigned left_out;      /* msw_simt_library bits of calls that it has */
    uint32_t left_out_line; /* of the first of them */
    const char *fault;      /* why it cannot be run ("file:line: ..."); then all else is empty */
} msw_simt_kernel;

typedef struct msw_simt_program {
    const char *file, *version, *target;
    uint32_t kernel_count, variable_count;
    const msw_simt_kernel *kernels;
    const msw_simt_variable *variables; /* of the module: global and const (shared ones move into
                                           the kernels that use them) */
    const unsigned char *const_initial; /* the const space at the start of a launch */
    uint64_t const_bytes;
} msw_simt_program;

/* Parses a PTX file of `size` bytes (zero-terminated, as files are read). `file` appears
 * in messages. Returns the program, or NULL with `err` ("file:line: ..."). */
const msw_simt_program *msw_simt_parse(const char *file, const char *text, size_t size,
                                       msw_arena *arena, msw_err *err);

/* Finds an entry by name; a module with one entry gives it for NULL. C++ names may be given without
 * their decoration ("axpy" for "_Z4axpyPKfPff") when only one fits. Returns it, or NULL with `err`,
 * which names the entries. */
const msw_simt_kernel *msw_simt_find_kernel(const msw_simt_program *program, const char *name,
                                            msw_err *err);

/* Returns the bytes of a type (0 for predicates) and its name ("f32"). */
uint32_t msw_simt_type_bytes(msw_simt_type type);
const char *msw_simt_type_name(msw_simt_type type);

/* Returns a space's name ("global"). */
const char *msw_simt_space_name(msw_simt_space space);

#endif
