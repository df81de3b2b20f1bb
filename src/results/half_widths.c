/* SPDX-License-Identifier: MIT */
/* Half-widths of what is derived from metrics.
 *
 * A derived column f(a, b, ...) of metrics with intervals a +- A, b +- B, ... is known to
 *     max |f(a +- A, b +- B, ...) - f(a, b, ...)|  over all ways to choose the signs:
 * the interval of an expression that rises or falls in each metric, which is what costs and
 * products do. Metrics of one row come from the same units, so nothing is gained by taking their
 * errors as independent. Corners where the expression has no value do not count. */
#include "memsweep/expr/expr.h"
#include "memsweep/results/reading.h"

#include "memsweep/base/vec.h"
#include "memsweep/sweep/recorded.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST = 4, DEPTH = 8 }; /* metrics: 16 corners; derived columns within each other */

typedef struct deriving {
    const msw_table *columns;
    const msw_recorded *recorded;
    bool unknown_is_all;
    size_t count; /* metrics with half-widths in the expression */
    char *names[MOST + 1];
} deriving;

/* What stands for a name; returns false to leave it. */
typedef bool replace(deriving *d, const char *name, void *context, msw_text *out);

/* Copies an expression with names replaced: no strings, no functions, no digits of numbers. */
static void rewrite(deriving *d, const char *text, replace *by, void *context, msw_text *out)
{
    for (msw_expr_word w = {0}; *(text += w.size);) {
        w = msw_expr_next(text);
        char *name = *text != '"' && w.name_size ? msw_strfmt("%.*s", (int)w.size, text) : NULL;
        bool call = text[w.size + strspn(text + w.size, " ")] == '(';
        out->failed = out->failed || (*text != '"' && w.name_size && !name);
        if (!name || call || !by(d, name, context, out))
            msw_text_add_bytes(out, text, w.size);
        free(name);
    }
}

static bool expand_name(deriving *d, const char *name, void *context, msw_text *out)
{
    int *depth = context;
    for (size_t i = 0; i < d->recorded->derived_count && *depth < DEPTH; i++) {
        if (strcasecmp(d->recorded->derived[i].name, name) != 0)
            continue;
        ++*depth;
        msw_text_add(out, "(");
        rewrite(d, d->recorded->derived[i].text, expand_name, depth, out);
        msw_text_add(out, ")");
        --*depth;
        return true;
    }
    return false;
}

/* Of a column that has one itself. */
static bool add_own(const deriving *d, const char *name, msw_text *out)
{
    if (msw_error_half(d->columns, name, d->unknown_is_all ? name : "NULL", out))
        return true;
    char *half = msw_strfmt("%s_hw", name);
    bool there = half && msw_table_find(d->columns, half) >= 0;
    if (there)
        msw_text_add(out, "%s", half);
    out->failed = out->failed || !half;
    free(half);
    return there;
}

static bool note_name(deriving *d, const char *name, void *context, msw_text *out)
{
    msw_text half = MSW_TEXT_EMPTY;
    bool has = add_own(d, name, &half);
    (void)context;
    for (size_t i = 0; i < d->count && has; i++)
        has = strcasecmp(d->names[i], name) != 0;
    if (has && d->count <= MOST && (d->names[d->count] = msw_strdup(name)) != NULL)
        d->count++;
    out->failed = out->failed || half.failed;
    msw_text_free(&half);
    return false;
}

static bool move_name(deriving *d, const char *name, void *context, msw_text *out)
{
    const unsigned *corner = context;
    for (size_t i = 0; i < d->count; i++)
        if (strcasecmp(d->names[i], name) == 0) {
            msw_text_add(out, "(%s %c coalesce(", name, *corner >> i & 1 ? '-' : '+');
            add_own(d, name, out);
            msw_text_add(out, ", 0))");
            return true;
        }
    return false;
}

static void add_corners(deriving *d, const char *text, msw_text *out)
{
    const char *before = "";
    msw_text_add(out, "CASE WHEN coalesce(NULL");
    for (size_t i = 0; i < d->count; i++) {
        msw_text_add(out, ", ");
        add_own(d, d->names[i], out);
    }
    msw_text_add(out, ") IS NULL THEN NULL ELSE max(0, ");
    for (unsigned corner = 0; corner < 1u << d->count; corner++) {
        msw_text_add(out, "%scoalesce(abs((", before);
        rewrite(d, text, move_name, &corner, out);
        msw_text_add(out, ") - (%s)), 0)", text);
        before = ", ";
    }
    msw_text_add(out, ") END");
}

static bool add_derived(deriving *d, const char *name, msw_text *out)
{
    msw_text text = MSW_TEXT_EMPTY, same = MSW_TEXT_EMPTY;
    int depth = 0;
    if (expand_name(d, name, &depth, &text))
        rewrite(d, msw_text_str(&text), note_name, NULL, &same);
    bool has = d->count > 0 && d->count <= MOST;
    if (has)
        add_corners(d, msw_text_str(&text), out);
    out->failed = out->failed || text.failed || same.failed;
    msw_text_free(&text);
    msw_text_free(&same);
    for (size_t i = 0; i < d->count; i++)
        free(d->names[i]);
    return has;
}

bool msw_half_width_add(const msw_table *columns, const char *canonical, const char *name,
                        bool unknown_is_all, msw_text *out)
{
    msw_recorded recorded = {0};
    deriving d = {.columns = columns, .recorded = &recorded, .unknown_is_all = unknown_is_all};
    if (add_own(&d, name, out))
        return true;
    bool has = msw_recorded_read(canonical, &recorded, NULL) == 0 && add_derived(&d, name, out);
    msw_recorded_free(&recorded);
    return has;
}
