/* SPDX-License-Identifier: MIT */
/* The design of a sweep: which one, its settings, its points, and the first round of a search. */
#include "memsweep/base/map.h"
#include "memsweep/base/rng.h"
#include "memsweep/base/text.h"
#include "memsweep/design/slots.h"
#include "sweep/loader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MSW_POINTS_TOTAL_MAX (UINT64_C(1) << 53)

#define MSW_FILTER_MAX (UINT64_C(1) << 26)

static const msw_design *find(msw_loader *l, const msw_node *node)
{
    const char *word = msw_loader_word(l, node, "design");
    if (!word)
        return NULL;
    if (strcmp(word, "adaptive") == 0) {
        msw_loader_say(l, node, "design 'adaptive' is reserved");
        return NULL;
    }
    const msw_design *design = msw_design_find(word);
    if (design)
        return design;
    const char *names[64];
    size_t count = 0;
    for (; count < 63 && msw_designs[count]; count++)
        names[count] = msw_designs[count]->name;
    names[count] = NULL;
    msw_loader_unknown(l, node, "design", names, sizeof *names);
    return NULL;
}

static const msw_design *choose(msw_loader *l, const msw_node *node)
{
    if (!node)
        return msw_design_find("grid");
    if (node->kind != MSW_NODE_MAP)
        return find(l, node);
    const msw_node *kind = msw_node_get(node, "kind"), *name = msw_node_get(node, "name");
    if ((kind != NULL) != (name != NULL))
        return find(l, kind ? kind : name);
    msw_loader_say(l, node, "design: write its name under 'kind', once");
    return NULL;
}

void msw_step_design(msw_loader *l)
{
    static const char *const OTHERS[] = {"groups", "kind", "name", NULL};
    static const char *const SEARCH[] = {"over", "by", "kind", "name", NULL};
    const msw_node *node = msw_loader_top(l, "design");
    msw_plan *plan = l->plan;
    plan->design.kind = choose(l, node);
    if (!plan->design.kind)
        return;
    plan->design.config = calloc(1, plan->design.kind->config_size + 1);
    if (!plan->design.config) {
        msw_loader_memory(l);
        return;
    }
    if (plan->design.kind->params)
        msw_params_defaults(plan->design.kind->params, plan->design.config);
    if (plan->design.kind->searches)
        msw_loader_over(l, node);
    if (plan->design.kind->coords == MSW_COORDS_VALUE)
        msw_loader_list(l, node ? node : l->root);
    else if (node && node->kind == MSW_NODE_MAP)
        msw_loader_table(l, node, plan->design.kind->params, plan->design.config,
                         plan->design.kind->name,
                         plan->design.kind->searches     ? SEARCH
                         : plan->design.kind->group_size ? OTHERS
                                                         : OTHERS + 1);
}

/* What design preparation asks of the space. */
typedef struct gate {
    msw_cursor *cursor;
    msw_coords kind;
    void *block;
    bool failed;
} gate;

static int accept(void *context, const double *coords, msw_err *err)
{
    gate *g = context;
    int verdict = msw_cursor_accepts(g->cursor, g->kind, coords, g->block, err);
    g->failed = verdict < 0;
    return verdict;
}

static bool has_conditions(const msw_space *space)
{
    for (size_t f = 0; f < space->factor_count; f++)
        if (space->factors[f].when)
            return true;
    return false;
}

/* Conditions leave points out only where levels are enumerated. */
static bool needs_gate(const msw_plan *plan)
{
    bool levels = plan->design.kind->coords == MSW_COORDS_LEVEL && has_conditions(&plan->space);
    return !plan->design.kind->searches && (plan->space.where || levels);
}

static bool check_levels(msw_loader *l)
{
    const msw_plan *plan = l->plan;
    bool good = true;
    for (size_t f = 0; f < plan->space.factor_count; f++) {
        if (plan->space.factors[f].levels || !plan->design.kind->needs_levels)
            continue;
        msw_loader_say(l, l->factor_at[f],
                       "'%s' is continuous, but design %s needs its values: give 'step' or "
                       "'count', or a list",
                       plan->space.factors[f].name, plan->design.kind->name);
        good = false;
    }
    return good;
}

/* Where to look when the space has no points: at what leaves them out. */
static const msw_node *blamed(const msw_loader *l, const gate *g)
{
    const msw_space *space = &l->plan->space;
    if (g->failed && space->fixed_count)
        return msw_loader_key(l, "fix");
    if (space->where)
        return msw_loader_key(l, "where");
    return msw_loader_key(l, has_conditions(space) ? "vary" : "design");
}

/* Raw points a constraint would be tried on. */
static bool check_size(msw_loader *l, const gate *g, bool gated)
{
    const msw_design *design = l->plan->design.kind;
    uint64_t raw = design->raw_count(&l->plan->design.input);
    uint64_t wanted = design->wanted(&l->plan->design.input);
    bool filters = design->constrained == MSW_CONSTRAINED_FILTER;
    if (!gated || (filters ? raw : wanted) <= MSW_FILTER_MAX)
        return true;
    msw_loader_say(l, blamed(l, g),
                   "constraints are tried point by point: at most %" PRIu64
                   " points with 'where' or 'when', take fewer levels or another design",
                   MSW_FILTER_MAX);
    return false;
}

static void prepare(msw_loader *l, gate *g)
{
    msw_plan *plan = l->plan;
    msw_design_input *input = &plan->design.input;
    msw_err err = {0};
    bool gated = needs_gate(plan);
    if (gated) {
        input->accept = accept;
        input->accept_context = g;
    }
    if (check_size(l, g, gated) &&
        msw_design_prepare(plan->design.kind, input, &plan->design.state, &err) != 0)
        msw_loader_fail(l, &err, blamed(l, g), "%s", err.text);
    /* The plan outlives the gate; finished designs never ask it. */
    input->accept = NULL;
    input->accept_context = NULL;
}

static bool settle(msw_loader *l)
{
    msw_plan *plan = l->plan;
    uint64_t positions =
        plan->design.kind->positions ? plan->design.kind->positions(plan->design.config) : 0;
    for (size_t f = 0; positions && f < plan->space.factor_count; f++)
        if (!msw_factor_settle(l, positions, &plan->space.factors[f]))
            return false;
    return true;
}

static bool fill_input(msw_loader *l)
{
    msw_plan *plan = l->plan;
    msw_design_input *input = &plan->design.input;
    uint64_t *levels = calloc(plan->space.factor_count + 1, sizeof *levels);
    input->levels = levels;
    if (!levels) {
        msw_loader_memory(l);
        return false;
    }
    if (!settle(l))
        return false;
    for (size_t f = 0; f < plan->space.factor_count; f++)
        levels[f] = plan->space.factors[f].levels;
    input->factor_count = plan->space.factor_count;
    input->seed = plan->seed;
    input->config = plan->design.config;
    if (plan->design.kind->group_size)
        msw_loader_groups(l);
    return l->diagnostics.count == 0;
}

static void count_points(msw_loader *l)
{
    msw_plan *plan = l->plan;
    double total =
        (double)plan->workload_count * (double)plan->design.state.count * (double)plan->replicates;
    if (total > (double)MSW_POINTS_TOTAL_MAX)
        msw_loader_say(l, l->root,
                       "%.3g points (%zu workloads x %" PRIu64 " of the design x %" PRIu64
                       " replicates), at most 2^53 are possible",
                       total, plan->workload_count, plan->design.state.count, plan->replicates);
    else
        plan->points = plan->workload_count * plan->design.state.count * plan->replicates;
}

void msw_step_points(msw_loader *l)
{
    msw_plan *plan = l->plan;
    if (!l->ready || !plan->design.kind || l->diagnostics.count || !check_levels(l) ||
        !fill_input(l))
        return;
    msw_err err = {0};
    gate g = {.kind = plan->design.kind->coords,
              .block = msw_arena_take(&l->arena, plan->schema.size + 1)};
    if (!g.block)
        msw_loader_memory(l);
    else if (msw_cursor_new(&plan->space, &g.cursor, &err))
        msw_loader_fail(l, &err, l->root, "%s", err.text);
    else
        prepare(l, &g);
    msw_cursor_free(g.cursor);
    if (l->diagnostics.count == 0)
        count_points(l);
}

/* The first round of a search, which is drawn at random: it is part of the plan. */

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
