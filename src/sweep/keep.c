/* SPDX-License-Identifier: MIT */
/* The key `keep`: reading it, and printing it in one fixed way. */
#include "memsweep/sweep/keep.h"

#include "sweep/loader.h"

#include "memsweep/base/sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct keep_settings {
    double within;
    int64_t sample;
} keep_settings;

static const msw_param PARAMS[] = {
    {.name = "front",
     .unit = "",
     .kind = MSW_REAL,
     .min = 0,
     .max = 0.9,
     .def = 0,
     .neutral = MSW_NO_NEUTRAL,
     .source = MSW_PUBLIC,
     .reference = "a choice of the experiment",
     .doc = "rows that no other beats by more than this share are stored",
     .offset = offsetof(keep_settings, within)},
    {.name = "sample",
     .unit = "",
     .kind = MSW_INTEGER,
     .min = 0,
     .max = 4294967295,
     .def = 0,
     .neutral = MSW_NO_NEUTRAL,
     .source = MSW_PUBLIC,
     .reference = "a choice of the experiment",
     .doc = "about so many rows are stored at random",
     .offset = offsetof(keep_settings, sample)},
    {0},
};

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void add_metric(msw_loader *l, const msw_node *node, const char *what, int *list,
                       size_t *count)
{
    const msw_mech *mech = l->plan->mech;
    const char *name = msw_loader_word(l, node, what);
    int m = name ? msw_metrics_find(mech->metrics, name) : -1;
    for (size_t i = 0; m >= 0 && i < *count; i++)
        if (list[i] == m)
            return;
    if (name && m < 0)
        msw_loader_unknown(l, node, "metric", &mech->metrics[0].name, sizeof *mech->metrics);
    else if (m >= 0)
        list[(*count)++] = m;
}

/* A list of metrics, in the order of the mechanism's table. */
static void read_metrics(msw_loader *l, const msw_node *node, const char *what, size_t most,
                         int **list, size_t *count)
{
    if (!msw_loader_is(l, node, MSW_NODE_LIST, what))
        return;
    *list = calloc(msw_metrics_count(l->plan->mech->metrics) + 1, sizeof **list);
    if (!*list) {
        msw_loader_memory(l);
        return;
    }
    for (size_t i = 0; i < node->count; i++)
        add_metric(l, node->items[i], what, *list, count);
    if (!*count || *count > most)
        msw_loader_say(l, node, "%s: %zu metrics; name 1 to %zu", what, *count, most);
    msw_sort(*list, *count, sizeof **list, by_number);
}

/* `summary: on` is of the objectives that are metrics, and of the primary metric. */
static void summarise_all(msw_loader *l)
{
    const msw_plan *plan = l->plan;
    msw_keeping *keep = &l->plan->keep;
    keep->summary = calloc(MSW_KEEP_COLUMNS + 1, sizeof *keep->summary);
    if (!keep->summary) {
        msw_loader_memory(l);
        return;
    }
    for (int m = 0; plan->mech->metrics[m].name && keep->summary_count < MSW_KEEP_COLUMNS; m++) {
        bool wanted = m == 0;
        for (size_t i = 0; i < plan->view.objective_count; i++)
            wanted =
                wanted || strcmp(plan->view.objectives[i].name, plan->mech->metrics[m].name) == 0;
        if (wanted)
            keep->summary[keep->summary_count++] = m;
    }
}

static void read_summary(msw_loader *l, const msw_node *node)
{
    msw_keeping *keep = &l->plan->keep;
    if (node->kind == MSW_NODE_LIST)
        read_metrics(l, node, "keep: summary", MSW_KEEP_COLUMNS, &keep->summary,
                     &keep->summary_count);
    else if (node->kind == MSW_NODE_SCALAR && strcmp(node->text, "on") == 0)
        summarise_all(l);
    else if (node->kind != MSW_NODE_SCALAR || strcmp(node->text, "off") != 0)
        msw_loader_say(l, node, "keep: summary: allowed are on, off, or a list of metrics");
}

static void read_map(msw_loader *l, const msw_node *map)
{
    static const char *const OTHERS[] = {"metrics", "summary", NULL};
    msw_keeping *keep = &l->plan->keep;
    keep_settings s;
    msw_params_defaults(PARAMS, &s);
    msw_loader_table(l, map, PARAMS, &s, "keep", OTHERS);
    keep->front = msw_node_get(map, "front") != NULL;
    keep->within = s.within;
    keep->sample = (uint64_t)s.sample;
    const msw_node *metrics = msw_node_get(map, "metrics"), *summary = msw_node_get(map, "summary");
    if (metrics)
        read_metrics(l, metrics, "keep: metrics", msw_metrics_count(l->plan->mech->metrics),
                     &keep->metrics, &keep->metric_count);
    if (summary)
        read_summary(l, summary);
    if (!keep->metric_count && !msw_keep_chooses(keep) && !l->diagnostics.count)
        msw_loader_say(l, map,
                       "keep: nothing is named; write all, or some of {front: 5%%, sample: 100000, "
                       "summary: on, metrics: [cycles]}");
}

/* ---- what it needs ---- */

static bool holds(const msw_keeping *keep, int metric)
{
    for (size_t i = 0; i < keep->metric_count; i++)
        if (keep->metrics[i] == metric)
            return true;
    return false;
}

/* The front is found by its objectives, which its rows therefore have to show. */
static void check_objectives(msw_loader *l, const msw_node *node)
{
    const msw_plan *plan = l->plan;
    const msw_keeping *keep = &plan->keep;
    if (keep->front && !plan->view.objective_count)
        msw_loader_say(l, node, "keep: front needs 'objectives'");
    if (plan->view.objective_count > MSW_KEEP_OBJECTIVES)
        msw_loader_say(l, node, "keep: front takes at most %d objectives", MSW_KEEP_OBJECTIVES);
    for (size_t i = 0; keep->metric_count && i < plan->view.objective_count; i++) {
        int m = msw_metrics_find(plan->mech->metrics, plan->view.objectives[i].name);
        if (m >= 0 && !holds(keep, m))
            msw_loader_say(l, node, "keep: metrics lacks the objective '%s'",
                           plan->view.objectives[i].name);
    }
    if (keep->metric_count && plan->view.derived_count)
        msw_loader_say(
            l, node,
            "keep: metrics with 'derive' or 'subject_to': their columns may need others; "
            "leave metrics out");
}

void msw_step_keep(msw_loader *l)
{
    const msw_node *node = msw_loader_top(l, "keep");
    const msw_plan *plan = l->plan;
    if (!node || l->diagnostics.count)
        return;
    if (node->kind == MSW_NODE_SCALAR && strcmp(node->text, "all") == 0)
        return;
    if (!msw_loader_is(l, node, MSW_NODE_MAP, "keep: all, or what is kept"))
        return;
    if (plan->design.kind && plan->design.kind->searches) {
        msw_loader_say(l, node,
                       "keep: a search stores all that it answers, which is little: leave "
                       "'keep' out, or take a design that lists its points");
        return;
    }
    if (plan->fidelity != MSW_ANALYTIC || plan->part != MSW_PART_NONE || plan->program ||
        msw_plan_is_told(plan)) {
        msw_loader_say(l, node,
                       "keep: what is not stored is computed again, which only the closed form "
                       "makes cheap: say 'fidelity: analytic', or 'keep: all'");
        return;
    }
    read_map(l, node);
    if (msw_keep_scans(&plan->keep) && plan->space.factor_count > MSW_KEEP_FACTORS)
        msw_loader_say(l, node, "keep: at most %d factors", MSW_KEEP_FACTORS);
    if (plan->keep.sample && plan->keep.sample < plan->points && plan->design.state.group)
        msw_loader_say(l, node,
                       "keep: a sample of points tears the groups of %zu that design %s needs "
                       "whole: leave sample out, say 'keep: all', or take a design without groups",
                       (size_t)plan->design.state.group, plan->design.kind->name);
    check_objectives(l, node);
}

/* ---- printing ---- */

static void add_names(const msw_plan *plan, const char *key, const int *list, size_t count,
                      const char **separator, msw_text *out)
{
    if (!count)
        return;
    msw_text_add(out, "%s%s: [", *separator, key);
    for (size_t i = 0; i < count; i++)
        msw_text_add(out, i ? ", %s" : "%s", plan->mech->metrics[list[i]].name);
    msw_text_add(out, "]");
    *separator = ", ";
}

void msw_keep_print(const msw_plan *plan, msw_text *out)
{
    const msw_keeping *keep = &plan->keep;
    const char *separator = "";
    msw_text_add(out, "{");
    if (keep->front) {
        msw_text_add(out, "front: ");
        msw_text_add_double(out, keep->within);
        separator = ", ";
    }
    if (keep->sample) {
        msw_text_add(out, "%ssample: %" PRIu64, separator, keep->sample);
        if (plan->workload_count > 1) /* else, and in older texts, each point by itself */
            msw_text_add(out, "/%zu", plan->workload_count);
        separator = ", ";
    }
    add_names(plan, "summary", keep->summary, keep->summary_count, &separator, out);
    add_names(plan, "metrics", keep->metrics, keep->metric_count, &separator, out);
    msw_text_add(out, "}");
}

/* splitmix64's mixing (Steele, Lea, Flood 2014) over seed and number. */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

bool msw_keep_is_sampled(const msw_keep_draw *draw, uint64_t index)
{
    if (draw->sample >= draw->points)
        return draw->sample > 0;
    uint64_t design = index % (draw->points / draw->together);
    return (double)(mix(mix(draw->seed ^ UINT64_C(0x6b656570)) ^ design) >> 11) * 0x1p-53 *
               (double)draw->points <
           (double)draw->sample;
}

static const char *value_of(const char *text, const char *key)
{
    const char *at = text ? strstr(text, key) : NULL;
    return at ? at + strlen(key) : NULL;
}

/* Whether a list "[a, b]" has a name. */
static bool lists(const char *list, const char *name, size_t size)
{
    for (const char *at = list + 1; *at && *at != ']'; at += strspn(at, ", ")) {
        size_t word = strcspn(at, ",]");
        if (word == size && strncmp(at, name, size) == 0)
            return true;
        at += word;
    }
    return false;
}

bool msw_keep_has_metric(const char *canonical, const char *name, size_t size)
{
    const char *list = value_of(value_of(canonical, "\nkeep: {"), "metrics: ");
    return !list || lists(list, name, size);
}

const char *msw_keep_summarised(const char *canonical, size_t number, size_t *size)
{
    const char *at = value_of(value_of(canonical, "\nkeep: {"), "summary: [");
    for (size_t m = 0; at && *at && *at != ']'; m++) {
        *size = strcspn(at, ",]");
        if (m == number)
            return at;
        at += *size;
        at += strspn(at, ", ");
    }
    return NULL;
}

msw_keep_text msw_keep_of_text(const char *canonical)
{
    const char *line = value_of(canonical, "\nkeep: {");
    const char *front = value_of(line, "front: "), *sample = value_of(line, "sample: ");
    const char *seed = value_of(canonical, "\nseed: ");
    msw_keep_text t = {.front = front != NULL,
                       .summary = value_of(line, "summary: [") != NULL,
                       .within = front ? strtod(front, NULL) : 0,
                       .draw = {.together = 1, .seed = seed ? strtoull(seed, NULL, 10) : 0}};
    char *end = NULL;
    t.draw.sample = sample ? strtoull(sample, &end, 10) : 0;
    if (end && *end == '/')
        t.draw.together = strtoull(end + 1, NULL, 10);
    t.chosen = t.front || t.draw.sample || t.summary;
    return t;
}
