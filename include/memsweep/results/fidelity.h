/* SPDX-License-Identifier: MIT */
/* fidelity: rows of the same point at different fidelities, side by side. */
#ifndef MEMSWEEP_RESULTS_FIDELITY_H
#define MEMSWEEP_RESULTS_FIDELITY_H

#include "memsweep/base/table_builder.h"
#include "memsweep/results/reading.h"

#include "memsweep/analysis/agreement.h"
#include "memsweep/mech/engine.h"
#include "memsweep/mech/stated.h"
#include "memsweep/sweep/outline.h"

enum { MSW_AGREE_METRICS = MSW_METRICS_MAX };

/* What to compare. */
typedef struct msw_agree_options {
    size_t metric_count;
    char *metrics[MSW_AGREE_METRICS];
    const char *group_by, *filter;
    bool doubtful; /* also rows that are not to be trusted */
    bool today;    /* no rows of an earlier closed form */
    const msw_mech *mech;
} msw_agree_options;

/* One row of a sweep, known by what makes it comparable. */
typedef struct msw_agree_row {
    msw_digest key; /* parameters, workload, replicate, seed */
    uint32_t row;
    uint16_t sweep;
    uint8_t fidelity;
    bool doubtful;
} msw_agree_row;

typedef struct msw_agree_sweep {
    char *name, *params; /* columns of its parameters, each with a comma behind it */
    size_t param_count, rows;
    bool older;      /* than a parameter of today's: nothing is stated about its rows */
    msw_table there; /* its columns, without rows */
    msw_table table; /* what is loaded */
} msw_agree_sweep;

enum { MSW_AGREE_VALUE, MSW_AGREE_HALF, MSW_AGREE_INSIDE, MSW_AGREE_PER_METRIC };

/* Rows of all sweeps of one name in a file, at every fidelity. Sorted by fidelity and key, each
 * once. Only their keys stay in memory: of 10^7 rows, all columns are more than it holds. */
typedef struct msw_agree_side {
    msw_store *store;
    size_t sweep_count;
    msw_agree_sweep *sweeps;
    size_t n, room;
    msw_agree_row *rows;
    size_t first[MSW_FIDELITY_COUNT + 1]; /* where each fidelity starts */
    size_t doubtful;                      /* rows left out for their doubt */
    /* Columns of what is loaded, -1 where one is not; those of the group come first. */
    int bound_by, workload, metric[MSW_AGREE_METRICS][MSW_AGREE_PER_METRIC];
} msw_agree_side;

/* One metric of matched rows; inside: 1 where the mechanism states how well the cheap model does.
 */
typedef struct msw_agree_values {
    double *candidate, *reference, *half, *inside;
    size_t n;
} msw_agree_values;

/* Takes the metrics of a comma-separated list, or all of the mechanism. Returns 0, or -1. */
int msw_agree_metrics(const char *list, const msw_mech *mech, msw_agree_options *ask, msw_err *err);

/* Reads the keys of all sweeps of the name of `sweep`. The store has to stay open. Returns 0, or
 * -1. */
int msw_agree_read(msw_store *store, const msw_sweep_info *sweep, const msw_agree_options *ask,
                   msw_agree_side *side, msw_err *err);

/* Columns to load: always the group, and of the metrics from `first` to before `end` the values and
 * where something is stated. */
typedef struct msw_agree_load {
    size_t first, end;
    bool halves, bound_by, workload;
} msw_agree_load;

/* Loads these columns instead of those that were. Returns 0, or -1: also when rows came in between.
 */
int msw_agree_load_columns(msw_agree_side *side, const msw_agree_options *ask,
                           const msw_agree_load *load, msw_err *err);

/* Columns that `load` of one metric takes, at most. */
size_t msw_agree_load_count(const msw_agree_options *ask, size_t metric, bool halves);

/* Reads a column list of one sweep by blocks, as the keys were read. Returns 0, or -1. */
int msw_agree_stream(const msw_agree_side *side, const msw_agree_options *ask, size_t sweep,
                     const char *columns, msw_block_fn take, void *context, msw_err *err);

/* Finds the only fidelity that sweeps of that name have, without reading rows; -1: there are
 * several, or `auto`. Returns 0, or -1 with `err`. */
int msw_agree_alone(msw_store *store, const msw_sweep_info *sweep, int *only, msw_err *err);

void msw_agree_free(msw_agree_side *side);

/* Reads a loaded cell; NaN where the column is -1. */
double msw_agree_value(const msw_agree_side *side, const msw_agree_row *row, int column);

/* Text of such a cell; "" when there is none. */
void msw_agree_text(const msw_agree_side *side, const msw_agree_row *row, int column,
                    msw_text *out);

typedef struct msw_agree_pair {
    const msw_agree_row *candidate, *reference;
    uint32_t group;
} msw_agree_pair;

/* Rows of two fidelities that are the same point. */
typedef struct msw_agree_match {
    const msw_agree_side *candidates, *references;
    int candidate, reference; /* fidelities */
    size_t n;
    msw_agree_pair *pairs;
    size_t group_count;
    char **groups; /* name of each */
    bool grouped;
} msw_agree_match;

/* Finds them; the group has to be loaded. Returns 0, or -1. */
int msw_agree_find(const msw_agree_options *ask, msw_agree_match *match, msw_err *err);
void msw_agree_drop(msw_agree_match *match);

/* One row per group and loaded metric, and one for the bottleneck if loaded. Returns 0, or -1. */
int msw_agree_measure(const msw_agree_options *ask, const msw_agree_match *match, double confidence,
                      msw_table_builder *builder);

/* The `count` pairs with the largest relative error of the first metric, which is loaded. Returns
 * 0, or -1. */
int msw_agree_worst(const msw_agree_options *ask, const msw_agree_match *match, size_t count,
                    msw_table_builder *builder);

/* Below so many pairs no order statistic holds a tail of 5 %. */
enum { MSW_AGREE_OWN_FEWEST = 19 };

/* Appends the errors of the closed form against full of the loaded metrics, workload by workload,
 * as lines of msw_own_errors_parse; `made` is set where a workload has enough pairs. Returns 0, or
 * -1. */
int msw_agree_own(const msw_agree_options *ask, const msw_agree_match *match, msw_text *out,
                  bool *made, msw_err *err);

/* A whole comparison; what a user asks for comes first, NULL and 0 where nothing was said. */
typedef struct msw_agree {
    const msw_context *context;
    const char *file, *other_file; /* NULL: the references are in the same file */
    const char *name, *other_name; /* of the sweeps */
    const char *metrics;
    msw_store_mode mode;
    size_t worst; /* list the worst pairs instead; 0: no */
    double confidence;
    size_t cells;             /* loaded at most, but for one metric's; 0: the usual number */
    msw_text *own;            /* gets the lines of msw_agree_own; NULL: nobody wants them */
    msw_store *store, *other; /* `store` is the caller's to close */
    msw_sweep_info sweep, other_sweep;
    msw_outline outline; /* of `sweep` */
    msw_agree_options ask;
    msw_agree_side candidates, references;
    size_t pairs, own_pairs;
    bool own_made; /* a workload has enough of them */
    msw_table_builder *builder;
    msw_err *err;
} msw_agree;

/* Compares every two fidelities there are, the most exact references first. Returns 0, or -1. */
int msw_agree_all(msw_agree *agree);
void msw_agree_close(msw_agree *agree);

/* Sets in the last row what is stated and of which share, the share of pairs within, and whether
 * that contradicts the statement. */
void msw_agree_verdict(const msw_agreement *stated, const msw_agree_values *values,
                       msw_table_builder *builder);

#endif
