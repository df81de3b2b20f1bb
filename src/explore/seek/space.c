/* SPDX-License-Identifier: MIT */
/* Makes the space of a search from a plan. */
#include "explore/seek/space.h"

#include "memsweep/design/slots.h"

#include <stdlib.h>

static int look(void *context, const uint32_t *levels, msw_digest *identity, msw_err *err)
{
    return msw_lattice_look(context, levels, identity, err);
}

static int fill(const msw_plan *plan, seek_plan_space *s, msw_err *err)
{
    const msw_slots *slots = msw_slots_of(&plan->design.state);
    const msw_lattice_gate *gates;
    size_t count = msw_lattice_gates(s->lattice, &gates), factors = slots->factor_count;
    s->factors = calloc(factors + 1, sizeof *s->factors);
    s->gates = calloc(count + 1, sizeof *s->gates);
    if (!s->factors || !s->gates)
        return msw_fail_memory(err);
    for (size_t f = 0; f < factors; f++)
        s->factors[f] = (msw_seek_factor){msw_slots_levels(slots, f), msw_lattice_ordered(plan, f)};
    for (size_t g = 0; g < count; g++)
        s->gates[g] = (msw_seek_gate){gates[g].parent, gates[g].child};
    s->space = (msw_seek_space){.factor_count = factors,
                                .factors = s->factors,
                                .gate_count = count,
                                .gates = s->gates,
                                .objectives = (unsigned)plan->view.objective_count,
                                .look = look,
                                .context = s->lattice};
    for (size_t k = 0; k < plan->view.objective_count; k++)
        s->space.higher[k] = plan->view.objectives[k].goal == MSW_GOAL_HIGHER;
    return 0;
}

int seek_space_open(const msw_plan *plan, seek_plan_space *s, msw_err *err)
{
    *s = (seek_plan_space){0};
    MSW_TRY(msw_lattice_new(plan, &s->lattice, err));
    return fill(plan, s, err);
}

void seek_space_close(seek_plan_space *s)
{
    msw_lattice_free(s->lattice);
    free(s->factors);
    free(s->gates);
}

/* By what the plan says of a point's cost, never by a clock: the same plan proposes the same. */
static bool wants_model(const msw_plan *plan)
{
    const msw_search_config *c = plan->design.config;
    return c->proposals == MSW_PROPOSALS_MODEL ||
           (c->proposals == MSW_PROPOSALS_AUTO && plan->part == MSW_PART_NONE &&
            plan->fidelity != MSW_ANALYTIC);
}

int seek_space_seeker(const msw_plan *plan, const seek_plan_space *s, msw_seeker **seeker,
                      msw_err *err)
{
    const msw_slots *slots = msw_slots_of(&plan->design.state);
    const msw_search_config *c = plan->design.config;
    msw_seek_rules rules = {.evaluations = (uint64_t)c->evaluations,
                            .batch = (uint64_t)c->batch,
                            .patience = (uint64_t)c->patience,
                            .audit = (uint64_t)c->audit,
                            .seed = plan->seed,
                            .model = wants_model(plan),
                            .confidence = 0.95};
    uint32_t *start = malloc((slots->count * slots->factor_count + 1) * sizeof *start);
    if (!start)
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < slots->count; i++)
        msw_wide_levels(slots, slots->list[i], start + i * slots->factor_count);
    int rc = msw_seeker_new(&s->space, &rules, start, slots->count, seeker, err);
    free(start);
    return rc;
}
