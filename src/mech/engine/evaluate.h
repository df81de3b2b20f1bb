/* SPDX-License-Identifier: MIT */
/* Private to mech: the pieces of evaluating a point by its units. */
#ifndef MSW_MECH_ENGINE_EVALUATE_H
#define MSW_MECH_ENGINE_EVALUATE_H

#include "memsweep/expr/expr.h"
#include "memsweep/mech/engine.h"
#include "memsweep/mech/mechanism.h"
#include "memsweep/mech/sampler.h"

/* How an evaluation ends short of an answer: negative, so that -1 stays the usual failure. */
enum { MSW_EXPIRED = -2 };

/* The histogram of one unit, only its filled buckets. */
typedef struct msw_unit_histogram {
    uint32_t count;
    uint32_t *buckets; /* histogram * MSW_HISTOGRAM_BUCKETS + bucket */
    double *counts;
} msw_unit_histogram;

/* Numbers of units over all strata: those of a stratum follow each other. */
typedef struct msw_frame {
    uint64_t *first;   /* per stratum */
    uint32_t *stratum; /* per unit */
} msw_frame;

/* What was measured in one stratum, or in one class of units where units are predicted. Slot k is
 * the k-th unit of its random order. */
typedef struct msw_stratum_set {
    size_t stratum;    /* of the mechanism; of no meaning for a class */
    uint64_t units;    /* in the stratum */
    uint64_t measured; /* slots filled */
    uint64_t capacity;
    uint64_t events; /* of the units measured */
    double cost;
    bool rest;                  /* as the mechanism says */
    const uint64_t *times;      /* likewise; NULL: strata follow each other */
    double *values;             /* slot-major: metrics of each slot */
    msw_unit_histogram *sparse; /* per slot */
    uint64_t *order;            /* slots in unit order */
    /* Of a class; else NULL. */
    uint64_t *members; /* numbers of its units in the order in which they are drawn */
    double *predicted; /* slot-major: marked metrics of each slot */
    double *sums;      /* of the predictions of all its units: marked metrics */
    double *scale;     /* largest of what their errors are relative to */
} msw_stratum_set;

typedef struct msw_unit_set {
    const msw_metric_map *map;
    const msw_frame *frame; /* where the strata are classes; else NULL */
    size_t stratum_count;
    msw_stratum_set *strata;
    void *state;
    double *histogram; /* scratch for one unit; at full the sum of all */
    uint32_t *touched; /* its filled buckets */
    uint32_t touched_count;
    uint64_t events, units;
    bool
        choosing; /* measuring the pilot: its first stratum says whether a part of the rest saves */
} msw_unit_set;

/* Totals of a point evaluated without keeping its units. */
typedef struct msw_totals {
    double *totals; /* TOTAL and MAXIMUM slots */
    double *histograms;
    uint64_t units, events;
} msw_totals;

/* Asks the mechanism for its strata and makes room for its state. Returns 0 or -1. */
int msw_units_init(const msw_task *task, msw_unit_set *set, msw_err *err);

/* Measures every unit in order and keeps only sums. Returns 0, -1 or MSW_EXPIRED. */
int msw_units_full(const msw_task *task, msw_unit_set *set, msw_totals *out, msw_err *err);

/* Measures this many units of each stratum (independent: only those not yet measured; forward: a
 * new pass). With set->choosing, `wanted` becomes all units, measured in order, as soon as the
 * counts say that a part of them costs no less. Returns 0, -1 or MSW_EXPIRED. */
int msw_units_measure(const msw_task *task, msw_unit_set *set, uint64_t *wanted, msw_err *err);

/* Units that a pass measures or runs through in detail on its way, at most all there are. */
double msw_units_cost(const msw_task *task, const msw_unit_set *set, const uint64_t *wanted);

/* Whether strata do not follow each other in time. */
bool msw_units_interleave(const msw_unit_set *set);

/* A level at which every unit is measured. */
enum { MSW_LEVEL_ALL = 40 };

/* Units of stratum h in level `level` of the fixed ladder p, 2 p, 4 p, ... with p the stratum's
 * share of the pilot. */
uint64_t msw_units_at_level(const msw_task *task, const msw_unit_set *set, size_t h,
                            unsigned level);

/* A reference's units, shared by all points that are compared with it. */
typedef struct msw_reference_units {
    size_t stratum_count;
    double **values;    /* per stratum, slot-major, as in msw_stratum_set */
    uint64_t *measured; /* per stratum */
    double *totals;     /* full and analytic: one vector of totals instead */
    const char *unfit;  /* why it cannot exist; then totals are not defined. Else NULL */
    const char *doubt;  /* why it is not to be trusted, or ""; NULL where units were measured */
    /* Where units are predicted, per class: as in msw_stratum_set. */
    double **predicted, **sums, **scale;
} msw_reference_units;

/* What a config's units are expected to give, before any is measured. */
typedef struct msw_predictions {
    bool usable;      /* the config can be predicted */
    double **units;   /* per stratum, unit-major: marked metrics; NULL: only the sums are known */
    double **scales;  /* the same of what errors are relative to */
    bool **uncertain; /* per stratum: of each unit; NULL: of none */
    double *sums;     /* stratum-major: marked metrics over all units */
    double *scale;    /* the largest of what errors are relative to in a unit */
    uint64_t events;
} msw_predictions;

/* Predictions of the references of one evaluation, shared by all points that are compared with
 * them. */
typedef struct msw_shared_predictions {
    const msw_predictions **all;
    void **handles;
    size_t count;
} msw_shared_predictions;

/* Makes what the mechanism predicts the units of the task's config from. Returns 0 or -1. */
int msw_predictions_begin(msw_task *task, msw_err *err);

/* Predicts all units of a config: unit by unit in the strata of `by_unit` (NULL: in all), where
 * the record has no sum and where some unit is uncertain. Memory comes from `arena`. Returns 0 or
 * -1. */
int msw_predictions_make(const msw_task *task, const msw_unit_set *strata, const bool *by_unit,
                         msw_arena *arena, msw_predictions *out, msw_err *err);

/* Fetches those of all references. Return 0 or -1. */
int msw_predictions_get(const msw_task *task, msw_shared_predictions *shared, msw_err *err);
void msw_predictions_put(const msw_task *task, msw_shared_predictions *shared);

/* The predictions of a class: those of its units summed, the largest of what their errors are
 * relative to; its slots' own. Return 0 or -1. */
int msw_predictions_sum(const msw_task *task, const msw_frame *frame, const msw_stratum_set *s,
                        const msw_predictions *from, msw_arena *arena, double **sums,
                        double **scale, msw_err *err);
int msw_predictions_slots(const msw_task *task, const msw_frame *frame, const msw_stratum_set *s,
                          uint64_t count, const msw_predictions *from, msw_arena *arena,
                          double **out, msw_err *err);

/* Makes `classes` of the units of all strata: uncertain ones, and the others by how far off their
 * predictions may be (where nothing is stated: by the size of those of `shape`, unless NULL), in
 * the order of their permanent random numbers. `whole[c]` says that class c is of uncertain units.
 * Returns 0 or -1. */
int msw_classes_make(const msw_task *task, const msw_unit_set *strata, const msw_predictions *shape,
                     const msw_predictions *own, const msw_shared_predictions *shared,
                     msw_unit_set *classes, bool **whole, msw_err *err);

/* Which marked metric gives the size of a unit: the denominator of the primary one. */
size_t msw_size_mark(const msw_metric_map *map);

/* Which strata cannot be summed, because their classes need the predictions of every unit. Returns
 * one flag per stratum, or NULL without memory. */
bool *msw_classes_by_unit(const msw_task *task, const msw_unit_set *strata,
                          const msw_predictions *shape, const msw_shared_predictions *shared);

/* Evaluates `sampled` from predictions and differences. Sets `*done` to false where the config
 * cannot be predicted, `*whole` where every unit is to be measured as at full. Returns 0, -1 or
 * MSW_EXPIRED. */
int msw_evaluate_predicted(const msw_task *task, msw_answer *answer, bool *done, bool *whole,
                           msw_err *err);

/* References of one evaluation. */
typedef struct msw_references {
    const msw_reference_units **units;
    void **handles;
    size_t count;
} msw_references;

/* The units that a reference has to measure: those of classes. */
typedef struct msw_selection {
    const msw_unit_set *classes;
    const uint64_t *wanted;
    msw_digest digest; /* of all that the choice depends on */
} msw_selection;

/* Units of a stratum that references measure together, in order. */
typedef struct msw_reference_block {
    uint64_t count, *units;
    double *values; /* unit-major */
} msw_reference_block;

/* The block of a unit, by its size as predicted of the reference. */
unsigned msw_block_of(const msw_task *task, const msw_predictions *from, size_t h, uint64_t unit);

/* A unit, and the block that it is in. */
typedef struct msw_block_entry {
    uint64_t unit;
    unsigned block;
} msw_block_entry;

/* All units of a reference by their blocks, those of one in order. */
typedef struct msw_block_index {
    msw_block_entry **entries; /* per stratum */
    uint64_t *counts;
} msw_block_index;

/* Fetch the index of blocks; a block; the units of a selection, measured in one pass; room for all
 * references. Return 0 or -1. */
int msw_reference_index_get(const msw_task *task, int index, const msw_predictions *from,
                            const msw_block_index **out, void **handle, msw_err *err);
int msw_reference_block_get(const msw_task *task, int index, const msw_block_index *blocks,
                            size_t h, unsigned block, const msw_reference_block **out,
                            void **handle, msw_err *err);
int msw_reference_pass(const msw_task *task, int index, const msw_selection *selection,
                       const msw_predictions *from, const msw_reference_units **units,
                       void **handle, msw_err *err);
int msw_references_start(const msw_task *task, msw_references *all, msw_err *err);

/* Fetches references that have measured a selection. Returns 0 or -1. */
int msw_references_select(const msw_task *task, const msw_selection *selection,
                          const msw_shared_predictions *shared, msw_references *all, msw_err *err);

/* Runs `inside` for a reference: with its config, in an arena of its own. Returns what it gave. */
int msw_reference_task(const msw_task *task, const void *config,
                       int (*inside)(msw_task *, void *, msw_err *), void *context, msw_err *err);

/* Config of reference `index`, behind room for `head` words of a key. Returns the words or NULL. */
uint64_t *msw_reference_config(const msw_task *task, int index, size_t head);

/* Fetches all references a mechanism's paired metrics need. Returns 0 or -1. */
int msw_references_get(const msw_task *task, unsigned level, msw_references *all, msw_err *err);
void msw_references_put(const msw_task *task, msw_references *all);

/* Says in the answer's reason which reference cannot exist: what is compared with it is not
 * defined. */
void msw_references_tell_unfit(const msw_references *references, msw_answer *answer);

/* The pilot's samples of the primary metric: of its total (the numerator of a ratio) and of its
 * residual (the total itself where it is no ratio), one per stratum each. */
typedef struct msw_primary {
    msw_stratum_sample *total, *residual;
    double half_width; /* wanted of the residual's total */
} msw_primary;

/* Fills `primary` from measured units, of a total, a ratio or a paired metric. Returns 0 or -1. */
int msw_estimate_primary(const msw_task *task, const msw_unit_set *set,
                         const msw_references *references, int metric, msw_primary *primary,
                         msw_err *err);

/* The key of the order in which units are drawn; the permanent random number of one under it. */
uint64_t msw_units_key(const msw_task *task);
uint64_t msw_permanent_number(uint64_t key, size_t h, uint64_t unit);

/* Whether a metric must meet the target: the primary one, and those that the sweep names. */
bool msw_metric_wanted(const msw_task *task, size_t metric);

/* Raises `wanted` so that metrics without a sample of their own (quantile, derived) meet the
 * target, too. Returns 0 or -1. */
int msw_units_serve(const msw_task *task, const msw_unit_set *set, const msw_references *references,
                    uint64_t *wanted, msw_err *err);

/* Scratch for the values of one stratum at a time, and the samples made from them. */
typedef struct msw_columns {
    double *x, *y;
    double relative[4]; /* differences over the size of their values: number, sums of powers */
    double widest;      /* range within a class, over the size of its values: the largest */
    double *sorted;     /* scratch */
    double least;       /* smallest magnitude of a value that is not predicted and not 0 */
    uint64_t apart;     /* differences that are not about that of the middle of their class */
    double degrees;     /* differences but for one of each class */
    msw_stratum_sample *samples; /* one per stratum */
} msw_columns;

/* Takes the scratch from the task's arena. Returns 0 or -1. */
int msw_columns_init(const msw_task *task, const msw_unit_set *set, msw_columns *c, msw_err *err);

/* Completes the sample of class h: the moments of c->x, values of size `size` whose stated errors
 * are at most `bound` and whose predictions sum up to `base`. */
void msw_columns_sample(const msw_unit_set *set, size_t h, double size, double base, double bound,
                        msw_columns *c);

/* Before the first and after the last class of a metric. */
void msw_columns_begin(msw_columns *c);
void msw_columns_end(const msw_unit_set *set, msw_columns *c);

/* Prediction of a marked metric summed over class h, and the largest stated error in it; 0 where
 * every unit was measured or nothing is predicted. */
double msw_columns_bound(const msw_task *task, const msw_unit_set *set,
                         const msw_reference_units *reference, size_t h, int metric);

/* Values of one metric in unit order, less their predictions where some units of the class were not
 * measured; from a reference when `reference` is given. Returns the mean magnitude of the values
 * themselves. */
double msw_columns_gather(const msw_unit_set *set, const msw_reference_units *reference, size_t h,
                          int metric, double *out);

/* Samples a metric and estimates its total. */
double msw_columns_total(const msw_task *task, const msw_unit_set *set,
                         const msw_reference_units *reference, int metric, msw_columns *c);

/* Samples the residual num - ratio * den; `den` of a reference when `reference` is given. */
void msw_columns_residual(const msw_task *task, const msw_unit_set *set,
                          const msw_reference_units *reference, int num, int den, double ratio,
                          msw_columns *c);

/* Half-width of the total of what was sampled last. */
double msw_columns_half_width(const msw_task *task, const msw_unit_set *set, const msw_columns *c);

/* Fill QUANTILE and DERIVED slots and their half-widths; `exact`: every unit was measured. Return 0
 * or -1. */
int msw_estimate_quantiles(const msw_task *task, const msw_unit_set *set, bool exact,
                           msw_columns *c, msw_answer *answer, msw_err *err);

/* Fills all metrics and half-widths from measured units. Returns 0 or -1. */
int msw_estimate(const msw_task *task, const msw_unit_set *set, const msw_references *references,
                 msw_answer *answer, msw_err *err);

/* Widens the intervals of a forward pass by what units passed over change in those measured. */
void msw_add_jumps(const msw_task *task, msw_answer *answer);

/* Fills RATIO, PAIRED and DERIVED from totals that are exact. `reference_totals` per reference. */
void msw_finish_metrics(const msw_task *task, const double *const *reference_totals,
                        double *metrics);

/* The same, from the totals of references that were not sampled. */
void msw_finish_exact(const msw_task *task, const msw_references *references, double *metrics);

/* Fills QUANTILE slots from histograms. */
void msw_finish_quantiles(const msw_task *task, const double *histograms, double *metrics);

/* Writes the detail rows that need all measured units. Returns 0 or -1. */
int msw_finish_details(const msw_task *task, const msw_unit_set *set, msw_err *err);

/* Evaluate one fidelity for a task whose product and artifacts are there. Return 0, -1 or
 * MSW_EXPIRED. */
int msw_evaluate_full(const msw_task *task, const msw_references *references, msw_answer *answer,
                      msw_err *err);
int msw_evaluate_sampled(const msw_task *task, msw_answer *answer, msw_err *err);

/* Compares an answer with itself (msw_self_check), its bounds and its ranges: a closed form that
 * contradicts itself is doubtful. Returns 0, or -1 where units were measured. */
int msw_self_check_answer(const msw_task *task, const msw_answer *answer, msw_err *err);

/* Finds the metrics that a record's checks name. Returns 0 or -1. */
int msw_self_checks_resolve(msw_metric_map *map, const msw_mech *mech, msw_err *err);

/* Fetches product and artifacts, runs `inside`, gives them back. Returns what `inside` returned. */
int msw_with_artifacts(msw_task *task, int (*inside)(msw_task *, void *, msw_err *), void *context,
                       msw_err *err);

/* Expressions over what a mechanism declares, asked config by config. */

typedef enum msw_question_scope {
    MSW_ASK_CONFIG, /* parameters and the name of the workload */
    MSW_ASK_ANSWER  /* these and metrics */
} msw_question_scope;

typedef struct msw_question {
    const msw_mech *mech;
    size_t param_count;
    msw_expr_host *host;
    msw_expr *expr; /* NULL: nothing is asked */
} msw_question;

/* Compiles an expression. Returns 0, or -1; what was opened is closed by msw_question_close. */
int msw_question_open(msw_question *question, const msw_mech *mech, msw_question_scope scope,
                      const char *text, msw_err *err);
void msw_question_close(msw_question *question);

/* Binds a config, the name of its workload and (NULL in MSW_ASK_CONFIG) its metrics. */
void msw_question_bind(msw_question *question, const void *config, const char *workload,
                       const double *metrics);

#endif
