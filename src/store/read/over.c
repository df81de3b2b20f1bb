/* SPDX-License-Identifier: MIT */
/* How workloads are taken together: the words NAME@worst, NAME@mean(a, b), NAME@weighted(a=2, b=1).
 */
#include "store/read/view.h"

#include "memsweep/base/text.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const WORDS[] = {"worst", "mean", "geomean", "weighted"};

enum { WORD_COUNT = sizeof WORDS / sizeof *WORDS };

static int word_at(const char *text)
{
    for (int i = 0; i < WORD_COUNT; i++) {
        size_t size = strlen(WORDS[i]);
        if (strncmp(text, WORDS[i], size) == 0 && (!text[size] || text[size] == '('))
            return i;
    }
    return -1;
}

const char *msw_over_find(const char *word)
{
    for (const char *at = strchr(word, '@'); at; at = strchr(at + 1, '@'))
        if (word_at(at + 1) >= 0)
            return at;
    return NULL;
}

bool msw_over_is_own(const char *word)
{
    size_t size = strlen(word), own = strlen(MSW_OVER_OWN);
    return size >= own && strcmp(word + size - own, MSW_OVER_OWN) == 0;
}

/* ---- lists ---- */

static size_t find_workload(const char *const *workloads, size_t count, const char *name)
{
    size_t at = 0;
    while (at < count && strcmp(workloads[at], name) != 0)
        at++;
    return at;
}

static int fail_workload(const char *const *workloads, size_t count, const char *name, msw_err *err)
{
    const char *nearest = count ? msw_nearest(name, workloads, sizeof *workloads) : NULL;
    return msw_fail(err, "the sweep has no workload '%s'%s%s%s", name,
                    nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static int keep(msw_over *over, char *name, double weight, msw_err *err)
{
    if (msw_vec_extend(&over->names, over->count, sizeof *over->names, err) ||
        msw_vec_extend(&over->weights, over->count, sizeof *over->weights, err)) {
        free(name);
        return -1;
    }
    over->names[over->count] = name;
    over->weights[over->count++] = weight;
    return 0;
}

/* The weight behind the last '=', cut off; 1 without one. Returns NaN where it is no weight. */
static double cut_weight(char *part)
{
    char *equals = strrchr(part, '='), *end;
    if (!equals)
        return 1;
    double weight = strtod(equals + 1, &end);
    bool good = end != equals + 1 && !end[strspn(end, " ")] && weight > 0 && isfinite(weight);
    while (equals > part && equals[-1] == ' ')
        equals--;
    *equals = '\0';
    return good ? weight : NAN;
}

typedef struct reader {
    msw_over *over;
    const char *const *workloads;
    size_t count;
} reader;

static int check_part(const reader *r, const char *name, double weight, bool weighed, msw_err *err)
{
    const msw_over *over = r->over;
    if (isnan(weight))
        return msw_fail(err, "weight of '%s': must be a number above 0, as in %s(%s=2)", name,
                        WORDS[MSW_BY_WEIGHTED], name);
    if (find_workload(r->workloads, r->count, name) == r->count)
        return fail_workload(r->workloads, r->count, name, err);
    for (size_t i = 0; i < over->count; i++)
        if (strcmp(over->names[i], name) == 0)
            return msw_fail(err, "workload '%s' is named twice", name);
    if (weighed && over->by == MSW_BY_WORST)
        return msw_fail(err, "worst takes no weights: say worst(%s)", name);
    return 0;
}

static int read_part(const reader *r, const char *text, size_t size, msw_err *err)
{
    char *part = msw_strfmt("%.*s", (int)size, text);
    if (!part)
        return msw_fail_memory(err);
    /* A workload may have '=' in its own name. */
    bool whole = find_workload(r->workloads, r->count, part) < r->count;
    bool weighed = !whole && strchr(part, '=');
    double weight = whole ? 1 : cut_weight(part);
    if (check_part(r, part, weight, weighed, err) == 0)
        return keep(r->over, part, weight, err);
    free(part);
    return -1;
}

/* Does the text begin with a workload of the sweep, its weight and a comma? */
static bool names_whole(const char *name, const char *text, const char *end)
{
    size_t size = strlen(name);
    if (strncmp(text, name, size) != 0 || size > (size_t)(end - text))
        return false;
    text += size + strspn(text + size, " ");
    return text >= end || *text == ',' || *text == '=';
}

/* Length of the part that starts here: commas inside brackets or a workload's name divide nothing.
 */
static size_t part_size(const reader *r, const char *text, const char *end)
{
    int depth = 0;
    const char *at = text + strspn(text, " "), *after = at;
    for (size_t i = 0; i < r->count; i++)
        if (names_whole(r->workloads[i], at, end) && at + strlen(r->workloads[i]) > after)
            after = at + strlen(r->workloads[i]);
    for (at = after; at < end && (depth > 0 || *at != ','); at++)
        depth += (*at == '(') - (*at == ')');
    return (size_t)(at - text);
}

static int read_list(const reader *r, const char *text, const char *end, msw_err *err)
{
    while (text < end) {
        size_t size = part_size(r, text, end), lead = 0, tail = size;
        while (lead < tail && text[lead] == ' ')
            lead++;
        while (tail > lead && text[tail - 1] == ' ')
            tail--;
        if (tail > lead && read_part(r, text + lead, tail - lead, err))
            return -1;
        text += size < (size_t)(end - text) ? size + 1 : size;
    }
    return 0;
}

int msw_over_read(const char *at, const char *const *workloads, size_t count, msw_over *over,
                  msw_err *err)
{
    int by = word_at(at + 1);
    *over = (msw_over){.word = at + 1, .by = (msw_over_by)by};
    const char *list = at + 1 + strlen(WORDS[by]), *end = list + strlen(list);
    reader r = {over, workloads, count};
    if (*list && end[-1] != ')')
        return msw_fail(err, "'%s': the list of workloads does not end in ')'", at + 1);
    if (*list && read_list(&r, list + 1, end - 1, err)) {
        msw_over_free(over);
        return -1;
    }
    if (by == MSW_BY_WEIGHTED && !over->count)
        return msw_fail(err, "weighted needs weights, as in weighted(%s=2, ...)",
                        count ? workloads[0] : "name");
    return 0;
}

void msw_over_free(msw_over *over)
{
    for (size_t i = 0; i < over->count; i++)
        free(over->names[i]);
    free(over->names);
    free(over->weights);
    *over = (msw_over){0};
}
