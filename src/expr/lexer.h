/* SPDX-License-Identifier: MIT */
/* lexer: cuts an expression into tokens, and refuses every character SQL could use to leave it. */
#ifndef MSW_EXPR_LEXER_H
#define MSW_EXPR_LEXER_H

#include "memsweep/base/err.h"

#include <stddef.h>

typedef enum msw_token_kind {
    MSW_TOKEN_END,
    MSW_TOKEN_NUMBER,
    MSW_TOKEN_STRING, /* 'text', quotes included */
    MSW_TOKEN_WORD,   /* name, function or keyword; dots inside belong to it */
    MSW_TOKEN_QUOTED, /* "name", quotes included */
    MSW_TOKEN_OPERATOR,
    MSW_TOKEN_OPEN,
    MSW_TOKEN_CLOSE,
    MSW_TOKEN_COMMA
} msw_token_kind;

typedef struct msw_token {
    msw_token_kind kind;
    const char *start;
    size_t size;
} msw_token;

/* Reads the token at `text`, behind white space. Returns 0, or -1 with what was found. */
int msw_token_read(const char *text, msw_token *token, msw_err *err);

#endif
