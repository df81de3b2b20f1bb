/* SPDX-License-Identifier: MIT */
/* Rounds: search until nothing is promising or its part of the budget is spent, an audit, and once
 * more where the audit found something and there is budget left. */
#include "explore/explorer.h"

#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <stdlib.h>

/* ---- making one ---- */

static int allocate(msw_explorer *e, msw_err *err)
{
    size_t units = e->space.units;
    e->units.row_of = calloc(units + 1, sizeof *e->units.row_of);
    e->units.proven = calloc(units + 1, sizeof *e->units.proven);
    e->fronts = calloc(e->space.groups + 1, sizeof *e->fronts);
    e->active = malloc(4096 * sizeof *e->active);
    e->statement.wrong_in = calloc(e->space.strata + 1, sizeof *e->statement.wrong_in);
    if (!e->statement.wrong_in || !e->units.row_of || !e->units.proven || !e->fronts || !e->active)
        return msw_fail_memory(err);
    if (e->space.open_count > 1)
        return 0;
    e->units.best = malloc((units + 1) * sizeof *e->units.best);
    e->units.looked = calloc(units + 1, sizeof *e->units.looked);
    if (!e->units.best || !e->units.looked)
        return msw_fail_memory(err);
    for (size_t u = 0; u < units; u++)
        e->units.best[u] = HUGE_VAL;
    return 0;
}

static int check(const msw_explore_space *s, msw_err *err)
{
    if (s->units >= UINT32_MAX)
        return msw_fail(err, "%zu designs: at most %u are possible with fidelity auto", s->units,
                        UINT32_MAX - 1);
    if (!s->open_count)
        return msw_fail(err, "all objectives are the same at every fidelity: nothing to explore");
    return 0;
}

int msw_explorer_new(const msw_explore_space *space, const msw_explore_rules *rules,
                     msw_explorer **explorer, msw_err *err)
{
    if (check(space, err))
        return -1;
    msw_explorer *e = *explorer = calloc(1, sizeof *e);
    if (!e)
        return msw_fail_memory(err);
    e->space = *space;
    e->rules = *rules;
    e->slack = msw_math_log1p(rules->tolerance);
    e->audit_size = rules->audit < rules->budget ? rules->audit : rules->budget;
    e->searching = e->floors = true;
    for (unsigned j = 0; j < space->open_count; j++)
        e->floors = e->floors && space->floor[j] > -HUGE_VAL;
    e->statement.discarded = e->statement.wrong = space->units;
    if (allocate(e, err) == 0 && msw_model_new(&e->space, &e->model, err) == 0)
        return 0;
    msw_explorer_free(e);
    *explorer = NULL;
    return -1;
}

void msw_explorer_free(msw_explorer *e)
{
    if (!e)
        return;
    for (uint32_t g = 0; e->fronts && g < e->space.groups; g++) {
        free(e->fronts[g].row);
        free(e->fronts[g].log);
    }
    msw_model_free(&e->model);
    free(e->units.row_of);
    free(e->units.proven);
    free(e->units.best);
    free(e->units.looked);
    free(e->rows);
    free(e->fronts);
    free(e->active);
    free(e->statement.wrong_in);
    free(e->chosen);
    free(e);
}

/* ---- a round that was told of ---- */

/* Where one of two values is none or infinite there is no error to learn. */
static int learn(msw_explorer *e, const msw_explore_row *r, msw_err *err)
{
    double errors[MSW_EXPLORE_OBJECTIVES];
    for (unsigned j = 0; j < e->space.open_count; j++) {
        errors[j] = r->answer.open[j] - e->space.open[j][r->unit];
        if (!isfinite(errors[j]))
            return 0;
    }
    return msw_model_learn(&e->model, r->unit, errors, err);
}

/* In the order of the units, whatever the order they were told in. */
static int take_in(msw_explorer *e, msw_err *err)
{
    for (size_t i = e->round_first; i < e->row_count; i++) {
        const msw_explore_row *r = &e->rows[i];
        if (!r->told)
            return msw_fail_kind(err, MSW_ERR_INTERNAL, "unit %u of round %u was not told of",
                                 r->unit, r->round);
        if (r->answer.state == MSW_EXPLORE_OK &&
            (learn(e, r, err) || msw_front_join(e, (uint32_t)i, err)))
            return -1;
        e->statement.failed += r->answer.state == MSW_EXPLORE_FAILED;
    }
    return 0;
}

/* What is left is shared between another search and the audit after it. */
static void go_on(msw_explorer *e)
{
    uint64_t spent = e->searched + e->audited;
    uint64_t left = e->rules.budget > spent ? e->rules.budget - spent : 0;
    e->searching = true;
    e->over = !e->statement.found || left < 2 || !e->statement.draws;
    e->audit_size = left / 2 < e->rules.audit ? left / 2 : e->rules.audit;
}

static int close_round(msw_explorer *e, msw_err *err)
{
    if (e->round_first == e->row_count && !(e->audits == 0 && !e->searching))
        return 0;
    bool audit = e->role == MSW_EXPLORE_AUDIT;
    if (audit && msw_audit_judge(e, err))
        return -1;
    if (take_in(e, err))
        return -1;
    if (audit)
        go_on(e);
    e->round_first = e->row_count;
    return 0;
}

/* ---- the next round ---- */

static int open_round(msw_explorer *e, msw_explore_role role, msw_err *err)
{
    msw_sort_u32(e->chosen, e->chosen_count);
    e->role = role;
    for (size_t i = 0; i < e->chosen_count; i++) {
        if (msw_vec_reserve(&e->rows, &e->row_capacity, e->row_count + 1, sizeof *e->rows, err))
            return -1;
        e->rows[e->row_count++] =
            (msw_explore_row){.unit = e->chosen[i], .round = e->round, .role = role};
        e->units.row_of[e->chosen[i]] = (uint32_t)e->row_count;
    }
    *(role == MSW_EXPLORE_AUDIT ? &e->audited : &e->searched) += e->chosen_count;
    return 0;
}

static int choose(msw_explorer *e, msw_explore_role *role, msw_err *err)
{
    *role = MSW_EXPLORE_SEARCH;
    if (e->searching && msw_search_choose(e, err))
        return -1;
    e->searching = e->chosen_count > 0;
    if (e->searching)
        return 0;
    *role = MSW_EXPLORE_AUDIT;
    return msw_audit_draw(e, err);
}

int msw_explorer_next(msw_explorer *e, msw_explore_round *round, msw_err *err)
{
    msw_explore_role role;
    if (close_round(e, err))
        return -1;
    e->chosen_count = 0;
    if (e->over)
        return 0;
    if (choose(e, &role, err) || open_round(e, role, err))
        return -1;
    *round = (msw_explore_round){e->round, role, e->chosen, e->chosen_count};
    if (!e->chosen_count) {
        e->over = true; /* nothing is left to draw from, or there is no audit */
        if (!e->audits && !e->statement.discarded)
            e->statement.wrong = 0;
        return 0;
    }
    e->round++;
    return 1;
}

void msw_explorer_tell(msw_explorer *e, uint32_t unit, const msw_explore_answer *answer)
{
    uint32_t row = e->units.row_of[unit];
    if (!row || row <= e->round_first)
        return;
    e->rows[row - 1].answer = *answer;
    e->rows[row - 1].told = true;
}

/* ---- what came of it ---- */

/* Where the closed form misleads most. */
static uint32_t worst_stratum(const msw_explorer *e)
{
    uint32_t worst = UINT32_MAX;
    for (uint32_t s = 0; s < e->space.strata; s++)
        if (e->statement.wrong_in[s] &&
            (worst == UINT32_MAX || e->statement.wrong_in[s] > e->statement.wrong_in[worst]))
            worst = s;
    return worst;
}

void msw_explorer_statement(const msw_explorer *e, msw_explore_statement *s)
{
    /* What the search has no answer of was neither announced nor drawn from: it may be wrong. What
     * an audit drew and has an answer of is known: it is not discarded any more. */
    uint64_t unknown = e->audits ? e->statement.failed - e->statement.lost_all : 0;
    *s = (msw_explore_statement){.discarded =
                                     e->audits ? e->statement.failed : e->statement.discarded,
                                 .wrong = e->statement.wrong + unknown,
                                 .searched = e->searched,
                                 .audited = e->audited,
                                 .found = e->statement.found_all,
                                 .lost = e->statement.lost_all,
                                 .failed = e->statement.failed,
                                 .surplus = msw_math_expm1(e->statement.surplus),
                                 .missed = e->statement.missed,
                                 .audits = e->audits,
                                 .rounds = e->round,
                                 .stratum = worst_stratum(e),
                                 .settled = e->settled};
    for (uint32_t g = 0; g < e->space.groups; g++)
        s->front += e->fronts[g].count;
    for (size_t u = 0; u < e->space.units; u++)
        if (!e->units.row_of[u]) {
            s->proven += e->units.proven[u];
            s->discarded += e->audits && !e->units.proven[u];
        }
}

msw_explore_standing msw_explorer_standing(const msw_explorer *e, uint32_t unit)
{
    uint32_t row = e->units.row_of[unit];
    if (!row)
        return e->units.proven[unit] ? MSW_EXPLORE_PROVEN : MSW_EXPLORE_OPEN;
    if (e->rows[row - 1].answer.state != MSW_EXPLORE_OK)
        return e->rows[row - 1].answer.state == MSW_EXPLORE_FAILED ? MSW_EXPLORE_LOST
                                                                   : MSW_EXPLORE_NOTHING;
    const msw_explore_answer *a = &e->rows[row - 1].answer;
    double gap = msw_front_gap(e, e->space.group[unit], a->exact, a->open, UINT32_MAX);
    return msw_front_holds(e, row - 1) || gap > 0 ? MSW_EXPLORE_FRONT : MSW_EXPLORE_COVERED;
}

double msw_explorer_margin(const msw_explorer *e, uint32_t unit)
{
    uint32_t row = e->units.row_of[unit];
    if (!row || e->rows[row - 1].answer.state != MSW_EXPLORE_OK)
        return NAN;
    const msw_explore_answer *a = &e->rows[row - 1].answer;
    double gap = msw_front_gap(e, e->space.group[unit], a->exact, a->open, row - 1);
    return fabs(gap) < HUGE_VAL ? msw_math_expm1(gap) : NAN;
}
