/* SPDX-License-Identifier: MIT */
/* Private to workload: the words of a workload file (.simt). */
#ifndef MSW_WORKLOAD_SIMT_FILE_TOKENS_H
#define MSW_WORKLOAD_SIMT_FILE_TOKENS_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum msw_simt_token_kind {
    MSW_SIMT_TOKEN_WORD,
    MSW_SIMT_TOKEN_INTEGER,
    MSW_SIMT_TOKEN_REAL,
    MSW_SIMT_TOKEN_SYMBOL, /* one or two characters */
    MSW_SIMT_TOKEN_TEXT,   /* the rest of a line behind `title` or `ptx` */
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

#endif
