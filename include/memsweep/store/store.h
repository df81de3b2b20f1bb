/* SPDX-License-Identifier: MIT */
/* store: one SQLite file that holds every sweep, run and row; and reading it back.
 *
 * One process writes, and one thread at a time may use an open store. Wide typed tables, one per
 * mechanism; a view per sweep; catalogue tables that explain every column. See docs/store.md for
 * all tables and columns. */
#ifndef MEMSWEEP_STORE_STORE_H
#define MEMSWEEP_STORE_STORE_H

#include "memsweep/base/log.h"
#include "memsweep/base/table.h"
#include "memsweep/base/text.h"
#include "memsweep/store/batch.h"
#include "memsweep/sweep/sweep.h"

#include <stdint.h>

typedef struct msw_store msw_store;

/* Who writes, for the catalogue and for the lock. */
typedef struct msw_run_info {
    const char *version, *build; /* of memsweep */
    const char *host;
    const char *command_line;
    int ranks, threads;
    const char *revision; /* commit of memsweep's source; NULL: not known */
} msw_run_info;

typedef enum msw_store_mode {
    MSW_STORE_WRITE, /* create or open, take the writer's lock */
    MSW_STORE_READ   /* open read-only: never blocks or breaks a writer for long */
} msw_store_mode;

/* The lock a writer holds on a file (msw_store_open takes it): for who writes by copying instead.
 * Taking fails when another holds it. Returns 0, or -1. */
typedef struct msw_file_lock msw_file_lock;
int msw_file_lock_take(const char *path, bool take_over, msw_file_lock **lock, msw_err *err);
void msw_file_lock_release(msw_file_lock *lock);

/* Whether somebody on this host holds the lock now. Returns the verdict. */
bool msw_file_lock_held(const char *path);

/* Writes a database by way of a copy on a local disk. The copy lies below `folder`, in a folder of
 * its own, named by a digest of where the database is, that only its user can enter. What a killed
 * run left there is taken up: its rows go into the database. */
typedef struct msw_scratch msw_scratch;

/* Takes both locks, makes the copy and opens it for writing. Returns 0, or -1. */
int msw_scratch_open(const char *path, const char *folder, bool take_over, const msw_log *log,
                     msw_scratch **scratch, msw_store **store, msw_err *err);

/* Puts what is committed in the place of the database, in one step for whoever reads there. Fails,
 * and loses nothing, when the database is no longer the one it was. Returns 0, or -1. */
int msw_scratch_publish(msw_scratch *scratch, msw_store *store, msw_err *err);

/* After the store was closed: publishes it and removes the copy. When that fails the copy stays for
 * the next run, and the message says where. Returns 0, or -1. */
int msw_scratch_finish(msw_scratch *scratch, msw_err *err);

/* Whether publishing failed because the database was moved, replaced or written to. */
bool msw_scratch_lost_path(const msw_scratch *scratch);

/* Gives the locks back; what is not published stays. NULL is fine. */
void msw_scratch_close(msw_scratch *scratch);

/* Opens a file. Migrates old schema versions when writing; refuses newer, foreign, corrupt files, a
 * second writer (naming host and process of the first) and writing to a file with several names,
 * with kind IO. `take_over` breaks a lock whose holder is known to be gone. Returns 0, or -1. */
int msw_store_open(const char *path, msw_store_mode mode, bool take_over, const msw_log *log,
                   msw_store **store, msw_err *err);

/* Commits what is pending, releases the lock, closes; NULL is fine. When the file was moved or
 * replaced meanwhile, all its rows go to a file beside it that the message names. Returns 0, or -1
 * when that is so or the last commit failed. */
int msw_store_close(msw_store *store, msw_err *err);

/* Points and rows have numbers of 32 bits. */
#define MSW_STORE_POINTS_MAX (UINT32_MAX - 1)

/* Refuses a plan of more points than a file can hold. Returns 0, or -1. */
int msw_store_check_size(const msw_plan *plan, msw_err *err);

/* Saves the plan (once), makes or widens the mechanism's tables, the sweep's view and the
 * catalogue. Returns 0 and the sweep's id, or -1. */
int msw_store_add_sweep(msw_store *store, const msw_plan *plan, int64_t *sweep_id, msw_err *err);

/* What is already answered of a plan. */
typedef struct msw_todo {
    uint64_t points;          /* of the plan */
    uint64_t answered;        /* ok or infeasible, by this sweep before */
    uint64_t reused;          /* answered by another sweep of the file, now linked to this one */
    uint64_t repeated;        /* equal to an earlier point of this same plan */
    uint64_t failed, timeout; /* not answered; in `missing` only when retrying */
    uint64_t damaged;         /* their rows are damaged or lost: in `missing`, replaced in place */
    uint64_t missing;
    uint64_t *bitmap; /* bit i: point i has to be evaluated; NULL when nothing or everything is */
    bool everything;  /* all points are missing */
} msw_todo;

/* Finds out what has to be computed, links rows other sweeps have, and remembers equal points so
 * that the first one's answer serves all. Returns 0, or -1. */
int msw_store_todo(msw_store *store, const msw_plan *plan, int64_t sweep_id, bool retry,
                   msw_todo *todo, msw_err *err);
void msw_todo_free(msw_todo *todo);

/* The same of some points: those of a bitmap, a bit each; NULL: all. */
int msw_store_todo_of(msw_store *store, const msw_plan *plan, int64_t sweep_id, bool retry,
                      const uint64_t *wanted, msw_todo *todo, msw_err *err);

/* The same of points whose keys the caller knows: gives that of a point of the plan, or -1. */
typedef int (*msw_key_fn)(void *context, uint64_t point, msw_digest *key, msw_err *err);
int msw_store_todo_keys(msw_store *store, const msw_plan *plan, int64_t sweep_id, msw_key_fn key,
                        void *context, msw_todo *todo, msw_err *err);

/* Removes sweeps of this one's name, mechanism and fidelity that ask for the same columns and whose
 * answers are all among its own: tables that have grown since. Their runs become its runs. Returns
 * 0 and the points of the last of them (0: there was none), or -1. */
int msw_store_supersede(msw_store *store, const msw_plan *plan, int64_t sweep_id, uint64_t *before,
                        msw_err *err);

/* Keeps the points of one of `count` shards, which together are the plan: runs of neighbouring
 * points dealt out in turn, so that every shard gets its part of every region. Returns 0, or -1. */
int msw_todo_keep_shard(msw_todo *todo, uint64_t shard, uint64_t count, msw_err *err);

/* Gives the rows and runs to come numbers that no other shard of a plan of so many points gives:
 * merging then copies records as they are. To be called before the first run begins. */
void msw_store_number_shard(msw_store *store, uint64_t points, uint64_t shard, uint64_t count);

/* Opens a run record. Returns 0 and its id, or -1. */
int msw_store_begin_run(msw_store *store, int64_t sweep_id, const msw_run_info *info,
                        int64_t *run_id, msw_err *err);

/* Takes the rows of a batch (copied): a point answered before is left as it is, one whose row is no
 * answer is replaced. Commits when enough rows or seconds have gathered. Plan, sweep and run must
 * live until the rows are committed. Returns 0, or -1; the rows are kept for a later commit. */
int msw_store_write(msw_store *store, const msw_plan *plan, int64_t sweep_id, int64_t run_id,
                    msw_batch *batch, msw_err *err);

/* Commits when rows have waited long enough: for loops that wait for batches. A reader in the way
 * costs nothing but a later try. Returns 0, or -1. */
int msw_store_tick(msw_store *store, msw_err *err);

/* Commits now; while a reader is in the way for more than 10 s, to a shard beside the file that is
 * merged when the file is next opened for writing. Returns 0, or -1. */
int msw_store_commit(msw_store *store, msw_err *err);

/* Names the network file system a folder is on: locks and commits are slow or unsafe there. Returns
 * NULL for a local one. */
const char *msw_store_network(const char *folder);

/* The same from the number statfs reports. */
const char *msw_store_network_name(unsigned long type);

/* What happens where two files hold different answers for one point. */
typedef enum msw_merge_rule {
    MSW_MERGE_REFUSE, /* prints both rows, changes nothing */
    MSW_MERGE_KEEP,
    MSW_MERGE_REPLACE
} msw_merge_rule;

/* Adds everything another memsweep file holds: sweeps, runs, rows, details; that file stays as it
 * is, and nothing in it is executed. What is there already
 * stays: merging twice changes nothing, and the order of merges does not matter to any digest.
 * Answers are different when a metric is more than 1e-9 apart. Returns 0 and the number of rows
 * added, or -1 with nothing changed. */
int msw_store_merge(msw_store *store, const char *path, msw_merge_rule rule, uint64_t *rows,
                    msw_err *err);

/* Adds one sweep of another memsweep file, the one with this digest of its plan: its rows, the runs
 * that wrote them (also those of other sweeps that it shares rows with: they count as its own
 * here), no kept artifacts. The store must hold no other sweep. Returns 0 and the number of rows
 * added, or -1 with nothing changed. */
int msw_store_merge_sweep(msw_store *store, const char *path, msw_digest plan, uint64_t *rows,
                          msw_err *err);

/* Returns whether a file can be merged into another one, before that is made or opened: it is
 * whole, of this program, and holds nothing that would have to be run. Returns 0, or -1. */
int msw_store_check_source(const char *path, const char *into, msw_err *err);
/* Whether a sweep has answers and none of them is ok; then how many, and the reason most of them
 * give. */
typedef struct msw_infeasible {
    bool all;
    uint64_t count, most; /* infeasible points; those with this reason: */
    char reason[256];
} msw_infeasible;
int msw_store_infeasible(msw_store *store, const msw_plan *plan, int64_t sweep_id,
                         msw_infeasible *found, msw_err *err);

/* Rows committed since open. */
uint64_t msw_store_committed(const msw_store *store);

/* Closes the run record: "finished", "interrupted", "failed: ...". Returns 0, or -1. */
int msw_store_end_run(msw_store *store, int64_t run_id, const char *reason, msw_err *err);

/* Remembers a job that was given to a scheduler. Returns 0, or -1. */
int msw_store_add_job(msw_store *store, int64_t sweep_id, const char *job, const char *role,
                      const char *command_line, msw_err *err);

/* One line per such job, latest first: sweep, job, role, submitted. Returns 0, or -1. */
int msw_store_jobs(msw_store *store, msw_table *table, msw_err *err);

/* One line per run that is going on: sweep, host, ranks, threads, rows, rows per second, seconds
 * left. Returns 0, or -1. */
int msw_store_running(msw_store *store, msw_table *table, msw_err *err);

/* Digest over a sweep's rows (keys, parameters, metrics, half-widths, status) in index order, by
 * sweep name (NULL: the only or latest one). Returns 0, or -1. */
int msw_store_digest(msw_store *store, const char *sweep, msw_digest *digest, uint64_t *rows,
                     msw_err *err);

/* A row by its numbers: the columns `point` and `row_id`. */
typedef struct msw_row_id {
    uint64_t point, row;
} msw_row_id;

/* Behind the name of a sweep: designs over workloads where the sweep itself takes them together
 * (fidelity auto with `over`), else its rows as they are. */
#define MSW_OVER_OWN "@own"

typedef struct msw_query {
    const char *sweep;         /* NULL: the only sweep of the file, else an error that lists them */
    const char *columns;       /* "a, b, expr AS c", NULL: all */
    const char *filter;        /* expression, or NULL */
    const char *order;         /* "slowdown DESC, ptw_count", or NULL: index order */
    int64_t limit;             /* at most so many rows; 0 or below: all */
    bool no_rows;              /* only the columns: a limit of no rows */
    bool within_limits;        /* only rows within the limits of the sweep, if it has any */
    bool trusted;              /* only rows without a doubt */
    const msw_row_id *row_ids; /* only these rows, or NULL */
    size_t row_id_count;
    const char *sql; /* raw read-only SQL instead of all the above */
} msw_query;

/* Rows that a query would show but for the limits of its sweep (with a doubt or without), those
 * that it would show but for their doubt, and those that it shows although its mechanism does not
 * state that the closed form agrees there, or although nobody knows how far off they are. */
typedef struct msw_left_out {
    uint64_t beyond, doubtful, outside;
    uint64_t unknown, judged; /* errors unknown here, of so many rows of the closed form */
    char why[64];             /* of most of them */
    uint64_t lacking;         /* of the others: those with a metric, among the columns asked for, of
                                 which nobody knows the error */
    char metrics[96];         /* the metrics */
} msw_left_out;

/* Counts those of unknown errors alone. Returns 0, or -1. */
int msw_store_errors_unknown(msw_store *store, const msw_query *query, msw_left_out *count,
                             msw_err *err);

/* Counts them. Returns 0, or -1. */
int msw_store_left_out(msw_store *store, const msw_query *query, msw_left_out *count, msw_err *err);

/* Reads rows as columns with units and goals. Returns 0, or -1 (usage errors name columns). */
int msw_store_read(msw_store *store, const msw_query *query, msw_table *table, msw_err *err);

/* Reads `columns` of ever other rows of a sweep: prepared once, a read takes a hundredth of the
 * time. Returns 0, or -1. */
typedef struct msw_row_reader msw_row_reader;
int msw_row_reader_new(msw_store *store, const char *sweep, const char *columns,
                       msw_row_reader **reader, msw_err *err);
int msw_row_reader_read(msw_row_reader *reader, const msw_row_id *rows, size_t count,
                        msw_table *table, msw_err *err);
void msw_row_reader_free(msw_row_reader *reader);

/* Reads rows in blocks of at most `most` and hands each to `take`, which returns 0, or -1: what
 * many rows take in memory is that of one block. A text column of less than 65,536 labels keeps
 * them and their numbers from block to block. Returns 0, or -1. */
typedef int (*msw_block_fn)(void *context, const msw_table *block, msw_err *err);
int msw_store_read_blocks(msw_store *store, const msw_query *query, size_t most, msw_block_fn take,
                          void *context, msw_err *err);

/* Reads rows, and has them sieved whenever there are twice as many as the last time, at least
 * `most`: `sieve` drops rows of the table and returns 0, or -1. Returns 0, or -1. */
typedef int (*msw_sieve_fn)(void *context, msw_table *table, msw_err *err);
int msw_store_read_sieved(msw_store *store, const msw_query *query, size_t most, msw_sieve_fn sieve,
                          void *context, msw_table *table, msw_err *err);

/* Reads the same raw SQL with ?1 = 0, 1, ... `parts` - 1 and hands each table to `take`, which
 * returns 0, or -1: prepared once, thousands of parts take milliseconds each less. Returns 0, or
 * -1.
 */
typedef int (*msw_part_fn)(void *context, uint64_t part, const msw_table *table, msw_err *err);
int msw_store_read_parts(msw_store *store, const char *sql, uint64_t parts, msw_part_fn take,
                         void *context, msw_err *err);

/* Copies a sweep's rows to a table `@name` in the schema temp (no sweep can be called so), which
 * only this open store has and which ends with it: with a column `part`, the number of the group of
 * `points` design points, by which they are found fast. Returns 0, or -1. */
int msw_store_divide(msw_store *store, const char *sweep, const char *name, uint64_t points,
                     msw_err *err);

/* Writes the checked SELECT behind a query without `sql`, to be part of a larger one. Returns 0, or
 * -1. */
int msw_store_select(msw_store *store, const msw_query *query, msw_text *sql, msw_err *err);

/* One line per sweep: name, mechanism, points, answered, failed, last run, state. */
int msw_store_status(msw_store *store, msw_table *table, msw_err *err);

/* The sweep a command means. */
typedef struct msw_sweep_info {
    int64_t id;
    char *name, *mechanism;
    msw_digest plan; /* zero where the record is damaged */
    char *canonical; /* its text, for msw_outline_read */
    bool over;       /* its rows are designs, taken over their workloads: NAME@worst */
    uint64_t points; /* of the plan */
    size_t objective_count;
    msw_objective *objectives;
} msw_sweep_info;
int msw_store_sweep(msw_store *store, const char *name, msw_sweep_info *info, msw_err *err);
void msw_sweep_info_free(msw_sweep_info *info);

/* What reads the rows of a plan and of no other: "NAME@DIGITS". A file knows a plan by its digest
 * and keeps the first name it came under, which need not be the plan's. Returns it on the heap, or
 * NULL with `err`: the file does not hold it. */
char *msw_store_called(msw_store *store, const msw_plan *plan, msw_err *err);

/* Of a sweep whose rows are taken over workloads: how, as it was asked for: "mean(a, b)". */
const char *msw_sweep_over_word(const msw_sweep_info *info);

/* Gives a plan the errors that the file keeps of a user's own points (`agree --intervals`), of its
 * mechanism. Returns 0, or -1. */
int msw_store_own_errors(msw_store *store, msw_plan *plan, msw_err *err);

/* Remembers the result of an analysis with its settings, as JSON texts. Returns 0, or -1. */
int msw_store_save_analysis(msw_store *store, int64_t sweep_id, const char *kind,
                            const char *settings, const char *result, msw_err *err);

#endif
