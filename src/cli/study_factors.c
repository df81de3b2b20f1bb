/* Which columns vary, and where each case stands in them. */
#include "study.h"

#include "memsweep/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers with more values than this are taken for a range when no sweep file says. */
enum { FEW_LEVELS = 16 };

static const size_t FIRST_COLUMN = 4; /* of factors in the table: study.c reads four before them */

/* ---- names ---- */

static int add_factor(cli_study *s, const char *name, size_t size, size_t columns, size_t *next)
{
    /* One more, without a name: the end for those who look for the nearest one. */
    cli_factor *list = realloc(s->factors, (s->factor_count + 2) * sizeof *list);
    if (!list)
        return msw_fail_memory(s->err);
    s->factors = list;
    cli_factor factor = {.name = msw_strfmt("%.*s", (int)size, name), .column_count = columns};
    if (columns > sizeof factor.columns / sizeof *factor.columns)
        return msw_fail(s->err, "%s deals to more than 16 parameters", name);
    for (size_t c = 0; c < columns; c++)
        factor.columns[c] = FIRST_COLUMN + (*next)++;
    list[s->factor_count++] = factor;
    list[s->factor_count] = (cli_factor){0};
    return factor.name ? 0 : msw_fail_memory(s->err);
}

static int name_listed(cli_study *s, size_t *next)
{
    for (const char *at = s->ask.factors; *at;) {
        at += strspn(at, " ,");
        size_t size = strcspn(at, " ,");
        if (size && add_factor(s, at, size, 1, next))
            return -1;
        at += size;
    }
    return 0;
}

int cli_study_name_factors(cli_study *s)
{
    size_t next = 0;
    if (s->ask.factors)
        return name_listed(s, &next);
    for (size_t f = 0; f < s->outline.factor_count; f++) {
        const msw_outline_factor *factor = &s->outline.factors[f];
        if (add_factor(s, factor->name, strlen(factor->name), factor->target_count, &next))
            return -1;
    }
    return s->factor_count ? 0 : msw_fail(s->err, "nothing varies in sweep '%s'", s->sweep.name);
}

/* ---- levels ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Distinct values, rising; values that are not there are left out. */
static int find_values(const cli_study *s, const msw_column *column, cli_factor *f)
{
    size_t count = 0;
    f->values = malloc((s->n + 1) * sizeof *f->values);
    if (!f->values)
        return msw_fail_memory(s->err);
    for (size_t i = 0; i < s->n; i++)
        if (!isnan(column->values[s->row[i]]))
            f->values[count++] = column->values[s->row[i]];
    qsort(f->values, count, sizeof *f->values, by_value);
    for (size_t i = 0; i < count; i++)
        if (!f->levels || f->values[i] != f->values[f->levels - 1])
            f->values[f->levels++] = f->values[i];
    f->low = count ? f->values[0] : NAN;
    f->high = count ? f->values[f->levels - 1] : NAN;
    return 0;
}

int cli_factor_level(const cli_factor *f, double value)
{
    const double *at = bsearch(&value, f->values, f->levels, sizeof value, by_value);
    return at ? (int)(at - f->values) : -1;
}

static int place_levels(const cli_study *s, const msw_column *column, cli_factor *f)
{
    for (size_t i = 0; i < s->n; i++) {
        int level = cli_factor_level(f, column->values[s->row[i]]);
        if (level < 0)
            return msw_fail(s->err, "'%s' has no value in some rows: leave them out by --filter",
                            f->name);
        f->level[i] = (uint32_t)level;
        f->x[i] = level;
    }
    return 0;
}

/* ---- ranges ---- */

double cli_factor_position(const cli_factor *f, double value)
{
    return f->log ? log(value / f->low) / log(f->high / f->low)
                  : (value - f->low) / (f->high - f->low);
}

static int place_range(const cli_study *s, const msw_column *column, cli_factor *f)
{
    free(f->values);
    free(f->level);
    f->values = NULL;
    f->level = NULL;
    f->levels = 0;
    for (size_t i = 0; i < s->n; i++) {
        f->x[i] = cli_factor_position(f, column->values[s->row[i]]);
        if (isnan(f->x[i]))
            return msw_fail(s->err, "'%s' has no value in some rows: leave them out by --filter",
                            f->name);
    }
    return 0;
}

/* ---- several parameters at once ---- */

static uint64_t tuple_key(const cli_study *s, const cli_factor *f, size_t i)
{
    double values[sizeof f->columns / sizeof *f->columns];
    for (size_t c = 0; c < f->column_count; c++)
        values[c] = s->table.columns[f->columns[c]].values[s->row[i]];
    return msw_hash_bytes(values, f->column_count * sizeof *values).lo;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int place_split(const cli_study *s, cli_factor *f)
{
    uint64_t *keys = malloc((s->n + 1) * sizeof *keys);
    if (!keys)
        return msw_fail_memory(s->err);
    for (size_t i = 0; i < s->n; i++)
        keys[i] = tuple_key(s, f, i);
    qsort(keys, s->n, sizeof *keys, by_key);
    for (size_t i = 0; i < s->n; i++)
        if (!f->levels || keys[i] != keys[f->levels - 1])
            keys[f->levels++] = keys[i];
    for (size_t i = 0; i < s->n; i++) {
        uint64_t key = tuple_key(s, f, i);
        const uint64_t *at = bsearch(&key, keys, f->levels, sizeof key, by_key);
        f->level[i] = (uint32_t)(at - keys);
        f->x[i] = f->level[i];
    }
    f->unordered = true;
    free(keys);
    return 0;
}

/* ---- all factors ---- */

/* The sweep's own factor of that name, or NULL. */
static const msw_outline_factor *planned(const cli_study *s, const cli_factor *f)
{
    for (size_t i = 0; i < s->outline.factor_count; i++)
        if (strcmp(s->outline.factors[i].name, f->name) == 0)
            return &s->outline.factors[i];
    return NULL;
}

static bool is_range(const cli_study *s, cli_factor *f)
{
    const msw_outline_factor *plan = planned(s, f);
    if (!plan || (plan->levels == 0 && isnan(plan->from)))
        return f->levels > FEW_LEVELS;
    if (plan->levels)
        return false;
    f->log = plan->scale != MSW_LINEAR && plan->from > 0;
    f->low = plan->from;
    f->high = plan->to;
    return true;
}

static int place_column(const cli_study *s, cli_factor *f)
{
    const msw_column *column = &s->table.columns[f->columns[0]];
    if (find_values(s, column, f))
        return -1;
    f->constant = f->levels < 2;
    f->unordered = column->labels != NULL;
    f->labels = (const char *const *)column->labels;
    if (!f->unordered && !f->constant && is_range(s, f))
        return place_range(s, column, f);
    return place_levels(s, column, f);
}

static int place_factor(const cli_study *s, cli_factor *f)
{
    f->x = malloc((s->n + 1) * sizeof *f->x);
    f->level = malloc((s->n + 1) * sizeof *f->level);
    if (!f->x || !f->level)
        return msw_fail_memory(s->err);
    if (f->column_count == 1)
        return place_column(s, f);
    if (place_split(s, f))
        return -1;
    f->constant = f->levels < 2;
    return 0;
}

int cli_study_place_factors(cli_study *s)
{
    for (size_t f = 0; f < s->factor_count; f++)
        if (place_factor(s, &s->factors[f]))
            return -1;
    return 0;
}

void cli_study_free_factors(cli_study *s)
{
    for (size_t f = 0; f < s->factor_count; f++) {
        free(s->factors[f].name);
        free(s->factors[f].values);
        free(s->factors[f].x);
        free(s->factors[f].level);
    }
    free(s->factors);
}
