/* SPDX-License-Identifier: MIT */
#include "cli/run/sweep_run.h"

#include "memsweep/format/format.h"

#include <inttypes.h>
#include <string.h>

/* ---- while it runs ---- */

static void print_todo(void *context, const msw_plan *plan, const msw_todo *todo)
{
    char points[32], missing[32];
    (void)context;
    if (todo->missing)
        fprintf(stderr, "%s: %s of %s points to evaluate at %s\n", plan->name,
                msw_count_text(todo->missing, missing), msw_count_text(todo->points, points),
                msw_fidelity_name(plan->fidelity));
}

static void ignore_todo(void *context, const msw_plan *plan, const msw_todo *todo)
{
    (void)context;
    (void)plan;
    (void)todo;
}

static void print_failures(void *context, const msw_plan *plan, const msw_run_result *r)
{
    (void)context;
    if (r->failed + r->timeout)
        fprintf(stderr,
                "memsweep: %s: %" PRIu64 " points have no answer; the first is point %" PRIu64
                ": %s\n",
                plan->name, r->failed + r->timeout, r->failures[0].index, r->failures[0].text);
}

static void end_progress(void *context, const msw_plan *plan, const msw_run_result *r)
{
    if (r->ok + r->infeasible + r->failed + r->timeout)
        cli_progress_end();
    print_failures(context, plan, r);
}

static int begin_run(void *context, msw_store *store, int64_t sweep, int ranks, int threads,
                     int64_t *run, msw_err *err)
{
    return cli_begin_run(context, store, sweep, ranks, threads, run, err);
}

msw_paper_watch cli_paper_watch(const cli *c, bool quiet)
{
    return (msw_paper_watch){.context = (void *)c,
                             .progress_seconds = quiet ? 0 : cli_progress_seconds(),
                             .progress = cli_progress,
                             .started = quiet ? ignore_todo : print_todo,
                             .ended = quiet ? print_failures : end_progress,
                             .begin_run = begin_run,
                             .stop = cli_catch_stop()};
}

/* ---- all ranks ---- */

static int serve(const cli *c, msw_shared *shared, int threads)
{
    int code = EXIT_OK;
    msw_err err = {0};
    msw_run_options options = {
        .keys = true, .threads = threads, .stop = cli_catch_stop(), .log = &c->context.log};
    if (msw_shared_serve(shared, &options, &code, &err) == 0)
        return code;
    msw_fail_prefix(&err, "rank %d: ", shared->ranks.rank);
    return cli_fail(&err);
}

/* What was printed has to be out before the others end: their exit codes end this process, too. */
static int lead(const cli *c, msw_shared *shared, int threads, cli_paper_fn make,
                const void *settings)
{
    int code = make(c, shared, threads, settings);
    fflush(stdout);
    msw_shared_dismiss(shared, code);
    return code;
}

int cli_run_paper(const cli *c, int64_t asked, cli_paper_fn make, const void *settings)
{
    msw_shared shared = {0};
    msw_err err = {0};
    int code, threads = asked ? (int)asked : cli_rank_threads();
    if (msw_ranks_open(&shared.ranks, &err))
        return cli_fail(&err);
    cli_check_binding(c, &shared.ranks, threads);
    if (msw_ranks_agree_build(&shared.ranks, &err))
        code = cli_fail_shared(&shared.ranks, &err);
    else if (shared.ranks.rank)
        code = serve(c, &shared, threads);
    else
        code = lead(c, &shared, threads, make, settings);
    if (shared.lost || msw_ranks_are_apart(&shared.ranks))
        msw_ranks_abort(&shared.ranks, code);
    msw_ranks_close(&shared.ranks);
    return code;
}

/* ---- what came out ---- */

static size_t show_figure(const msw_paper *p, size_t first, int *code)
{
    msw_table_builder builder = {.err = p->err};
    msw_text reasons = MSW_TEXT_EMPTY;
    size_t next = msw_paper_figure(p, first, &builder, &reasons);
    if (builder.table.rows && *code == EXIT_OK) {
        msw_format_style style = {.no_footer = true};
        cli_printf("\n%s: %s\n", p->name, p->claims.list[first].figure);
        *code = builder.failed ? cli_fail(p->err) : cli_print_table(&builder.table, "text", &style);
        fputs(msw_text_str(&reasons), stdout);
    }
    msw_text_free(&reasons);
    msw_table_free(&builder.table);
    return next;
}

static void show_summary(const msw_paper *p)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_paper_summary(p, &text);
    cli_printf("\n%s: %s\n", p->name, msw_text_str(&text));
    msw_text_free(&text);
}

static int show_rows(const msw_paper *p, const char *format,
                     void (*rows)(const msw_paper *, msw_table_builder *))
{
    msw_table_builder builder = {.err = p->err};
    rows(p, &builder);
    int code = builder.failed ? cli_fail(p->err) : cli_print_table(&builder.table, format, NULL);
    msw_table_free(&builder.table);
    return code;
}

int cli_show_paper(const msw_paper *p, const char *format)
{
    int code = EXIT_OK;
    if (msw_format_find(format) != MSW_FORMAT_TEXT)
        return show_rows(p, format, msw_paper_rows);
    for (size_t i = 0; i < p->claims.count;)
        i = show_figure(p, i, &code);
    show_summary(p);
    return code;
}

int cli_show_trivial(const msw_paper *p, const char *format)
{
    int code = show_rows(p, format, msw_paper_trivial_rows);
    if (msw_format_find(format) == MSW_FORMAT_TEXT)
        show_summary(p);
    return code;
}
