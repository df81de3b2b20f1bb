/* SPDX-License-Identifier: MIT */
/* Private to `run`: a sweep whose design is a search. */
#ifndef MSW_CLI_RUN_SEARCH_RUN_H
#define MSW_CLI_RUN_SEARCH_RUN_H

#include "cli/run/sweep_run.h"

/* Searches with a plan (of fidelity auto its analytic part) until it is over or stopped, on all
 * ranks. Returns 0, or -1 with `r->err`. */
int cli_run_search(cli_sweep_run *r, const msw_plan *plan);

/* Proposes again what a search has proposed so far, so that the points of its last round are known:
 * `sweep` is its number. Nothing is computed. Returns 0, or -1. */
int cli_search_again(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err);

/* Whether the sweep that was asked for is one of rounds: a search, or at fidelity auto. */
bool cli_is_in_rounds(const msw_plan *plan);

/* Says on standard error that a round begins, not more often than progress is shown. */
struct msw_explore_progress;
void cli_show_round(const cli_sweep_run *r, const struct msw_explore_progress *progress,
                    double *shown);

/* Prints what rounds came to, and the seconds that deciding and reading took; frees the text.
 * Returns 0, or -1. */
int cli_print_rounds(cli_sweep_run *r, msw_text *text, double decided, double read);

/* Finds the database of the earlier rounds of a shard and the file of its own; the caller frees
 * both. Returns 0, or -1 with `r->err`. */
int cli_round_files(cli_sweep_run *r, const msw_plan *plan, char **path, char **own);

/* Finds the number of a plan in a file; `*id` stays where the file does not hold it. Returns 0, or
 * -1. */
int cli_find_sweep(msw_store *store, const msw_plan *plan, int64_t *id, msw_err *err);

/* Keeps an analysis of a sweep unless the last one of its kind says the same; frees the texts.
 * Returns 0, or -1. */
int cli_keep_statement(msw_store *store, int64_t sweep, const char *kind, msw_text *settings,
                       msw_text *result, msw_err *err);

#endif
