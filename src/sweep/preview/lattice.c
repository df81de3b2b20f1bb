/* SPDX-License-Identifier: MIT */
/* The space of a search: what belongs to it, and who decides whether what acts. */
#include "memsweep/sweep/lattice.h"
#include "memsweep/expr/expr.h"

#include "memsweep/base/vec.h"
#include "memsweep/design/slots.h"
#include "memsweep/sweep/acting.h"

#include <stdlib.h>
#include <string.h>

struct msw_lattice {
    const msw_plan *plan;
    const msw_slots *slots;
    msw_pointer *pointer;
    msw_alike *alike; /* NULL: no design equals another */
    size_t workloads; /* asked who a design is: one, unless their front ends decide */
    double *coords;
    MSW_VEC(msw_lattice_gate) gates;
};

/* ---- gates ---- */

static bool asks(const msw_plan *plan, const msw_acting *acting, const msw_factor *child,
                 const msw_factor *parent)
{
    for (size_t p = 0; p < parent->target_count; p++) {
        const char *name = plan->schema.params[parent->targets[p]]->name;
        if (child->when && msw_expr_mentions(child->when, name))
            return true;
        for (size_t c = 0; c < child->target_count; c++)
            if (msw_acting_asks(acting, child->targets[c], parent->targets[p]))
                return true;
    }
    return false;
}

static int find_gates(msw_lattice *l, msw_err *err)
{
    const msw_space *space = &l->plan->space;
    msw_acting *acting = NULL;
    int rc = msw_acting_new(l->plan, &acting, err);
    for (size_t p = 0; rc == 0 && p < space->factor_count; p++)
        for (size_t c = 0; rc == 0 && c < space->factor_count; c++)
            if (c != p && asks(l->plan, acting, &space->factors[c], &space->factors[p]))
                rc = MSW_VEC_PUSH(&l->gates, ((msw_lattice_gate){(uint32_t)p, (uint32_t)c}), err);
    msw_acting_free(acting);
    return rc;
}

size_t msw_lattice_gates(const msw_lattice *l, const msw_lattice_gate **gates)
{
    *gates = l->gates.items;
    return l->gates.count;
}

/* Words have no order, nor have ways to deal a budget. */
bool msw_lattice_ordered(const msw_plan *plan, size_t factor)
{
    const msw_factor *f = &plan->space.factors[factor];
    return f->target_count == 1 && plan->schema.params[f->targets[0]]->kind != MSW_CHOICE;
}

/* ---- making one ---- */

/* A parameter of a front end may act for some workloads alone. */
static size_t count_asked(const msw_plan *plan)
{
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++)
            if (plan->space.factors[f].targets[t] >= plan->schema.part_first[1])
                return plan->workload_count;
    return 1;
}

int msw_lattice_new(const msw_plan *plan, msw_lattice **lattice, msw_err *err)
{
    msw_lattice *l = *lattice = calloc(1, sizeof *l);
    if (!l)
        return msw_fail_memory(err);
    l->plan = plan;
    l->slots = msw_slots_of(&plan->design.state);
    l->workloads = count_asked(plan);
    l->coords = calloc(plan->space.factor_count + 1, sizeof *l->coords);
    int rc = l->coords ? msw_pointer_new(plan, &l->pointer, err) : msw_fail_memory(err);
    if (rc == 0)
        rc = msw_alike_new(plan, &l->alike, err);
    if (rc == 0)
        rc = find_gates(l, err);
    if (rc == 0)
        return 0;
    msw_lattice_free(l);
    *lattice = NULL;
    return -1;
}

void msw_lattice_free(msw_lattice *l)
{
    if (!l)
        return;
    msw_pointer_free(l->pointer);
    msw_alike_free(l->alike);
    free(l->coords);
    free(l->gates.items);
    free(l);
}

/* What an expression pushes out of range is no design of the space. */
int msw_lattice_look(msw_lattice *l, const uint32_t *levels, msw_digest *identity, msw_err *err)
{
    msw_wide_coords(l->slots, levels, l->coords);
    *identity = (msw_digest){0};
    for (size_t w = 0; w < l->workloads; w++) {
        msw_point point;
        msw_digest key;
        if (msw_pointer_look(l->pointer, l->coords, w, &point, err) <= 0)
            return 0;
        if (l->alike)
            MSW_TRY(msw_alike_key(l->alike, &point, &key, err));
        else
            key = msw_point_key(l->plan, w, 0, point.block);
        *identity = w ? msw_hash_pair(*identity, key) : key;
    }
    return 1;
}
