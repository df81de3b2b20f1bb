/* SPDX-License-Identifier: MIT */
/* lex: PTX text as tokens. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_PROGRAM_LEX_H
#define MEMSWEEP_WORKLOAD_SIMT_PROGRAM_LEX_H

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

#endif
