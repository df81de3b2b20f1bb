/* SPDX-License-Identifier: MIT */
/* Runs a sweep that keeps what decides: first all points are looked at, leaf by leaf, and then the
 * rows of those that are kept are computed again, like those of any other sweep. */

#include "cli/run/sweep_run.h"

#include "memsweep/store/keeping.h"

#include "memsweep/base/bits.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- all points ---- */

/* Neighbouring leaves stay together, so that they can be put together. */
static void keep_shard(msw_todo *todo, const cli_target *t)
{
    if (t->shards < 2)
        return;
    uint64_t first = todo->points * t->shard / t->shards;
    uint64_t end = todo->points * (t->shard + 1) / t->shards;
    todo->missing = 0;
    for (uint64_t i = 0; i < todo->points; i++) {
        uint64_t bit = UINT64_C(1) << i % 64;
        if (i < first || i >= end)
            todo->bitmap[i / 64] &= ~bit;
        todo->missing += (todo->bitmap[i / 64] & bit) != 0;
    }
}

int cli_keep_todo(cli_sweep_run *r)
{
    msw_todo *todo = &r->todo;
    if (!msw_keep_scans(&r->plan->keep))
        return 0;
    MSW_TRY(msw_forest_open(&r->forest, r->plan, &r->err));
    MSW_TRY(r->store && msw_forest_load(&r->forest, r->store, r->sweep, &r->err));
    todo->points = r->forest.workloads * r->forest.shape.leaves;
    todo->bitmap = calloc(todo->points / 64 + 1, sizeof *todo->bitmap);
    if (!todo->bitmap)
        return msw_fail_memory(&r->err);
    todo->missing = msw_forest_missing(&r->forest, todo->bitmap);
    keep_shard(todo, &r->target);
    return 0;
}

/* Leaves are counted, points are shown. */
static void show_progress(void *context, const msw_progress *p)
{
    const cli_sweep_run *r = context;
    double leaf = (double)r->forest.shape.leaf;
    msw_progress points = *p;
    points.done = p->done * r->forest.shape.leaf;
    points.total = p->total * r->forest.shape.leaf;
    points.before = p->before * r->forest.shape.leaf;
    points.committed = p->committed * r->forest.shape.leaf;
    points.rate = p->rate * leaf;
    cli_progress(NULL, &points);
}

static void print_scan(const cli_sweep_run *r)
{
    char points[32], left[32];
    uint64_t leaf = r->forest.shape.leaf, all = r->plan->points;
    uint64_t missing = r->todo.missing * leaf < all ? r->todo.missing * leaf : all;
    if (r->ask->quiet || r->ranks.rank)
        return;
    cli_printf("%s: %s points; %s%s to look at on ", r->plan->name, msw_count_text(all, points),
               missing == all || !missing ? "" : "about ",
               missing ? msw_count_text(missing, left) : "none");
    if (r->ranks.size > 1)
        cli_printf("%d ranks x ", r->ranks.size);
    cli_printf("%d thread%s\n", r->threads, r->threads == 1 ? "" : "s");
    fflush(stdout);
}

static int scan(cli_sweep_run *r)
{
    MSW_TRY(cli_sweep_todo(r));
    if (r->ranks.rank && msw_keep_scans(&r->plan->keep))
        MSW_TRY(msw_forest_open(&r->forest, r->plan, &r->err));
    if (!msw_keep_scans(&r->plan->keep))
        return 0;
    print_scan(r);
    if (!r->todo.missing)
        return 0;
    msw_run_options options = cli_sweep_options(r);
    options.scan = &r->forest;
    options.progress = show_progress;
    options.progress_context = r;
    int rc = msw_run(r->plan, r->store, r->sweep, r->run, &r->todo, &options, &r->result, &r->err);
    if (!r->ask->quiet && !r->ranks.rank)
        cli_progress_end();
    if (rc || r->result.stopped)
        MSW_TRY(cli_sweep_end(r, rc));
    return rc;
}

/* ---- the rows that are kept ---- */

typedef struct chosen {
    uint64_t *bitmap, rows, front, sampled;
    msw_census_counts counts;
} chosen;

static int add_front(cli_sweep_run *r, chosen *c)
{
    for (uint64_t w = 0; w < r->forest.workloads; w++) {
        msw_census *whole = msw_forest_whole(&r->forest, w, &r->err);
        if (!whole)
            return -1;
        for (size_t i = 0; i < whole->front.points.count; i++) {
            uint64_t point = whole->front.points.items[i];
            if (point < r->plan->points)
                c->bitmap[point / 64] |= UINT64_C(1) << point % 64;
        }
        c->front += whole->front.points.count;
        msw_census_counts_add(&c->counts, &whole->counts);
        msw_census_free(whole);
    }
    return 0;
}

static void add_sample(const cli_sweep_run *r, chosen *c)
{
    const msw_plan *plan = r->plan;
    msw_keep_draw draw = {plan->seed, plan->points, plan->keep.sample, plan->workload_count};
    for (uint64_t i = 0; plan->keep.sample && i < plan->points; i++)
        if (msw_keep_is_sampled(&draw, i)) {
            c->bitmap[i / 64] |= UINT64_C(1) << i % 64;
            c->sampled++;
        }
    for (uint64_t i = 0; i <= plan->points / 64; i++)
        c->rows += msw_bits_count(c->bitmap[i]);
}

/* On rank 0. */
static int choose(cli_sweep_run *r, chosen *c)
{
    c->bitmap = calloc(r->plan->points / 64 + 1, sizeof *c->bitmap);
    if (!c->bitmap)
        return msw_fail_memory(&r->err);
    MSW_TRY(msw_keep_scans(&r->plan->keep) && add_front(r, c));
    add_sample(r, c);
    msw_todo_free(&r->todo);
    if (!r->store)
        return 0;
    MSW_TRY(msw_store_todo_of(r->store, r->plan, r->sweep, r->ask->retry, c->bitmap, &r->todo,
                              &r->err));
    MSW_TRY(r->todo.missing && !r->run &&
            cli_begin_run(r->c, r->store, r->sweep, r->ranks.size, r->threads, &r->run, &r->err));
    return 0;
}

static void print_choice(const cli_sweep_run *r, const chosen *c)
{
    char a[32], b[32], d[32];
    const msw_keeping *keep = &r->plan->keep;
    if (r->ask->quiet || r->ranks.rank)
        return;
    if (msw_keep_scans(keep))
        cli_printf("all points: %s ok, %s infeasible, %s failed", msw_count_text(c->counts.ok, a),
                   msw_count_text(c->counts.infeasible, b), msw_count_text(c->counts.failed, d));
    if (c->counts.doubtful)
        cli_printf(", %s of the ok doubtful", msw_count_text(c->counts.doubtful, a));
    if (c->counts.beyond)
        cli_printf(", %s beyond the limits", msw_count_text(c->counts.beyond, a));
    if (c->counts.excluded)
        cli_printf(", %s not evaluated, as their parameters are beyond the limits",
                   msw_count_text(c->counts.excluded, a));
    if (msw_keep_scans(keep))
        cli_printf("\n");
    if (keep->front)
        cli_printf("%s rows within %g %% of the front\n", msw_count_text(c->front, a),
                   100 * keep->within);
    if (keep->sample)
        cli_printf("%s rows at random\n", msw_count_text(c->sampled, a));
    fflush(stdout);
}

/* A shard has no front yet. */
static int finish_shard(cli_sweep_run *r)
{
    uint64_t missing = msw_forest_missing(&r->forest, NULL);
    if (!missing || !msw_keep_scans(&r->plan->keep))
        return 0;
    if (!r->ask->quiet)
        cli_printf("this shard is looked at; when all are merged, run the sweep on the merged "
                   "file: it stores the rows that are kept\n");
    return 1;
}

/* After the last row, before the run ends. */
static int save_record(cli_sweep_run *r, const chosen *c)
{
    msw_digest digest = {0};
    msw_kept_rows kept = {
        .rows = c->rows, .on_front = c->front, .sampled = c->sampled, .counts = c->counts};
    if (msw_keep_scans(&r->plan->keep))
        MSW_TRY(msw_forest_digest(&r->forest, &digest, &r->err));
    return msw_kept_rows_save(r->store, r->sweep, &kept, digest, &r->err);
}

static int store_rows(cli_sweep_run *r)
{
    chosen c = {0};
    int rc = 0, later = 0;
    if (!r->ranks.rank) {
        later = r->store ? finish_shard(r) : 0;
        rc = later ? 0 : choose(r, &c);
        if (rc == 0 && !later)
            print_choice(r, &c);
        if (rc || later || !r->store)
            r->todo.missing = 0;
    } else {
        msw_todo_free(&r->todo);
    }
    free(c.bitmap);
    r->told = rc ? cli_exit_code(r->err.kind) : EXIT_OK;
    MSW_TRY(msw_ranks_share_todo(&r->ranks, &r->told, &r->todo, &r->err));
    uint64_t looked = r->result.evaluated * r->forest.shape.leaf;
    double seconds = r->result.seconds;
    if (!r->todo.missing) {
        if (!r->ranks.rank && r->run)
            rc = cli_sweep_end(r, 0);
    } else {
        rc = cli_sweep_evaluate(r);
    }
    bool stopped = r->result.stopped;
    if (later) /* how many are ok is known when all shards are merged */
        looked = r->result.evaluated = 0;
    if (rc == 0 && !stopped && !later && r->store)
        rc = save_record(r, &c);
    if (!stopped && looked) {
        r->result.evaluated = looked < r->plan->points ? looked : r->plan->points;
        r->result.ok = c.counts.ok;
        r->result.infeasible = c.counts.infeasible;
        r->result.doubtful = c.counts.doubtful;
        r->result.seconds = seconds;
    }
    return rc;
}

int cli_run_keep(cli_sweep_run *r)
{
    int rc = scan(r);
    if (rc == 0 && !r->result.stopped)
        rc = store_rows(r);
    msw_forest_close(&r->forest);
    return rc;
}
