/* SPDX-License-Identifier: MIT */
/* Rounds of a search, its end and what can be said of it. */
#include "explore/seek/model.h"

#include "memsweep/base/math.h"
#include "memsweep/explore/limit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const msw_seek_method msw_seek_method_default = {
    .share = {[MSW_SEEK_STEP] = 0.3,
              [MSW_SEEK_EFFECT] = 0.35,
              [MSW_SEEK_CROSS] = 0.2,
              [MSW_SEEK_GATE] = 0.08,
              [MSW_SEEK_JUMP] = 0.07},
    .bold = 0.25,
    .isolated = true,
    .adapt = true,
};

const char *msw_seek_move_name(msw_seek_move move)
{
    static const char *const NAMES[MSW_SEEK_MOVES] = {"start", "step", "effect", "cross",
                                                      "gate",  "jump", "audit"};
    return NAMES[move];
}

/* ---- making one ---- */

static int begin(msw_seeker *s, const uint32_t *start, size_t count, msw_err *err)
{
    size_t n = s->space.factor_count;
    MSW_TRY(seek_effects_new(&s->space, &s->effects, err));
    for (size_t i = 0; i < count && s->row_count < s->rules.evaluations; i++)
        MSW_TRY(seek_add(s, start + i * n, seek_hash(s, start + i * n), MSW_NOWHERE, MSW_SEEK_START,
                         err) < 0);
    s->searched = s->row_count;
    return 0;
}

int msw_seeker_new(const msw_seek_space *space, const msw_seek_rules *rules, const uint32_t *start,
                   size_t start_count, msw_seeker **seeker, msw_err *err)
{
    msw_seeker *s = *seeker = calloc(1, sizeof *s);
    if (!s)
        return msw_fail_memory(err);
    s->space = *space;
    s->rules = *rules;
    s->method = rules->method ? *rules->method : msw_seek_method_default;
    uint64_t tenth = rules->evaluations / 10;
    s->rules.audit = rules->audit < tenth ? rules->audit : tenth;
    s->statement.missed = NAN;
    for (unsigned k = 0; k < SEEK_COSTS; k++)
        s->range[k] = 1;
    if (begin(s, start, start_count, err) == 0)
        return 0;
    msw_seeker_free(s);
    *seeker = NULL;
    return -1;
}

void msw_seeker_free(msw_seeker *s)
{
    if (!s)
        return;
    seek_effects_free(&s->effects);
    seek_model_free(&s->model);
    msw_map_free(&s->seen);
    msw_map_free(&s->known);
    free(s->rows);
    free(s->costs);
    free(s->levels);
    free(s->members);
    free(s->front);
    free(s->pool.items);
    free(s->pool.levels);
    free(s);
}

/* ---- the audit ---- */

/* One that is known cannot extend the front: it counts as drawn and costs nothing. */
static int draw_audit(msw_seeker *s, msw_err *err)
{
    uint32_t *levels = malloc((s->space.factor_count + 1) * sizeof *levels);
    int rc = levels ? 0 : msw_fail_memory(err);
    uint64_t tries = 0, most = 1000000 + 1000 * s->rules.audit;
    while (rc == 0 && s->statement.draws < s->rules.audit && tries++ < most) {
        msw_digest identity;
        seek_draw(s, levels);
        int belongs = s->space.look(s->space.context, levels, &identity, err);
        if (belongs > 0) {
            s->statement.draws++;
            rc = seek_add(s, levels, seek_hash(s, levels), MSW_NOWHERE, MSW_SEEK_AUDIT, err);
        }
        rc = belongs < 0 || rc < 0 ? -1 : 0;
    }
    free(levels);
    return rc;
}

/* All are judged by the front before any of them joins it. One without an answer may be better. */
static void judge(msw_seeker *s)
{
    for (size_t r = s->round_first; r < s->row_count; r++) {
        const msw_seek_answer *a = &s->rows[r].answer;
        double cost[SEEK_COSTS];
        for (unsigned k = 0; k < s->space.objectives; k++)
            cost[k] = seek_cost(s, k, a->value[k]);
        bool feasible = a->state == MSW_SEEK_OK && !(a->slack > 0);
        bool extends = feasible && !(seek_gap(s, s->front, s->front_count, cost) <= 0);
        s->statement.found += extends || a->state == MSW_SEEK_FAILED;
        s->statement.lost += a->state == MSW_SEEK_FAILED;
    }
}

static void conclude(msw_seeker *s)
{
    const uint64_t all = UINT64_C(1) << 40; /* large enough to be without end */
    msw_seek_statement *t = &s->statement;
    if (t->draws)
        t->missed =
            (double)msw_limit_wrong(all, t->draws, t->found, 1 - s->rules.confidence) / (double)all;
}

/* ---- rounds ---- */

static int take_in(msw_seeker *s, msw_err *err)
{
    for (size_t r = s->round_first; r < s->row_count; r++)
        if (!s->rows[r].told)
            return msw_fail_kind(err, MSW_ERR_INTERNAL, "design %zu of round %u was not told of", r,
                                 s->round);
    if (s->auditing)
        judge(s);
    uint64_t gain = s->last_gain;
    MSW_TRY(seek_archive_take(s, err));
    s->last_gain = s->auditing ? gain : s->last_gain;
    s->round_first = s->row_count;
    s->round++;
    return 0;
}

static uint64_t batch_of(const msw_seeker *s)
{
    uint64_t batch = s->rules.batch, part = s->searched / 32;
    uint64_t most = s->rules.evaluations - s->rules.audit;
    if (part > batch)
        batch = part;
    if (most < s->searched + batch)
        batch = most - s->searched;
    return batch;
}

static int choose(msw_seeker *s, msw_err *err)
{
    uint64_t count = batch_of(s);
    msw_rng_init(&s->rng, s->rules.seed, UINT64_C(0x5eec) << 32 | s->round);
    if (s->rules.patience && s->searched >= s->last_gain + s->rules.patience)
        s->end = MSW_SEEK_PATIENT;
    else if (!count)
        s->end = MSW_SEEK_SPENT;
    else if (seek_propose(s, count, err))
        return -1;
    else if (s->row_count == s->round_first)
        s->end = MSW_SEEK_EMPTY;
    s->searched = s->row_count;
    if (!s->end || !s->rules.audit)
        return 0;
    s->auditing = true;
    msw_rng_init(&s->rng, s->rules.seed, UINT64_C(0xa0d17) << 32);
    return draw_audit(s, err);
}

int msw_seeker_next(msw_seeker *s, msw_seek_round *round, msw_err *err)
{
    bool first = !s->round && s->row_count && !s->rows[0].told;
    if (!first && (s->end ? s->round_first < s->row_count : true) && take_in(s, err))
        return -1;
    if (!first && !s->end && choose(s, err))
        return -1;
    if (s->round_first == s->row_count) {
        conclude(s);
        return 0;
    }
    *round = (msw_seek_round){s->round, s->auditing, s->round_first, s->row_count - s->round_first};
    return 1;
}

const uint32_t *msw_seeker_levels(const msw_seeker *s, uint64_t slot)
{
    return seek_levels(s, (uint32_t)slot);
}

void msw_seeker_tell(msw_seeker *s, uint64_t slot, const msw_seek_answer *answer)
{
    s->rows[slot].answer = *answer;
    s->rows[slot].told = true;
}

bool msw_seeker_covers(const msw_seeker *s, const double *value)
{
    double cost[SEEK_COSTS];
    for (unsigned k = 0; k < s->space.objectives; k++) {
        if (!s->plain[k] && !(value[k] > 0))
            return false;
        cost[k] = seek_cost(s, k, value[k]);
    }
    return s->front_count && seek_gap(s, s->front, s->front_count, cost) <= 0;
}

bool msw_seeker_on_front(const msw_seeker *s, uint64_t slot)
{
    for (size_t i = 0; i < s->front_count; i++)
        if (s->members[i].row == slot)
            return true;
    return false;
}

void msw_seeker_statement(const msw_seeker *s, msw_seek_statement *t)
{
    *t = s->statement;
    t->end = s->end;
    t->evaluated = s->round_first;
    t->front = s->front_count;
    t->last_gain = s->last_gain;
    t->rounds = s->round;
}
