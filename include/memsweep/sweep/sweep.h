/* SPDX-License-Identifier: MIT */
/* sweep: a sweep file (YAML) becomes a checked plan.
 *
 * Every key and value is checked against the tables; all errors of a file are reported in one pass.
 * A plan is immutable once loaded and holds everything a run needs, file contents included. */
#ifndef MEMSWEEP_SWEEP_SWEEP_H
#define MEMSWEEP_SWEEP_SWEEP_H

#include "memsweep/design/design.h"
#include "memsweep/mech/engine.h"
#include "memsweep/param/space.h"
#include "memsweep/program/program.h"
#include "memsweep/workload/workload.h"

typedef struct msw_derived {
    char *name, *text; /* `text` is checked, ready to splice into SQL over the row's columns */
    char *unit;        /* or NULL */
} msw_derived;

/* The derived column that `subject_to` becomes: 1 where a row keeps all limits. */
#define MSW_LIMITS_NAME "within_limits"

typedef struct msw_objective {
    char *name; /* metric, parameter or derived column */
    msw_goal goal;
} msw_objective;

/* Which part of a sweep at fidelity `auto` a plan is (docs/models/auto.md): the whole, whose rows
 * are those of both others; every point by the closed form; the chosen points in full. */
typedef enum msw_plan_part {
    MSW_PART_NONE, /* a sweep at one fidelity */
    MSW_PART_AUTO,
    MSW_PART_ANALYTIC,
    MSW_PART_FULL
} msw_plan_part;

/* Raised by whoever changes which points are chosen. */
enum { MSW_AUTO_VERSION = 2 };

/* The key `auto`. Shares are of the points; what is counted in points is 1 or more. */
typedef struct msw_auto {
    double budget;     /* points in full: a share, or a count */
    bool counted;      /* a count */
    double audit;      /* the part of the budget that is drawn at random */
    double confidence; /* of the statement */
    double tolerance;  /* a share: as good as within it is as good */
    uint64_t batch;    /* points of a round */
    double at_most;    /* share of the designs that may be wrong at most; 1: any */
    char *over;        /* how workloads are taken together, as "worst" or "weighted(a=2, b=1)";
                          NULL: one front per workload */
} msw_auto;

/* Workloads that artifacts are built from, in addition to the points' own. */
typedef struct msw_plan_corpus {
    size_t count;
    msw_workload *workloads;
    msw_digest digest; /* of all that their products depend on; zero without any */
} msw_plan_corpus;

/* Whether something says what a parameter is: its preset or workload, or the sweep file itself. */
typedef enum msw_decided {
    MSW_DECIDED_NOT,
    MSW_DECIDED_BY_PRESET,
    MSW_DECIDED_BY_FILE
} msw_decided;

typedef struct msw_plan_design {
    const msw_design *kind;
    void *config;
    msw_design_input input;
    char **group_names;     /* of input.group_of; NULL without groups */
    msw_digest list_digest; /* of the points of a list, row by row */
    msw_design_state state;
    uint64_t left_out; /* ways to deal the budget of a split that leave a parameter's range */
} msw_plan_design;

/* What a sweep's view has beyond parameters and metrics. */
typedef struct msw_plan_view {
    size_t derived_count;
    msw_derived *derived;
    size_t objective_count;
    msw_objective *objectives;
} msw_plan_view;

/* The key `keep`: what is stored of the points (keep.h). */
typedef struct msw_keeping {
    bool front; /* rows that no other beats by more than the share `within` */
    double within;
    uint64_t sample;      /* rows at random, about so many; 0: none */
    size_t summary_count; /* metrics that the summary is of; 0: there is none */
    int *summary;
    size_t metric_count; /* metrics that rows hold; 0: all */
    int *metrics;
} msw_keeping;

/* Jobs of a plan: options of sbatch, commands (NULL: none), how often one may start, seconds
 * before its limit (0: memsweep's choice). */
typedef struct msw_plan_jobs {
    char *sbatch, *prologue;
    int64_t launcher, lives, warning;
} msw_plan_jobs;

enum { MSW_LAUNCHER_MPIRUN, MSW_LAUNCHER_SRUN };

typedef struct msw_plan {
    char *name;
    char *typed;       /* the text of a sweep that came from standard input, else NULL */
    char *canonical;   /* the sweep, resolved and printed in one fixed way */
    msw_digest digest; /* of canonical text, workload contents, model versions */
    const msw_mech *mech;
    msw_program *program; /* whose record `mech` is; NULL: it is one of memsweep's own */
    bool by_hand;         /* nothing computes it at full, and nothing at all of a program */
    msw_digest model;     /* of mechanism and fidelity: what keys know of the code */
    msw_schema schema;    /* part 0: the mechanism; parts 1..: the fronts in use */
    size_t frontend_count;
    const msw_frontend **frontends; /* front of part i + 1 */
    size_t workload_count;
    msw_workload *workloads;
    size_t *workload_frontend; /* index into fronts */
    msw_plan_corpus corpus;
    msw_space space;
    unsigned char *decided; /* per parameter, a msw_decided */
    msw_fidelity fidelity;  /* of a sweep at `auto`: analytic, the round it begins with */
    msw_plan_part part;
    msw_auto automatic;     /* where `part` is not NONE */
    struct msw_plan *parts; /* of the whole: ANALYTIC and FULL, which share all it points to */
    msw_sampling sampling;
    uint64_t event_budget;
    uint64_t seed;
    uint64_t replicates;
    msw_plan_design design;
    struct msw_errors *errors; /* of the closed form, where it answers (errors.h); or NULL */
    struct msw_own_error *own; /* found on a user's own points: they come before the table's */
    size_t own_count;
    bool distinct; /* no two points can have the same key */
    msw_plan_view view;
    msw_keeping keep;
    uint64_t points; /* workloads x design points x replicates */
    msw_plan_jobs jobs;
    msw_text warnings; /* what is allowed and maybe not meant: file:line:col: message, one a line */
} msw_plan;

/* All that was wrong with a file. */
typedef struct msw_messages {
    size_t count;
    msw_text text; /* one line each: file:line:col: message */
    bool trouble;  /* of files or memory, which is no fault of what was read */
} msw_messages;

/* What there is to say: memory may have run out for that, too. Returns the text. */
const char *msw_messages_text(const msw_messages *messages);

/* Records the first message as an error of its kind. Returns -1. */
int msw_messages_fail(const msw_messages *messages, msw_err *err);

/* Where files come from; the context is handed to both functions. A file of more than `most` bytes
 * is not read. */
typedef struct msw_file_source {
    void *context;
    bool recorded; /* what was read elsewhere, and perhaps is not here */
    bool (*exists)(void *context, const char *path);
    int (*read)(void *context, const char *path, size_t most, char **data, size_t *size,
                msw_err *err);
} msw_file_source;

typedef struct msw_plan_options {
    const char *const *data_dirs; /* where workloads/ and sweeps/ are looked for; ends with NULL */
    const char *fidelity;         /* overrides the file's, or NULL */
    int64_t seed;                 /* overrides the file's when >= 0 */
    const msw_file_source *files; /* instead of the file system, or NULL */
} msw_plan_options;

/* Reads and checks a sweep file; "-" is standard input. Returns 0 and the plan, or -1 with all
 * messages. */
int msw_plan_load(const char *path, const msw_plan_options *options, msw_plan **plan,
                  msw_messages *messages);

/* The same for text already in memory; `path` is for messages and relative files. */
int msw_plan_parse(const char *path, const char *text, size_t size, const msw_plan_options *options,
                   msw_plan **plan, msw_messages *messages);

/* The parts of a plan at fidelity `auto`: every point by the closed form, and the points that are
 * chosen. They live as long as the plan. Return NULL where a plan has none. */
const msw_plan *msw_plan_analytic(const msw_plan *plan);
const msw_plan *msw_plan_full(const msw_plan *plan);

/* What the catalogue calls the fidelity of a plan: "full", or of `auto` and its parts "auto",
 * "auto-analytic", "auto-full". Returns it. */
const char *msw_plan_fidelity(const msw_plan *plan);

/* Whether the answers of a plan, or of a part, are told (`by: hand`) instead of computed. */
bool msw_plan_is_told(const msw_plan *plan);

/* Points of a plan at `auto` that may run in full, and those of them in the first audit. */
uint64_t msw_auto_budget(const msw_plan *plan);
uint64_t msw_auto_audit(const msw_plan *plan);

/* Whether an objective is the same at every fidelity: a parameter, a metric that its mechanism
 * declares so, or made of such alone. Returns the verdict. */
bool msw_objective_is_exact(const msw_plan *plan, size_t objective);

/* The least an objective can be at any fidelity, where its mechanism states one. Returns it, or
 * -INFINITY. */
double msw_objective_floor(const msw_plan *plan, size_t objective);

/* Whether a sweep can be called so, other than what the next function says. Returns the verdict. */
bool msw_sweep_name_is(const char *name);

/* Finds what a name begins with that belongs to the tables of a database. Returns it, or NULL. */
const char *msw_sweep_name_taken(const char *name);

/* Adds what a program says of its version to keys and digest, before a run asks for what is
 * missing; "" changes nothing. Returns 0, or -1 when memory runs out. */
int msw_plan_set_version(msw_plan *plan, const char *version, msw_err *err);

/* Frees a plan; NULL is fine. */
void msw_plan_free(msw_plan *plan);

/* The place of a point: index = (workload * design points + design index) * replicates + replicate.
 */
typedef struct msw_point {
    uint64_t index;
    uint64_t workload, design, replicate;
    void *block;     /* joint config of plan->schema */
    msw_digest key;  /* digest of everything that can change the answer, nothing that cannot */
    uint64_t stream; /* random stream: seed, workload, replicate */
} msw_point;

/* What one thread needs to turn indices into points. */
typedef struct msw_pointer msw_pointer;

/* Makes one. Returns 0, or -1. */
int msw_pointer_new(const msw_plan *plan, msw_pointer **pointer, msw_err *err);
void msw_pointer_free(msw_pointer *pointer);

/* Fills `point` for an index; the block belongs to the pointer and lives until the next call.
 * `with_key` asks for the digest too. Returns 0, or -1 when an expression failed for this point. */
int msw_pointer_at(msw_pointer *pointer, uint64_t index, bool with_key, msw_point *point,
                   msw_err *err);

/* The same for coordinates of the plan's design, and the point of a workload there; says whether it
 * belongs to the space. Returns 1, 0 (with `err` where an expression failed), no key. */
int msw_pointer_look(msw_pointer *pointer, const double *coords, size_t workload, msw_point *point,
                     msw_err *err);

/* Coordinates of the point filled last, as its design gave them. */
const double *msw_pointer_coords(const msw_pointer *pointer);

/* Sets up a task for a point (arena, source, deadline and details stay the caller's to set). */
void msw_point_task(const msw_plan *plan, const msw_point *point, msw_task *task);

/* The key of any configuration in the plan's setting: exposed for tests and for reuse. */
msw_digest msw_point_key(const msw_plan *plan, size_t workload, uint64_t replicate,
                         const void *block);

#endif
