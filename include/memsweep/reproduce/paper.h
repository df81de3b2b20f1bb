/* Private to `reproduce`: a paper is a folder of sweeps and a table of what it published.
 *
 * A paper is opened (paper_open.c), its sweeps are run into one database (paper_run.c), each claim
 * is asked of the rows (paper_ask.c), and what came out is printed (paper_show.c), written as a
 * page (paper_page.c) and drawn (paper_draw.c). paper_unknown.c and paper_spread.c do it all again
 * for samples of the parameters nobody knows. */
#ifndef MEMSWEEP_REPRODUCE_PAPER_H
#define MEMSWEEP_REPRODUCE_PAPER_H

#include "memsweep/results/reading.h"

#include "memsweep/reproduce/claims.h"
#include "memsweep/sweep/sweep.h"

/* What a user asks for; NULL where nothing was said. */
typedef struct msw_paper_options {
    const char *figures, *fidelity, *docs, *results;
    const char *unknowns; /* only these parameters are drawn */
    int threads;
    int64_t samples, seed;
    bool quiet, retry, no_figures;
} msw_paper_options;

typedef struct msw_paper_sweep {
    char *word; /* of queries: walkers for walkers.yaml */
    char *path;
    msw_plan *plan; /* NULL: no claim that is looked at needs it */
} msw_paper_sweep;

typedef struct msw_claim_answer {
    bool wanted;
    double value, half_width; /* NaN: none */
    char *shown;              /* or NULL */
    msw_judgement verdict;
} msw_claim_answer;

/* A parameter nobody knows, and its value in each sample. */
typedef struct msw_unknown {
    const msw_param *param;
    uint64_t levels; /* 0: a range */
    double *values;
} msw_unknown;

/* What the claims become over samples of the unknown parameters. */
typedef struct msw_spread {
    size_t samples, unknown_count;
    msw_unknown *unknowns;
    double *values;          /* claims x samples; NaN: none */
    msw_judgement *verdicts; /* claims x samples */
} msw_spread;

typedef struct msw_paper {
    const cli *c;
    const msw_paper_options *ask;
    char *name, *folder;
    size_t sweep_count;
    msw_paper_sweep *sweeps;
    msw_claims claims;
    msw_claim_answer *answers; /* one per claim */
    msw_spread spread;
    msw_text drawn;   /* paths of what was written, one a line */
    msw_text images;  /* the figures as the page shows them */
    bool some_failed; /* points without an answer */
    bool interrupted;
    msw_err *err;
} msw_paper;

/* paper_find.c: names of all papers, sorted, ended by NULL; the caller frees list and names.
 * Returns NULL when memory runs out. */
char **msw_paper_names(const cli *c);
void msw_paper_names_free(char **names);

/* The folder of a paper; the caller frees it. Returns NULL with the nearest name in `err`. */
char *msw_paper_folder(const cli *c, const char *name, msw_err *err);

/* paper_open.c: reads tables and sweep files. Returns 0, or -1. */
int msw_paper_open(msw_paper *paper);
void msw_paper_free(msw_paper *paper);

/* Whether a claim or figure is one of those asked for. */
bool msw_paper_asked(const msw_paper *paper, const char *figure);

/* paper_words.c: calls `use` for each ":word" of a query, which appends what it stands for; the
 * rest is copied. Returns 0, or -1. */
typedef int (*msw_word_fn)(void *context, const char *word, size_t size, msw_text *out);
int msw_paper_fill(const char *sql, msw_word_fn use, void *context, msw_text *out);

/* The sweep a word means. Returns it, or NULL with the nearest one in `err`. */
msw_paper_sweep *msw_paper_find_sweep(const msw_paper *paper, const char *word, size_t size,
                                      msw_err *err);

/* paper_run.c: computes what is missing of `count` plans and stores it in `file`. Returns 0, or -1;
 * sets some_failed and interrupted. */
int msw_paper_run(msw_paper *paper, const char *file, msw_plan *const *plans, size_t count);

/* Whether a name is one of a list ("a, b"); NULL lists everything. */
bool msw_paper_lists(const char *list, const char *name);

/* Path of the paper's database; the caller frees it. */
char *msw_paper_database(const msw_paper *paper, const char *suffix);

/* paper_ask.c: computes the model's number of a claim from rows of the sample `sample` (-1: all
 * rows). Returns 0, or -1. */
int msw_paper_value(const msw_paper *paper, msw_store *store, const msw_claim *claim, long sample,
                    msw_claim_answer *answer);
int msw_paper_answer(msw_paper *paper);

/* paper_show.c */
int msw_paper_show(const msw_paper *paper, const char *format);

/* Numbers as tables show them: a value with its unit; the band. */
void msw_claim_number(const msw_claim *claim, double value, msw_text *out);
void msw_claim_band(const msw_claim *claim, msw_text *out);

/* Calls `tell` for each claim that explains another and was looked at. */
typedef void (*msw_explain_fn)(void *context, const msw_claim *claim,
                               const msw_claim_answer *answer);
void msw_paper_explain(const msw_paper *paper, const msw_claim *claim, msw_explain_fn tell,
                       void *context);

/* Folder and name of the page and of what belongs to it: <docs>/<paper> or
 * <docs>/<paper>-<fidelity>; the caller frees it. */
char *msw_paper_stem(const msw_paper *paper);

/* paper_page.c: writes <docs>/<paper>.md, or <paper>-<fidelity>.md. Returns 0, or -1. */
int msw_paper_page(msw_paper *paper);

/* paper_draw.c: draws what figures.csv names. Returns 0, or -1. */
int msw_paper_draw(msw_paper *paper);

/* paper_unknown.c: finds the parameters whose source is unknown or inferred and which no sweep
 * decides, and draws their samples. Returns 0, or -1. */
int msw_paper_unknowns(msw_paper *paper);

/* Makes a plan with every point of a sweep for every sample: design points s x n .. s x n + n - 1
 * are sample s of the sweep's n. Returns 0, or -1. */
int msw_paper_cross(const msw_paper *paper, const msw_paper_sweep *sweep, msw_plan **plan);

/* paper_spread.c: runs and asks all of it. Returns 0, or -1. */
int msw_paper_spread(msw_paper *paper);
void msw_spread_free(msw_spread *spread);

/* paper_region.c: appends the spans and the region in which verdicts hold, as Markdown. */
void msw_spread_page(const msw_paper *paper, msw_text *out);

#endif
