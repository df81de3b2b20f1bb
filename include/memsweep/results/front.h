/* SPDX-License-Identifier: MIT */
/* front: from words to a front, and from a front to a table.
 *
 * Objectives are read for all rows, everything else only for the rows that are shown. */
#ifndef MEMSWEEP_RESULTS_FRONT_H
#define MEMSWEEP_RESULTS_FRONT_H

#include "memsweep/base/context.h"
#include "memsweep/base/table_builder.h"
#include "memsweep/results/grouping.h"

#include "memsweep/analysis/pareto.h"
#include "memsweep/store/keeping.h"
#include "memsweep/store/store.h"

/* What competes. */
typedef struct msw_objectives {
    size_t count;
    char *names[MSW_PARETO_OBJECTIVES];
    msw_goal goals[MSW_PARETO_OBJECTIVES];
} msw_objectives;

/* Reads the objectives of two comma-separated lists, or the sweep's own when both are NULL. Returns
 * 0, or -1. */
int msw_objectives_read(const char *minimize, const char *maximize, const msw_sweep_info *sweep,
                        msw_objectives *objectives, msw_err *err);
void msw_objectives_free(msw_objectives *objectives);

/* What a user asks for. */
typedef struct msw_front_options {
    const char *group_by, *filter, *columns; /* or NULL */
    int64_t ranks;
    bool knee, exclusive, uncertain, distinct;
    bool beyond;                 /* also rows beyond the limits of the sweep */
    bool doubtful;               /* also rows that are not to be trusted */
    bool uncounted;              /* nobody asks how many rows were left out */
    bool sieved;                 /* of rows behind the front, only the count is asked for */
    const char *reference;       /* "f1=1,f2=2" */
    int64_t thin;                /* points that represent the front; 0: all */
    const char *goals, *weights; /* as the reference, or NULL */
    double confidence;
} msw_front_options;

/* Whose front: the rows of a sweep, what competes in them, and what separates fronts. */
typedef struct msw_front_input {
    msw_store *store;
    msw_sweep_info sweep;
    msw_objectives objectives;
    msw_grouping grouping;
    msw_kept_rows kept;
    bool own;       /* the front that the sweep itself looks for: its objectives, all its rows */
    char *narrowed; /* filter of a sweep at fidelity auto: rows in full alone; or NULL */
} msw_front_input;

/* The rows that take part. */
typedef struct msw_front_rows {
    msw_table values;             /* row_id, point, objectives, half-widths, group */
    uint32_t *group, group_count; /* NULL: one group */
    msw_left_out left_out;        /* rows beyond limits, and those with a doubt */
    msw_pareto_count dropped;     /* while reading: they cannot be on the front */
} msw_front_rows;

/* What the analysis finds, of each row where it is a list; NULL: not asked for. */
typedef struct msw_front_ranks {
    int32_t *rank;
    msw_pareto_count count;
    size_t repeats;      /* rows of the front that equal another in all objectives */
    msw_knee *knees;     /* of each group; row SIZE_MAX: none */
    bool *kept;          /* rows that represent the front, or NULL: all */
    double epsilon;      /* by which the others are missed, in ranges of the front */
    double *miss;        /* of goals */
    unsigned *missed_by; /* the objective */
    double reference[MSW_PARETO_OBJECTIVES];
    double *share; /* exclusive part of the hypervolume */
    msw_standing *standing;
} msw_front_ranks;

/* What is shown of it. */
typedef struct msw_front_shown {
    size_t *rows, count; /* of the rows that take part */
    msw_table table;
} msw_front_shown;

typedef struct msw_front {
    msw_front_options options;
    msw_front_input input;
    msw_front_rows rows;
    msw_front_ranks ranks;
    msw_front_shown shown;
    msw_err *err;
} msw_front;

/* Columns of `values`. */
enum { MSW_FRONT_ROW_ID, MSW_FRONT_POINT, MSW_FRONT_OBJECTIVES };

/* Reads "f1=1, f2=2" into `values`, NaN for objectives that it does not name. Returns 0, or -1. */
int msw_objectives_values(const msw_objectives *objectives, const char *option, const char *list,
                          double *values, msw_err *err);

/* The values as the analysis takes them; `columns` has room for all objectives. */
msw_points msw_front_points(const msw_front_rows *rows, const msw_objectives *objectives,
                            const double *columns[MSW_PARETO_OBJECTIVES]);

/* Which rows; NULL for the only sweep, and for the objectives the sweep has itself. */
typedef struct msw_front_source {
    const char *file, *sweep, *minimize, *maximize;
} msw_front_source;

/* Opens the file, finds the sweep and what competes in it. Where the options name no groups and the
 * sweep has several workloads there is one front per workload. The store is the caller's to close.
 * Returns 0, or -1. */
int msw_front_open(msw_front *front, const msw_context *context, const msw_front_source *source,
                   msw_store_mode mode);
bool msw_front_by_default(const msw_front *front);

/* Of a sweep at fidelity auto, whose canonical text says so: makes `*filter` (may be NULL) leave
 * rows in full alone, for those by the closed form do not compete with them. `*narrowed` is the
 * caller's to free. Returns 0, or -1. */
int msw_narrow_filter(const char *canonical, const char **filter, char **narrowed, msw_err *err);

/* Reads the objectives, ranks the rows and chooses those to show (of `input`, store, sweep and
 * objectives are set). Returns 0, or -1. */
int msw_front_find(msw_front *front);

/* Whether a row belongs to the answer: it cannot be excluded, or more samples of it would help. */
bool msw_front_is_uncertain(const msw_standing *standing);

/* While rows are read: drops those of `table` that cannot be on the front (an msw_sieve_fn whose
 * context is the front). Returns 0, or -1. */
int msw_front_sieve(void *context, msw_table *table, msw_err *err);

/* Computes the exclusive part of the hypervolume of each row. Returns 0, or -1. */
int msw_front_shares(msw_front *front);

/* Makes the table of the chosen rows, by group, rank and first objective. Returns 0, or -1. */
int msw_front_show(msw_front *front);

/* Measures a front, a row per group: counts, hypervolume, and how far from the front of `other` (or
 * NULL). Returns 0, or -1. */
int msw_front_measure(msw_front *front, msw_front *other, msw_table_builder *builder);

/* The same, and how far it is from that of another sweep in its own objectives. Returns 0, or -1.
 */
int msw_front_compare(msw_front *front, const msw_context *context, const msw_front_source *source,
                      msw_table_builder *builder);

/* Compares runs of one sweep with other seeds, and with those of another (or NULL): every sweep of
 * the file that differs from the one that was opened in its seed alone is a run. With two
 * objectives a row per corner of the surfaces that the best run, half of them and all of them
 * attain, else a row per run with its hypervolume; `note` says that of all. Returns 0, or -1. */
int msw_front_attain(msw_front *front, const msw_context *context, const msw_front_source *own,
                     const msw_front_source *other, msw_table_builder *builder, msw_text *note);

/* Saves points and request in the file. Returns 0, or -1. */
int msw_front_save(const msw_front *front);

/* Says what was ranked, and what was left out. Returns 0, or -1. */
int msw_front_note(msw_front *front, msw_text *note);

/* Says how many are certain, open, excluded, and what is known exactly. */
void msw_front_uncertain_note(const msw_front *front, msw_text *note);

void msw_front_free(msw_front *front);

#endif
