/* SPDX-License-Identifier: MIT */
/* Walks over the words of expressions without compiling them. */
#include "memsweep/expr/expr.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

msw_expr_word msw_expr_next(const char *text)
{
    msw_expr_word w = {.size = *text != '\0', .name = text};
    if (*text == '\'' || *text == '"') {
        const char *end = strchr(text + 1, *text);
        w.size = end ? (size_t)(end - text) + 1 : strlen(text);
        w.name_size = *text == '"' && end ? w.size - 2 : 0;
        w.name++;
    } else if (is_part(*text)) {
        while (is_part(text[w.size]))
            w.size++;
        w.name_size = isdigit((unsigned char)*text) ? 0 : w.size;
    }
    return w;
}

bool msw_expr_mentions(const char *text, const char *name)
{
    for (msw_expr_word w = {0}; *(text += w.size);) {
        w = msw_expr_next(text);
        if (w.name_size == strlen(name) && strncasecmp(w.name, name, w.name_size) == 0)
            return true;
    }
    return false;
}
