/* SPDX-License-Identifier: MIT */
/* Points become a table of errors: a tree that puts errors of one size together, grown on half of
 * the points, and an interval for each of its leaves from all of them; or errors of a user's own
 * points, workload by workload. */
#include "memsweep/results/learn.h"
#include "memsweep/analysis/strata.h"
#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"
#include "memsweep/results/fidelity.h"
#include "memsweep/sweep/errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_ROWS = 40, /* of a leaf, of those that the tree grows on */
    LEAST_GROUPS = 4,
    FEATURES = 400
};
#define SPARE 0.02 /* of coverage: what the tree has seen of the points */

typedef struct learning {
    const msw_mech *mech;
    const msw_learn_points *points;
    double confidence;
    size_t feature_count, target_count, grown; /* rows that the tree grows on */
    msw_feature features[FEATURES];
    double *memory;
    const double *columns[FEATURES], *targets[MSW_TREE_TARGETS];
    uint32_t *groups; /* of those rows */
    msw_tree tree;
    uint32_t *leaf; /* node of each point */
    msw_text *out;
} learning;

static const double *params_of(const msw_learn_points *p, size_t i)
{
    return p->values + i * (p->params + 2 * p->metrics);
}

static const double *closed_of(const msw_learn_points *p, size_t i)
{
    return params_of(p, i) + p->params;
}

/* The error of a metric: NaN where either model has none, or says 0 where the other does not. */
static double error_of(const msw_learn_points *p, size_t i, int metric)
{
    double closed = closed_of(p, i)[metric], full = closed_of(p, i)[p->metrics + (size_t)metric];
    if (!(closed > 0))
        return NAN; /* no interval is claimed of it */
    return full > 0 ? msw_math_log(full / closed) : full == 0 ? -INFINITY : NAN;
}

static double value_of(const learning *l, size_t point, msw_feature feature)
{
    return msw_feature_value(feature, msw_errors_total(l->mech), params_of(l->points, point),
                             closed_of(l->points, point));
}

/* ---- the tree ---- */

static void add_feature(learning *l, msw_feature_kind kind, int index)
{
    if (l->feature_count < FEATURES)
        l->features[l->feature_count++] = (msw_feature){kind, index};
}

static void list_features(learning *l)
{
    for (int i = 0; l->mech->params[i].name; i++)
        add_feature(l, MSW_FEATURE_PARAM, i);
    for (int m = 0; l->mech->metrics[m].name; m++) {
        const msw_metric *metric = &l->mech->metrics[m];
        add_feature(l, metric->stack || metric->least ? MSW_FEATURE_SHARE : MSW_FEATURE_METRIC, m);
        if (metric->kind == MSW_TOTAL && !metric->stack)
            add_feature(l, MSW_FEATURE_SHARE, m);
    }
}

static int fill_columns(learning *l, msw_err *err)
{
    size_t n = l->grown, columns = l->feature_count + MSW_TREE_TARGETS;
    int total = msw_errors_total(l->mech),
        primary = msw_metrics_find(l->mech->metrics, l->mech->primary);
    l->memory = malloc((n + 1) * columns * sizeof *l->memory);
    l->groups = malloc((n + 1) * sizeof *l->groups);
    if (!l->memory || !l->groups)
        return msw_fail_memory(err);
    for (size_t f = 0; f < l->feature_count; f++) {
        double *column = l->memory + f * n;
        for (size_t i = 0; i < n; i++)
            column[i] = value_of(l, 2 * i, l->features[f]);
        l->columns[f] = column;
    }
    for (int t = 0; t < (primary == total ? 1 : 2); t++) {
        double *column = l->memory + (l->feature_count + (size_t)t) * n;
        for (size_t i = 0; i < n; i++)
            column[i] = error_of(l->points, 2 * i, t ? primary : total);
        l->targets[l->target_count++] = column;
    }
    for (size_t i = 0; i < n; i++)
        l->groups[i] = l->points->group[2 * i];
    return 0;
}

typedef struct asked {
    const learning *l;
    size_t point;
} asked;

static double answer(const void *context, size_t feature)
{
    const asked *a = context;
    return value_of(a->l, a->point, a->l->features[feature]);
}

static int divide(learning *l, msw_err *err)
{
    l->grown = (l->points->n + 1) / 2;
    list_features(l);
    MSW_TRY(fill_columns(l, err));
    msw_strata_rows rows = {.n = l->grown,
                            .features = l->feature_count,
                            .targets = l->target_count,
                            .feature = l->columns,
                            .target = l->targets,
                            .group = l->groups,
                            .least = LEAST_ROWS,
                            .least_groups = LEAST_GROUPS};
    MSW_TRY(msw_tree_grow(&rows, &l->tree, err));
    l->leaf = calloc(l->points->n + 1, sizeof *l->leaf);
    if (!l->leaf)
        return msw_fail_memory(err);
    for (size_t i = 0; i < l->points->n; i++)
        l->leaf[i] = (uint32_t)msw_tree_find(&l->tree, answer, &(asked){l, i});
    return 0;
}

/* ---- the table ---- */

static void write_tree(learning *l)
{
    uint32_t stratum = MSW_STRATUM_FIRST;
    for (uint32_t n = 0; n < l->tree.count; n++) {
        const msw_tree_node *node = &l->tree.nodes[n];
        if (!node->left) {
            msw_text_add(l->out, "leaf\t%u\t%u\n", n, stratum++);
            continue;
        }
        msw_text_add(l->out, "node\t%u\t", n);
        msw_feature_name(l->mech, l->features[node->feature], l->out);
        msw_text_add(l->out, "\t");
        msw_text_add_double(l->out, node->threshold);
        msw_text_add(l->out, "\t%u\t%u\n", node->left, node->right);
    }
}

static void write_factor(double log_ratio, msw_text *out)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", msw_math_exp(log_ratio));
    msw_text_add(out, "\t%s", text);
}

/* An interval is rounded outwards by what five digits lose. */
static void write_range(learning *l, uint32_t stratum, int metric, const msw_errors_of *rows)
{
    msw_error_interval interval;
    if (rows->n < LEAST_ROWS ||
        !msw_error_calibrate(rows, l->confidence + SPARE, LEAST_GROUPS, &interval))
        return;
    msw_text_add(l->out, "error\t%u\t%s\t%zu", stratum, l->mech->metrics[metric].name, rows->n);
    write_factor(interval.low - 1e-5, l->out);
    write_factor(interval.high + 1e-5, l->out);
    msw_text_add(l->out, "\n");
}

static void write_leaf(learning *l, uint32_t node, uint32_t stratum, double *errors,
                       uint32_t *groups)
{
    for (int m = 0; l->mech->metrics[m].name; m++) {
        msw_errors_of rows = {0, errors, groups};
        for (size_t i = 0; msw_errors_has(l->mech, m) && i < l->points->n; i++) {
            double error = error_of(l->points, i, m);
            if (l->leaf[i] != node || isnan(error))
                continue;
            errors[rows.n] = error;
            groups[rows.n++] = l->points->group[i];
        }
        if (rows.n)
            write_range(l, stratum, m, &rows);
    }
}

static int write_leaves(learning *l, msw_err *err)
{
    double *errors = malloc((l->points->n + 1) * sizeof *errors);
    uint32_t *groups = malloc((l->points->n + 1) * sizeof *groups), stratum = MSW_STRATUM_FIRST;
    int rc = errors && groups ? 0 : msw_fail_memory(err);
    for (uint32_t n = 0; rc == 0 && n < l->tree.count; n++)
        if (!l->tree.nodes[n].left)
            write_leaf(l, n, stratum++, errors, groups);
    free(errors);
    free(groups);
    return rc;
}

static void write_head(learning *l)
{
    const msw_learn_points *p = l->points;
    msw_errors_head(l->mech, l->out);
    msw_text_add(l->out,
                 "points\t%zu\ndrawn\t%zu\ninfeasible\t%zu\ndoubtful\t%zu\nunfinished\t%zu\n", p->n,
                 p->drawn, p->infeasible, p->doubtful, p->unfinished);
    msw_text_add(l->out, "workloads\t%s\nfrontends\t%s\nconfidence\t%g\nlargest\t%.6g\n",
                 msw_text_str(&p->workloads), msw_text_str(&p->frontends), l->confidence,
                 4 * p->largest);
}

int msw_learn_table(const msw_mech *mech, const msw_learn_points *points, double confidence,
                    msw_text *out, msw_err *err)
{
    learning *l = calloc(1, sizeof *l);
    if (!l)
        return msw_fail_memory(err);
    *l = (learning){.mech = mech, .points = points, .confidence = confidence, .out = out};
    int rc = divide(l, err);
    if (rc == 0) {
        write_head(l);
        write_tree(l);
        rc = write_leaves(l, err) || msw_text_check(out, err);
    }
    free(l->memory);
    free(l->groups);
    free(l->leaf);
    free(l);
    return rc ? -1 : 0;
}

/* ---- checking one ---- */

typedef struct tally {
    size_t points, judged, held;
    double width, *errors;
} tally;

static void judge(const msw_errors *errors, const msw_learn_points *p, size_t i, int metric,
                  uint32_t code, tally *t)
{
    const msw_error_range *range = msw_errors_range(errors, code, metric);
    double error = error_of(p, i, metric);
    if (isnan(error))
        return;
    t->errors[t->points++] = error;
    if (!range)
        return;
    double ratio = msw_math_exp(error);
    t->judged++;
    t->held += ratio >= range->low && ratio <= range->high;
    t->width = range->high / range->low;
}

static void add_tally(const char *stratum, const char *metric, tally *t, msw_table_builder *builder)
{
    if (!t->points)
        return;
    msw_sort_f64(t->errors, t->points);
    double last = (double)(t->points - 1);
    double low = t->errors[(size_t)(0.05 * last)], high = t->errors[(size_t)ceil(0.95 * last)];
    msw_builder_row(builder);
    msw_builder_text(builder, "stratum", stratum);
    msw_builder_text(builder, "metric", metric);
    msw_builder_count(builder, "points", t->points);
    msw_builder_number(builder, "with_interval", (double)t->judged / (double)t->points);
    msw_builder_number(builder, "covered", t->judged ? (double)t->held / (double)t->judged : NAN);
    msw_builder_number(builder, "width", t->judged && t->width > 0 ? t->width : NAN);
    msw_builder_number(builder, "errors_need", msw_math_exp(high - low));
}

static void check_stratum(const msw_errors *errors, const msw_learn_points *p, int stratum,
                          int metric, double *room, msw_table_builder *builder)
{
    char name[16];
    tally t = {.errors = room};
    for (size_t i = 0; i < p->n; i++) {
        uint32_t code = msw_errors_stratum(errors, p->known[i], params_of(p, i), closed_of(p, i));
        if (stratum < 0 || code == msw_errors_code(errors, (uint32_t)stratum))
            judge(errors, p, i, metric, code, &t);
    }
    if (stratum < 0)
        t.width = 0;
    snprintf(name, sizeof name, "%d", stratum);
    add_tally(stratum < 0                     ? "all"
              : stratum == MSW_STRATUM_OWN    ? "own workload"
              : stratum == MSW_STRATUM_LARGER ? "longer run"
                                              : name,
              errors->mech->metrics[metric].name, &t, builder);
}

int msw_learn_check(const msw_errors *errors, const msw_learn_points *points,
                    msw_table_builder *builder)
{
    const msw_mech *mech = errors->mech;
    double *room = malloc((points->n + 1) * sizeof *room);
    if (!room)
        return msw_fail_memory(builder->err);
    for (int m = 0; mech->metrics[m].name; m++)
        for (int stratum = -1; msw_errors_has(mech, m) && stratum < MSW_STRATA_MAX; stratum++)
            check_stratum(errors, points, stratum, m, room, builder);
    free(room);
    return builder->failed ? -1 : 0;
}

/* Errors of the closed form on a user's own points, workload by workload: all that a stream of
 * theirs needs to have intervals. */

#define TAIL ((1 - MSW_ERRORS_CONFIDENCE) / 2)

typedef struct owning {
    const msw_agree_options *ask;
    const msw_agree_match *match;
    double *errors;
    msw_text *out;
    bool *made; /* whether a workload has enough pairs */
} owning;

static const msw_column *workloads_of(const msw_agree_side *side, size_t sweep)
{
    return &side->sweeps[sweep].table.columns[side->workload];
}

static bool is_of(const owning *o, const msw_agree_row *row, const char *workload)
{
    const msw_column *names = workloads_of(o->match->candidates, row->sweep);
    return strcmp(names->labels[(size_t)names->values[row->row]], workload) == 0;
}

static size_t gather(owning *o, const char *workload, size_t metric)
{
    int own = o->match->candidates->metric[metric][MSW_AGREE_VALUE],
        other = o->match->references->metric[metric][MSW_AGREE_VALUE];
    size_t n = 0;
    for (size_t i = 0; i < o->match->n; i++) {
        const msw_agree_pair *pair = &o->match->pairs[i];
        double closed = msw_agree_value(o->match->candidates, pair->candidate, own);
        double full = msw_agree_value(o->match->references, pair->reference, other);
        if (closed > 0 && full > 0 && is_of(o, pair->candidate, workload))
            o->errors[n++] = msw_math_log(full / closed);
    }
    msw_sort_f64(o->errors, n);
    return n;
}

/* The order statistics between which the next of n + 1 exchangeable errors lies. Rounded outwards
 * by what six digits lose. */
static void write_own(owning *o, const char *workload, const char *metric, size_t n)
{
    size_t below = (size_t)floor((double)(n + 1) * TAIL + 1e-9);
    double low = o->errors[below - 1] - 1e-5, high = o->errors[n - below] + 1e-5;
    msw_text_add(o->out, "own\t%s\t%d\t%s\t%.6g\t%.6g\t%zu\n", workload,
                 o->ask->mech->version_closed, metric, msw_math_exp(low), msw_math_exp(high), n);
}

static void own_workload(owning *o, const char *workload)
{
    int total = msw_errors_total(o->ask->mech);
    for (size_t m = 0; m < o->ask->metric_count; m++) {
        int metric = msw_metrics_find(o->ask->mech->metrics, o->ask->metrics[m]);
        if (metric < 0 || !msw_errors_has(o->ask->mech, metric) ||
            o->match->candidates->metric[m][MSW_AGREE_VALUE] < 0)
            continue;
        size_t n = gather(o, workload, m);
        if (n >= MSW_AGREE_OWN_FEWEST)
            write_own(o, workload, o->ask->metrics[m], n);
        *o->made |= metric == total && n >= MSW_AGREE_OWN_FEWEST;
    }
}

static bool is_new(const msw_agree_side *side, size_t sweep, const char *workload)
{
    for (size_t t = 0; t < sweep; t++)
        for (size_t l = 0; l < workloads_of(side, t)->label_count; l++)
            if (strcmp(workloads_of(side, t)->labels[l], workload) == 0)
                return false;
    return true;
}

static void own_all(owning *o)
{
    const msw_agree_side *side = o->match->candidates;
    for (size_t t = 0; t < side->sweep_count; t++)
        for (size_t l = 0; l < workloads_of(side, t)->label_count; l++) {
            const char *workload = workloads_of(side, t)->labels[l];
            if (is_new(side, t, workload))
                own_workload(o, workload);
        }
}

int msw_agree_own(const msw_agree_options *ask, const msw_agree_match *match, msw_text *out,
                  bool *made, msw_err *err)
{
    owning o = {.ask = ask, .match = match, .out = out, .made = made};
    o.errors = malloc((match->n + 1) * sizeof *o.errors);
    if (!o.errors)
        return msw_fail_memory(err);
    own_all(&o);
    free(o.errors);
    return 0;
}
