/* SPDX-License-Identifier: MIT */
/* mechanism: what a mechanism is. Everything that its author reads.
 *
 * A mechanism is one const record: tables and pure functions of (config, workload, seed). It never
 * prints, allocates only from the arena it is given and holds no state outside the memory it is
 * passed. Sampling, references, ratios and intervals are the engine's (engine.h), once for all. */
#ifndef MEMSWEEP_MECH_MECHANISM_H
#define MEMSWEEP_MECH_MECHANISM_H

#include "memsweep/base/arena.h"
#include "memsweep/base/bits.h"
#include "memsweep/base/hash.h"
#include "memsweep/base/text.h"
#include "memsweep/mech/law.h"
#include "memsweep/param/metric.h"
#include "memsweep/param/param.h"
#include "memsweep/sim/part.h"
#include "memsweep/workload/workload.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct msw_sampling {
    double confidence; /* of every interval, e.g. 0.95 */
    double target;     /* wanted half-width of the primary metric, relative to its value */
    int64_t pilot;     /* units measured, over all strata, before the rest is chosen; not used where
                          the mechanism predicts */
    uint64_t seed;     /* of the choice of units alone; 0: the stream decides */
    uint64_t metrics[2]; /* bit m: metric m must meet the target, too */
} msw_sampling;

typedef struct msw_mech msw_mech;
typedef struct msw_task msw_task;
typedef struct msw_metric_map msw_metric_map;

/* Builds an artifact inside its own arena. Returns 0 and the root, or -1. */
typedef int (*msw_build_fn)(const msw_task *task, const void *extra, msw_arena *arena,
                            const void **root, msw_err *err);

/* Appends an artifact as plain bytes (base/flat.h). Returns 0, or -1. */
typedef int (*msw_flatten_fn)(const void *root, msw_text *bytes, msw_err *err);

/* Makes it of these bytes again, which may come from anywhere. Returns 0, or -1 when they are none
 * that flatten makes. */
typedef int (*msw_unflatten_fn)(const msw_task *task, const char *bytes, size_t size,
                                msw_arena *arena, const void **root, msw_err *err);

/* Something expensive that many points share. */
typedef struct msw_artifact {
    const char *name;           /* a list ends with name NULL */
    const char *const *depends; /* parameters it depends on, ended by NULL; the workload (content
                                   and settings) always counts */
    bool random;                /* it also depends on seed and replicate */
    bool any_workload;          /* the workload does not count: `build` is given a task without one,
                                   and of the artifacts before it those that need none */
    bool corpus; /* it is built from the sweep's corpus, which `build` finds in the task */
    bool (*needed)(const void *config); /* by this config; NULL at others. No function: by all */
    msw_build_fn build;                 /* finds those before it in the task's list */
    /* Of one that is kept in the sweep's database: both; else neither. Points are given what was
     * made of the bytes, also where it was built just now. */
    msw_flatten_fn flatten;
    msw_unflatten_fn unflatten;
    int version; /* of build and bytes: in its key instead of the versions of the models */
    double (*cost)(const msw_task *task); /* expected microseconds; NULL: unknown */
    unsigned fidelities; /* bits MSW_AT(...) of those that need it, 0: all; NULL at others */
    /* Of one that is put together from parts, which points of other workloads may share: how many,
     * the digest of what one is made of in addition to `depends`, and how it is made, of the number
     * task->part.number. `flatten` and `unflatten` are the parts' then. `build` finds their roots
     * in task->part.roots and copies what it takes over. NULL: it has none. */
    size_t (*part_count)(const msw_task *task);
    msw_digest (*part_key)(const msw_task *task, size_t part);
    msw_build_fn build_part;
} msw_artifact;
#define MSW_AT(fidelity) (1U << (fidelity))

/* While an artifact is built in parts: the number of the one that is built; while it is put
 * together, the roots of all. */
struct msw_task_part {
    size_t number;
    const void *const *roots;
};

/* Everything an evaluation may look at. Read-only for mechanisms but for `arena`, `events` and
 * `details`. */
struct msw_task {
    const msw_mech *mech;
    const msw_metric_map *map; /* of the mechanism; NULL: made for this evaluation */
    const void *config;        /* the mechanism's typed struct */
    const msw_workload *workload;
    const void *workload_config; /* the front end's typed struct */
    const msw_product *product;
    msw_digest product_key;               /* digest of all the product depends on */
    const void *const *artifacts;         /* in the order of the record's list */
    const msw_workload *corpus_workloads; /* that artifacts are built from, in the sweep's order */
    size_t corpus_count;
    msw_digest corpus_digest;
    const msw_product *const *corpus; /* their products, while such an artifact is built */
    struct msw_task_part part;
    const void *prediction; /* what predict_begin made of this config, or NULL */
    msw_fidelity fidelity;
    msw_sampling sampling;
    uint64_t stream; /* random stream: mixes seed, workload and replicate; never the config */
    uint64_t seed, replicate;  /* of which, with the workload, the stream is mixed */
    uint64_t event_budget;     /* simulated events allowed; 0 = no limit */
    char *doubt;               /* the answer's, MSW_DOUBT_BYTES; or NULL: nobody asks */
    int64_t deadline_ns;       /* monotonic clock; 0 = none */
    const int64_t *excused_ns; /* by which it is put off: time spent on what is shared; or NULL */
    atomic_uint *done;         /* thousandths of a long point that were run; NULL: nobody asks */
    msw_arena *arena;
    struct msw_detail_sink *details;          /* NULL: nobody wants detail rows */
    const struct msw_artifact_source *source; /* the engine's, as is the next */
    const struct msw_launch *launch;          /* starts programs; NULL: nobody does */
    struct msw_memo *memo;                    /* of the caller's thread, or NULL */
    const struct msw_build_help *help;        /* the engine's, while something is built */
};

/* Says why the answer is not to be trusted, such as a census that saw too little; the first reason
 * stands. The answer stays ok: fronts and analyses leave it out unless they are asked not to. What
 * cannot exist at all fails with MSW_ERR_UNFIT and is infeasible. */
void msw_task_doubt(const msw_task *task, const char *fmt, ...) MSW_PRINTF(2, 3);
enum { MSW_DOUBT_BYTES = 160 };

/* Whether the deadline of the task has passed. Cheap enough for every unit. */
bool msw_task_expired(const msw_task *task);

/* ---- for builds that take long ---- */

/* Calls fn(context, i) for all i below n, in any order, on this thread and on those that wait for
 * what is built; returns when all are done. What is summed over i has to be summed after it. */
void msw_task_each(const msw_task *task, size_t n, void (*fn)(void *context, size_t i),
                   void *context);

/* To be called between batches that take well under a second. Now and then, and before the build
 * has to end, it keeps what `save` appends of `state`. Returns 0; -1 when the build has to end. */
int msw_task_pause(const msw_task *task, msw_flatten_fn save, const void *state, msw_err *err);

/* What a build of the same key saved last before it ended early: to be read like what `unflatten`
 * reads. Returns NULL where there is nothing. */
const char *msw_task_saved(const msw_task *task, size_t *size);

/* What one measured unit gives. */
typedef struct msw_unit_out {
    double *totals;  /* one slot per metric; TOTAL and MAXIMUM slots are the unit's */
    uint64_t events; /* events simulated for this unit, warm-up included */
    /* Filled through msw_unit_record. */
    double *histograms;
    uint32_t *touched; /* filled buckets, or NULL where nobody asks unit by unit */
    uint32_t touched_count;
} msw_unit_out;

/* Counts a value `count` times in a histogram of the record's list. */
void msw_unit_record(msw_unit_out *out, int histogram, double value, double count);

/* Mergeable histogram of non-negative values: 16 buckets per power of two. */
enum { MSW_HISTOGRAM_BUCKETS = 16 * 64 };
int msw_histogram_bucket(double value);
double msw_histogram_edge(int bucket); /* the lower edge of the bucket */

/* Returns the bucket of a whole number below 2^53. */
static inline int msw_histogram_bucket_of(uint64_t value)
{
    unsigned high = value ? msw_bits_highest(value) : 0;
    return value ? (int)(16 * high + (value << (63 - high) >> 59)) : 0;
}

/* What is expected without measuring: of one unit, or summed over a stratum. */
typedef struct msw_unit_prediction {
    double *totals;  /* one slot per metric; those that the metric table marks are filled */
    double *scale;   /* one slot per metric: what the stated errors are relative to; as it is given,
                        0: the magnitude of the prediction. Of a stratum: the largest in a unit */
    bool uncertain;  /* the stated errors do not hold (of a stratum: for some unit) */
    uint64_t events; /* work spent on it, counted in events that take as long to simulate */
} msw_unit_prediction;

typedef struct msw_stratum {
    uint64_t units;
    double cost; /* relative events per unit; 1 when unknown */
    bool rest;   /* one unit, always measured: what the units of others leave out. Its values say
                    nothing of theirs */
    /* forward, at sampled alone: where strata do not follow each other, when each unit comes,
     * ascending and unlike over all strata. All strata have it or none: NULL. A sample of all units
     * is then taken as at full. */
    const uint64_t *times;
} msw_stratum;

typedef enum msw_unit_order {
    MSW_UNITS_INDEPENDENT, /* any order, each after its own warm-up */
    MSW_UNITS_FORWARD      /* one pass, stratum after stratum, unit after unit */
} msw_unit_order;

/* A named set of parameter values. */
typedef struct msw_preset_value {
    const char *param, *value; /* value as in a sweep file; ends with param NULL */
} msw_preset_value;
typedef struct msw_preset {
    const char *name, *doc; /* a list ends with name NULL */
    const msw_preset_value *values;
} msw_preset;

/* A named point that others are compared with: the same config, changed. */
typedef struct msw_reference {
    const char *name, *doc; /* a list ends with name NULL */
    void (*change)(void *config);
} msw_reference;

/* A long table in addition to the wide one. */
typedef struct msw_detail {
    const char *name, *doc;     /* a list ends with name NULL */
    const char *const *columns; /* index columns, then values; ended by NULL */
    const char *const *units;   /* one per column */
    /* For people: a column whose numbers are lines of the workload's program, which are shown with
     * their text; one whose numbers have names, and these, ended by NULL. NULL: none. */
    const char *line, *named;
    const char *const *names;
} msw_detail;

/* How many detail tables a mechanism has: `list` may be NULL. Returns the number. */
static inline size_t msw_detail_count(const msw_detail *list)
{
    size_t count = 0;
    while (list && list[count].name)
        count++;
    return count;
}

/* How many columns a detail table has. Returns the number. */
static inline size_t msw_detail_width(const msw_detail *detail)
{
    size_t width = 0;
    while (detail->columns[width])
        width++;
    return width;
}

/* Appends a row to detail table `detail` of the task's mechanism. Does nothing when nobody wants
 * them. Returns 0, or -1. */
int msw_detail_add(const msw_task *task, int detail, const double *values, msw_err *err);

/* The stated agreement of analytic against full: of the configs in `region`, a share of `quantile`
 * is within `tolerance`. The conformance tests draw configs over all parameters (choices and flags:
 * all alike; numbers on their scale, over the plausible range where the table gives one, else over
 * the whole range), leave out those that cannot be answered or lie outside, and measure. */
typedef struct msw_agreement {
    const char *metric;    /* a list ends with metric NULL; a metric is stated once */
    const char *workloads; /* names or globs ('*' crosses '/'), with commas; NULL: all accepted */
    const char *measured;  /* of them, those that long tests measure, and short ones the first of;
                              NULL: all that have a name */
    double quantile;       /* e.g. 0.9 */
    double tolerance;   /* relative, both ways alike (a tenth and ten times are both 9), not above
                           twice the measured quantile of the error; up to 1e-9: equal but for
                           rounding */
    bool excess;        /* of the metric - 1: the loss behind a slowdown, which is what is asked */
    double points;      /* of the excess: so far apart is near enough; 0: nothing is */
    const char *region; /* expression over parameters where it holds, or NULL: everywhere */
    double share;       /* of the space that the region holds */
    const char *argued; /* why a region below half of the space is enough; else NULL */
    const char *const *neutral; /* parameters that have their neutral value, ended by NULL: the
                                   region says so, and `share` is of the space of the others; NULL:
                                   none */
} msw_agreement;

/* A law within every answer: the sum on the left is at most (or equals) that on the right.
 * Where units were measured an answer that contradicts itself has failed; one of a closed form is
 * doubtful. The engine compares cycles with bounds, and metrics with their ranges, without this. */
typedef struct msw_self_check {
    const char *left, *right; /* metrics: "walks", "hits + misses"; a list ends with left NULL */
    bool equal;
} msw_self_check;

/* A declared monotonicity, checked by the conformance tests. */
typedef struct msw_monotone {
    const char *param, *metric; /* a list ends with param NULL */
    int sign;                   /* +1: metric does not fall when param grows; -1: does not rise */
} msw_monotone;

struct msw_mech {
    const char *name, *title;
    /* Raise the one whose answers change. The version of the model that answers a point is in its
     * key, with those of the parts it uses: lists ended by NULL, or NULL: none. */
    int version_closed, version_machine;
    /* What the versions do not know: how often the answers of configs like this one have changed,
     * and of no others. 0 leaves the key as it was. NULL: 0 for all. */
    uint32_t (*revision)(const void *config, msw_fidelity fidelity);
    const msw_part *const *parts_closed, *const *parts_machine;
    bool example;               /* to be copied, not used: listed only when all are asked for */
    bool instrument;            /* for tests of the engine: behind the others in lists */
    const char *const *sources; /* papers and pages, ended by NULL */
    const char *omits;          /* what it does not model, a sentence; NULL: nothing is said */
    /* Parameters that move `primary` most, most first, as scripts/foremost finds them; ended by
     * NULL. */
    const char *const *foremost;
    const msw_param *params;
    /* Parameters from `guests_from` to the end are those of the mechanism `guests_of`, whose
     * description says what they are; this one's names them. NULL: there are none. */
    const char *guests_from, *guests_of;
    size_t config_size;
    const msw_metric *metrics; /* indexed by an enum; row `metric_count` ends them */
    size_t metric_count;       /* the last number of that enum: no row before it may be missing */
    const char *primary;       /* metric that sampling settles, e.g. "slowdown" */
    const msw_preset *presets;
    unsigned accepts;              /* msw_product_kind bits */
    const char *default_workload;  /* for sweeps that name none */
    bool random;                   /* analytic or full answers depend on seed and replicate */
    bool budgeted;                 /* event budgets act (analytic never counts) */
    const char *const *histograms; /* names, ended by NULL; or NULL */
    const msw_artifact *artifacts;
    const msw_reference *references;
    const msw_detail *details;
    const msw_agreement *agreement;
    const msw_monotone *monotone;
    const msw_self_check *checks;
    const msw_law *laws;
    const char *learn_workloads; /* that errors of the closed form are learned from: many, up to the
                                    sizes of the papers; NULL: those of the laws */
    const char *law_workloads;   /* small ones that laws are tested on; NULL: all accepted */

    /* Rules across parameters. NULL: all may be combined. Returns 0, or -1 with why the config
     * cannot exist (infeasible). */
    int (*check)(const void *config, msw_err *err);
    /* Finds settings that are allowed but make little sense: appends one line each. It depends on
     * `lint_depends` alone, ended by NULL; the first of them that a sweep file sets is where it is
     * reported. NULL: nothing is looked at. */
    void (*lint)(const void *config, msw_text *lines);
    const char *const *lint_depends;
    /* Closed form: fills TOTAL, MAXIMUM and QUANTILE slots. */
    int (*analytic)(const msw_task *task, double *metrics, msw_err *err);

    /* The cycle model, in units. One that keeps nothing from unit to unit has no state_bytes and no
     * warm or advance, and its functions are given a NULL state; one with a state needs begin, too.
     */
    msw_unit_order order;
    /* Whether all units at full are not what each gives in a sample (a state that can only be
     * carried along, not rebuilt). A part of them says little of that pass and costs more than it,
     * so `sampled` is full then, and measures all units. NULL: they always are. */
    bool (*carried)(const msw_task *task);
    size_t strata_max;
    int (*strata)(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
    size_t (*state_bytes)(const msw_task *task);
    /* The state before the first unit. NULL: nothing is to be done before it. */
    int (*begin)(const msw_task *task, void *state, msw_err *err);
    /* independent: brings the state to just before a unit. */
    int (*warm)(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err);
    /* forward: moves the whole system to just before a unit by the cheap model. */
    int (*advance)(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err);
    /* forward: units that advance runs in detail before one to be measured, as the state says that
     * has measured the first stratum, or that has begun where units are predicted. NULL: hardly
     * any. */
    double (*lead)(const msw_task *task, const void *state);
    /* forward: how many units of a stratum the only pass measures, where no pilot is to come before
     * it. NULL: a pilot chooses. */
    uint64_t (*once)(const msw_task *task, size_t stratum);
    int (*measure)(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                   msw_unit_out *out, msw_err *err);

    /* Whether this config can be predicted. NULL: all can. */
    bool (*predictable)(const void *config);
    /* Makes, once for a config, what `predict` looks at: `task->prediction`, in the task's arena,
     * of config, workload and artifacts. NULL: nothing is to be made. */
    int (*predict_begin)(const msw_task *task, const void **prediction, msw_err *err);
    /* What `measure` would about give: a pure function of config, workload, artifacts and what
     * predict_begin made, asked for the references' configs, too. The metric table states its
     * errors. NULL: nothing is known. */
    int (*predict)(const msw_task *task, size_t stratum, uint64_t unit, msw_unit_prediction *out,
                   msw_err *err);
    /* The sum over a stratum, where that is cheaper than unit by unit. NULL: it is not. */
    int (*predict_sum)(const msw_task *task, size_t stratum, msw_unit_prediction *out,
                       msw_err *err);

    /* Writes detail rows that need all measured units, after the last of them; called only where
     * somebody wants rows. NULL: there are none. */
    int (*finish)(const msw_task *task, void *state, msw_err *err);

    /* Fills DERIVED slots from the others; NULL where there are none. Must be smooth where
     * intervals are wanted. */
    void (*derive)(const msw_task *task, double *metrics);
    /* Fills the slots that are `priced` from the config, after `derive`; or before a point is
     * evaluated, where a limit may spare it. NULL where there are none. */
    void (*price)(const void *config, double *metrics);
    /* Fills the slots that are `least` from the others, after `derive`; NULL where there are none.
     * Cycles may not be below any of them. */
    void (*bounds)(const msw_task *task, double *metrics);
    /* Bits of SRAM that a config adds; NULL where nothing is counted. What one more of a parameter
     * takes is a difference of two: `split` takes it from here. */
    double (*sram_bits)(const void *config);
    /* How a config maps the workload whose product is in the task, which has no artifacts and no
     * source: appends lines for people. NULL: it maps nothing. */
    int (*mapping)(const msw_task *task, msw_text *out, msw_err *err);
    /* Expected cost of one point in microseconds, for order and estimates; NULL: unknown. */
    double (*cost)(const msw_task *task);
};

#endif
