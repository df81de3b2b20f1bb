/* SPDX-License-Identifier: MIT */
/* Private to explore: what an explorer knows, the answers it takes, and the points of a round. */
#ifndef MSW_EXPLORE_EXPLORER_H
#define MSW_EXPLORE_EXPLORER_H

#include "memsweep/explore/drive.h"
#include "memsweep/explore/explore.h"
#include "memsweep/store/store.h"

/* A vector of objectives: the exact ones, then the open ones. */
typedef struct msw_vector {
    double v[MSW_EXPLORE_OBJECTIVES];
} msw_vector;

/* ---- model.c: what was announced, per group ---- */

/* Vectors that no other beats, and all that ever were so, for units that look in from time to time.
 */
typedef struct msw_front_list {
    uint32_t *row; /* rows of the explorer that are on the front */
    size_t count, capacity;
    uint32_t *log;
    size_t log_count, log_capacity;
} msw_front_list;

/* A unit that was run. */
typedef struct msw_explore_row {
    uint32_t unit, round;
    msw_explore_role role;
    bool told, wrong; /* wrong: an audited one that beats the front of before */
    msw_explore_answer answer;
} msw_explore_row;

/* ---- model.c: the error of the closed form ---- */

/* Sums over rows: of weights, errors and their squares. */
typedef struct msw_moments {
    double n, sum, squares;
} msw_moments;

/* The rows of a stratum: levels and errors of each. */
typedef struct msw_model_rows {
    uint8_t *levels;
    double *errors;
    size_t count, capacity;
} msw_model_rows;

typedef struct msw_model {
    const msw_explore_space *space;
    uint8_t *levels;      /* of each unit, factor by factor */
    msw_moments *all;     /* per objective */
    msw_moments *stratum; /* per stratum and objective */
    msw_moments *level;   /* per stratum, factor, level and objective */
    msw_model_rows *rows; /* per stratum */
    double *kernel;       /* per factor and distance of levels */
    uint32_t *slot;       /* of each unit: place of its sums + 1; 0: none */
    msw_moments *sums;    /* per slot and objective: kernel sums */
    uint32_t *seen;       /* per slot: rows of its stratum in the sums */
    size_t slot_count, slot_capacity;
} msw_model;

int msw_model_new(const msw_explore_space *space, msw_model *model, msw_err *err);
void msw_model_free(msw_model *model);

/* Learns the errors of a unit that was run. Returns 0, or -1. */
int msw_model_learn(msw_model *model, uint32_t unit, const double *errors, msw_err *err);

/* A rough guess, in a few steps for any number of rows. */
msw_guess msw_model_rough(const msw_model *model, uint32_t unit, unsigned objective);

/* Makes room for the sums of a unit, then guesses from the rows of its stratum. The first returns
 * 0, or -1. */
int msw_model_watch(msw_model *model, uint32_t unit, msw_err *err);
msw_guess msw_model_fine(msw_model *model, uint32_t unit, unsigned objective);

/* ---- the explorer ---- */

typedef struct msw_candidate {
    uint32_t unit;
    double gain; /* ln of the factor by which it may beat the front */
    double likely[MSW_EXPLORE_OBJECTIVES], optimistic[MSW_EXPLORE_OBJECTIVES];
} msw_candidate;

/* Of each unit. */
typedef struct msw_explore_units {
    uint32_t *row_of; /* its row + 1; 0: not run */
    bool *proven;
    double *best;     /* least open value of the front at no more cost, as of `looked`; only where
                         there is one open objective */
    uint32_t *looked; /* how much of the front's log it has seen */
} msw_explore_units;

/* The statement so far. */
typedef struct msw_explore_counts {
    uint64_t *wrong_in; /* of each stratum: audited ones that were wrong */
    uint64_t discarded, draws, found, wrong, found_all, lost_all, failed;
    double surplus, missed;
} msw_explore_counts;

struct msw_explorer {
    msw_explore_space space;
    msw_explore_rules rules;
    double slack; /* ln(1 + tolerance) */
    bool floors;  /* every open objective has one */
    msw_explore_units units;
    msw_explore_row *rows;
    size_t row_count, row_capacity, round_first; /* of the current round */
    msw_front_list *fronts;
    msw_model model;
    msw_candidate *active;
    size_t active_count, active_capacity;
    size_t passed_at; /* rows there were when all units were looked at last */
    uint32_t *chosen; /* units of the current round */
    size_t chosen_count, chosen_capacity;
    uint32_t round, audits;
    msw_explore_role role;
    uint64_t doubted; /* doubtful units looked at, in the order in which they are drawn */
    bool over, settled, searching;
    uint64_t searched, audited, audit_size;
    msw_explore_counts statement;
};

/* ---- model.c: fronts ---- */

/* The least ln factor by which the front of a group is worse than a vector, where it is at least as
 * good in what is exact; HUGE_VAL where nothing is. `but` is a row that is not looked at, or
 * UINT32_MAX. */
double msw_front_gap(const msw_explorer *e, uint32_t group, const double *exact, const double *open,
                     uint32_t but);

/* Lets a row join the front of its unit's group. Returns 0, or -1. */
int msw_front_join(msw_explorer *e, uint32_t row, msw_err *err);

/* Whether a row is on its front, and equal to no earlier one. */
bool msw_front_holds(const msw_explorer *e, uint32_t row);

/* The gap of a unit whose open objectives have these values. */
double msw_unit_gap(msw_explorer *e, uint32_t unit, const double *open);

/* ---- search.c, audit.c ---- */

/* Chooses the next units of the search. Returns 0 (none: it has ended), or -1. */
int msw_search_choose(msw_explorer *e, msw_err *err);

/* Draws the units of an audit. Returns 0, or -1. */
int msw_audit_draw(msw_explorer *e, msw_err *err);

/* Judges the audited rows, which join the front after that. Returns 0, or -1. */
int msw_audit_judge(msw_explorer *e, msw_err *err);

/* Adds a unit to the current round. Returns 0, or -1. */
int msw_round_add(msw_explorer *e, uint32_t unit, msw_err *err);

static inline bool msw_unit_is_free(const msw_explorer *e, uint32_t unit)
{
    return !e->units.row_of[unit] && !e->units.proven[unit];
}

/* What space says of a unit. */
static inline void msw_unit_exact(const msw_explore_space *s, uint32_t unit, double *exact)
{
    for (unsigned k = 0; k < s->exact_count; k++)
        exact[k] = s->exact[k][unit];
}

/* The closed form's answers as the explorer takes them. */

/* A unit is a point, or a design over its workloads: points unit, unit + units, ... */
typedef struct msw_explore_data {
    const msw_plan *plan;
    msw_explore_space space;
    uint32_t *group, *stratum;
    bool *doubtful;
    double *values[MSW_EXPLORE_OBJECTIVES];   /* of the objectives, as costs */
    msw_guess *known[MSW_EXPLORE_OBJECTIVES]; /* of the open ones, where a table knows them */
    msw_explore_factor *factors;
    char **strata; /* what each is called: "alexnet/b1, bound by walks" */
    size_t points_per_unit;
} msw_explore_data;

/* Reads the rows of a complete sweep. Returns 0, or -1. */
int msw_explore_load(msw_store *store, const msw_plan *analytic, msw_explore_data *data,
                     msw_err *err);
void msw_explore_unload(msw_explore_data *data);

/* Appends the points of a unit. */
void msw_explore_points(const msw_explore_data *data, uint32_t unit, uint64_t *points);

/* The name of the rows of a part, over workloads where the plan says so. Returns it on the heap, or
 * NULL. */
char *msw_explore_name(msw_store *store, const msw_plan *part, msw_err *err);

/* Appends "point, status, objectives, within_limits, doubt" as both readers want them. */
void msw_explore_columns(const msw_plan *plan, msw_text *columns);

/* A value of an objective as a cost: lower is better, in logarithms where it is open. */
int msw_explore_cost(const msw_plan *plan, size_t objective, double value, double *cost,
                     msw_err *err);

bool msw_explore_has_limits(const msw_plan *plan);

/* Whether a row with those columns says that it is not to be trusted. */
bool msw_explore_is_doubtful(const msw_plan *plan, const msw_table *t, size_t row);

/* The points of one round, run and read back. */

/* On rank 0. */
typedef struct msw_rounds {
    const msw_explore_job *job;
    const msw_plan *plan; /* whose points run */
    msw_run_options options;
    msw_run_result *result; /* of all rounds */
    uint64_t *reused;
    msw_row_reader *reader, *single; /* of the rows as they are compared, and one by one */
    uint64_t *points;
    msw_row_id *rows;
    size_t point_count, point_room, row_room;
    int64_t run;
    bool stopped, dealt; /* dealt: points are of this shard alone as they are */
    msw_err *err;
} msw_rounds;

/* Makes room for the points of a round. Returns 0, or -1. */
int msw_rounds_reserve(msw_rounds *r, size_t points);

/* Computes those of the points, of round `number` (from 1), that have no row. `start` is told how
 * many those are. Returns 0, or -1. */
int msw_rounds_compute(msw_rounds *r, uint64_t number,
                       void (*start)(void *context, uint64_t missing), void *context);

/* Reads the rows of the points and hands each to `take`; with `alone` those of each workload, else
 * as the plan takes them together. Returns 0, or -1. */
int msw_rounds_read(msw_rounds *r, uint64_t number, const char *columns, bool alone,
                    int (*take)(void *context, const msw_table *table, size_t row), void *context);

/* Does round after round until there is none left (`next` returns 0), the job's last one is done,
 * or one fails (-1). `over`: nothing is left to do. Returns 0, or -1. */
int msw_rounds_all(const msw_rounds *r, int (*next)(void *self), void *self, bool *over);

/* What ranks above 0 do until there is nothing more. Returns 0, or -1. */
int msw_rounds_other(const msw_explore_job *job, const msw_plan *plan,
                     const msw_run_options *options, msw_run_result *result, int *told,
                     msw_err *err);

/* Tells the other ranks that it is over, or that rank 0 failed. Returns 0, or -1. */
int msw_rounds_dismiss(const msw_explore_job *job, const msw_plan *plan, bool failed, msw_err *err);

void msw_rounds_free(msw_rounds *r);

#endif
