/* SPDX-License-Identifier: MIT */
/* A sweep whose design is a search: rounds until its evaluations are spent. */
#include "cli/run/sweep_run.h"
#include "memsweep/base/clock.h"

#include "memsweep/base/quote.h"
#include "memsweep/explore/seek_drive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The rounds of one run. */
typedef struct search {
    cli_sweep_run *r;
    const msw_plan *plan;
    msw_store *read, *write; /* where answers are read, where rows go */
    int64_t sweep, there;    /* its number in each */
    int64_t run;
    double shown; /* when a line of progress was last shown */
} search;

/* ---- what sweeps in rounds share ---- */

bool cli_is_in_rounds(const msw_plan *plan)
{
    return plan->part == MSW_PART_AUTO || plan->design.kind->searches;
}

void cli_show_round(const cli_sweep_run *r, const msw_explore_progress *p, double *shown)
{
    char points[32], left[32];
    double now = msw_now();
    if (r->ask->quiet || (*shown && now - *shown < cli_progress_seconds()))
        return;
    *shown = now;
    bool seeks = r->plan->design.kind->searches && r->plan->part != MSW_PART_AUTO;
    fprintf(stderr, "round %" PRIu32 " (%s): %s points%s, %s of the %s left\n", p->round,
            p->role == MSW_EXPLORE_AUDIT ? "audit" : "search", msw_count_text(p->missing, points),
            seeks ? "" : " in full", msw_count_text(p->left, left),
            seeks ? "evaluations" : "budget");
}

/* Beside the database that holds the earlier rounds: NAME.round-2.shard-0-of-4.db. */
static char *round_path(const cli_sweep_run *r, const char *path)
{
    const cli_target *t = &r->target;
    size_t size = strlen(path);
    size -= size > 3 && strcmp(path + size - 3, ".db") == 0 ? 3 : 0;
    return msw_strfmt("%.*s.round-%" PRId64 ".shard-%" PRIu64 "-of-%" PRIu64 ".db", (int)size, path,
                      r->ask->round, t->shard, t->shards);
}

static bool is_kept(msw_store *store, int64_t sweep, const char *kind, const char *result)
{
    msw_table table = {0};
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql,
                 "SELECT result FROM msw_analysis WHERE sweep = %" PRId64 " AND kind = ", sweep);
    msw_text_add_sql_string(&sql, kind);
    msw_text_add(&sql, " ORDER BY id DESC LIMIT 1");
    msw_query query = {.sql = msw_text_str(&sql)};
    bool kept = !sql.failed && msw_store_read(store, &query, &table, NULL) == 0 && table.rows &&
                table.columns[0].labels &&
                strcmp(table.columns[0].labels[(size_t)table.columns[0].values[0]], result) == 0;
    msw_table_free(&table);
    msw_text_free(&sql);
    return kept;
}

int cli_keep_statement(msw_store *store, int64_t sweep, const char *kind, msw_text *settings,
                       msw_text *result, msw_err *err)
{
    int rc = 0;
    if (settings->failed || result->failed)
        rc = msw_fail_memory(err);
    else if (!is_kept(store, sweep, kind, msw_text_str(result)))
        rc = msw_store_save_analysis(store, sweep, kind, msw_text_str(settings),
                                     msw_text_str(result), err);
    msw_text_free(settings);
    msw_text_free(result);
    return rc;
}

/* ---- one search ---- */

static void show_round(void *context, const msw_explore_progress *p)
{
    search *x = context;
    cli_show_round(x->r, p, &x->shown);
}

static int begin(void *context, int64_t *run, msw_err *err)
{
    search *x = context;
    cli_sweep_run *r = x->r;
    MSW_TRY(cli_begin_run(r->c, x->write, x->there, r->ranks.size, r->threads, &x->run, err));
    *run = x->run;
    return 0;
}

static int hand(void *context, const msw_plan *plan, const msw_todo *todo, msw_err *err)
{
    search *x = context;
    return cli_hand_out(x->r, plan, x->sweep, todo, err);
}

static int keep_back(void *context, const msw_plan *plan, const msw_todo *todo, msw_err *err)
{
    (void)context, (void)plan, (void)todo, (void)err;
    return 0;
}

int cli_search_again(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err)
{
    const msw_ranks alone = {.size = 1};
    const msw_explore_job job = {
        .plan = plan, .store = store, .full = sweep, .ranks = &alone, .hand = keep_back};
    msw_seek_report report;
    return msw_seek_drive(&job, &report, err);
}

static int end(search *x, int rc, bool stopped)
{
    char reason[MSW_ERR_TEXT_BYTES + 16] = "finished";
    if (rc)
        snprintf(reason, sizeof reason, "failed: %s", x->r->err.text);
    else if (stopped)
        snprintf(reason, sizeof reason, "interrupted");
    if (x->run && msw_store_end_run(x->write, x->run, reason, rc ? NULL : &x->r->err))
        return -1;
    return rc;
}

static int store_report(search *x, const char *kind, const msw_seek_report *report)
{
    msw_text settings = MSW_TEXT_EMPTY, result = MSW_TEXT_EMPTY;
    msw_seek_say_json(x->plan, report, &settings, &result);
    return cli_keep_statement(x->write, x->there, kind, &settings, &result, &x->r->err);
}

static int keep_growth(void *context, const msw_seek_report *report, msw_err *err)
{
    search *x = context;
    (void)err;
    return store_report(x, "search so far", report);
}

int cli_print_rounds(cli_sweep_run *r, msw_text *text, double decided, double read)
{
    char deciding[32], reading[32];
    bool failed = text->failed;
    if (!r->ask->quiet) {
        cli_printf("%s", msw_text_str(text));
        cli_printf("decisions: %s, and %s to read answers for them\n",
                   msw_duration_text(decided, deciding), msw_duration_text(read, reading));
    }
    msw_text_free(text);
    return failed ? msw_fail_memory(&r->err) : 0;
}

static int print_report(search *x, const msw_seek_report *report)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_seek_say(x->plan, report, &text);
    return cli_print_rounds(x->r, &text, report->decision_seconds, report->reading_seconds);
}

static msw_explore_job job_of(search *x)
{
    cli_sweep_run *r = x->r;
    msw_explore_job job = {.plan = x->plan,
                           .store = x->read,
                           .full = x->sweep,
                           .ranks = &r->ranks,
                           .options = cli_sweep_options(r),
                           .retry = r->ask->retry,
                           .until = x->plan->part == MSW_PART_NONE ? (uint64_t)r->ask->round : 0,
                           .context = x,
                           .started = show_round,
                           .begin_run = begin,
                           .grown = r->ask->shard ? NULL : keep_growth,
                           .hand = r->asking && msw_plan_is_told(x->plan) ? hand : NULL};
    job.options.progress_seconds = 0;
    return job;
}

static int seek(search *x, const msw_explore_job *job)
{
    cli_sweep_run *r = x->r;
    msw_seek_report report = {0};
    int rc = msw_seek_drive(job, &report, &r->err);
    msw_run_result_add(&r->result, &report.result);
    r->told = report.told ? cli_exit_code((msw_err_kind)report.told) : r->told;
    if (rc == 0 && job->shards && !r->ranks.rank &&
        report.statement.rounds < (uint32_t)r->ask->round - 1)
        rc = msw_fail(&r->err, "--round %" PRId64 ": the search ended with round %" PRIu32,
                      r->ask->round, report.statement.rounds);
    if (r->ranks.rank)
        return rc;
    rc = end(x, rc, report.result.stopped);
    if (rc == 0 && report.over)
        rc = store_report(x, "search", &report);
    if (rc == 0 && !report.result.stopped && !job->shards)
        rc = print_report(x, &report);
    return rc;
}

int cli_find_sweep(msw_store *store, const msw_plan *plan, int64_t *id, msw_err *err)
{
    msw_sweep_info info;
    char *called = msw_store_called(store, plan, err);
    int rc = called ? msw_store_sweep(store, called, &info, err) : -1;
    if (rc == 0) {
        *id = info.id;
        msw_sweep_info_free(&info);
    }
    free(called);
    return rc;
}

int cli_round_files(cli_sweep_run *r, const msw_plan *plan, char **path, char **own)
{
    cli_target parsed = {0};
    *path = *own = NULL;
    if (cli_shard_parse(r->ask->shard, &parsed.shard, &parsed.shards, &r->err))
        return -1;
    r->target.shard = parsed.shard;
    r->target.shards = parsed.shards;
    *path = r->ask->file ? msw_strdup(r->ask->file)
                         : msw_strfmt("%s/%s.db", cli_results_dir(), plan->name);
    *own = *path ? round_path(r, *path) : NULL;
    return *own ? 0 : msw_fail_memory(&r->err);
}

/* Proposals follow from the database in which the rounds before are complete, which stays as it is;
 * the rows go to a file beside it. Of the first round there may be none. */
static int open_shard(search *x)
{
    cli_sweep_run *r = x->r;
    char *path, *own;
    int rc = cli_round_files(r, x->plan, &path, &own);
    cli_target_options options = {own, NULL, r->ask->scratch, r->ask->take_over, 0};
    if (rc == 0 && r->ask->round > 1)
        rc = msw_store_open(path, MSW_STORE_READ, false, &r->c->context.log, &x->read, &r->err) ||
             cli_find_sweep(x->read, x->plan, &x->sweep, &r->err);
    if (rc == 0)
        rc = cli_target_open(&r->target, r->c, x->plan->name, &options, &r->store, &r->err) ||
             msw_store_add_sweep(r->store, x->plan, &x->there, &r->err);
    x->write = r->store;
    free(own);
    free(path);
    return rc ? -1 : 0;
}

static int run_shard(search *x)
{
    cli_sweep_run *r = x->r;
    int rc = r->ranks.rank ? 0 : open_shard(x);
    msw_explore_job job = job_of(x);
    job.target = x->write;
    job.target_full = x->there;
    job.shard = r->target.shard;
    job.shards = r->target.shards ? r->target.shards : 1;
    if (rc)
        msw_explore_dismiss(&job, &r->err);
    else
        rc = seek(x, &job);
    msw_store_close(x->read, NULL);
    return rc;
}

int cli_run_search(cli_sweep_run *r, const msw_plan *plan)
{
    search x = {.r = r, .plan = plan};
    if (r->ask->no_store)
        return msw_fail(&r->err, "--no-store: a search reads its answers back: it needs a "
                                 "database");
    if (r->ask->shard && !r->ask->round)
        return msw_fail(&r->err, "--shard: of a search a shard is one of a round: --round R");
    if (r->ask->shard)
        return run_shard(&x);
    int rc = cli_sweep_todo(r);
    x.read = x.write = r->store;
    x.sweep = x.there = r->sweep;
    msw_explore_job job = job_of(&x);
    return rc ? -1 : seek(&x, &job);
}
