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
#include "memsweep/store/store.h"

/* What competes. */
typedef struct msw_objectives {
    size_t count;
    char *names[MSW_PARETO_OBJECTIVES];
    msw_goal goals[MSW_PARETO_OBJECTIVES];
} msw_objectives;

/* Takes the objectives of two comma-separated lists, or the sweep's own when both are NULL. Returns
 * 0, or -1. */
int msw_objectives_read(const char *minimize, const char *maximize, const msw_sweep_info *sweep,
                        msw_objectives *objectives, msw_err *err);
void msw_objectives_free(msw_objectives *objectives);

/* What a user asks for. */
typedef struct msw_front_options {
    const char *group_by, *filter, *columns; /* or NULL */
    int64_t ranks;
    bool crowding, knee, exclusive, uncertain, distinct;
    bool beyond;                 /* also rows beyond the limits of the sweep */
    const char *reference;       /* "f1=1,f2=2" */
    int64_t thin;                /* points that represent the front; 0: all */
    const char *goals, *weights; /* as the reference, or NULL */
    double confidence;
    int64_t draws, seed;
} msw_front_options;

typedef struct msw_front {
    msw_front_options ask;
    msw_store *store;
    msw_sweep_info sweep;
    msw_objectives objectives;
    msw_table
        values; /* row_id, point, objectives, half-widths, group: of all rows that take part */
    msw_grouping grouping;
    uint32_t *group, group_count; /* NULL: one group */
    int32_t *rank;
    double *crowding;
    msw_knee *knees;              /* per group; row SIZE_MAX: none */
    size_t *chosen, chosen_count; /* rows of `values` to show */
    msw_pareto_count count;
    char *narrowed;  /* filter of a sweep at fidelity auto: rows in full alone; or NULL */
    uint64_t beyond; /* rows that break a limit of the sweep */
    size_t repeats;  /* rows of the front that equal another in all objectives */
    double reference[MSW_PARETO_OBJECTIVES];
    bool *kept;             /* rows that represent the front, or NULL: all */
    double epsilon;         /* by which the others are missed, in ranges of the front */
    double *miss;           /* of goals, of each row of the front; or NULL */
    unsigned *missed_by;    /* the objective */
    double *share;          /* exclusive part of the hypervolume of each row */
    msw_standing *standing; /* of each row */
    msw_table shown;
    msw_err *err;
} msw_front;

/* Columns of `values`. */
enum { MSW_FRONT_ROW_ID, MSW_FRONT_POINT, MSW_FRONT_OBJECTIVES };

/* The values as the analysis takes them; `columns` has room for all objectives. */
msw_points msw_front_points(const msw_front *front, const double *columns[MSW_PARETO_OBJECTIVES]);

/* Reads the objectives and ranks the rows (store, sweep and objectives are set). Returns 0, or -1.
 */
int msw_front_find(msw_front *front);

/* Joins lines shown that are alike; of a thinned front also those of equal objectives. `query` is
 * what they were read by. Returns 0, or -1. */
int msw_front_join_alike(msw_front *front, const msw_query *query);

/* Fills `shown` with the chosen rows, by group, rank and first objective. Returns 0, or -1. */
int msw_front_show(msw_front *front);

void msw_front_free(msw_front *front);

/* ---- open.c ---- */

/* Which rows; NULL for the only sweep, and for the objectives the sweep has itself. */
typedef struct msw_front_source {
    const char *file, *sweep, *minimize, *maximize;
} msw_front_source;

/* Opens the file, finds the sweep and what competes in it, and chooses groups where `ask` names
 * none. The store is the caller's to close. Returns 0, or -1. */
int msw_front_open(msw_front *front, const msw_context *context, const msw_front_source *source,
                   msw_store_mode mode);

/* Measures a front that was found, and how far it is from that of another sweep in its own
 * objectives. Returns 0, or -1. */
int msw_front_compare(msw_front *front, const msw_context *context, const msw_front_source *source,
                      msw_table_builder *builder);

/* Where nobody names groups: one front per workload, if the sweep has several. Returns 0, or -1. */
int msw_front_choose_groups(msw_front *front);
bool msw_front_by_default(const msw_front *front);

/* Keeps points and question in the file. Returns 0, or -1. */
int msw_front_save(const msw_front *front);

/* Says what was ranked, and what was left out. Returns 0, or -1. */
int msw_front_note(msw_front *front, msw_text *note);

/* ---- chosen.c: fronts of sweeps at fidelity auto ---- */

/* Of a sweep at fidelity auto, whose canonical text says so: makes `*filter` (may be NULL) leave
 * rows in full alone, for those by the closed form do not compete with them. `*narrowed` is the
 * caller's to free. Returns 0, or -1. */
int msw_narrow_filter(const char *canonical, const char **filter, char **narrowed, msw_err *err);

/* The same of a front. Returns 0, or -1. */
int msw_front_narrow(msw_front *front);

/* Says so, and what the sweep's statement says of the others. Returns 0, or -1. */
int msw_front_chosen_note(msw_front *front, msw_text *note);

/* ---- values.c ---- */

/* Reads "f1=1, f2=2" into `values`, NaN for objectives that it does not name. Returns 0, or -1. */
int msw_front_values(const msw_front *front, const char *option, const char *list, double *values);

/* ---- wanted.c ---- */

/* Finds the few points asked for, and by how much each misses the goals. Return 0, or -1. */
int msw_front_thin_out(msw_front *front);
int msw_front_aim(msw_front *front);
void msw_front_wanted_note(const msw_front *front, msw_text *note);

/* ---- against.c ---- */

/* Adds how far it is from another front to a row. Returns 0, or -1. */
int msw_front_distances(const msw_front *front, const msw_front *other, msw_table_builder *builder);

/* ---- quality.c ---- */

/* Takes the reference point asked for, else the worst of the front and a tenth of its range.
 * Returns 0, or -1. */
int msw_front_reference(msw_front *front);

/* One row per group: counts, hypervolume, and how far from the front of `other` (or NULL). Returns
 * 0, or -1. */
int msw_front_measure(msw_front *front, msw_front *other, msw_table_builder *builder);

/* Computes `share`, `repeats`. Return 0, or -1. */
int msw_front_shares(msw_front *front);
int msw_front_repeats(msw_front *front);

/* Says which rows were left out, and why. Returns 0, or -1. */
int msw_front_reasons(msw_front *front, msw_text *out);

/* ---- uncertain.c ---- */

/* Adds the half-widths there are to a list of columns; NULL for an objective without one. */
void msw_front_add_halves(const msw_front *front, msw_text *columns);

/* Computes `standing`. Returns 0, or -1. */
int msw_front_judge(msw_front *front);

/* Whether a row belongs to the answer: it cannot be excluded, or more samples of it would help. */
bool msw_front_is_uncertain(const msw_front *front, size_t row);

/* Says how many are certain, open, excluded, and what is known exactly. */
void msw_front_uncertain_note(const msw_front *front, msw_text *out);

#endif
