/* SPDX-License-Identifier: MIT */
/* Private to the commands that run sweeps: the database that a run writes to, who runs, the command
 * on several ranks, its progress, and sweeps of every kind. */
#ifndef MSW_CLI_RUN_SWEEP_RUN_H
#define MSW_CLI_RUN_SWEEP_RUN_H

#include "cli/cli.h"
#include "memsweep/base/json.h"
#include "memsweep/base/map.h"
#include "memsweep/reproduce/paper.h"
#include "memsweep/results/replay.h"
#include "memsweep/run/ranks.h"
#include "memsweep/run/run.h"
#include "memsweep/store/lease.h"
#include "memsweep/store/store.h"
#include "memsweep/sweep/bundle.h"

#include <stdatomic.h>

/* Writes the record of a run, and stops it on request. */

/* Catches SIGINT, SIGTERM and SIGUSR1 from now on. Returns the flag they raise; a second one ends
 * the process at once. */
const atomic_int *cli_catch_stop(void);

/* Reads the next line of standard input, without its end, into `line`, which has room for `most` +
 * 2 bytes: of a longer one `most` + 1 are kept. Returns whether there was one. */
bool cli_next_line(char *line, size_t most, size_t *size);

/* The commit of the source, made while building; empty when it is not known. */
extern const char cli_revision[];

/* Who writes: the texts behind a msw_run_info, which live as long as this does. */
typedef struct cli_who {
    char host[256];
    msw_text line;
    msw_run_info info;
} cli_who;

/* Fills it in; its `line` is the caller's to free. */
void cli_who_am_i(const cli *c, int ranks, int threads, cli_who *who);

/* Opens a run record that names host, command line and size. Returns 0 and its id, or -1. */
int cli_begin_run(const cli *c, msw_store *store, int64_t sweep, int ranks, int threads,
                  int64_t *run, msw_err *err);

/* A sweep that comes from a database. */

/* What is asked for, and the sweep on the rank that reads it. */
typedef struct cli_replay {
    const char *file, *sweep; /* as users name them; sweep: NULL for the only or latest one */
    const char *output;       /* the new database, or NULL */
    bool anyway, quiet;
    char *database; /* where its rows go when nobody says */
    msw_replay from;
} cli_replay;

/* Opens the database, says what it holds, and fills in how its sweep is planned, from which file.
 * Returns an exit code. */
int cli_replay_open(cli_replay *replay, const cli *c, msw_plan_options *options, const char **path);

/* Says which versions are others here. Returns EXIT_OK when it may run, or an exit code. */
int cli_replay_check(const cli_replay *replay, const msw_plan *plan);

/* Compares the rows in a new database with those that were stored; `before` of them were in it
 * already. Returns an exit code. */
int cli_replay_compare(const cli_replay *replay, const msw_plan *plan, const char *database,
                       uint64_t before);

void cli_replay_close(cli_replay *replay);

/* The command on several ranks. */

/* Which plan: of a sweep file as users name it, or of a database (NULL: none), which says itself at
 * which fidelity and with which seed. */
typedef struct cli_plan_ask {
    const char *word, *fidelity;
    int64_t seed;
    cli_replay *replay;
    size_t keep; /* bytes of files that are worth keeping where no other rank needs them */
} cli_plan_ask;

/* What rank 0 made a plan from: the files, and where they are. */
typedef struct cli_plan_files {
    msw_recorder files;
    msw_text paths;
} cli_plan_files;
void cli_plan_files_free(cli_plan_files *files);

/* Loads the plan on all ranks from the files rank 0 reads, and checks that it is the same on all.
 * `files` are filled in on rank 0.
 * Returns EXIT_OK, without a plan where another rank has said why there is none, or an exit code.
 */
int cli_load_plan_shared(const cli *c, const msw_ranks *ranks, const cli_plan_ask *ask,
                         cli_plan_files *files, msw_plan **plan);

/* Threads of this rank when nobody says: a fair part of the CPUs it may use. */
int cli_rank_threads(void);

/* Warns when a rank was given more threads than CPUs. */
void cli_check_binding(const cli *c, const msw_ranks *ranks, int threads);

/* Logs what all ranks know on rank 0 alone, and what only this rank knows on this one. Returns an
 * exit code. */
int cli_fail_shared(const msw_ranks *ranks, msw_err *err);

typedef struct cli_target {
    char *path; /* where the results are to be */
    uint64_t shard, shards;
    msw_scratch *scratch; /* where they are written before, or NULL */
} cli_target;

/* What the options of a command say about it; members may be NULL. */
typedef struct cli_target_options {
    const char *file, *shard, *scratch;
    bool take_over;
    double wait; /* seconds, while somebody else writes */
} cli_target_options;

/* Finds the path, makes the folders, warns about network file systems, opens the database or its
 * copy in the scratch folder for writing. Returns 0, or -1. */
int cli_target_open(cli_target *target, const cli *c, const char *sweep,
                    const cli_target_options *options, msw_store **store, msw_err *err);

/* Copies what is committed from the scratch folder to where it is to be, in one step for whoever
 * reads there. What can pass by is warned of. Returns 0, or -1 when it makes no sense to go on. */
int cli_target_publish(cli_target *target, const cli *c, msw_store *store, msw_err *err);

/* Closes the store (NULL is fine), copies it and removes the copy in the scratch folder. Returns 0,
 * or -1. */
int cli_target_finish(cli_target *target, msw_store *store, msw_err *err);

void cli_target_close(cli_target *target);

/* Reads "2/5". Returns 0, or -1. */
int cli_shard_parse(const char *word, uint64_t *shard, uint64_t *shards, msw_err *err);

/* What `ask` wants instead of rows. */
typedef struct cli_asking {
    int64_t count;
    double lease, wait; /* seconds */
    const char *format;
    bool again; /* also points whose lease has not expired */
} cli_asking;

/* The settings of `run`; text may be NULL. */
typedef struct cli_run_options {
    const char *sweep, *file, *fidelity, *shard, *scratch, *artifacts, *expect;
    const char *program, *work; /* of a sweep whose mechanism is a program */
    const char *inputs;         /* which are kept: small, all, none */
    int64_t threads, seed, round;
    double point_timeout;
    bool artifacts_only, retry, shuffle, no_store, take_over, quiet;
} cli_run_options;

/* One run on its way: what was asked, what there is to do, what came out. */
typedef struct cli_sweep_run {
    const cli *c;
    const cli_run_options *ask;
    const cli_asking *asking; /* points are handed out; NULL: they are computed */
    cli_replay *replay;       /* the database that the sweep comes from; NULL: a file */
    cli_plan_files read;      /* what the plan was made from, on the rank that reads it */
    msw_ranks ranks;
    msw_plan *plan;
    msw_launches *launches;       /* start the program that the plan's mechanism is; or NULL */
    msw_store *store, *artifacts; /* that is written; that kept artifacts are read from, too */
    cli_target target;
    int64_t sweep, run;
    int threads;
    msw_todo todo;
    msw_run_result result;
    msw_forest forest; /* of a sweep that does not keep all rows */
    msw_infeasible infeasible;
    msw_text nearest; /* where few rows keep the limits: what comes nearest */
    bool handed;      /* points were handed out, or it was said that there are none */
    int told;         /* exit code of rank 0 that ended this one; 0: none */
    msw_err err;
} cli_sweep_run;

/* The steps of such a run: opening the database and finding what is missing, its record, the
 * settings of its points, computing them. Return 0, or -1. */
int cli_sweep_todo(cli_sweep_run *r);
msw_run_options cli_sweep_options(cli_sweep_run *r);
int cli_sweep_evaluate(cli_sweep_run *r);

/* Closes the record of the run, of which `rc` says how it went. Returns 0, or -1. */
int cli_sweep_end(cli_sweep_run *r, int rc);

/* Hands out points of a plan that are missing, and not handed out yet, as `ask` wants; prints them.
 * Returns 0, or -1. */
int cli_hand_out(cli_sweep_run *r, const msw_plan *plan, int64_t sweep, const msw_todo *todo,
                 msw_err *err);

/* Keeps the files that a plan was made from in its database, as the options say. Returns 0, or -1.
 */
int cli_sweep_keep_inputs(cli_sweep_run *r, const msw_plan *plan);

/* Computes every point by the closed form, then the chosen ones in full (fidelity auto), and says
 * what can be said of the others; on all ranks. Returns 0, or -1 with `r->err`. */
int cli_run_auto(cli_sweep_run *r);

/* Of a sweep that does not keep all rows: on rank 0, with the database open, finds the leaves that
 * are not summarised yet; summarises all points and stores the rows that are kept. Return 0, or
 * -1. */
int cli_keep_todo(cli_sweep_run *r);
int cli_run_keep(cli_sweep_run *r);

/* Computes what is missing of a sweep, on all ranks, and says how it went. `replay` (NULL: none) is
 * the database that the sweep comes from. Returns an exit code. */
int cli_run_sweep(const cli *c, const cli_run_options *ask, cli_replay *replay);

/* Hands out points of a sweep whose answers are told. Returns an exit code. */
int cli_ask_sweep(const cli *c, const cli_run_options *ask, const cli_asking *asking);

/* A sweep whose design is a search. */

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

/* Its line of progress on standard error, and what it prints before and after. */

/* How often to report, in seconds: a terminal is redrawn, a log gets lines. */
double cli_progress_seconds(void);

/* For msw_run_options.progress. */
void cli_progress(void *context, const msw_progress *progress);

/* Ends the line on a terminal. */
void cli_progress_end(void);

/* Says how many points there are and how many are to be evaluated, on how many threads. */
void cli_print_todo(const cli_sweep_run *r);

/* Says what was evaluated, which points failed, and what to do about it. Returns the exit code of a
 * run that had no trouble of its own. */
int cli_print_outcome(const cli_sweep_run *r);

/* Learning how far a closed form is from full (agree --learn). */

typedef struct cli_learn_ask {
    const char *mechanism, *workloads;
    const char *output; /* the table; NULL: standard output */
    const char *check;  /* a table to be checked instead; or NULL */
    const char *format;
    int64_t points, seed;
    double seconds; /* of a point in full */
} cli_learn_ask;

/* Returns an exit code. */
int cli_learn(const cli *c, const cli_learn_ask *ask);

/* On which ranks a paper is made, who follows its runs, and
 * what came out, printed. */

/* Progress on standard error unless `quiet`; signals stop the run. Returns the watch, which needs
 * `c` as long as it lives. */
msw_paper_watch cli_paper_watch(const cli *c, bool quiet);

/* Makes papers on rank 0, with so many threads on each. Returns an exit code. */
typedef int (*cli_paper_fn)(const cli *c, msw_shared *shared, int threads, const void *settings);

/* Calls `make` on rank 0 and computes with it on the others; `threads` 0: nobody said. Returns an
 * exit code, the same on all ranks. */
int cli_run_paper(const cli *c, int64_t threads, cli_paper_fn make, const void *settings);

/* Prints the claims: one table per published figure for people, one in all for programs. Returns an
 * exit code. */
int cli_show_paper(const msw_paper *paper, const char *format);

/* Prints the trivial models that pass each claim, too. Returns an exit code. */
int cli_show_trivial(const msw_paper *paper, const char *format);

/* Answers that came from elsewhere become rows. */

typedef struct cli_tell_options {
    const char *sweep, *file, *fidelity;
    int64_t seed;
    double wait;
    bool quiet;
} cli_tell_options;

/* Points of a sweep that may be told. */
typedef struct cli_asked {
    msw_lease *leases;
    size_t count;
    const msw_plan *plan; /* of a program's sweep, whose points are known by their values: */
    msw_map values;       /* what tells a point apart -> its lease + 1 */
} cli_asked;

/* Takes all points of a program's sweep as asked for. Returns 0, or -1. */
int cli_asked_list(cli_asked *asked, const msw_plan *plan, msw_pointer *pointer, msw_err *err);

/* Finds the point of a line that has values instead of a key. Returns 0 and the number of its
 * lease, or -1. */
int cli_asked_find(const cli_asked *asked, const msw_json *line, const msw_json *values,
                   uint64_t *number, msw_err *err);

/* Refuses values that are not those of `row`, which has all parameters of the sweep's schema.
 * Returns 0, or -1. */
int cli_asked_check(const msw_plan *plan, const msw_json *values, const double *row, msw_err *err);

/* Reads lines of JSON from standard input and stores them, all or none. Returns an exit code. */
int cli_tell(const cli *c, const cli_tell_options *ask);

#endif
