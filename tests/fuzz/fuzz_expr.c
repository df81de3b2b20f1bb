/* SPDX-License-Identifier: MIT */
/* Any text compiles or is refused, and whatever compiles evaluates; nothing crashes. */
#include "memsweep/expr/expr.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const msw_expr_name NAMES[] = {
    {"a", MSW_EXPR_INTEGER},
    {"b", MSW_EXPR_REAL},
    {"c", MSW_EXPR_TEXT},
    {"npu.batch", MSW_EXPR_INTEGER},
};

enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };

/* One value of every type for every name, so conversions are walked too. */
static void bind_all(msw_expr *expr, int round)
{
    const int *used;
    size_t count = msw_expr_used(expr, &used);
    for (size_t k = 0; k < count; k++)
        switch ((round + used[k]) % 4) {
        case 0:
            msw_expr_bind_integer(expr, k, INT64_MIN + round);
            break;
        case 1:
            msw_expr_bind_real(expr, k, 0.5 * round);
            break;
        case 2:
            msw_expr_bind_text(expr, k, round ? "lru" : " 12");
            break;
        default:
            msw_expr_bind_null(expr, k);
        }
}

/* What compiles has text to splice, and that text is an expression again. */
static void check_splice(msw_expr_host *host, const char *text)
{
    msw_text spliced = MSW_TEXT_EMPTY;
    msw_expr *again;
    if (msw_expr_splice(NAMES, NAME_COUNT, text, &spliced, NULL) != 0)
        abort();
    if (spliced.size < 4096) {
        if (msw_expr_new(host, msw_text_str(&spliced), &again, NULL) != 0)
            abort();
        msw_expr_free(again);
    }
    msw_text_free(&spliced);
}

static void check(msw_expr_host *host, const char *text)
{
    msw_expr *expr;
    msw_err err;
    msw_expr_value value;
    if (msw_expr_new(host, text, &expr, &err) != 0)
        return;
    for (int round = 0; round < 4; round++) {
        bind_all(expr, round);
        if (msw_expr_eval(expr, &value, &err) == 0 && value.type == MSW_EXPR_TEXT && !value.text)
            abort();
    }
    check_splice(host, text);
    msw_expr_free(expr);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    msw_expr_host *host;
    char *text = malloc(size + 1);
    if (!text || msw_expr_host_new(NAMES, NAME_COUNT, &host, NULL) != 0)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    check(host, text);
    msw_expr_host_free(host);
    free(text);
    return 0;
}
