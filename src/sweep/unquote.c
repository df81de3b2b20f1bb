/* SPDX-License-Identifier: MIT */
#include "sweep/node.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Copies a run of blanks; with a line break in it, it reads as one blank. Returns where it ends. */
static const char *fold(const char *c, char **out)
{
    const char *end = c;
    bool breaks = false;
    for (; is_blank(*end); end++)
        breaks = breaks || *end == '\n';
    if (breaks)
        *(*out)++ = ' ';
    for (; !breaks && c < end; c++)
        *(*out)++ = *c;
    return end;
}

size_t msw_unquote(char *text)
{
    const char *c = text;
    char *out = text;
    while (*c) {
        if (is_blank(*c)) {
            c = fold(c, &out);
        } else {
            *out++ = *c;
            c += c[0] == '\'' && c[1] == '\'' ? 2 : 1;
        }
    }
    *out = '\0';
    return (size_t)(out - text);
}
