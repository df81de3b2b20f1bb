/* SPDX-License-Identifier: MIT */
/* Lists the designs and finds the points that constraints leave. */
#include "design/design_private.h"

#include "memsweep/base/vec.h"
#include "memsweep/design/slots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the designs ---- */

const msw_design *const msw_designs[] = {
    &msw_design_grid,     &msw_design_random,
    &msw_design_lhs,      &msw_design_sobol,
    &msw_design_halton,   &msw_design_morris,
    &msw_design_saltelli, &msw_design_list,
    &msw_design_search,   NULL,
};

/* ---- points that pass ---- */

/* Draws allowed: FREE_DRAWS, and DRAWS_EACH more for each point found. */
enum { FREE_DRAWS = 1000000, DRAWS_EACH = 1000 };

const msw_design *msw_design_find(const char *name)
{
    for (size_t i = 0; msw_designs[i]; i++)
        if (strcmp(msw_designs[i]->name, name) == 0)
            return msw_designs[i];
    return NULL;
}

/* The search for points that pass. */
typedef struct search {
    const msw_design *design;
    const msw_design_input *input;
    msw_design_state *state;
    uint64_t wanted; /* points */
    uint64_t limit;  /* raw points there are */
    uint64_t step;   /* points that pass or fail together */
    size_t room;     /* of state->raw */
    double *coords;
} search;

/* Stores one raw index. As long as nothing was left out before it, the indices need no memory. */
static int store_index(search *s, uint64_t raw, msw_err *err)
{
    msw_design_state *state = s->state;
    bool in_order = !state->raw;
    if (!in_order || raw != state->count) {
        MSW_TRY(msw_vec_reserve(&state->raw, &s->room, state->count + 1, sizeof *state->raw, err));
        for (uint64_t i = 0; in_order && i < state->count; i++)
            state->raw[i] = i;
        state->raw[state->count] = raw;
    }
    state->count++;
    return 0;
}

/* Returns 1 when all points of a group pass, 0, or -1 with `err`. */
static int group_passes(const search *s, uint64_t first, msw_err *err)
{
    const msw_design_input *input = s->input;
    for (uint64_t raw = first; raw < first + s->step; raw++) {
        s->design->point(input, s->state->data, raw, s->coords);
        int passes = input->accept(input->accept_context, s->coords, err);
        if (passes <= 0)
            return passes;
    }
    return 1;
}

static bool goes_on(const search *s)
{
    const msw_design_state *state = s->state;
    if (s->design->constrained == MSW_CONSTRAINED_FILTER)
        return state->drawn < s->limit;
    return state->count < s->wanted && s->limit - state->drawn >= s->step &&
           state->drawn < FREE_DRAWS + DRAWS_EACH * state->count;
}

static int search_all(search *s, msw_err *err)
{
    while (goes_on(s)) {
        int passes = group_passes(s, s->state->drawn, err);
        if (passes < 0)
            return -1;
        for (uint64_t i = 0; passes && i < s->step; i++)
            if (store_index(s, s->state->drawn + i, err))
                return -1;
        s->state->drawn += s->step;
    }
    return 0;
}

static int check_found(const search *s, msw_err *err)
{
    const msw_design_state *state = s->state;
    if (state->count == 0)
        return msw_fail(err,
                        "design %s: none of %" PRIu64
                        " points passes the constraints; widen a range or relax `where`",
                        s->design->name, state->drawn);
    if (s->design->constrained != MSW_CONSTRAINED_FILTER && state->count < s->wanted)
        return msw_fail(err,
                        "design %s: only %" PRIu64 " of %" PRIu64
                        " points drawn pass the constraints, and %" PRIu64
                        " are wanted; narrow the ranges to the region meant, or use a grid",
                        s->design->name, state->count, state->drawn, s->wanted);
    return 0;
}

static int find_passing(search *s, msw_err *err)
{
    s->coords = malloc(s->input->factor_count * sizeof *s->coords + 1);
    if (!s->coords)
        return msw_fail_memory(err);
    int rc = search_all(s, err);
    free(s->coords);
    if (rc || check_found(s, err))
        return -1;
    msw_vec_trim(&s->state->raw, &s->room, s->state->count, sizeof *s->state->raw);
    s->state->conditional = s->state->group && s->state->raw;
    return 0;
}

static int find_points(const msw_design *design, const msw_design_input *input,
                       msw_design_state *state, msw_err *err)
{
    search s = {.design = design,
                .input = input,
                .state = state,
                .wanted = design->wanted(input),
                .limit = design->raw_count(input),
                .step = state->group ? state->group : 1};
    if (s.wanted == 0)
        return msw_fail(err, "design %s has no points", design->name);
    if (input->accept)
        return find_passing(&s, err);
    state->count = state->drawn = s.wanted;
    return 0;
}

static int check_levels(const msw_design *design, const msw_design_input *input, msw_err *err)
{
    for (size_t j = 0; design->needs_levels && j < input->factor_count; j++)
        if (input->levels[j] == 0)
            return msw_fail(err,
                            "design %s needs a number of values for every factor, and factor %zu "
                            "is continuous; list its values or give it steps",
                            design->name, j + 1);
    return 0;
}

static int check_space(const msw_design *design, const msw_design_input *input, msw_err *err)
{
    if (input->factor_count == 0 && design->coords == MSW_COORDS_UNIT)
        return msw_fail(err, "design %s needs at least one factor that varies", design->name);
    if (input->accept && design->constrained == MSW_CONSTRAINED_REFUSE &&
        !design->conditional(input))
        return msw_fail(
            err,
            "design %s cannot leave single points out, so it takes no constraints; set "
            "`constrained: conditional` to study the region that passes, or use random, "
            "lhs or sobol",
            design->name);
    return check_levels(design, input, err);
}

int msw_design_prepare(const msw_design *design, const msw_design_input *input,
                       msw_design_state *state, msw_err *err)
{
    *state = (msw_design_state){0};
    if (check_space(design, input, err))
        return -1;
    if (design->prepare && design->prepare(input, &state->data, err))
        return -1;
    state->group = design->group_size ? design->group_size(input) : 0;
    if (find_points(design, input, state, err)) {
        msw_design_release(design, state);
        return -1;
    }
    return 0;
}

void msw_design_point(const msw_design *design, const msw_design_input *input,
                      const msw_design_state *state, uint64_t i, double *coords)
{
    design->point(input, state->data, state->raw ? state->raw[i] : i, coords);
}

void msw_design_release(const msw_design *design, msw_design_state *state)
{
    if (design->release)
        design->release(state->data);
    free(state->raw);
    *state = (msw_design_state){0};
}
