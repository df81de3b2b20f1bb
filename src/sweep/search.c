/* SPDX-License-Identifier: MIT */
/* The first round of a search, which is drawn at random: it is part of the plan. */
#include "sweep/loader.h"

#include "memsweep/base/map.h"
#include "memsweep/base/rng.h"
#include "memsweep/design/slots.h"
#include "memsweep/sweep/lattice.h"

#include <inttypes.h>
#include <stdlib.h>

/* Draws are given up where so few designs pass the constraints. */
enum { DRAWS = 4000000, ENOUGH = 8, ENOUGH_DRAWS = 100000 };

static const msw_node *place(const msw_loader *l)
{
    return msw_loader_key(l, "design");
}

static int draw(const msw_plan *plan, msw_lattice *lattice, uint64_t wanted, uint64_t *drawn,
                msw_err *err)
{
    msw_slots *slots = msw_slots_of(&plan->design.state);
    uint32_t levels[MSW_LATTICE_FACTORS];
    msw_map known = {0};
    msw_rng rng;
    int rc = 0;
    msw_rng_init(&rng, plan->seed, UINT64_C(0x57a27) << 32);
    for (*drawn = 0; rc == 0 && slots->count < wanted && *drawn < DRAWS; ++*drawn) {
        msw_digest identity;
        uint64_t *there;
        if (slots->count >= ENOUGH && *drawn > ENOUGH_DRAWS)
            break;
        for (size_t f = 0; f < slots->factor_count; f++)
            levels[f] = (uint32_t)msw_rng_below(&rng, msw_slots_levels(slots, f));
        int belongs = msw_lattice_look(lattice, levels, &identity, err);
        rc = belongs < 0 ? -1 : 0;
        if (belongs <= 0 || msw_map_find(&known, identity.lo))
            continue;
        rc = msw_map_add(&known, identity.lo, &there, err) ||
             msw_slots_add(slots, msw_place_of(slots, levels), err);
    }
    msw_map_free(&known);
    return rc;
}

static void start(msw_loader *l, msw_lattice *lattice)
{
    const msw_plan *plan = l->plan;
    const msw_search_config *config = plan->design.config;
    int64_t most = config->batch < config->evaluations ? config->batch : config->evaluations;
    uint64_t drawn;
    msw_err err = {0};
    if (draw(plan, lattice, (uint64_t)most, &drawn, &err))
        msw_loader_fail(l, &err, place(l), "%s", err.text);
    else if (!msw_slots_of(&plan->design.state)->count)
        msw_loader_say(l, msw_loader_key(l, plan->space.where ? "where" : "design"),
                       "none of %" PRIu64 " designs drawn belongs to the space%s%s", drawn,
                       err.text[0] ? ": " : ": relax 'where'", err.text);
    l->plan->design.state.drawn = drawn;
    msw_slots_of(&plan->design.state)->shared = msw_slots_of(&plan->design.state)->count;
}

static void check(msw_loader *l)
{
    const msw_plan *plan = l->plan;
    if (plan->replicates > 1)
        msw_loader_say(l, place(l), "a search takes every design once: leave 'replicates' out");
    if (!plan->view.objective_count)
        msw_loader_say(l, place(l), "a search looks for a front: name 'objectives'");
    if (plan->view.objective_count > MSW_SEARCH_OBJECTIVES)
        msw_loader_say(l, place(l), "a search takes at most %d objectives", MSW_SEARCH_OBJECTIVES);
}

void msw_step_search(msw_loader *l)
{
    msw_lattice *lattice = NULL;
    msw_err err = {0};
    if (l->diagnostics.count || !l->plan->design.kind->searches)
        return;
    check(l);
    if (l->diagnostics.count)
        return;
    if (msw_lattice_new(l->plan, &lattice, &err))
        msw_loader_fail(l, &err, l->root, "%s", err.text);
    else
        start(l, lattice);
    msw_lattice_free(lattice);
}
