/* SPDX-License-Identifier: MIT */
/* The key `auto`: how points are chosen that run in full (docs/models/auto.md), and what a plan at
 * that fidelity needs in addition. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"
#include "memsweep/expr/expr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The key `auto`: what of it is a number (auto.c). */
typedef struct msw_auto_settings {
    double budget, audit, confidence, tolerance, at_most;
    int64_t batch;
} msw_auto_settings;

extern const msw_param msw_auto_params[];

#define SETTING(member) offsetof(msw_auto_settings, member)
#define COMMON                                                                                     \
    .unit = "", .neutral = MSW_NO_NEUTRAL, .source = MSW_PUBLIC,                                   \
    .reference = "a choice of the experiment"

const msw_param msw_auto_params[] = {
    {.name = "budget",
     .kind = MSW_REAL,
     .min = 0,
     .max = 4294967295,
     .def = 0.01,
     .doc = "points in full at most: a share of all (1%), or a count (500)",
     .offset = SETTING(budget),
     COMMON},
    {.name = "audit",
     .kind = MSW_REAL,
     .min = 0,
     .max = 1,
     .def = 0.3,
     .doc = "part of the budget that is drawn at random from what was discarded",
     .offset = SETTING(audit),
     COMMON},
    {.name = "confidence",
     .kind = MSW_REAL,
     .min = 0.5,
     .max = 0.9999,
     .def = 0.95,
     .doc = "confidence of the statement",
     .offset = SETTING(confidence),
     COMMON},
    {.name = "tolerance",
     .kind = MSW_REAL,
     .min = 0,
     .max = 1,
     .def = 0.01,
     .doc = "a design is covered by one that is within this share of it",
     .offset = SETTING(tolerance),
     COMMON},
    {.name = "at_most",
     .kind = MSW_REAL,
     .min = 0,
     .max = 1,
     .def = 1,
     .doc = "share of the discarded designs that the audit has to be able to bound",
     .offset = SETTING(at_most),
     COMMON},
    {.name = "batch",
     .kind = MSW_INTEGER,
     .min = 1,
     .max = 1000000,
     .def = 64,
     .doc = "points of a round of the search",
     .offset = SETTING(batch),
     COMMON},
    {0},
};

/* ---- reading ---- */

/* Of a list like "weighted(a=2, b=1)" the store reads the rest, as it does of NAME@weighted(...).
 */
static bool is_way(const char *word)
{
    static const char *const WAYS[] = {"worst", "mean", "geomean", "weighted"};
    size_t size = strcspn(word, "(");
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++)
        if (strlen(WAYS[i]) == size && strncmp(word, WAYS[i], size) == 0)
            return !word[size] || word[strlen(word) - 1] == ')';
    return false;
}

static void read_by(msw_loader *l, const msw_node *map)
{
    const msw_node *node = map ? msw_node_get(map, "by") : NULL;
    const char *word = node ? msw_loader_word(l, node, "by") : "worst";
    if (l->plan->automatic.over)
        msw_loader_say(l, map, "auto and the search say both how workloads are taken together");
    else if (word && !is_way(word))
        msw_loader_say(l, node,
                       "by '%s': allowed are worst, mean, geomean and weighted(NAME=2, ...)", word);
    else if (word && !(l->plan->automatic.over = msw_strdup(word)))
        msw_loader_memory(l);
}

static bool read_workload_word(msw_loader *l, const msw_node *map, const char *key)
{
    const msw_node *node = msw_node_get(map, key);
    const char *word = node ? msw_loader_word(l, node, key) : NULL;
    if (word && strcmp(word, "workload") != 0)
        msw_loader_say(l, node, "%s: found '%s', allowed is workload", key, word);
    return word != NULL;
}

/* `per: workload` is one front each; `over: workload` takes them together. */
static void read_fronts(msw_loader *l, const msw_node *map)
{
    bool per = read_workload_word(l, map, "per"), over = read_workload_word(l, map, "over");
    const msw_node *by = msw_node_get(map, "by");
    if (per && over)
        msw_loader_say(l, map, "auto: either 'per: workload' or 'over: workload'");
    else if (by && !over)
        msw_loader_say(l, by,
                       "auto: 'by' says how workloads are taken together: it needs "
                       "'over: workload'");
    else if (over)
        read_by(l, map);
}

/* A search has one front: of several workloads the designs are compared, by the worst unless it
 * says otherwise. */
void msw_loader_over(msw_loader *l, const msw_node *design)
{
    const msw_node *map = design && design->kind == MSW_NODE_MAP ? design : NULL;
    bool over = map && read_workload_word(l, map, "over");
    if (over || l->plan->workload_count > 1 || (map && msw_node_get(map, "by")))
        read_by(l, map);
}

static bool is_share(const msw_node *map)
{
    const msw_node *node = map ? msw_node_get(map, "budget") : NULL;
    return !node || !node->text || strchr(node->text, '%') != NULL;
}

static void check_budget(msw_loader *l, const msw_node *map)
{
    msw_auto *a = &l->plan->automatic;
    a->counted = !is_share(map) && a->budget >= 1;
    const msw_node *node = map ? msw_node_get(map, "budget") : NULL;
    if (node && a->counted && a->budget != floor(a->budget))
        msw_loader_say(l, node, "auto: budget '%s' is no number of points", node->text);
    else if (node && !a->counted && (a->budget <= 0 || a->budget > 1))
        msw_loader_say(l, node, "auto: budget '%s': a share above 0 and up to 100%%, or a count",
                       node->text);
}

void msw_loader_auto(msw_loader *l)
{
    static const char *const OTHERS[] = {"per", "over", "by", NULL};
    const msw_node *map = msw_loader_top(l, "auto");
    msw_auto_settings s;
    msw_params_defaults(msw_auto_params, &s);
    if (map && !msw_loader_is(l, map, MSW_NODE_MAP, "auto"))
        return;
    if (map)
        msw_loader_table(l, map, msw_auto_params, &s, "auto", OTHERS);
    l->plan->automatic = (msw_auto){.budget = s.budget,
                                    .audit = s.audit,
                                    .confidence = s.confidence,
                                    .tolerance = s.tolerance,
                                    .at_most = s.at_most,
                                    .batch = (uint64_t)s.batch};
    check_budget(l, map);
    if (map)
        read_fronts(l, map);
}

/* ---- what a plan at `auto` needs ---- */

static const msw_node *place(const msw_loader *l)
{
    return msw_loader_key(l, "fidelity");
}

/* Names that the view of such a sweep shows in addition to its columns. */
static void check_names(msw_loader *l)
{
    static const char *const TAKEN[] = {"role", "round", "margin", "state"};
    for (size_t i = 0; i < l->plan->view.derived_count; i++)
        for (size_t t = 0; t < sizeof TAKEN / sizeof *TAKEN; t++)
            if (strcmp(l->plan->view.derived[i].name, TAKEN[t]) == 0)
                msw_loader_say(l, msw_loader_key(l, "derive"),
                               "derive: '%s' is a column of every sweep at fidelity auto",
                               TAKEN[t]);
}

static void check_objectives(msw_loader *l)
{
    const msw_plan *plan = l->plan;
    bool open = false;
    for (size_t i = 0; i < plan->view.objective_count; i++)
        open = open || !msw_objective_is_exact(plan, i);
    if (!plan->view.objective_count)
        msw_loader_say(l, place(l), "fidelity auto looks for a front: name 'objectives'");
    else if (!open)
        msw_loader_say(l, place(l),
                       "all objectives are the same at every fidelity: 'fidelity: analytic' "
                       "answers this sweep");
}

void msw_step_auto(msw_loader *l)
{
    if (l->diagnostics.count || l->plan->part != MSW_PART_AUTO)
        return;
    if (l->plan->replicates > 1)
        msw_loader_say(l, place(l), "fidelity auto takes every point once: leave 'replicates' out");
    check_names(l);
    check_objectives(l);
}

/* ---- what others ask ---- */

const msw_plan *msw_plan_analytic(const msw_plan *plan)
{
    return plan->parts ? &plan->parts[0] : NULL;
}

const msw_plan *msw_plan_full(const msw_plan *plan)
{
    return plan->parts ? &plan->parts[1] : NULL;
}

bool msw_plan_is_told(const msw_plan *plan)
{
    return plan->by_hand && (plan->program || plan->fidelity == MSW_FULL);
}

const char *msw_plan_fidelity(const msw_plan *plan)
{
    static const char *const NAMES[] = {[MSW_PART_AUTO] = "auto",
                                        [MSW_PART_ANALYTIC] = "auto-analytic",
                                        [MSW_PART_FULL] = "auto-full"};
    return plan->part == MSW_PART_NONE ? msw_fidelity_name(plan->fidelity) : NAMES[plan->part];
}

uint64_t msw_auto_budget(const msw_plan *plan)
{
    const msw_auto *a = &plan->automatic;
    double points = a->counted ? a->budget : a->budget * (double)plan->points;
    return points < (double)plan->points ? (uint64_t)(points + 1e-9) : plan->points;
}

uint64_t msw_auto_audit(const msw_plan *plan)
{
    return (uint64_t)(plan->automatic.audit * (double)msw_auto_budget(plan) + 1e-9);
}

/* ---- objectives that are the same at every fidelity ---- */

/* Of a word in an expression: whether it is a metric that fidelities give otherwise, or the
 * half-width of one. */
static bool is_open_word(const msw_mech *mech, const char *word, size_t size)
{
    bool half = size > 3 && strncmp(word + size - 3, "_hw", 3) == 0;
    for (const msw_metric *m = mech->metrics; m->name; m++) {
        size_t whole = strlen(m->name);
        if (whole == size && strncmp(m->name, word, size) == 0)
            return !m->exact;
        if (half && whole == size - 3 && strncmp(m->name, word, whole) == 0)
            return true;
    }
    return false;
}

static bool is_exact_text(const msw_mech *mech, const char *text)
{
    for (msw_expr_word w = {0}; *(text += w.size);) {
        w = msw_expr_next(text);
        if (w.name_size && is_open_word(mech, w.name, w.name_size))
            return false;
    }
    return true;
}

bool msw_objective_is_exact(const msw_plan *plan, size_t i)
{
    const char *name = plan->view.objectives[i].name;
    int metric = msw_metrics_find(plan->mech->metrics, name);
    if (metric >= 0)
        return plan->mech->metrics[metric].exact;
    for (size_t d = 0; d < plan->view.derived_count; d++)
        if (strcmp(plan->view.derived[d].name, name) == 0)
            return is_exact_text(plan->mech, plan->view.derived[d].text);
    return true;
}

double msw_objective_floor(const msw_plan *plan, size_t i)
{
    int metric = msw_metrics_find(plan->mech->metrics, plan->view.objectives[i].name);
    bool lower = plan->view.objectives[i].goal == MSW_GOAL_LOWER;
    double floor = metric >= 0 && lower ? plan->mech->metrics[metric].floor : 0;
    return floor > 0 ? floor : -INFINITY;
}
