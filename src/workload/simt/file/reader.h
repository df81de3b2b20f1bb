/* SPDX-License-Identifier: MIT */
/* Private to workload: a workload file (.simt), from its words over its arithmetic to arrays and
 * stages.
 *
 * Numbers are whole (64 bits, wrapping) or real (double); an operation on both kinds is real, and
 * `/` of whole numbers rounds towards zero. An expression becomes a list of operations on a stack,
 * which are done for many indices at once. */
#ifndef MSW_WORKLOAD_SIMT_FILE_READER_H
#define MSW_WORKLOAD_SIMT_FILE_READER_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"
#include "memsweep/workload/simt.h"
#include "memsweep/workload/simt/device.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum msw_simt_token_kind {
    MSW_SIMT_TOKEN_WORD,
    MSW_SIMT_TOKEN_INTEGER,
    MSW_SIMT_TOKEN_REAL,
    MSW_SIMT_TOKEN_SYMBOL, /* one or two characters */
    MSW_SIMT_TOKEN_TEXT,   /* the rest of a line behind `title`, `ptx` or `from` */
    MSW_SIMT_TOKEN_LINE,   /* the end of a statement */
    MSW_SIMT_TOKEN_END
} msw_simt_token_kind;

typedef struct msw_simt_token {
    msw_simt_token_kind kind;
    uint32_t size, line, column;
    const char *text; /* in the bytes of the file */
    int64_t integer;
    double real;
} msw_simt_token;

typedef struct msw_simt_tokens {
    const char *file;
    msw_simt_token *list; /* ends with MSW_SIMT_TOKEN_END */
    size_t count;
} msw_simt_tokens;

enum { MSW_SIMT_FILE_MAX = 1 << 20 };

/* Cuts a file into tokens; `bytes` must live as long as they do. A line ends no statement inside
 * brackets or behind an operator. Returns 0, or -1 with line and column. */
int msw_simt_tokens_read(const char *file, const char *bytes, size_t size, msw_arena *arena,
                         msw_simt_tokens *tokens, msw_err *err);

/* Reads "16Mi", "4096", "0x10": all of `size` bytes. Returns whether they are a whole number below
 * 2^62. */
bool msw_simt_read_integer(const char *text, size_t size, int64_t *value);

/* Is a token this word or symbol? */
bool msw_simt_token_is(const msw_simt_token *token, const char *text);

/* Says what was found at a token and what is allowed there. Returns -1. */
int msw_simt_token_fail(const msw_simt_tokens *tokens, const msw_simt_token *at, msw_err *err,
                        const char *allowed, ...) MSW_PRINTF(4, 5);

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

/* Reads an element of a type from memory. */
msw_simt_number msw_simt_number_get(msw_simt_type type, const void *from);

/* Puts a number into memory as an element of a type; a real one cannot become a whole one. */
void msw_simt_number_put(msw_simt_number number, msw_simt_type type, void *out);

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

/* What a workload's name sets: "n=16Mi,ptx=paper_unrolled" of "axpy/n=16Mi,ptx=paper_unrolled". */
typedef struct msw_simt_setting {
    const char *name, *value;
    uint32_t name_size, value_size;
} msw_simt_setting;

enum { MSW_SIMT_SETTINGS_MAX = 16 };

typedef struct msw_simt_settings {
    const char *workload; /* the whole name, for messages */
    msw_simt_setting list[MSW_SIMT_SETTINGS_MAX];
    size_t count;
} msw_simt_settings;

/* Splits the settings off a workload's name; `head_size` gets the length of what is before them.
 * Returns 0, or -1. */
int msw_simt_settings_read(const char *name, msw_simt_settings *settings, size_t *head_size,
                           msw_err *err);

/* Returns the setting of a name, or NULL. */
const msw_simt_setting *msw_simt_settings_find(const msw_simt_settings *settings, const char *name,
                                               size_t size);

/* Which .ptx the file and the settings choose: its name goes into `name`. Returns 0, or -1. */
int msw_simt_choose_ptx(const msw_simt_tokens *tokens, const msw_simt_settings *settings,
                        char *name, size_t name_size, msw_err *err);

/* Growing lists, in an arena. */
typedef struct msw_simt_list {
    void *items;
    size_t count, room;
} msw_simt_list;

enum {
    MSW_SIMT_ARRAYS_MAX = 1024,
    MSW_SIMT_LOOPS_DEPTH = 8,
    MSW_SIMT_STAGES_MAX = 1 << 20,
    MSW_SIMT_STATEMENTS_MAX = 1 << 20
};

typedef struct msw_simt_loop {
    const msw_simt_token *body;
    size_t names;  /* that were given before it; the next one is its own */
    bool is_named; /* `repeat` may have no name */
    bool until;    /* `repeat` */
    int64_t turn, last, step;
} msw_simt_loop;

typedef struct msw_simt_reader msw_simt_reader;

/* Finds an element of an array as the stages so far leave it. Returns 0, or -1. */
typedef int msw_simt_finder(void **self, msw_simt_reader *r, const msw_simt_array *array,
                            uint64_t element, msw_simt_number *out);

struct msw_simt_reader {
    msw_simt_cursor c;
    msw_simt_names names;
    const msw_simt_settings *settings;
    const msw_simt_program *program;
    uint64_t alignment, next_address;
    const char *title;
    msw_digest sizes; /* of all sizes, as they came out */
    msw_simt_loop loops[MSW_SIMT_LOOPS_DEPTH];
    size_t loop_count;
    uint64_t statements;
    msw_simt_list arrays, stages;
    const msw_workload_file *files; /* that arrays come from */
    size_t file_count;
    unsigned ignored;        /* msw_simt_library bits */
    bool closed;             /* no array may follow */
    msw_simt_finder *finder; /* NULL: `ends` says it */
    void *finding;
    msw_simt_list ends; /* bool of each `until` that was reached: does the loop end? */
    size_t ends_read;
};

/* Runs all statements. Returns 0, or -1 with file, line and column. */
int msw_simt_reader_run(msw_simt_reader *r);

/* One statement each, behind its first word. Returns 0, or -1. */
int msw_simt_read_size(msw_simt_reader *r);
int msw_simt_read_array(msw_simt_reader *r);
int msw_simt_read_launch(msw_simt_reader *r);
int msw_simt_read_host(msw_simt_reader *r);
int msw_simt_read_data(msw_simt_reader *r, msw_simt_array *array);
int msw_simt_read_for(msw_simt_reader *r);
int msw_simt_read_repeat(msw_simt_reader *r);
int msw_simt_read_end(msw_simt_reader *r);
int msw_simt_read_until(msw_simt_reader *r);

/* Finds the `number`-th file that arrays come from. Its name goes into `name`. Returns 1, 0:
 * there are fewer, or -1. */
int msw_simt_data_file(const msw_simt_tokens *tokens, size_t number, char *name, size_t name_size,
                       msw_err *err);

/* Finds the array that a word names. Returns it, or NULL. */
const msw_simt_array *msw_simt_find_array(const msw_simt_reader *r, const msw_simt_token *name);

/* Makes room for one more item. Returns it, zeroed, or NULL when memory runs out. */
void *msw_simt_list_add(msw_simt_list *list, size_t size, msw_arena *arena);

/* Helpers of statements. Return 0, or -1 with the token at fault. */
int msw_simt_expect(msw_simt_reader *r, const char *text);
bool msw_simt_take(msw_simt_reader *r, const char *text);
int msw_simt_read_name(msw_simt_reader *r, const msw_simt_token **name);
int msw_simt_give_name(msw_simt_reader *r, const msw_simt_token *name, msw_simt_number number);
int msw_simt_add_array(msw_simt_reader *r, const msw_simt_token *at, msw_simt_array array);
int msw_simt_add_stage(msw_simt_reader *r, const msw_simt_token *at, msw_simt_stage stage);

#endif
