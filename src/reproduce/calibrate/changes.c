/* SPDX-License-Identifier: MIT */
/* Fronts and factors over the settings, as tables and in sentences. */
#include "reproduce/calibrate/conclusions.h"

#include <inttypes.h>
#include <math.h>

static double per_cent(double share)
{
    return isfinite(share) ? floor(share * 1000 + 0.5) / 10 : share;
}

/* The values of a design point: "streams = 4, l1_entries = 32". */
static void add_point(const msw_calibration *c, const msw_concluded *to, size_t at, msw_text *out)
{
    const msw_plan *plan = to->sweep->plan;
    msw_pointer *pointer = NULL;
    msw_point point;
    char text[MSW_PARAM_TEXT];
    const char *before = "";
    bool found = msw_pointer_new(plan, &pointer, c->paper->err) == 0 &&
                 msw_pointer_at(pointer, at * to->replicates, false, &point, c->paper->err) == 0;
    for (size_t f = 0; found && f < to->factors; f++) {
        const msw_factor *factor = &plan->space.factors[to->factor[f]];
        for (size_t t = 0; t < factor->target_count; t++, before = ", ") {
            const msw_param *param = plan->schema.params[factor->targets[t]];
            double value = msw_schema_get(&plan->schema, factor->targets[t], point.block);
            msw_text_add(out, "%s%s = %s", before, param->name,
                         msw_param_print(param, value, text));
        }
    }
    msw_pointer_free(pointer);
}

/* ---- fronts ---- */

enum { OFF, ON, CHANGES };

/* Whether settings of the weights agree about a cell. */
static int stands(const msw_concluded *to, size_t cell)
{
    double share = to->front[MSW_GIVEN][cell];
    return share >= MSW_SURELY - 1e-9 ? ON : share <= 1 - MSW_SURELY + 1e-9 ? OFF : CHANGES;
}

static void add_front_row(const msw_calibration *c, const msw_concluded *to, size_t cell,
                          msw_table_builder *b)
{
    static const char *const SAYS[] = {[OFF] = "no: off it", [ON] = "no: on it", [CHANGES] = "yes"};
    msw_text point = MSW_TEXT_EMPTY;
    add_point(c, to, cell % to->points, &point);
    msw_builder_row(b);
    msw_builder_text(b, "sweep", to->sweep->word);
    msw_builder_made(b, "design point", &point);
    msw_builder_text(b, "workload", to->sweep->plan->workloads[cell / to->points].name);
    msw_builder_number(b, "on the front, %", per_cent(to->front[MSW_GIVEN][cell]));
    msw_builder_number(b, "of the prior, %", per_cent(to->front[MSW_PRIOR][cell]));
    msw_builder_text(b, "at the defaults", to->shipped[cell] ? "yes" : "no");
    msw_builder_text(b, "depends", SAYS[stands(to, cell)]);
    msw_text_free(&point);
}

static void add_front_rows(const msw_calibration *c, bool depends, msw_table_builder *b)
{
    for (size_t i = 0; c->conclusions && i < c->conclusions->sweep_count; i++) {
        const msw_concluded *to = &c->conclusions->sweeps[i];
        for (size_t cell = 0; msw_concluded_looks(to) && cell < to->loads * to->points; cell++) {
            bool ever = to->shipped[cell] || to->front[MSW_GIVEN][cell] > 0 ||
                        to->front[MSW_PRIOR][cell] > 0;
            if (ever && (stands(to, cell) == CHANGES) == depends)
                add_front_row(c, to, cell, b);
        }
    }
}

/* What depends on the unknowns comes first. */
void msw_calibrated_fronts(const msw_calibration *c, msw_table_builder *b)
{
    add_front_rows(c, true, b);
    add_front_rows(c, false, b);
}

/* ---- factors ---- */

/* A factor of a workload; the one behind the last: the unknowns. */
static void add_factor_row(const msw_concluded *to, size_t load, size_t f, msw_table_builder *b)
{
    const msw_plan *plan = to->sweep->plan;
    size_t at = load * (to->factors + 1) + f;
    bool unknowns = f == to->factors;
    msw_builder_row(b);
    msw_builder_text(b, "sweep", to->sweep->word);
    msw_builder_text(b, "metric", to->names[0]);
    msw_builder_text(b, "scale", to->logs[load] ? "logarithm" : "as it is");
    msw_builder_text(b, "workload", plan->workloads[load].name);
    msw_builder_text(b, "factor",
                     unknowns ? "(unknowns)" : plan->space.factors[to->factor[f]].name);
    msw_builder_number(b, "share, %", per_cent(to->shares[MSW_GIVEN][at]));
    msw_builder_number(b, "of the prior, %", per_cent(to->shares[MSW_PRIOR][at]));
    msw_builder_number(b, "largest in, %",
                       unknowns ? NAN : per_cent(to->largest[MSW_GIVEN][load * to->factors + f]));
}

void msw_calibrated_factors(const msw_calibration *c, msw_table_builder *b)
{
    for (size_t i = 0; c->conclusions && i < c->conclusions->sweep_count; i++) {
        const msw_concluded *to = &c->conclusions->sweeps[i];
        for (size_t w = 0; msw_concluded_looks(to) && w < to->loads; w++)
            for (size_t f = 0; f <= to->factors; f++)
                add_factor_row(to, w, f, b);
    }
}

/* ---- sentences ---- */

typedef struct told {
    size_t looked;            /* sweeps */
    size_t all;               /* fronts that choose nothing */
    size_t on, depends, lost; /* design points; lost: on a front at the defaults alone */
    size_t groups, several, same, unknowns;
} told;

/* Whether a workload's front holds all points whatever the unknowns are: it chooses nothing. */
static bool holds_all(const msw_concluded *to, size_t load)
{
    for (size_t i = 0; i < to->points; i++)
        if (!to->shipped[load * to->points + i] || stands(to, load * to->points + i) != ON)
            return false;
    return true;
}

static void count_cells(const msw_concluded *to, told *t)
{
    for (size_t cell = 0; cell < to->loads * to->points; cell++) {
        if (holds_all(to, cell / to->points))
            continue;
        int how = stands(to, cell);
        t->on += how == ON;
        t->depends += how == CHANGES;
        t->lost += how == OFF && to->shipped[cell];
    }
}

static void count_factors(const msw_concluded *to, told *t)
{
    for (size_t w = 0; w < to->loads; w++) {
        t->all += holds_all(to, w);
        const double *shares = &to->shares[MSW_GIVEN][w * (to->factors + 1)];
        double largest = 0, share = 0;
        for (size_t f = 0; f < to->factors; f++) {
            largest = fmax(largest, to->largest[MSW_GIVEN][w * to->factors + f]);
            share = fmax(share, shares[f]);
        }
        if (isnan(shares[to->factors]))
            continue; /* nothing differs */
        t->groups++;
        t->several += to->factors > 1;
        t->same += to->factors > 1 && largest >= MSW_SURELY - 1e-9;
        t->unknowns += shares[to->factors] > share;
    }
}

static void add_settings(const struct msw_conclusions *all, const msw_calibration *c, msw_text *out)
{
    msw_text_add(out,
                 "Conclusions at the %s over %" PRId64 " settings %s, and as many of the prior",
                 c->screens ? "closed form" : "fidelity of the files", c->ask->conclusions,
                 all->nearest ? "nearest to what was published, as none has any weight"
                              : "drawn from the weights");
}

static void add_not_looked_at(const struct msw_conclusions *all, const msw_calibration *c,
                              msw_text *out)
{
    uint64_t cost = 0;
    const char *before = "Too many points to conclude of: ";
    for (size_t i = 0; i < all->sweep_count; i++) {
        const msw_concluded *to = &all->sweeps[i];
        if (!to->why || !to->objectives)
            continue;
        cost += to->cost;
        msw_text_add(out, "%s%s", before, to->sweep->word);
        before = ", ";
    }
    if (cost)
        msw_text_add(out, " (%" PRIu64 " points%s).\n", cost,
                     c->screens ? "" : " at full: --full-conclusions");
    before = "No metric with a better direction has answers that are asked for in: ";
    for (size_t i = 0; i < all->sweep_count; i++)
        if (!all->sweeps[i].objectives) {
            msw_text_add(out, "%s%s", before, all->sweeps[i].sweep->word);
            before = ", ";
        }
    if (*before == ',')
        msw_text_add(out, ".\n");
}

static void add_fronts(const told *t, msw_text *out)
{
    if (t->all)
        msw_text_add(out, " (without %zu fronts that always hold all points)", t->all);
    msw_text_add(out, ": of %zu design points on a front, %zu are on it whatever the unknowns are",
                 t->on + t->depends + t->lost, t->on);
    if (t->lost)
        msw_text_add(out, ", %zu only at the defaults", t->lost);
    msw_text_add(out, "; %zu depend on them.\n", t->depends);
}

static void add_factors(const told *t, msw_text *out)
{
    if (t->several)
        msw_text_add(out,
                     "The factor that matters most is the same in %.0f %% of the weight for %zu of "
                     "%zu sweeps and workloads with several factors. ",
                     100 * MSW_SURELY, t->same, t->several);
    if (t->groups)
        msw_text_add(out, "The unknowns matter more than any factor for %zu of %zu.\n", t->unknowns,
                     t->groups);
}

void msw_calibrated_conclusions(const msw_calibration *c, msw_text *out)
{
    const struct msw_conclusions *all = c->conclusions;
    told t = {0};
    for (size_t i = 0; all && i < all->sweep_count; i++) {
        if (!msw_concluded_looks(&all->sweeps[i]))
            continue;
        t.looked++;
        count_cells(&all->sweeps[i], &t);
        count_factors(&all->sweeps[i], &t);
    }
    if (t.looked) {
        add_settings(all, c, out);
        add_fronts(&t, out);
        add_factors(&t, out);
    }
    if (all)
        add_not_looked_at(all, c, out);
}
