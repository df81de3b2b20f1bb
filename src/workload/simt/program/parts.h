/* SPDX-License-Identifier: MIT */
/* parts: the parser's state: tokens of PTX text, words of operations, and what they become. One
 * pass over the module notes variables, functions and entries; then each entry's body is read, and
 * bodies of functions again at every call. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_PROGRAM_PARTS_H
#define MEMSWEEP_WORKLOAD_SIMT_PROGRAM_PARTS_H

#include "workload/simt/ops.h"

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum lex_kind {
    LEX_END,
    LEX_NAME,   /* %r1, $L__BB0_1, add */
    LEX_DOT,    /* .global, with its dot */
    LEX_NUMBER, /* of any form */
    LEX_STRING, /* with its quotes */
    LEX_MARK,   /* one character: { } ( ) [ ] , ; : | @ ! + - < > = * / ~ ... */
} lex_kind;

typedef struct lex_token {
    uint32_t line, start, length;
    uint8_t kind;
    char mark;
} lex_token;

typedef struct lex_list {
    const char *file, *text;
    const lex_token *tokens; /* the last is LEX_END */
    uint32_t count;
} lex_list;

/* Cuts a file into tokens. Returns 0, or -1 with `err`. */
int lex_file(const char *file, const char *text, size_t size, msw_arena *arena, lex_list *list,
             msw_err *err);

/* Returns whether a token is exactly this text. */
bool lex_is(const lex_list *list, const lex_token *token, const char *text);

/* What a number means. */
typedef struct lex_value {
    bool is_float;  /* real: a decimal fraction, or 0d... */
    bool is_single; /* 0f...: bits of an f32 */
    uint64_t bits;  /* of an integer, a double or a single */
} lex_value;

/* Reads a number. Returns 0, or -1 when it has no such form or does not fit into 64 bits. */
int lex_number(const lex_list *list, const lex_token *token, lex_value *value);

/* One form of an operation. Operands, one letter each:
 *   d destination of the type    w the same, twice as wide with .wide   D destination of u32
 *   a source of the type         c source as wide as `w`                u source of u32
 *   2 source of the second type  p destination predicate (p or p|q)     s source predicate
 *   q destination of the type with an optional |p                       m memory
 *   V destinations (a vector)    v sources (a vector)                   L label
 *   r destination of any width from the type's on; x source of that kind, of the second type
 *   o from here on operands may be missing */
typedef struct simt_form {
    const char *name;
    simt_op op;
    msw_simt_class kind;
    const char *words; /* separated by blanks */
    uint32_t types;    /* sets of (1 << type); 0: no type is written */
    uint32_t types2;   /* 0: one type only */
    const char *operands;
} simt_form;

/* Finds the form of an operation by its name. Returns it, or NULL. */
const simt_form *simt_form_find(const char *name, size_t length);

/* Returns why an operation that is not read is refused, or NULL. */
const char *simt_form_refused(const char *name, size_t length);

/* Returns the operation closest in spelling, or NULL. */
const char *simt_form_nearest(const char *name);

/* Finds a word (without its dot) among those of a form. Returns it, or W_NONE. */
simt_word simt_word_find(const simt_form *form, const char *word, size_t length);

/* Finds a type by its name. Returns it, or MSW_SIMT_NO_TYPE. */
msw_simt_type simt_type_find(const char *name, size_t length);

/* Finds a special register by its name and axis ("%tid", 'x'; 0: none). Returns it, or SPECIALS. */
simt_special simt_special_find(const char *name, size_t length, char axis);

enum {
    SIMT_MOST_DEPTH = 64,          /* of scopes and calls */
    SIMT_MOST_INSNS = 1 << 18,     /* of a kernel after inlining */
    SIMT_MOST_REGS = 1 << 20,      /* of a kernel after inlining */
    SIMT_MOST_OBJECT = 4096,       /* bytes of a parameter of a call */
    SIMT_MOST_PARAMS = 32764,      /* bytes of a kernel's parameters */
    SIMT_MOST_SHARED = 1 << 20,    /* bytes of a CTA */
    SIMT_MOST_LOCAL = 512 << 10,   /* bytes of a thread */
    SIMT_MOST_CONST = 1 << 20,     /* bytes of a module */
    SIMT_MOST_INITIAL = 256 << 20, /* bytes of initial values of one variable */
};

/* Tokens that one module may take to read, calls counted each time. */
#define SIMT_MOST_WORK ((uint64_t)1 << 28)

/* A growing array in the arena. */
typedef struct simt_list {
    void *data;
    uint32_t count, room;
} simt_list;

typedef enum simt_name_kind {
    NAME_REG,      /* value: register */
    NAME_REGS,     /* value: first register of %r<count> */
    NAME_VARIABLE, /* value: of the module */
    NAME_OWN,      /* value: of the kernel: shared, local */
    NAME_PARAM,    /* value: of the kernel */
    NAME_OBJECT,   /* value: parameter of a call */
    NAME_LABEL,
    NAME_FUNCTION,
} simt_name_kind;

typedef struct simt_name {
    const char *text;
    uint32_t length, depth, bucket, next;
    simt_name_kind kind;
    uint32_t value, count;
} simt_name;

/* A parameter of a call: registers of `cell` bytes in a row. */
typedef struct simt_object {
    uint32_t bytes, cell, first, cells;
} simt_object;

typedef struct simt_function {
    const char *name;
    uint32_t line;
    uint32_t returns, params; /* tokens of '(' ; 0: none */
    uint32_t body;            /* token of '{', 0: only declared */
    uint32_t head;            /* entries: token behind the name's parameters */
    bool is_entry, is_active; /* is_active: being read, against recursion */
} simt_function;

typedef struct simt_draft {
    msw_simt_detail detail;
    const simt_form *form;
    const char *text;
    uint32_t line, guard;
    bool guard_negated;
    uint32_t label; /* of a branch */
} simt_draft;

/* The kernel being read. */
typedef struct simt_build {
    msw_simt_kernel kernel;
    simt_list insns;  /* simt_draft */
    simt_list regs;   /* msw_simt_reg */
    simt_list labels; /* uint32_t: instruction, or MSW_SIMT_NONE */
    simt_list variables, params, objects;
    uint64_t *shared_offsets; /* [variables of the module]; UINT64_MAX: not used yet */
    uint32_t carry;           /* register of .cc */
    uint32_t return_label;    /* of the function being inlined, or MSW_SIMT_NONE */
    uint32_t calls;
} simt_build;

typedef struct simt_parser {
    lex_list lex;
    uint32_t at;
    uint64_t work;
    msw_arena *arena;
    msw_err *err;
    simt_list names;
    uint32_t *buckets, bucket_count;
    uint32_t depth, base;           /* names at depths from base on and at 0 are seen */
    simt_list functions, variables; /* of the module */
    uint64_t const_bytes;
    const char *version, *target;
    simt_build module; /* registers of the module: the first ones of every kernel */
    simt_build *build;
    int (*read_body)(struct simt_parser *p); /* simt_body, for calls */
} simt_parser;

/* Lists, names and tokens. */

/* Makes room for one more element. Returns it, zeroed, or NULL with the parser's error. */
void *simt_push(simt_parser *p, simt_list *list, size_t size);

/* Copies a token's text. Returns it, or NULL with the error. */
const char *simt_copy(simt_parser *p, const lex_token *token);

/* Declares a name in the present scope. Returns it, or NULL with the error. */
simt_name *simt_declare(simt_parser *p, const lex_token *token, simt_name_kind kind,
                        uint32_t value);

/* Finds what a name means here; %r12 also as part of %r<20>, then `*value` is that register.
 * Returns NULL when nothing is known. */
const simt_name *simt_lookup(const simt_parser *p, const lex_token *token, uint32_t *value);

/* Ends all scopes deeper than `depth`. */
void simt_leave(simt_parser *p, uint32_t depth);

/* Fails at the present token, "file:line: ". Returns -1. */
int simt_fail(simt_parser *p, const char *fmt, ...) MSW_PRINTF(2, 3);

/* Return the present token; move behind it and return it. */
const lex_token *simt_peek(const simt_parser *p);
const lex_token *simt_take(simt_parser *p);

/* Returns whether the present token is this mark or word, and takes it. */
bool simt_accept(simt_parser *p, char mark);
bool simt_accept_word(simt_parser *p, const char *word);

/* Takes a mark. Returns 0, or -1 with the error. */
int simt_expect(simt_parser *p, char mark);

/* Prints a token for messages into `buffer`. Returns it. */
const char *simt_show(const simt_parser *p, const lex_token *token, char buffer[48]);

/* Skips a bracket with all inside; the present token is its opening mark. Returns 0, or -1. */
int simt_skip_bracket(simt_parser *p);

/* An integer, with sign, brackets and operators. Return 0, or -1 with the error. */
int simt_constant(simt_parser *p, uint64_t *value);

/* One element of a type: the bits of an integer or a float. */
int simt_literal(simt_parser *p, msw_simt_type type, uint64_t *bits);

/* Variables. */

/* A declared thing: [.align n] [.v2|.v4] .type name [n][m]. */
typedef struct simt_declared {
    msw_simt_type type;
    uint64_t align, count, bytes;
    uint32_t dims[8], dim_count;
    bool is_pointer, is_unsized;
    const lex_token *name;
} simt_declared;

/* Reads a declaration up to its dimensions. Returns 0, or -1. */
int simt_declaration(simt_parser *p, simt_declared *out);

/* Reads a variable of the module or of a body behind its space, with its initial value and ';'. */
int simt_variable(simt_parser *p, msw_simt_space space, bool is_extern);

/* Moves an offset up for a variable. Returns 0, or -1 when `most` is passed. */
int simt_allot(simt_parser *p, uint64_t *used, uint64_t bytes, uint64_t align, uint64_t most,
               const char *what, uint64_t *offset);

/* Finds where a shared variable of the module lies in this kernel. Returns 0, or -1. */
int simt_shared_offset(simt_parser *p, uint32_t variable, uint64_t *offset);

/* Finds the space that a directive names (".shared"). Returns MSW_SIMT_NO_SPACE when none. */
msw_simt_space simt_space_of(const simt_parser *p, const lex_token *token);

/* Registers and parameters of calls. */

/* Adds a register. Returns its number, or MSW_SIMT_NONE with the error. */
uint32_t simt_new_reg(simt_parser *p, const char *name, msw_simt_type type);

/* Reads `.reg .b32 %r<5>, x;` behind `.reg`. Returns 0, or -1. */
int simt_registers(simt_parser *p);

/* Makes a parameter of a call. Returns its number, or MSW_SIMT_NONE with the error. */
uint32_t simt_new_object(simt_parser *p, const simt_declared *declared);

/* New labels, and where one is. Returns the label, or MSW_SIMT_NONE. */
uint32_t simt_new_label(simt_parser *p);
void simt_label_here(simt_parser *p, uint32_t label);

/* One instruction with its guard, up to ';'. Returns 0, or -1. */
int simt_instruction(simt_parser *p);

/* Adds an instruction at the present line. Returns it, or NULL with the error. */
simt_draft *simt_new_draft(simt_parser *p);

/* Adds an instruction made by the parser itself. Returns it, or NULL with the error. */
simt_draft *simt_emit(simt_parser *p, simt_op op, msw_simt_type type, const char *text);

/* Gives a draft its operands. Returns 0, or -1. */
int simt_set_operands(simt_parser *p, simt_draft *draft, const simt_operand *dst, uint32_t dsts,
                      const simt_operand *src, uint32_t srcs);

/* Adds a branch to a label. Returns 0, or -1. */
int simt_jump(simt_parser *p, uint32_t label, uint32_t guard, bool negated);

/* The operand that a register is. */
simt_operand simt_reg_operand(uint32_t reg, msw_simt_type type);

/* Reads operands as the form says. Returns 0, or -1. */
int simt_operands(simt_parser *p, simt_draft *draft);

/* Reads one operand of a type; `wider`: a register may have more bytes. Returns 0, or
 * -1. */
int simt_operand_read(simt_parser *p, msw_simt_type type, bool wider, simt_operand *out);

/* Makes moves of a load or store of a parameter of a call. Returns 0, or -1. */
int simt_object_access(simt_parser *p, const simt_draft *draft);

/* A call, inlined; the present token is behind "call" and its words. Returns 0, or -1. */
int simt_call(simt_parser *p, uint32_t guard, bool negated);

/* Reads the kernel of an entry. Returns 0, or -1 with the error. */
int simt_entry(simt_parser *p, simt_function *function, msw_simt_kernel *kernel);

/* Makes the kernel of the drafts. Returns 0, or -1. */
int simt_finish(simt_parser *p, msw_simt_kernel *kernel);

#endif
