/* SPDX-License-Identifier: MIT */
/* Counts which limits rows keep: the one that the fewest keep binds, and the design whose worst
 * miss is smallest comes nearest. */
#include "memsweep/sweep/limits.h"

#include "memsweep/base/vec.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to here, or below this share, few keep the limits. */
enum { FEW = 3 };
#define FEW_SHARE 0.01

/* ---- taking apart ---- */

/* Behind a quoted part or a pair of brackets that begins here; else the next character. */
static size_t skip(const char *text, size_t at, size_t size)
{
    char open = text[at];
    if (open == '\'' || open == '"') {
        for (at++; at < size && text[at] != open;)
            at++;
        return at + 1;
    }
    if (open != '(')
        return at + 1;
    for (at++; at < size && text[at] != ')';)
        at = skip(text, at, size);
    return at + 1;
}

static size_t trim(const char **text, size_t size)
{
    while (size && isspace((unsigned char)**text))
        ++*text, --size;
    while (size && isspace((unsigned char)(*text)[size - 1]))
        size--;
    return size;
}

static bool is_word(const char *text, size_t at, size_t size, const char *word)
{
    size_t length = strlen(word);
    return at && at + length < size && strncasecmp(text + at, word, length) == 0 &&
           !isalnum((unsigned char)text[at - 1]) && !isalnum((unsigned char)text[at + length]);
}

static bool is_sign(char c)
{
    return c == '<' || c == '>' || c == '=' || c == '!';
}

static int add_sides(msw_limits *limits, char *left, char *right, msw_limit limit, msw_err *err)
{
    limit.left = left;
    limit.right = right;
    limits->list[limits->count++] = limit;
    return left && right ? 0 : msw_fail_memory(err);
}

/* Where the sign of the only comparison is that joins two sides. Returns `size` where there is
 * none.
 */
static size_t find_sign(const char *text, size_t size)
{
    size_t at = size;
    for (size_t k = 0; k < size; k = skip(text, k, size)) {
        if (is_word(text, k, size, "OR") || is_word(text, k, size, "NOT") ||
            is_word(text, k, size, "BETWEEN"))
            return size;
        if (!is_sign(text[k]) || (at < size && k == at + 1 && text[k] == '='))
            continue;
        if (at < size || text[k] == '=' || text[k] == '!')
            return size;
        at = k;
    }
    return at;
}

/* What is no comparison of two sides holds or does not. */
static int take_comparison(const char *text, size_t size, msw_limits *limits, msw_err *err)
{
    if (limits->count == MSW_LIMITS_MOST || (size == 1 && *text == '1'))
        return 0;
    size_t at = find_sign(text, size), length = at + 1 < size && text[at + 1] == '=' ? 2 : 1;
    if (at == size)
        return add_sides(limits, msw_strfmt("(%.*s)", (int)size, text), msw_strdup("1"),
                         (msw_limit){.below = false}, err);
    const char *left = text, *right = text + at + length;
    size_t left_size = trim(&left, at), right_size = trim(&right, size - at - length);
    return add_sides(limits, msw_strfmt("%.*s", (int)left_size, left),
                     msw_strfmt("%.*s", (int)right_size, right),
                     (msw_limit){.below = text[at] == '<', .strict = length == 1}, err);
}

static int take_terms(const char *text, size_t size, msw_limits *limits, msw_err *err)
{
    size_t first = 0;
    size = trim(&text, size);
    if (size && *text == '(' && skip(text, 0, size) == size)
        return take_terms(text + 1, size - 2, limits, err);
    for (size_t at = 0; at < size; at = skip(text, at, size))
        if (is_word(text, at, size, "AND")) {
            MSW_TRY(take_terms(text + first, at - first, limits, err));
            first = at + strlen("AND");
        }
    return first ? take_terms(text + first, size - first, limits, err)
                 : take_comparison(text, size, limits, err);
}

int msw_limits_read(const char *text, msw_limits *limits, msw_err *err)
{
    *limits = (msw_limits){0};
    size_t size = strlen(text), at = 0;
    while (at < size && !is_word(text, at, size, "BETWEEN")) /* it has an AND of its own */
        at++;
    int rc =
        at < size ? take_comparison(text, size, limits, err) : take_terms(text, size, limits, err);
    if (rc)
        msw_limits_free(limits);
    return rc;
}

void msw_limits_free(msw_limits *limits)
{
    for (size_t i = 0; i < limits->count; i++) {
        free(limits->list[i].left);
        free(limits->list[i].right);
    }
    msw_map_free(&limits->numbers);
    free(limits->designs);
    *limits = (msw_limits){0};
}

/* ---- counting ---- */

static double miss_of(const msw_limit *limit, double left, double right)
{
    double over = limit->below ? left - right : right - left;
    if (limit->strict ? over >= 0 : over > 0)
        return fmax(over / fmax(fabs(right), 1e-300), 1e-12);
    return over > 0 ? 0 : over / fmax(fabs(right), 1e-300);
}

static msw_limit_design *design_of(msw_limits *limits, uint64_t design, msw_err *err)
{
    uint64_t *number;
    if (msw_map_add(&limits->numbers, design, &number, err))
        return NULL;
    if (!*number) {
        if (msw_vec_reserve(&limits->designs, &limits->design_room, limits->design_count + 1,
                            sizeof *limits->designs, err))
            return NULL;
        limits->designs[limits->design_count++] =
            (msw_limit_design){.design = design, .worst.by = -INFINITY};
        *number = limits->design_count;
    }
    return &limits->designs[*number - 1];
}

int msw_limits_add(msw_limits *limits, size_t workload, uint64_t design, const double *sides,
                   msw_err *err)
{
    if (workload >= MSW_LIMITS_WORKLOADS)
        return 0;
    for (size_t i = 0; i < 2 * limits->count; i++)
        if (isnan(sides[i]))
            return 0;
    msw_limit_design *d = design_of(limits, design, err);
    if (!d)
        return -1;
    d->rows++;
    limits->rows[workload]++;
    for (size_t i = 0; i < limits->count; i++) {
        double by = miss_of(&limits->list[i], sides[2 * i], sides[2 * i + 1]);
        limits->kept[workload][i] += by <= 0;
        if (by > d->worst.by)
            d->worst = (msw_limit_miss){by, i, workload, sides[2 * i], sides[2 * i + 1]};
    }
    return 0;
}

static uint64_t count_kept(const msw_limits *limits)
{
    uint64_t kept = 0;
    for (size_t i = 0; i < limits->design_count; i++)
        kept += limits->designs[i].worst.by <= 0;
    return kept;
}

const msw_limit_design *msw_limits_nearest(const msw_limits *limits)
{
    const msw_limit_design *best = NULL;
    uint64_t kept = count_kept(limits);
    if (kept > FEW && (double)kept > FEW_SHARE * (double)limits->design_count)
        return NULL;
    for (size_t i = 0; i < limits->design_count; i++) {
        const msw_limit_design *d = &limits->designs[i];
        if (d->worst.by > 0 && (!best || d->rows > best->rows ||
                                (d->rows == best->rows && d->worst.by < best->worst.by)))
            best = d;
    }
    return best;
}

/* ---- telling ---- */

static void add_limit(const msw_limit *limit, msw_text *out)
{
    msw_text_add(out, "%s %c%s %s", limit->left, limit->below ? '<' : '>', limit->strict ? "" : "=",
                 limit->right);
}

static double share_of(const msw_limits *limits, size_t workload, size_t limit)
{
    return (double)limits->kept[workload][limit] / (double)limits->rows[workload];
}

/* The limit and the workload of which the fewest rows keep it; of equals the one that the nearest
 * design misses. */
static void find_binding(const msw_limits *limits, const msw_limit_miss *nearest, size_t *workload,
                         size_t *limit)
{
    *workload = nearest->workload;
    *limit = nearest->limit;
    for (size_t w = 0; w < MSW_LIMITS_WORKLOADS; w++)
        for (size_t i = 0; limits->rows[w] && i < limits->count; i++)
            if (share_of(limits, w, i) < share_of(limits, *workload, *limit)) {
                *workload = w;
                *limit = i;
            }
}

void msw_limits_note(const msw_limits *limits, const msw_limit_design *nearest,
                     const char *const *workloads, const char *settings, msw_text *out)
{
    size_t workload, limit;
    const msw_limit_miss *miss = &nearest->worst;
    uint64_t kept = count_kept(limits);
    find_binding(limits, miss, &workload, &limit);
    msw_text_add(out, "limits: %" PRIu64 " of %zu designs keep them%s; ", kept,
                 limits->design_count, nearest->rows > 1 ? " on all workloads" : "");
    add_limit(&limits->list[limit], out);
    msw_text_add(out, " binds on %s, where %" PRIu64 " of %" PRIu64 " keep it; nearest%s: %s: ",
                 workloads[workload], limits->kept[workload][limit], limits->rows[workload],
                 kept ? " of the others" : "", settings);
    msw_text_add(out, "%s = %.6g on %s against %.6g", limits->list[miss->limit].left, miss->left,
                 workloads[miss->workload], miss->right);
}
