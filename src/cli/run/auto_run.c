/* SPDX-License-Identifier: MIT */
/* A sweep at fidelity auto: a round 0 by the closed form, then rounds in full. */

#include "cli/run/sweep_run.h"

#include "memsweep/explore/drive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The rounds of one run. */
typedef struct rounds {
    cli_sweep_run *r;
    const msw_plan *whole;
    msw_store *read, *write; /* where answers are read, where rows go */
    int64_t sweeps[3];       /* whole, analytic, full */
    int64_t full_there;      /* in `write` */
    int64_t run, record;     /* of the points in full; of the whole */
    double shown;            /* when a line of progress was last shown */
} rounds;

static void show_round(void *context, const msw_explore_progress *p)
{
    rounds *x = context;
    cli_show_round(x->r, p, &x->shown);
}

/* ---- records ---- */

static int begin(void *context, int64_t *run, msw_err *err)
{
    rounds *x = context;
    cli_sweep_run *r = x->r;
    if (x->write == x->read && !x->record &&
        cli_begin_run(r->c, x->write, x->sweeps[0], r->ranks.size, r->threads, &x->record, err))
        return -1;
    if (cli_begin_run(r->c, x->write, x->full_there, r->ranks.size, r->threads, &x->run, err))
        return -1;
    *run = x->run;
    return 0;
}

static int hand(void *context, const msw_plan *full, const msw_todo *todo, msw_err *err)
{
    rounds *x = context;
    return cli_hand_out(x->r, full, x->sweeps[2], todo, err);
}

static int end(rounds *x, int rc, bool stopped)
{
    char reason[MSW_ERR_TEXT_BYTES + 16] = "finished";
    const int64_t runs[] = {x->run, x->record};
    if (rc)
        snprintf(reason, sizeof reason, "failed: %s", x->r->err.text);
    else if (stopped)
        snprintf(reason, sizeof reason, "interrupted");
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        if (runs[i] && msw_store_end_run(x->write, runs[i], reason, rc ? NULL : &x->r->err))
            rc = -1;
    return rc;
}

/* ---- round 0 ---- */

/* Every rank comes to the same verdict. */
static int check(cli_sweep_run *r, const msw_plan *whole)
{
    if (msw_store_check_size(whole, &r->err) || msw_explore_check(whole, &r->err))
        return -1;
    if (r->ask->no_store)
        return msw_fail(&r->err, "--no-store: fidelity auto reads its answers back: it needs a "
                                 "database");
    return 0;
}

static int run_closed(cli_sweep_run *r)
{
    if (r->plan->design.kind->searches)
        return cli_run_search(r, r->plan);
    if (cli_sweep_todo(r))
        return -1;
    cli_print_todo(r);
    return r->todo.missing ? cli_sweep_evaluate(r) : 0;
}

/* ---- the rounds in full ---- */

static int add_sweeps(rounds *x)
{
    cli_sweep_run *r = x->r;
    int64_t *s = x->sweeps;
    if (r->ranks.rank)
        return 0;
    s[1] = r->sweep;
    x->full_there = 0;
    if (msw_store_add_sweep(x->write, msw_plan_full(x->whole), &s[2], &r->err) ||
        msw_store_add_sweep(x->write, x->whole, &s[0], &r->err) ||
        cli_sweep_keep_inputs(r, x->whole))
        return -1;
    x->full_there = s[2];
    return 0;
}

static int print_report(rounds *x, const msw_explore_report *report)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_explore_say(x->whole, report, &text);
    return cli_print_rounds(x->r, &text, report->decision_seconds, report->reading_seconds);
}

static int store_report(rounds *x, const msw_explore_report *report)
{
    msw_text settings = MSW_TEXT_EMPTY, result = MSW_TEXT_EMPTY;
    msw_explore_say_json(x->whole, report, &settings, &result);
    return cli_keep_statement(x->write, x->sweeps[0], "auto", &settings, &result, &x->r->err);
}

static msw_explore_job job_of(rounds *x)
{
    cli_sweep_run *r = x->r;
    msw_explore_job job = {.plan = x->whole,
                           .store = x->read,
                           .whole = x->sweeps[0],
                           .analytic = x->sweeps[1],
                           .full = x->sweeps[2],
                           .ranks = &r->ranks,
                           .options = cli_sweep_options(r),
                           .retry = r->ask->retry,
                           .until = (uint64_t)r->ask->round,
                           .context = x,
                           .started = show_round,
                           .begin_run = begin,
                           .hand = x->r->asking ? hand : NULL};
    job.options.progress_seconds = 0;
    return job;
}

static int explore(cli_sweep_run *r, const msw_plan *whole)
{
    rounds x = {.r = r, .whole = whole, .read = r->store, .write = r->store};
    msw_explore_report report = {0};
    bool begun = add_sweeps(&x) == 0;
    msw_explore_job job = job_of(&x);
    if (!begun) {
        msw_explore_dismiss(&job, &r->err);
        return -1;
    }
    int rc = msw_explore_drive(&job, &report, &r->err);
    msw_run_result_add(&r->result, &report.result);
    r->told = report.told ? cli_exit_code((msw_err_kind)report.told) : r->told;
    if (r->ranks.rank)
        return rc;
    rc = end(&x, rc, report.result.stopped);
    if (rc == 0 && report.over)
        rc = store_report(&x, &report);
    if (rc == 0 && !report.result.stopped)
        rc = print_report(&x, &report);
    return rc;
}

/* ---- a shard of one round ---- */

static int open_both(rounds *x, const char *path, const char *own)
{
    cli_sweep_run *r = x->r;
    cli_target_options options = {own, NULL, r->ask->scratch, r->ask->take_over, 0};
    if (msw_store_open(path, MSW_STORE_READ, false, &r->c->context.log, &x->read, &r->err) ||
        cli_find_sweep(x->read, msw_plan_analytic(x->whole), &x->sweeps[1], &r->err) ||
        cli_target_open(&r->target, r->c, x->whole->name, &options, &r->store, &r->err) ||
        msw_store_add_sweep(r->store, msw_plan_full(x->whole), &x->full_there, &r->err))
        return -1;
    cli_find_sweep(x->read, msw_plan_full(x->whole), &x->sweeps[2], NULL);
    x->write = r->store;
    return 0;
}

/* Decisions are read from the database in which the rounds before are complete, which stays as it
 * is; the rows go to a file beside it. */
static int open_shard(rounds *x)
{
    cli_sweep_run *r = x->r;
    char *path, *own;
    int rc = cli_round_files(r, x->whole, &path, &own);
    if (rc == 0)
        rc = open_both(x, path, own);
    free(own);
    free(path);
    return rc;
}

static int run_shard(cli_sweep_run *r, const msw_plan *whole)
{
    rounds x = {.r = r, .whole = whole};
    msw_explore_report report = {0};
    int rc = r->ranks.rank ? 0 : open_shard(&x);
    msw_explore_job job = job_of(&x);
    job.target = x.write;
    job.target_full = x.full_there;
    job.shard = r->target.shard;
    job.shards = r->target.shards ? r->target.shards : 1;
    if (rc == 0)
        rc = msw_explore_drive(&job, &report, &r->err);
    else
        msw_explore_dismiss(&job, &r->err);
    if (rc == 0 && !r->ranks.rank && report.statement.rounds < (uint32_t)r->ask->round)
        rc = msw_fail(&r->err,
                      "--round %" PRId64 ": the choice ended with round %" PRIu32
                      ": 'memsweep run' without --round makes the statement",
                      r->ask->round, report.statement.rounds);
    msw_run_result_add(&r->result, &report.result);
    r->told = report.told ? cli_exit_code((msw_err_kind)report.told) : r->told;
    msw_store_close(x.read, NULL);
    return r->ranks.rank ? rc : end(&x, rc, report.result.stopped);
}

int cli_run_auto(cli_sweep_run *r)
{
    msw_plan *whole = r->plan;
    if (check(r, whole))
        return -1;
    if (r->ask->shard && r->ask->round)
        return run_shard(r, whole);
    r->plan = (msw_plan *)(uintptr_t)msw_plan_analytic(whole);
    int rc = run_closed(r);
    r->plan = whole;
    bool only = r->ask->shard || r->ask->artifacts_only || r->handed;
    if (rc == 0 && !only && !r->result.stopped)
        rc = explore(r, whole);
    return rc;
}
