/* SPDX-License-Identifier: MIT */
/* paper: a paper is a folder of sweeps and a table of what it published.
 *
 * A paper is opened (open.c), its sweeps are run into one database (run.c), each claim
 * is asked of the rows (answer.c), and what came out is printed (tables.c), written as a
 * page (page.c) and drawn (draw.c). unknown.c and spread.c do it all again
 * for samples of the parameters nobody knows. */
#ifndef MEMSWEEP_REPRODUCE_PAPER_H
#define MEMSWEEP_REPRODUCE_PAPER_H

#include "memsweep/base/table_builder.h"
#include "memsweep/results/reading.h"
#include "memsweep/run/run.h"

#include "memsweep/reproduce/claims.h"
#include "memsweep/reproduce/shared_plans.h"
#include "memsweep/sweep/sweep.h"

#include <stdatomic.h>

/* What a user asks for; NULL where nothing was said. */
typedef struct msw_paper_options {
    const char *figures, *fidelity, *docs, *results;
    const char *unknowns; /* only these parameters are drawn, which may be of any source */
    bool calibrates;      /* asked at more than one fidelity, and nothing is explained */
    bool measures;        /* rows without a band may be compared with a measurement */
    int threads;
    int64_t samples, seed;
    int64_t inner;   /* samples for each setting of what changes an artifact; 0: one */
    int64_t confirm; /* of the samples: so many are computed at full */
    bool retry, no_figures;
    bool beside; /* the closed form answers, too, in a column that decides nothing */
} msw_paper_options;

typedef struct msw_paper_sweep {
    char *word; /* of queries: walkers for walkers.yaml */
    char *path;
    msw_plan *plan; /* NULL: no claim that is looked at needs it */
    msw_origin origin;
    char *called; /* in the database (msw_store_called), once it has been run */
    bool sampled; /* a claim needs it that is no experiment: it is drawn over samples, too */
} msw_paper_sweep;

typedef struct msw_claim_answer {
    bool wanted;
    bool condition;           /* of a claim that is wanted */
    double value, half_width; /* NaN: none */
    double closed;            /* by the closed form, where that was asked beside; NaN */
    char *shown;              /* or NULL */
    char *trivial;            /* names of the trivial models that pass, too; or NULL */
    msw_judgement verdict;
    msw_weight weight;
} msw_claim_answer;

/* A parameter nobody knows, and its value in each sample. */
typedef struct msw_unknown {
    const msw_param *param;
    double low, high; /* what is drawn: the plausible range, else all that is allowed */
    uint64_t levels;  /* 0: a range */
    bool shapes;      /* it decides what is built: samples in a row share its value */
    double *values;
} msw_unknown;

/* What the claims become over samples of the unknown parameters. */
typedef struct msw_spread {
    const char *fidelity;
    const char *suffix; /* of its database */
    size_t samples, unknown_count;
    size_t idle; /* unknowns that act at no point of the sweeps, left out */
    msw_unknown *unknowns;
    double *values;          /* claims x samples; NaN: none */
    msw_judgement *verdicts; /* claims x samples; a pass that proves nothing is none */
    uint64_t seed;           /* of the draw */
    double *positions;       /* samples x unknowns: 0 to 1 over the plausible range */
    const bool *asks;        /* by claim: whether it is asked; NULL: all but experiments */
    bool conditional;        /* unknowns stay as they are where they do not act */
    size_t shapes;           /* different settings of the parameters that shape */
    bool combinations;       /* the samples are all combinations of the levels */
    size_t redrawn, broken;  /* samples that broke a rule at first, and that still do */
    msw_err rule;            /* the rule that one of them broke */
    size_t *origin;          /* by sample: number in the spread it was chosen from, or NULL */
} msw_spread;

/* Who follows the runs, and may stop them. */
typedef struct msw_paper_watch {
    void *context;
    double progress_seconds; /* 0: `progress` is not called */
    void (*progress)(void *context, const msw_progress *progress);
    void (*started)(void *context, const msw_plan *plan, const msw_todo *todo);
    void (*ended)(void *context, const msw_plan *plan, const msw_run_result *result);
    /* Opens the record of a run. Returns 0 and its id, or -1. */
    int (*begin_run)(void *context, msw_store *store, int64_t sweep, int ranks, int threads,
                     int64_t *run, msw_err *err);
    const atomic_int *stop;
} msw_paper_watch;

typedef struct msw_paper {
    const msw_context *context;
    const msw_paper_options *ask;
    const msw_paper_watch *watch;
    msw_shared *shared; /* who computes with this process; NULL: nobody */
    char *name, *folder;
    size_t sweep_count;
    msw_paper_sweep *sweeps;
    msw_claims claims;
    msw_claim_answer *answers;    /* one per claim */
    msw_spread spread, confirmed; /* confirmed: those that hold most of it, at full */
    msw_text drawn;               /* paths of what was written, one a line */
    msw_text images;              /* the figures as the page shows them */
    bool some_failed;             /* points without an answer */
    bool interrupted;
    msw_err *err;
} msw_paper;

/* find.c: names of all papers, sorted, ended by NULL; the caller frees list and names.
 * Returns NULL when memory runs out. */
char **msw_paper_names(const msw_context *context);
void msw_paper_names_free(char **names);

/* The folder of a paper; the caller frees it. Returns NULL with the nearest name in `err`. */
char *msw_paper_folder(const msw_context *context, const char *name, msw_err *err);

/* open.c: reads tables and sweep files. Returns 0, or -1. */
int msw_paper_open(msw_paper *paper);
void msw_paper_free(msw_paper *paper);

/* Whether a claim or figure is one of those asked for. */
bool msw_paper_asked(const msw_paper *paper, const char *figure);

/* words.c: calls `use` for each ":word" of a query, which appends what it stands for; the
 * rest is copied. Returns 0, or -1. */
typedef int (*msw_word_fn)(void *context, const char *word, size_t size, msw_text *out);
int msw_paper_fill(const char *sql, msw_word_fn use, void *context, msw_text *out);

/* The sweep a word means. Returns it, or NULL with the nearest one in `err`. */
msw_paper_sweep *msw_paper_find_sweep(const msw_paper *paper, const char *word, size_t size,
                                      msw_err *err);

/* A plan, and what other ranks make it from. */
typedef struct msw_paper_plan {
    msw_plan *plan; /* NULL: none */
    msw_origin origin;
} msw_paper_plan;

/* run.c: computes what is missing of `count` plans and stores it in `file`. Returns 0, or -1;
 * sets some_failed and interrupted. */
int msw_paper_run(msw_paper *paper, const char *file, msw_paper_plan *plans, size_t count);

/* Whether a name is one of a list ("a, b"); NULL lists everything. */
bool msw_paper_lists(const char *list, const char *name);

/* Path of the paper's database; the caller frees it. */
char *msw_paper_database(const msw_paper *paper, const char *suffix);

/* answer.c: computes the model's number of a claim from all rows. Returns 0, or -1. */
int msw_paper_value(const msw_paper *paper, msw_store *store, const msw_claim *claim,
                    msw_claim_answer *answer);

/* The same where `rows` says what the words of the query stand for. Returns 0, or -1. */
int msw_paper_value_of(const msw_paper *paper, msw_store *store, const msw_claim *claim,
                       msw_word_fn rows, void *context, msw_claim_answer *answer);

/* The same from the rows of each sample: calls `tell` with every answer; the caller frees its
 * `shown`. Returns 0, or -1. */
typedef void (*msw_value_fn)(void *context, size_t sample, const msw_claim_answer *answer);
int msw_paper_values(const msw_paper *paper, msw_store *store, const msw_claim *claim,
                     size_t samples, msw_value_fn tell, void *context);

/* ask.c: runs the sweeps and answers all claims. Returns 0, or -1. */
int msw_paper_answer(msw_paper *paper);

/* The first claim that `claim` is judged under and whose number is 0 or not there; the number of
 * claim i is values[i * stride]. Returns it, or NULL: it is judged. */
const msw_claim *msw_claim_unmet(const msw_paper *paper, const msw_claim *claim,
                                 const double *values, size_t stride);

/* tables.c: a row for each claim from `first` on that shares its figure; what they need explained
 * goes to `reasons`. Returns where the next figure begins. */
size_t msw_paper_figure(const msw_paper *paper, size_t first, msw_table_builder *builder,
                        msw_text *reasons);

/* A row for each claim looked at, for programs. */
void msw_paper_rows(const msw_paper *paper, msw_table_builder *builder);

/* worth.c: how many groups of claims have each verdict, by weight; of claims, those that have
 * none or are not comparable. A group counts as its best claim, and as the worst verdict of those
 * that are evidence. */
typedef struct msw_tally {
    size_t count[MSW_WEIGHT_COUNT][MSW_VERDICT_COUNT];
    size_t without, apart; /* claims without a verdict; not comparable */
} msw_tally;
msw_tally msw_paper_tally(const msw_paper *paper);

/* Appends them in one line: "two-sided: 2 pass, 1 miss, 0 unclear; ...". */
void msw_paper_summary(const msw_paper *paper, msw_text *out);

/* Weighs what a claim became; `lowest`: the lowest fidelity of the rows that it was asked of. */
msw_weight msw_answer_weight(const msw_claim *claim, const msw_claim_answer *answer,
                             msw_fidelity lowest);

/* trivial.c: asks every claim that passes of the trivial models. Returns 0, or -1. */
int msw_paper_try_trivial(msw_paper *paper, msw_store *store);

/* Whether no fidelity changes it: it names no metric but those that are exact. */
bool msw_claim_is_alike(const msw_paper *paper, const msw_claim *claim);

/* A row for each claim, with the trivial models that pass. */
void msw_paper_trivial_rows(const msw_paper *paper, msw_table_builder *builder);

/* Whether samples of the unknown parameters have it: what is judged, and what that depends on. */
bool msw_claim_spreads(const msw_paper *paper, const msw_claim *claim);

/* Appends what a claim counts as: "independent", "with streams-big", ...; "": it has no verdict. */
void msw_claim_counts_as(const msw_claim *claim, const msw_claim_answer *answer, msw_text *out);

/* Numbers as tables show them: a value with its unit; the band. */
void msw_claim_number(const msw_claim *claim, double value, msw_text *out);
void msw_claim_band(const msw_claim *claim, msw_text *out);

/* Calls `tell` for each claim that explains another and was looked at. */
typedef void (*msw_explain_fn)(void *context, const msw_claim *claim,
                               const msw_claim_answer *answer);
void msw_paper_explain(const msw_paper *paper, const msw_claim *claim, msw_explain_fn tell,
                       void *context);

/* page.c: writes <docs>/<paper>.md, or <paper>-<fidelity>.md. Returns 0, or -1. */
int msw_paper_page(msw_paper *paper);

/* Whether a parameter takes choices; an unknown powers of two. */
bool msw_unknown_chooses(const msw_param *param);
bool msw_unknown_doubles(const msw_unknown *unknown);

/* Whether a sweep leaves a parameter open. */
bool msw_paper_opens(const msw_plan *plan, const msw_param *param);

/* The value of an unknown at a position from 0 to 1 of its plausible range. */
double msw_unknown_value(const msw_unknown *unknown, double position);

/* samples.c: takes the room that samples need. Returns 0, or -1. */
int msw_spread_room(msw_spread *spread, msw_err *err);

/* Marks the samples with which a point of a sweep cannot exist; `why`: one of the rules. Returns 0,
 * or -1. */
int msw_spread_broken(const msw_paper *paper, const msw_spread *spread, bool *broken, msw_err *why);

/* unknown.c: finds the parameters whose source is unknown or inferred and which no sweep
 * decides. Returns 0, or -1. */
int msw_paper_unknowns(msw_paper *paper);

/* Finds those that act at some point of a sweep, or that are asked for by name. Returns 0,
 * or -1. */
int msw_paper_acting(msw_paper *paper);

/* Samples that are planned, run and asked together. */
typedef struct msw_samples {
    size_t first, count;
} msw_samples;

/* Design points of a plan, whatever workload and replicate. */
uint64_t msw_paper_design_points(const msw_plan *plan);

/* How many samples a plan can hold. Returns it. */
size_t msw_paper_part(const msw_paper *paper, const msw_spread *spread);

/* Makes a plan with every point of a sweep for every sample of a part: design points s x n ..
 * s x n + n - 1 are its sample s of the sweep's n. Returns 0, or -1. */
int msw_paper_cross(const msw_paper *paper, const msw_spread *spread, msw_samples part,
                    const msw_paper_sweep *sweep, msw_paper_plan *plan);

/* spread.c: whether a claim takes its value from a sweep. */
bool msw_paper_reads(const msw_paper *paper, const msw_claim *claim, const msw_paper_sweep *sweep);

/* Runs and asks the samples of a spread. Returns 0, or -1. */
int msw_spread_answer(msw_paper *paper, msw_spread *spread);
void msw_spread_free(msw_spread *spread);

/* Whether a claim is one that a region is looked for: judged, and following from no other. */
bool msw_claim_seeks(const msw_paper *paper, size_t claim);

/* How many of the claims that a region is looked for pass in a sample. */
size_t msw_spread_passing(const msw_paper *paper, const msw_spread *spread, size_t sample);

/* samples.c: draws the first settings of a spread whose unknowns and samples are set, `inner` of
 * them (0: one) for each setting of what shapes; all combinations of levels, where they are no more
 * than the samples, take their place. Returns 0, or -1. */
int msw_spread_first(msw_paper *paper, msw_spread *spread, size_t inner);

/* Draws them for `--over-unknowns`, runs and asks all of it. Returns 0, or -1. */
int msw_paper_spread(msw_paper *paper);

/* Computes the samples in which most claims pass at full. Returns 0, or -1. */
int msw_paper_confirm(msw_paper *paper);

/* Appends what became of them, as Markdown. */
void msw_confirm_page(const msw_paper *paper, msw_text *out);

/* spans.c: appends the spans and the region in which verdicts hold, as Markdown. */
void msw_spread_page(const msw_paper *paper, msw_text *out);

/* make.c: finds the paper and does all of the above that is asked for. Returns 0, also when it was
 * interrupted, or -1. */
int msw_paper_make(msw_paper *paper, const char *name);

/* Whether no quantity missed its band or is unclear. Returns the verdict. */
bool msw_paper_passes(const msw_paper *paper);

#endif
