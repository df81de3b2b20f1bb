/* SPDX-License-Identifier: MIT */
/* Private to cli: one point without a database: from words to a plan, from answers to text. */
#ifndef MSW_CLI_EVAL_EVAL_H
#define MSW_CLI_EVAL_EVAL_H

#include "cli/cli.h"
#include "memsweep/program/launch.h"
#include "memsweep/store/batch.h"
#include "memsweep/sweep/sweep.h"

/* What was asked for. */
typedef struct cli_question {
    const char *mechanism, *workloads, *preset, *fidelity;
    int64_t seed;              /* -1: the default */
    const cli_words *settings; /* NAME=VALUE each */
} cli_question;

/* Appends the sweep that asks this: `fix` and nothing that varies. Line k of it comes
 * from word cli_question_word(k). Returns 0, or -1 with a word that is no NAME=VALUE. */
int cli_question_text(const cli_question *question, msw_text *out, msw_err *err);

/* Loads the plan, saying what is wrong with which word. Returns an exit code. */
int cli_question_plan(const cli *c, const cli_question *question, msw_plan **plan);

/* Evaluates all points of a plan on this thread; `launches` (may be NULL) start its program.
 * Returns the rows, or NULL with `err`. */
msw_batch *cli_answer(const msw_plan *plan, msw_launches *launches, msw_err *err);

/* The same of one point. */
msw_batch *cli_answer_point(const msw_plan *plan, uint64_t point, msw_err *err);

/* Makes the plan of a sweep (NULL: the only or latest one) of a database from the inputs in it; of
 * other versions it is refused. Returns an exit code. */
int cli_stored_plan(const cli *c, const char *file, const char *sweep, msw_plan **plan);

/* Prints what the plan's program would be started with. Returns an exit code. */
int cli_answer_dry(const msw_plan *plan);

/* Answers each line of JSON on standard input by one on standard output: it sets parameters of the
 * mechanism, all others stay as in the plan. Returns an exit code. */
int cli_answer_stream(msw_plan *plan);

/* The number of a metric's value and half-width in a row of the batch. */
double cli_answer_metric(const msw_batch *batch, size_t row, size_t metric);
double cli_answer_half_width(const msw_batch *batch, size_t row, size_t metric);

/* The interval of a metric's errors around its answer of the closed form. Returns false where
 * nobody knows them. */
bool cli_answer_interval(const msw_plan *plan, const msw_batch *batch, size_t row, size_t metric,
                         double *low, double *high);

/* The record of a user's own points that is of this row: the first, as the view has it. Returns it,
 * or NULL. */
const struct msw_own_error *cli_answer_own(const msw_plan *plan, const msw_batch *batch, size_t row,
                                           size_t metric);

/* Gives a plan the errors of own points that a database holds. Returns an exit code. */
int cli_own_errors(const cli *c, const char *file, msw_plan *plan);

/* Where a row's intervals are from, or why it has none, as a view's column says it; NULL: no row of
 * the closed form that is to be trusted. */
enum { CLI_ERRORS_TEXT = 96 };
const char *cli_answer_errors(const msw_plan *plan, const msw_batch *batch, size_t row,
                              char text[CLI_ERRORS_TEXT]);

/* Whether answers of the plan show an interval of the metric, known or not. */
bool cli_answer_has_interval(const msw_plan *plan, size_t metric);

/* Appends one row for people. */
int cli_answer_text(const msw_plan *plan, const msw_batch *batch, size_t row, msw_text *out,
                    msw_err *err);

/* Makes a table of all rows, one each: what was set, metrics, half-widths. Returns 0, or -1. */
int cli_answer_table(const msw_plan *plan, const msw_batch *batch, msw_table *table, msw_err *err);

/* Makes a table of the detail rows called `name` of all rows. Returns 0, or -1 with the
 * names there are. */
int cli_answer_details(const msw_plan *plan, const msw_batch *batch, const char *name,
                       msw_table *table, msw_err *err);

/* Writes a sweep around the point to a file: each parameter one step up and down at the
 * closed form, those that change the primary metric kept. Returns an exit code. */
int cli_sweep_around(const cli *c, const cli_question *question, const msw_plan *plan,
                     const char *path);

#endif
