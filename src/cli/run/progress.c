/* SPDX-License-Identifier: MIT */
/* Prints how a run goes: the line of progress on standard error, the lines before and after. */
#include "cli/run/sweep_run.h"

#include "cli/cli.h"
#include "memsweep/results/reading.h"
#include "memsweep/sweep/errors.h"
#include "memsweep/sweep/idle.h"
#include "memsweep/sweep/preview.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 24 };

double cli_progress_seconds(void)
{
    return isatty(STDERR_FILENO) ? 0.2 : 5;
}

/* Of the sweep, not of what was left of it. */
static double share(const msw_progress *p)
{
    uint64_t total = p->before + p->total;
    return total ? ((double)(p->before + p->done) + p->parts) / (double)total : 1;
}

static void add_numbers(const msw_progress *p, msw_text *out)
{
    char done[32], total[32], rate[32], text[32];
    msw_text_add(out, "%s of %s points, %s/s", msw_count_text(p->before + p->done, done),
                 msw_count_text(p->before + p->total, total), msw_rate_text(p->rate, rate));
    if (!isnan(p->eta_seconds) && p->done < p->total)
        msw_text_add(out, ", %s left", msw_duration_text(p->eta_seconds, text));
    if (p->failed + p->timeout)
        msw_text_add(out, ", %s failed", msw_count_text(p->failed + p->timeout, text));
}

static void draw_bar(const msw_progress *p, msw_text *out)
{
    int full = (int)(share(p) * BAR);
    msw_text_add(out, "\r[");
    for (int i = 0; i < BAR; i++)
        msw_text_add(out, i < full ? "#" : ".");
    msw_text_add(out, "] %3d %% ", (int)(100 * share(p)));
    add_numbers(p, out);
    msw_text_add(out, "\033[K");
}

void cli_progress(void *context, const msw_progress *p)
{
    (void)context;
    msw_text line = MSW_TEXT_EMPTY;
    if (isatty(STDERR_FILENO)) {
        draw_bar(p, &line);
    } else {
        msw_text_add(&line, "%3d %% ", (int)(100 * share(p)));
        add_numbers(p, &line);
        char count[32];
        msw_text_add(&line, ", %s committed\n", msw_count_text(p->committed, count));
    }
    fputs(msw_text_str(&line), stderr);
    fflush(stderr);
    msw_text_free(&line);
}

void cli_progress_end(void)
{
    if (isatty(STDERR_FILENO))
        fputc('\n', stderr);
}

/* ---- before ---- */

static void add_count(msw_text *out, uint64_t count, const char *what)
{
    char text[32];
    if (count)
        msw_text_add(out, ", %s %s", msw_count_text(count, text), what);
}

void cli_print_todo(const cli_sweep_run *r)
{
    char points[32], missing[32];
    const msw_todo *t = &r->todo;
    if (r->ask->quiet || r->ranks.rank)
        return;
    msw_text text = MSW_TEXT_EMPTY;
    add_count(&text, t->answered, "answered before");
    add_count(&text, t->reused, "taken from other sweeps");
    add_count(&text, t->repeated, "with the settings of others");
    add_count(&text, t->failed, r->ask->retry ? "failed before, tried again" : "failed before");
    add_count(&text, t->timeout, r->ask->retry ? "timed out, tried again" : "timed out before");
    cli_printf("%s: %s points%s; %s to evaluate on ", r->plan->name,
               msw_count_text(t->points, points), msw_text_str(&text),
               t->missing ? msw_count_text(t->missing, missing) : "none");
    if (r->ranks.size > 1)
        cli_printf("%d ranks x ", r->ranks.size);
    cli_printf("%d thread%s\n", r->threads, r->threads == 1 ? "" : "s");
    fflush(stdout);
    msw_text_free(&text);
}

/* Reasons and the names of workloads are text of others. */
static void say_line(char *line)
{
    if (line)
        cli_say(line);
    free(line);
}

/* ---- after ---- */

static void print_failures(const cli_sweep_run *r)
{
    const msw_run_result *result = &r->result;
    uint64_t failed = result->failed + result->timeout;
    if (!failed)
        return;
    fprintf(stderr, "memsweep: %" PRIu64 " failed, %" PRIu64 " timed out%s\n", result->failed,
            result->timeout, failed > (uint64_t)result->failure_count ? "; the first:" : ":");
    for (int i = 0; i < result->failure_count; i++)
        say_line(msw_strfmt("  point %" PRIu64 ": %s\n", result->failures[i].index,
                            result->failures[i].text));
}

/* They count apart from points. */
static void print_artifacts(const msw_run_result *result)
{
    char seconds[32];
    if (result->built)
        cli_printf("%" PRIu64 " kept artifact%s built in %s%s", result->built,
                   result->built == 1 ? "" : "s", msw_duration_text(result->build_seconds, seconds),
                   result->found ? ", " : "\n");
    if (result->found)
        cli_printf("%" PRIu64 " %sread\n", result->found, result->built ? "" : "kept artifacts ");
}

static void print_unknown(const cli_sweep_run *r)
{
    msw_left_out count = {.unknown = r->result.unknown,
                          .judged = r->result.ok - r->result.doubtful};
    const msw_plan *plan = r->plan;
    msw_text text = MSW_TEXT_EMPTY;
    if (plan->fidelity != MSW_ANALYTIC || plan->part == MSW_PART_AUTO)
        return;
    msw_text_fit(count.why, sizeof count.why, msw_errors_why(plan->errors, r->result.stratum));
    msw_unknown_note(&count, &text);
    if (text.size)
        cli_printf("%s\n", msw_text_str(&text) + strlen("; "));
    msw_text_free(&text);
}

/* Nothing is said where that cannot be asked. */
static void say_findings(const msw_plan *plan)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_err err = {0};
    if (msw_plan_outside_note(plan, &text, &err) == 0 && msw_plan_idle(plan, &text, &err) == 0 &&
        text.size)
        cli_printf("%s", msw_text_str(&text));
    msw_text_free(&text);
}

static void print_summary(const cli_sweep_run *r)
{
    const msw_run_result *result = &r->result;
    char ok[32], infeasible[32], seconds[32], rate[32], doubtful[32];
    if (r->ask->quiet)
        return;
    if (result->evaluated)
        cli_printf("%s ok%s%s%s, %s infeasible in %s: %s points/s\n",
                   msw_count_text(result->ok, ok), result->doubtful ? " (" : "",
                   result->doubtful ? msw_count_text(result->doubtful, doubtful) : "",
                   result->doubtful ? " of them doubtful)" : "",
                   msw_count_text(result->infeasible, infeasible),
                   msw_duration_text(result->seconds, seconds),
                   msw_rate_text((double)result->evaluated /
                                     (result->seconds > 0 ? result->seconds : 1e-9),
                                 rate));
    if (result->evaluated) {
        print_unknown(r);
        say_findings(r->plan);
    }
    if (r->nearest.size)
        cli_printf("%s\n", msw_text_str(&r->nearest));
    print_artifacts(result);
    if (r->target.path)
        cli_printf("results: %s\n", r->target.path);
}

/* A sweep without a single answer is most likely a slip in its fixed values. */
static bool tell_infeasible(const cli_sweep_run *r)
{
    char count[32], most[32];
    const msw_infeasible *i = &r->infeasible;
    const msw_run_result *result = &r->result;
    bool unstored =
        r->ask->no_store && result->evaluated && result->infeasible == result->evaluated;
    fflush(stdout);
    if (i->all)
        say_line(msw_strfmt("memsweep: all %s points are infeasible, %s of them because: %s\n",
                            msw_count_text(i->count, count), msw_count_text(i->most, most),
                            i->reason));
    else if (unstored)
        fprintf(stderr, "memsweep: all %s points are infeasible; a run with a database keeps why\n",
                msw_count_text(result->infeasible, count));
    return i->all || unstored;
}

static int verdict(const cli_sweep_run *r)
{
    const msw_run_result *result = &r->result;
    if (result->stopped && cli_is_in_rounds(r->plan)) {
        fflush(stdout);
        fprintf(stderr, "memsweep: interrupted: run the same command to go on\n");
        return EXIT_SOME_FAILED;
    }
    if (result->stopped) {
        uint64_t before_this = r->todo.answered + r->todo.reused;
        fflush(stdout);
        fprintf(stderr,
                "memsweep: interrupted: %" PRIu64 " of %" PRIu64
                " done; run the same command to go on\n",
                before_this + result->evaluated, before_this + r->todo.missing);
        return EXIT_SOME_FAILED;
    }
    uint64_t before = r->ask->retry ? 0 : r->todo.failed + r->todo.timeout;
    if (before && !r->ask->quiet)
        cli_printf("%" PRIu64 " points failed in earlier runs: --retry tries them again\n", before);
    bool infeasible = tell_infeasible(r);
    return result->failed + result->timeout + before || infeasible ? EXIT_SOME_FAILED : EXIT_OK;
}

int cli_print_outcome(const cli_sweep_run *r)
{
    print_summary(r);
    print_failures(r);
    return verdict(r);
}
