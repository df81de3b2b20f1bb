/* SPDX-License-Identifier: MIT */
/* The first round of a search, which is drawn at random: it is part of the plan. */
#include "sweep/loader.h"

#include "memsweep/base/map.h"
#include "memsweep/base/rng.h"
#include "memsweep/design/slots.h"

#include <inttypes.h>
#include <stdlib.h>

/* Draws are given up where so few designs pass the constraints. */
enum { DRAWS = 4000000, ENOUGH = 8, ENOUGH_DRAWS = 100000, MODEL_FACTORS = 32 };

static const msw_node *design_key(const msw_loader *l)
{
    return msw_loader_key(l, "design");
}

/* Designs that are equal by what acts are told apart later: here nobody knows. */
static int draw(const msw_plan *plan, msw_pointer *pointer, double *coords, uint64_t wanted,
                uint64_t *drawn, msw_err *err)
{
    msw_slots *slots = msw_slots_of(&plan->design.state);
    uint32_t levels[MSW_LATTICE_FACTORS];
    msw_map known = {0};
    msw_rng rng;
    int rc = 0;
    msw_rng_init(&rng, plan->seed, UINT64_C(0x57a27) << 32);
    for (*drawn = 0; rc == 0 && slots->count < wanted && *drawn < DRAWS; ++*drawn) {
        msw_point point;
        uint64_t *there;
        if (slots->count >= ENOUGH && *drawn > ENOUGH_DRAWS)
            break;
        for (size_t f = 0; f < slots->factor_count; f++)
            levels[f] = (uint32_t)msw_rng_below(&rng, msw_slots_levels(slots, f));
        msw_wide_coords(slots, levels, coords);
        msw_wide number = msw_wide_of(slots, levels);
        uint64_t key = msw_hash_bytes(&number, sizeof number).lo;
        if (msw_map_find(&known, key) || !msw_pointer_look(pointer, coords, 0, &point, err))
            continue;
        rc = msw_map_add(&known, key, &there, err) || msw_slots_add(slots, number, err);
    }
    msw_map_free(&known);
    return rc;
}

static void start(msw_loader *l, msw_pointer *pointer)
{
    const msw_plan *plan = l->plan;
    const msw_search_config *config = plan->design.config;
    int64_t most = config->batch < config->evaluations ? config->batch : config->evaluations;
    double coords[MSW_LATTICE_FACTORS];
    uint64_t drawn;
    msw_err err = {0};
    if (draw(plan, pointer, coords, (uint64_t)most, &drawn, &err))
        msw_loader_fail(l, &err, design_key(l), "%s", err.text);
    else if (!msw_slots_of(&plan->design.state)->count)
        msw_loader_say(l, msw_loader_key(l, plan->space.where ? "where" : "design"),
                       "none of %" PRIu64 " designs drawn belongs to the space%s%s", drawn,
                       err.text[0] ? ": " : ": relax 'where'", err.text);
    l->plan->design.state.drawn = drawn;
}

static void check(msw_loader *l)
{
    const msw_plan *plan = l->plan;
    if (plan->replicates > 1)
        msw_loader_say(l, design_key(l),
                       "a search takes every design once: leave 'replicates' out");
    if (((const msw_search_config *)plan->design.config)->proposals == MSW_PROPOSALS_MODEL &&
        plan->design.input.factor_count > MODEL_FACTORS)
        msw_loader_say(l, design_key(l),
                       "'proposals: model' takes at most %d factors: there are %zu, take moves",
                       MODEL_FACTORS, plan->design.input.factor_count);
    if (!plan->view.objective_count)
        msw_loader_say(l, design_key(l), "a search looks for a front: name 'objectives'");
    if (plan->view.objective_count > MSW_SEARCH_OBJECTIVES)
        msw_loader_say(l, design_key(l), "a search takes at most %d objectives",
                       MSW_SEARCH_OBJECTIVES);
}

void msw_step_search(msw_loader *l)
{
    msw_pointer *pointer = NULL;
    msw_err err = {0};
    if (l->diagnostics.count || !l->plan->design.kind->searches)
        return;
    check(l);
    if (l->diagnostics.count)
        return;
    if (msw_pointer_new(l->plan, &pointer, &err))
        msw_loader_fail(l, &err, l->root, "%s", err.text);
    else
        start(l, pointer);
    msw_pointer_free(pointer);
}
