/* SPDX-License-Identifier: MIT */
/* Methods for rows on a grid: the exact splitting of variance, and one factor at a time. */
#include "memsweep/base/bits.h"
#include "memsweep/base/units.h"
#include "memsweep/format/format.h"
#include "memsweep/results/effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- complete grids ---- */

typedef struct grid {
    msw_anova_grid known;
    size_t levels[MSW_ANOVA_FACTORS], cells;
    const uint32_t *level[MSW_ANOVA_FACTORS];
    double *arranged, *part;
} grid;

/* Fills in the levels. Returns whether there could be a grid of them with `n` cells. */
static bool shape(const msw_slice *slice, grid *g)
{
    g->cells = 1;
    if (slice->factor_count == 0 || slice->factor_count > MSW_ANOVA_FACTORS)
        return false;
    for (size_t f = 0; f < slice->factor_count; f++) {
        const msw_case_factor *factor = slice->factors[f];
        if (!factor->levels || g->cells > slice->n / factor->levels)
            return false;
        g->levels[f] = factor->levels;
        g->level[f] = factor->level + slice->first;
        g->cells *= factor->levels;
    }
    g->known = (msw_anova_grid){.factors = (unsigned)slice->factor_count, .levels = g->levels};
    return g->cells == slice->n;
}

static int arrange(const msw_cases *s, const msw_slice *slice, grid *g, msw_err *err)
{
    if (!shape(slice, g))
        return msw_fail(err,
                        "anova needs every combination of the levels once; there are %zu points, "
                        "which is no such grid (a range, 'where', 'when' or the filter leaves "
                        "holes): say --method pce or regression",
                        slice->n);
    g->arranged = malloc((slice->n + 1) * sizeof *g->arranged);
    if (!g->arranged)
        return msw_fail_memory(err);
    if (msw_anova_arrange(&g->known, g->level, s->y + slice->first, slice->n, g->arranged, err))
        return -1;
    g->known.y = g->arranged;
    return 0;
}

bool msw_effects_anova_fits(const msw_cases *s, const msw_slice *slice)
{
    grid g = {0};
    bool fits = arrange(s, slice, &g, NULL) == 0;
    free(g.arranged);
    return fits;
}

/* The squared mean has lost its sign: it is taken from the cells again. */
static void show_moments(msw_effects *job, const grid *g)
{
    double sum = 0;
    for (size_t cell = 0; cell < g->cells; cell++)
        sum += g->arranged[cell];
    msw_builder_number(job->builder, "mean", sum / (double)g->cells);
    msw_builder_number(job->builder, "variance", msw_anova_variance(g->part, g->known.factors));
}

static void show_interactions(msw_effects *job, const msw_slice *slice, const grid *g,
                              const msw_used *used)
{
    double variance = msw_anova_variance(g->part, g->known.factors);
    for (int order = 2; order <= job->ask.interactions; order++)
        for (uint32_t set = 1; set < (uint32_t)1 << g->known.factors; set++) {
            if ((int)msw_bits_count(set) != order)
                continue;
            msw_text name = MSW_TEXT_EMPTY;
            msw_effects_factor_names(slice, set, &name);
            msw_effects_made_row(job, slice, &name);
            msw_builder_number(job->builder, "interaction", g->part[set] / variance);
            show_moments(job, g);
            msw_effects_used(job, used);
            msw_text_free(&name);
        }
}

static double closed(const void *context, uint32_t set)
{
    const grid *g = context;
    return msw_anova_closed(g->part, g->known.factors, set) /
           msw_anova_variance(g->part, g->known.factors);
}

static void finish_group(msw_effects *job, const msw_shares *shares)
{
    show_moments(job, shares->context);
    msw_effects_used(job, shares->used);
}

static int show_anova(msw_effects *job, const msw_slice *slice, const grid *g)
{
    msw_used used = {.used = slice->n};
    unsigned factors = g->known.factors;
    double variance = msw_anova_variance(g->part, factors);
    for (unsigned f = 0; f < factors; f++) {
        msw_effects_row(job, slice, slice->factors[f]->name);
        msw_builder_number(job->builder, "first", g->part[(uint32_t)1 << f] / variance);
        msw_builder_number(job->builder, "total", msw_anova_total(g->part, factors, f) / variance);
        show_moments(job, g);
        msw_effects_used(job, &used);
    }
    show_interactions(job, slice, g, &used);
    return msw_effects_groups(job, slice, &(msw_shares){g, &used, closed, finish_group});
}

int msw_effects_anova(msw_effects *job, const msw_slice *slice)
{
    grid g = {0};
    msw_cases *s = job->cases;
    int rc = arrange(s, slice, &g, s->err);
    if (rc == 0) {
        g.part = malloc(sizeof *g.part << g.known.factors);
        rc = g.part ? msw_anova(&g.known, g.part, s->err) : msw_fail_memory(s->err);
    }
    if (rc == 0)
        rc = show_anova(job, slice, &g);
    if (!job->unit)
        msw_text_add(job->note, "anova of a complete grid: exact, every level counts the same");
    job->unit = "points";
    free(g.arranged);
    free(g.part);
    return rc;
}

/* ---- one at a time ---- */

/* The level most cases have; among equals the parameter's default, else the middle one. */
static uint32_t usual_level(const msw_cases *s, const msw_slice *slice, const msw_case_factor *f)
{
    size_t *count = calloc(f->levels + 1, sizeof *count), most = 0, ties = 0;
    uint32_t best = (uint32_t)(f->levels / 2);
    if (!count)
        return best;
    for (size_t i = slice->first; i < slice->first + slice->n; i++)
        count[f->level[i]]++;
    for (size_t l = 0; l < f->levels; l++)
        most = count[l] > most ? count[l] : most;
    for (size_t l = 0; l < f->levels; l++)
        ties += count[l] == most;
    const msw_param *param = msw_params_find(s->outline.mech->params, f->name);
    for (size_t l = 0; l < f->levels; l++)
        if (count[l] == most &&
            (ties == 1 || (param && !f->unordered && f->values && f->values[l] == param->def)))
            best = (uint32_t)l;
    free(count);
    return best;
}

/* Whether a text is a level's value with a unit of its own: "2MiB", "50%", "1us". */
static bool is_value(const msw_case_factor *f, size_t level, const char *text, size_t size)
{
    static const char *const UNITS[] = {"", "B", "ns"};
    char word[64];
    double value;
    msw_text_fit(word, size + 1 < sizeof word ? size + 1 : sizeof word, text);
    for (size_t i = 0; f->values && !f->labels && i < sizeof UNITS / sizeof *UNITS; i++)
        if (msw_units_parse(word, UNITS[i], &value, NULL) == 0 && value == f->values[level])
            return true;
    return false;
}

static void level_text(const msw_case_factor *f, size_t level, char text[64])
{
    msw_column column = {.name = f->name, .values = f->values, .labels = (char **)f->labels};
    msw_text cell = MSW_TEXT_EMPTY;
    if (f->labels)
        msw_text_add(&cell, "%s", f->labels[(size_t)f->values[level]]);
    else if (f->values)
        msw_format_cell(&column, level, true, &cell);
    else
        msw_text_add(&cell, "%zu", level);
    msw_text_fit(text, 64, msw_text_str(&cell));
    msw_text_free(&cell);
}

/* The word after a name and '=', blanks around it left out; NULL where no '=' follows. */
static const char *value_of(const char *at, size_t *size)
{
    at += strspn(at, " ");
    if (*at != '=')
        return NULL;
    at++;
    at += strspn(at, " ");
    *size = strcspn(at, ",");
    while (*size && at[*size - 1] == ' ')
        --*size;
    return at;
}

/* Level that "--baseline a=1,b=2" gives a factor, or -1 with nothing said. */
static int asked_level(const char *baseline, const msw_case_factor *f)
{
    size_t size = strlen(f->name), width;
    for (const char *at = baseline; at && *at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        at += strspn(at, " ");
        const char *value = strncmp(at, f->name, size) == 0 ? value_of(at + size, &width) : NULL;
        if (!value)
            continue;
        for (size_t l = 0; l < f->levels; l++) {
            char text[64];
            level_text(f, l, text);
            if ((strlen(text) == width && strncmp(text, value, width) == 0) ||
                is_value(f, l, value, width))
                return (int)l;
        }
    }
    return -1;
}

/* Whether a part "a=1" names a factor of the slice and one of its levels. Returns 0, or -1. */
static int check_part(const msw_slice *slice, const char *part, size_t size, msw_err *err)
{
    const char *equals = memchr(part, '=', size);
    size_t name = equals ? (size_t)(equals - part) : size;
    while (name && part[name - 1] == ' ')
        name--;
    for (size_t f = 0; equals && f < slice->factor_count; f++) {
        const msw_case_factor *factor = slice->factors[f];
        if (strlen(factor->name) != name || strncmp(factor->name, part, name) != 0)
            continue;
        if (asked_level(part, factor) >= 0)
            return 0;
        char first[64], last[64];
        level_text(factor, 0, first);
        level_text(factor, factor->levels - 1, last);
        return msw_fail(err, "--baseline '%.*s': not a level of %s, which has %zu from %s to %s",
                        (int)size, part, factor->name, factor->levels, first, last);
    }
    return msw_fail(err, "--baseline '%.*s': write factor=level, of factors that vary: %s%s",
                    (int)size, part, slice->factors[0]->name,
                    slice->factor_count > 1 ? ", ..." : "");
}

static int check_baseline(const msw_slice *slice, const char *baseline, msw_err *err)
{
    for (const char *at = baseline; at && *at;) {
        at += strspn(at, " ,");
        size_t size = strcspn(at, ",");
        if (size && check_part(slice, at, size, err))
            return -1;
        at += size;
    }
    return 0;
}

static int find_baseline(const msw_effects *job, const msw_cases *s, const msw_slice *slice,
                         uint32_t *base, msw_err *err)
{
    for (size_t f = 0; f < slice->factor_count; f++)
        if (!slice->factors[f]->levels)
            return msw_fail(err, "one factor at a time needs levels; '%s' is a range",
                            slice->factors[f]->name);
    if (job && check_baseline(slice, job->ask.baseline, err))
        return -1;
    for (size_t f = 0; f < slice->factor_count; f++) {
        const msw_case_factor *factor = slice->factors[f];
        int asked = job ? asked_level(job->ask.baseline, factor) : -1;
        base[f] = asked >= 0 ? (uint32_t)asked : usual_level(s, slice, factor);
    }
    return 0;
}

/* How many factors of a case are off the baseline; `which` is the last of them. */
static size_t differences(const msw_slice *slice, const uint32_t *base, size_t i, size_t *which)
{
    size_t count = 0;
    for (size_t f = 0; f < slice->factor_count; f++)
        if (slice->factors[f]->level[i] != base[f]) {
            *which = f;
            count++;
        }
    return count;
}

bool msw_effects_oat_fits(const msw_cases *s, const msw_slice *slice)
{
    uint32_t *base = calloc(slice->factor_count + 1, sizeof *base);
    bool fits = base && slice->n > 1 && find_baseline(NULL, s, slice, base, NULL) == 0;
    size_t which = 0, at_base = 0;
    for (size_t i = slice->first; fits && i < slice->first + slice->n; i++) {
        size_t off = differences(slice, base, i, &which);
        at_base += off == 0;
        fits = off < 2;
    }
    free(base);
    return fits && at_base == 1;
}

typedef struct tornado {
    double *x, *y;
    uint32_t *base, *level; /* level: of each place looked at */
    size_t at_base;         /* the case */
} tornado;

static int find_base_case(const msw_cases *s, const msw_slice *slice, tornado *t)
{
    size_t which;
    for (size_t i = slice->first; i < slice->first + slice->n; i++)
        if (differences(slice, t->base, i, &which) == 0) {
            t->at_base = i;
            return 0;
        }
    return msw_fail(s->err, "no point is at the baseline: name one by --baseline 'a=1,b=2'");
}

static double value_at(const msw_case_factor *f, uint32_t level)
{
    return f->values && !f->labels ? f->values[level] : level;
}

/* The level that brings an end about: the baseline's where it does, else the first of those that
 * do.
 */
static void show_end(msw_effects *job, const msw_case_factor *factor, const tornado *t,
                     size_t count, uint32_t base, const char *name, double end)
{
    char text[64] = "";
    bool at_base = job->cases->y[t->at_base] == end;
    if (at_base)
        level_text(factor, base, text);
    for (size_t i = count; i-- > 0 && !at_base;)
        if (t->y[i] == end)
            level_text(factor, t->level[i], text);
    msw_builder_text(job->builder, name, text);
}

static int show_tornado(msw_effects *job, const msw_slice *slice, size_t f, tornado *t)
{
    msw_cases *s = job->cases;
    const msw_case_factor *factor = slice->factors[f];
    msw_oat_effect effect;
    size_t count = 0, which = 0;
    for (size_t i = slice->first; i < slice->first + slice->n; i++) {
        size_t off = differences(slice, t->base, i, &which);
        if (off > 1 || (off == 1 && which != f))
            continue;
        t->level[count] = factor->level[i];
        t->x[count] = value_at(factor, factor->level[i]);
        t->y[count++] = s->y[i];
    }
    msw_oat_factor known = {count, t->x, t->y, value_at(factor, t->base[f]), factor->unordered};
    if (msw_oat(&known, s->y[t->at_base], &effect, s->err))
        return -1;
    char text[64];
    level_text(factor, t->base[f], text);
    msw_effects_row(job, slice, factor->name);
    msw_builder_text(job->builder, "at", text);
    msw_builder_number(job->builder, "baseline", s->y[t->at_base]);
    msw_builder_number(job->builder, "low", effect.low);
    msw_builder_number(job->builder, "high", effect.high);
    show_end(job, factor, t, count, t->base[f], "low_at", effect.low);
    show_end(job, factor, t, count, t->base[f], "high_at", effect.high);
    msw_builder_number(job->builder, "swing", effect.swing);
    msw_builder_number(job->builder, "elasticity", effect.elasticity);
    msw_effects_used(job, &(msw_used){count - effect.dropped, effect.dropped});
    return 0;
}

static int show_tornadoes(msw_effects *job, const msw_slice *slice, tornado *t)
{
    if (find_baseline(job, job->cases, slice, t->base, job->cases->err) ||
        find_base_case(job->cases, slice, t))
        return -1;
    msw_used all = {0};
    for (size_t f = 0; f < slice->factor_count; f++) {
        if (show_tornado(job, slice, f, t))
            return -1;
        all.used += job->last.used;
        all.dropped += job->last.dropped;
    }
    job->last = all;
    return 0;
}

int msw_effects_oat(msw_effects *job, const msw_slice *slice)
{
    tornado t = {.x = malloc((slice->n + 1) * sizeof *t.x),
                 .y = malloc((slice->n + 1) * sizeof *t.y),
                 .base = calloc(slice->factor_count + 1, sizeof *t.base),
                 .level = malloc((slice->n + 1) * sizeof *t.level)};
    int rc = t.x && t.y && t.base && t.level ? show_tornadoes(job, slice, &t)
                                             : msw_fail_memory(job->cases->err);
    if (!job->unit)
        msw_text_add(job->note, "one factor at a time, all others at the column 'at'");
    job->unit = "points";
    free(t.x);
    free(t.y);
    free(t.base);
    free(t.level);
    return rc;
}
