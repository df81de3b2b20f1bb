/* SPDX-License-Identifier: MIT */
/* Samples of the parameters nobody knows, and the first parameter sets that are drawn of them. */
#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"
#include "memsweep/design/design.h"
#include "memsweep/reproduce/paper.h"
#include "memsweep/sweep/acting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples of the parameters nobody knows: a latin hypercube of their ranges. Those
 * that decide what is built for a point (of front ends, and what artifacts depend on) are an outer
 * design of few settings, each for samples in a row: building takes longer than thousands of closed
 * forms. What breaks a rule of the mechanism is drawn again. */

enum { MOST_DRAWS = 100, SAME_OUTER = 8 };

/* The value of each factor in each of this many points. */
typedef struct drawn {
    size_t factors, points;
    double *at; /* points x factors */
} drawn;

static int draw(size_t factors, size_t points, uint64_t seed, drawn *d, msw_err *err)
{
    const msw_design *design = msw_design_find("lhs");
    uint64_t *levels = calloc(factors + 1, sizeof *levels);
    void *config = calloc(1, design->config_size + 1);
    *d = (drawn){factors, points, calloc(points * factors + 1, sizeof *d->at)};
    int rc = levels && config && d->at ? 0 : msw_fail_memory(err);
    if (rc == 0) {
        msw_params_defaults(design->params, config);
        msw_param_set(msw_params_find(design->params, "points"), config, (double)points);
        msw_design_input input = {
            .factor_count = factors, .levels = levels, .seed = seed, .config = config};
        msw_design_state state = {0};
        rc = msw_design_prepare(design, &input, &state, err);
        for (size_t i = 0; rc == 0 && i < points; i++)
            msw_design_point(design, &input, &state, i, &d->at[i * factors]);
        msw_design_release(design, &state);
    }
    free(levels);
    free(config);
    return rc;
}

double msw_unknown_value(const msw_unknown *u, double position)
{
    const msw_param *param = u->param;
    double low = u->low, high = u->high, level;
    if (u->levels) {
        level = fmin(floor(position * (double)u->levels), (double)u->levels - 1);
        if (msw_unknown_chooses(param))
            return level;
        if (!msw_unknown_doubles(u))
            return low + level;
        return low > 0 ? low * msw_math_exp2(level) : level > 0 ? msw_math_exp2(level - 1) : 0;
    }
    bool log_scale = param->scale != MSW_LINEAR && low > 0;
    double value =
        log_scale ? low * msw_math_pow(high / low, position) : low + (high - low) * position;
    if (param->kind == MSW_SIZE)
        return fmax(floor(value / 1024) * 1024, low);
    return param->kind == MSW_INTEGER ? floor(value + 0.5) : value;
}

/* Gives a sample the values of point `i`; `shapes`: of the parameters that shape, or the others. */
static void take(msw_spread *s, size_t sample, const drawn *d, size_t i, bool shapes)
{
    for (size_t u = 0; u < s->unknown_count; u++)
        if (s->unknowns[u].shapes == shapes) {
            double position = d->at[i * d->factors + u];
            s->positions[sample * s->unknown_count + u] = position;
            s->unknowns[u].values[sample] = msw_unknown_value(&s->unknowns[u], position);
        }
}

/* ---- rules ---- */

/* Whether a sweep's point can exist with a sample's values. */
static bool point_exists(const msw_spread *s, const msw_plan *plan, void *block, size_t sample,
                         msw_err *err)
{
    for (size_t u = 0; u < s->unknown_count; u++) {
        int index = msw_schema_find(&plan->schema, s->unknowns[u].param->name);
        if (msw_paper_opens(plan, s->unknowns[u].param))
            msw_schema_set(&plan->schema, (size_t)index, block, s->unknowns[u].values[sample]);
    }
    const char *config = (const char *)block + plan->schema.part_offsets[0];
    return !plan->mech->check || plan->mech->check(config, err) == 0;
}

/* Marks those of the samples `asked` with which a point of a sweep cannot exist. Returns 0, or -1.
 */
static int mark_sweep(const msw_paper *p, const msw_spread *s, const msw_plan *plan,
                      const bool *asked, bool *broken, msw_err *why)
{
    msw_pointer *pointer = NULL;
    msw_point point;
    uint64_t step = plan->replicates ? plan->replicates : 1;
    uint64_t count = plan->points / plan->workload_count;
    void *block = calloc(1, plan->schema.size + 8);
    int rc = block ? msw_pointer_new(plan, &pointer, p->err) : msw_fail_memory(p->err);
    for (uint64_t i = 0; rc == 0 && i < count; i += step) {
        rc = msw_pointer_at(pointer, i, false, &point, p->err);
        for (size_t k = 0; rc == 0 && k < s->samples; k++) {
            if (!asked[k] || broken[k])
                continue;
            memcpy(block, point.block, plan->schema.size);
            broken[k] = !point_exists(s, plan, block, k, why);
        }
    }
    msw_pointer_free(pointer);
    free(block);
    return rc;
}

/* Of the samples that are marked, leaves those marked that break a rule. Returns 0, or -1. */
static int mark_broken(const msw_paper *p, const msw_spread *s, bool *broken, msw_err *why)
{
    size_t size = s->samples * sizeof *broken;
    bool *asked = malloc(size + 1);
    int rc = asked ? 0 : msw_fail_memory(p->err);
    if (rc == 0) {
        memcpy(asked, broken, size);
        memset(broken, 0, size);
    }
    for (size_t i = 0; rc == 0 && i < p->sweep_count; i++)
        if (p->sweeps[i].sampled)
            rc = mark_sweep(p, s, p->sweeps[i].plan, asked, broken, why);
    free(asked);
    return rc;
}

int msw_spread_broken(const msw_paper *p, const msw_spread *s, bool *broken, msw_err *why)
{
    memset(broken, 1, s->samples * sizeof *broken);
    return mark_broken(p, s, broken, why);
}

static size_t count_broken(const msw_spread *s, const bool *broken)
{
    size_t count = 0;
    for (size_t k = 0; k < s->samples; k++)
        count += broken[k];
    return count;
}

/* The outer setting that a sample has. */
static size_t outer_of(const msw_spread *s, size_t sample)
{
    return s->shapes < s->samples ? sample * s->shapes / s->samples : sample;
}

/* An outer setting none of whose samples keeps the rules is drawn again itself. */
static void take_outer(msw_spread *s, const drawn *d, const bool *broken)
{
    for (size_t first = 0, end; first < s->samples; first = end) {
        bool kept = false;
        for (end = first; end < s->samples && outer_of(s, end) == outer_of(s, first); end++)
            kept = kept || !broken[end];
        for (size_t k = first; !kept && k < end; k++)
            take(s, k, d, first, true);
    }
}

/* Draws again what breaks a rule, from hypercubes of other seeds. */
static int mend(msw_paper *p, msw_spread *s, bool *broken)
{
    for (uint64_t again = 0; again <= MOST_DRAWS; again++) {
        drawn d = {0};
        if (again ? mark_broken(p, s, broken, &s->rule) : msw_spread_broken(p, s, broken, &s->rule))
            return -1;
        s->broken = count_broken(s, broken);
        if (again == 0)
            s->redrawn = s->broken;
        if (s->broken == 0 || again == MOST_DRAWS)
            return 0;
        uint64_t words[] = {s->seed, again + 1};
        int rc =
            draw(s->unknown_count, s->samples, msw_hash_bytes(words, sizeof words).lo, &d, p->err);
        for (size_t k = 0; rc == 0 && k < s->samples; k++)
            if (broken[k])
                take(s, k, &d, k, false);
        if (rc == 0 && s->conditional && again >= SAME_OUTER)
            take_outer(s, &d, broken);
        free(d.at);
        if (rc)
            return -1;
    }
    return 0;
}

/* ---- all ---- */

static int take_all(msw_paper *p, msw_spread *s)
{
    drawn each = {0}, shapes = {0};
    size_t count = s->shapes;
    uint64_t words[] = {s->seed, 0};
    uint64_t seed = msw_hash_bytes(words, sizeof words).lo;
    int rc = draw(s->unknown_count, s->samples, s->seed, &each, p->err);
    if (rc == 0 && count < s->samples)
        rc = draw(s->unknown_count, count, seed, &shapes, p->err);
    for (size_t k = 0; rc == 0 && k < s->samples; k++) {
        take(s, k, &each, k, false);
        if (count < s->samples)
            take(s, k, &shapes, k * count / s->samples, true);
        else
            take(s, k, &each, k, true);
    }
    free(each.at);
    free(shapes.at);
    return rc;
}

int msw_spread_room(msw_spread *s, msw_err *err)
{
    s->positions = calloc(s->samples * s->unknown_count + 1, sizeof *s->positions);
    if (!s->positions)
        return msw_fail_memory(err);
    for (size_t u = 0; u < s->unknown_count; u++) {
        s->unknowns[u].values = calloc(s->samples + 1, sizeof(double));
        if (!s->unknowns[u].values)
            return msw_fail_memory(err);
    }
    return 0;
}

static int draw_spread(msw_paper *p, msw_spread *s)
{
    bool *broken = calloc(s->samples + 1, sizeof *broken);
    int rc = broken ? msw_spread_room(s, p->err) : msw_fail_memory(p->err);
    s->shapes = s->shapes < s->samples ? s->shapes : s->samples;
    if (rc == 0)
        rc = take_all(p, s);
    if (rc == 0)
        rc = mend(p, s, broken);
    free(broken);
    return rc;
}

/* Draws the first parameter sets of the unknowns of a paper, which `calibrate` begins with and
 * `--over-unknowns` shows: a latin hypercube, or all combinations of levels where they are few.
 * Unknowns that wait for something the sweeps never have are left out. */

/* What of a plan is drawn, by place in its schema: its conditions may hold for some of the values.
 */
static bool *list_open(const msw_paper *p, const msw_plan *plan)
{
    const msw_spread *s = &p->spread;
    bool *open = calloc(plan->schema.count + 1, sizeof *open);
    for (size_t u = 0; open && u < s->unknown_count; u++)
        if (msw_paper_opens(plan, s->unknowns[u].param))
            open[msw_schema_find(&plan->schema, s->unknowns[u].param->name)] = true;
    return open;
}

/* Whether an unknown may act at a point of a workload. */
static int acts_for(const msw_paper *p, const msw_acting *acting, msw_pointer *pointer,
                    const msw_plan *plan, size_t index, size_t workload, const bool *open)
{
    msw_point point;
    uint64_t step = plan->replicates ? plan->replicates : 1;
    uint64_t count = plan->points / plan->workload_count;
    int acts = 0;
    for (uint64_t i = 0; acts == 0 && i < count; i += step) {
        if (msw_pointer_at(pointer, workload * count + i, false, &point, p->err))
            return -1;
        acts = msw_acting_at(acting, index, point.block, open, p->err);
    }
    return acts;
}

static int acts_in(const msw_paper *p, const msw_acting *acting, const msw_plan *plan,
                   const msw_param *param)
{
    size_t index = (size_t)msw_schema_find(&plan->schema, param->name);
    bool *open = list_open(p, plan);
    msw_pointer *pointer = NULL;
    int acts = 0, rc = open ? msw_pointer_new(plan, &pointer, p->err) : msw_fail_memory(p->err);
    for (size_t w = 0; rc == 0 && acts == 0 && w < plan->workload_count; w++)
        if (msw_acting_concerns(acting, index, w))
            acts = acts_for(p, acting, pointer, plan, index, w, open);
    msw_pointer_free(pointer);
    free(open);
    return rc ? -1 : acts;
}

static int acts_somewhere(const msw_paper *p, const msw_param *param)
{
    int acts = 0;
    for (size_t i = 0; acts == 0 && i < p->sweep_count; i++) {
        const msw_plan *plan = p->sweeps[i].sampled ? p->sweeps[i].plan : NULL;
        msw_acting *acting = NULL;
        if (!plan || !msw_paper_opens(plan, param))
            continue;
        acts = msw_acting_new(plan, &acting, p->err) ? -1 : acts_in(p, acting, plan, param);
        msw_acting_free(acting);
    }
    return acts;
}

/* Forgets unknowns that act at no point of any sweep. */
static int drop_idle(msw_paper *p)
{
    msw_spread *s = &p->spread;
    for (size_t u = 0; u < s->unknown_count;) {
        int acts = acts_somewhere(p, s->unknowns[u].param);
        if (acts < 0)
            return -1;
        if (acts) {
            u++;
            continue;
        }
        s->idle++;
        s->unknown_count--;
        memmove(&s->unknowns[u], &s->unknowns[u + 1], (s->unknown_count - u) * sizeof *s->unknowns);
    }
    return s->unknown_count ? 0 : msw_fail(p->err, "no unknown acts at any point of the sweeps");
}

int msw_paper_acting(msw_paper *p)
{
    MSW_TRY(msw_paper_unknowns(p));
    MSW_TRY(!p->ask->unknowns && drop_idle(p));
    return 0;
}

/* How many combinations of levels there are; 0: an unknown has a range, or more than `most`. */
static size_t count_combinations(const msw_spread *s, size_t most)
{
    uint64_t count = 1;
    for (size_t u = 0; u < s->unknown_count && count <= most; u++)
        count = s->unknowns[u].levels <= most ? count * s->unknowns[u].levels : (uint64_t)most + 1;
    return count <= most ? (size_t)count : 0;
}

/* The middle of each level's cell; what shapes changes slowest. */
static void combination_at(msw_spread *s, size_t sample)
{
    size_t number = sample;
    double *position = &s->positions[sample * s->unknown_count];
    for (int shapes = 0; shapes < 2; shapes++)
        for (size_t u = 0; u < s->unknown_count; u++) {
            msw_unknown *unknown = &s->unknowns[u];
            if (unknown->shapes != (shapes == 1))
                continue;
            position[u] = ((double)(number % unknown->levels) + 0.5) / (double)unknown->levels;
            unknown->values[sample] = msw_unknown_value(unknown, position[u]);
            number /= unknown->levels;
        }
}

static int all_combinations(msw_paper *p, msw_spread *s)
{
    bool *broken = calloc(s->samples + 1, sizeof *broken);
    int rc = broken ? msw_spread_room(s, p->err) : msw_fail_memory(p->err);
    for (size_t k = 0; rc == 0 && k < s->samples; k++)
        combination_at(s, k);
    if (rc == 0)
        rc = msw_spread_broken(p, s, broken, &s->rule);
    for (size_t k = 0; rc == 0 && k < s->samples; k++)
        s->broken += broken[k];
    free(broken);
    return rc;
}

int msw_spread_first(msw_paper *p, msw_spread *s, size_t inner)
{
    size_t combinations = count_combinations(s, s->samples);
    s->combinations = combinations > 0;
    s->shapes = inner ? (size_t)msw_div_up(s->samples, inner) : s->samples;
    if (!s->combinations)
        return draw_spread(p, s);
    s->samples = combinations;
    return all_combinations(p, s);
}

int msw_paper_spread(msw_paper *p)
{
    msw_spread *s = &p->spread;
    s->fidelity = p->ask->fidelity ? p->ask->fidelity : "analytic";
    s->suffix = "-unknowns";
    s->seed = (uint64_t)p->ask->seed;
    s->conditional = true;
    MSW_TRY(msw_paper_acting(p));
    MSW_TRY(msw_spread_first(p, s, (size_t)p->ask->inner));
    return msw_spread_answer(p, s);
}
