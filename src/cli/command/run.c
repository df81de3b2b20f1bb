#include "cli/cli.h"
#include "cli/run/progress.h"
#include "cli/run/record.h"
#include "cli/run/shared_plan.h"
#include "cli/run/stop.h"
#include "cli/run/target.h"

#include "memsweep/run/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CHECKPOINT_SECONDS = 60 };

typedef struct settings {
    const char *sweep, *file, *fidelity, *shard, *scratch;
    int64_t threads, seed;
    double point_timeout;
    bool retry, shuffle, no_store, take_over, quiet;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_SWEEP_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "output", .letter = 'o', .kind = CLI_DATABASE, .arg = "FILE",
            .help = "the database, instead of results/<name of the sweep>.db",
            .offset = offsetof(settings, file)),
    MSW_ROW(.name = "threads", .letter = 't', .kind = CLI_INTEGER, .arg = "N", .def = "0",
            .help = "threads; 0: OMP_NUM_THREADS or as many as CPUs allowed",
            .offset = offsetof(settings, threads), .max = 4096),
    MSW_ROW(.name = "retry", .kind = CLI_FLAG,
            .help = "tries points again that failed or timed out before",
            .offset = offsetof(settings, retry)),
    MSW_ROW(.name = "point-timeout", .kind = CLI_SECONDS, .arg = "TIME", .def = "0",
            .help = "leaves a point unanswered after this time; 0: never",
            .offset = offsetof(settings, point_timeout)),
    MSW_ROW(.name = "fidelity", .kind = CLI_CHOICE, .arg = "NAME",
            .help = "analytic, sampled or full, instead of the file's",
            .offset = offsetof(settings, fidelity), .choices = cli_fidelities),
    MSW_ROW(.name = "seed", .kind = CLI_INTEGER, .arg = "N", .def = "-1",
            .help = "seed instead of the file's; -1 keeps it", .offset = offsetof(settings, seed),
            .min = -1, .max = INT64_MAX),
    MSW_ROW(.name = "shard", .kind = CLI_TEXT, .arg = "I/K",
            .help = "computes only part I of K (from 0): each part into a file of its own, joined "
                    "by 'memsweep merge'",
            .offset = offsetof(settings, shard)),
    MSW_ROW(.name = "scratch", .kind = CLI_FILE, .arg = "DIR",
            .help = "writes in a private folder made in this one, on a local disk, and copies to "
                    "the database every minute and at the end: for network file systems; rows that "
                    "a killed run left there are taken up",
            .offset = offsetof(settings, scratch)),
    MSW_ROW(.name = "shuffle", .kind = CLI_FLAG,
            .help = "evaluates in a random order (answers do not depend on it)",
            .offset = offsetof(settings, shuffle)),
    MSW_ROW(.name = "no-store", .kind = CLI_FLAG,
            .help = "computes without writing a file: for timing",
            .offset = offsetof(settings, no_store)),
    MSW_ROW(.name = "take-over", .kind = CLI_FLAG,
            .help = "writes although another process seems to hold the file: only when it is "
                    "surely gone",
            .offset = offsetof(settings, take_over)),
    MSW_ROW(.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .help = "prints errors only",
            .offset = offsetof(settings, quiet)),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep run sweeps/quickstart.yaml", "memsweep run quickstart -o all.db --threads 4",
    "memsweep run quickstart --fidelity full --point-timeout 10s", NULL};

typedef struct job {
    const cli *c;
    const settings *s;
    msw_ranks ranks;
    msw_plan *plan;
    msw_store *store;
    cli_target target;
    int64_t sweep, run;
    int threads;
    msw_todo todo;
    msw_run_result result;
    msw_infeasible infeasible;
    msw_err err;
} job;

/* ---- what there is to do ---- */

static int open_store(job *j)
{
    const settings *s = j->s;
    cli_target_options options = {s->file, s->shard, s->scratch, s->take_over};
    cli_target *t = &j->target;
    if (msw_store_check_size(j->plan, &j->err) ||
        cli_target_open(t, j->c, j->plan->name, &options, &j->store, &j->err) ||
        msw_store_add_sweep(j->store, j->plan, &j->sweep, &j->err) ||
        msw_store_todo(j->store, j->plan, j->sweep, s->retry, &j->todo, &j->err))
        return -1;
    msw_store_number_shard(j->store, j->plan->points, t->shard, t->shards);
    return msw_todo_keep_shard(&j->todo, t->shard, t->shards, &j->err);
}

static int begin_run(job *j)
{
    return cli_begin_run(j->c, j->store, j->sweep, j->ranks.size, j->threads, &j->run, &j->err);
}

static int find_todo_here(job *j)
{
    if (!j->s->no_store)
        return open_store(j) || (j->todo.missing && begin_run(j)) ? -1 : 0;
    j->todo.points = j->todo.missing = j->plan->points;
    j->todo.everything = true;
    return 0;
}

static int find_todo(job *j)
{
    int rc = j->ranks.rank ? 0 : find_todo_here(j);
    return msw_ranks_share_todo(&j->ranks, rc != 0, &j->todo, &j->err);
}

static void add_count(msw_text *out, uint64_t count, const char *what)
{
    char text[32];
    if (count)
        msw_text_add(out, ", %s %s", msw_count_text(count, text), what);
}

static void print_todo(const job *j)
{
    char points[32], missing[32];
    const msw_todo *t = &j->todo;
    if (j->s->quiet || j->ranks.rank)
        return;
    msw_text text = MSW_TEXT_EMPTY;
    add_count(&text, t->answered, "answered before");
    add_count(&text, t->reused, "taken from other sweeps");
    add_count(&text, t->repeated, "equal to others");
    add_count(&text, t->failed, j->s->retry ? "failed before, tried again" : "failed before");
    add_count(&text, t->timeout, j->s->retry ? "timed out, tried again" : "timed out before");
    printf("%s: %s points%s; %s to evaluate on ", j->plan->name, msw_count_text(t->points, points),
           msw_text_str(&text), t->missing ? msw_count_text(t->missing, missing) : "none");
    if (j->ranks.size > 1)
        printf("%d ranks x ", j->ranks.size);
    printf("%d thread%s\n", j->threads, j->threads == 1 ? "" : "s");
    fflush(stdout);
    msw_text_free(&text);
}

/* ---- evaluating ---- */

/* The record of a run that broke says why; the trouble itself is what gets told. */
static int end_run(job *j, int rc)
{
    if (!j->store)
        return rc;
    char reason[MSW_ERR_TEXT_BYTES + 16] = "finished";
    if (rc)
        snprintf(reason, sizeof reason, "failed: %s", j->err.text);
    else if (j->result.stopped)
        snprintf(reason, sizeof reason, "interrupted");
    return msw_store_end_run(j->store, j->run, reason, rc ? NULL : &j->err) || rc ? -1 : 0;
}

static int publish(void *context, msw_err *err)
{
    job *j = context;
    return cli_target_publish(&j->target, j->c, j->store, err);
}

static int evaluate(job *j)
{
    msw_log log = j->c->context.log;
    msw_run_options options = {
        .ranks = &j->ranks,
        .keys = !j->s->no_store,
        .threads = j->threads,
        .point_timeout_s = j->s->point_timeout,
        .shuffled = j->s->shuffle,
        .progress_seconds = j->s->quiet || j->ranks.rank ? 0 : cli_progress_seconds(),
        .progress = cli_progress,
        .checkpoint_seconds = j->s->scratch ? CHECKPOINT_SECONDS : 0,
        .checkpoint = publish,
        .checkpoint_context = j,
        .stop = cli_catch_stop(),
        .log = &log,
    };
    int rc = msw_run(j->plan, j->store, j->sweep, j->run, &j->todo, &options, &j->result, &j->err);
    if (!j->s->quiet && !j->ranks.rank)
        cli_progress_end();
    return end_run(j, rc);
}

/* ---- the end ---- */

static void print_failures(const job *j)
{
    const msw_run_result *r = &j->result;
    uint64_t failed = r->failed + r->timeout;
    if (!failed)
        return;
    fprintf(stderr, "memsweep: %" PRIu64 " failed, %" PRIu64 " timed out%s\n", r->failed,
            r->timeout, failed > (uint64_t)r->failure_count ? "; the first:" : ":");
    for (int i = 0; i < r->failure_count; i++)
        fprintf(stderr, "  point %" PRIu64 ": %s\n", r->failures[i].index, r->failures[i].text);
}

static void print_summary(const job *j)
{
    const msw_run_result *r = &j->result;
    char ok[32], infeasible[32], seconds[32], rate[32];
    if (j->s->quiet)
        return;
    if (r->evaluated)
        printf("%s ok, %s infeasible in %s: %s points/s\n", msw_count_text(r->ok, ok),
               msw_count_text(r->infeasible, infeasible), msw_duration_text(r->seconds, seconds),
               msw_rate_text((double)r->evaluated / (r->seconds > 0 ? r->seconds : 1e-9), rate));
    if (j->target.path)
        printf("results: %s\n", j->target.path);
}

/* A sweep without a single answer is most likely a slip in its fixed values. */
static bool tell_infeasible(const job *j)
{
    char count[32], most[32];
    const msw_infeasible *i = &j->infeasible;
    const msw_run_result *r = &j->result;
    bool unstored = j->s->no_store && r->evaluated && r->infeasible == r->evaluated;
    fflush(stdout);
    if (i->all)
        fprintf(stderr, "memsweep: all %s points are infeasible, %s of them because: %s\n",
                msw_count_text(i->count, count), msw_count_text(i->most, most), i->reason);
    else if (unstored)
        fprintf(stderr, "memsweep: all %s points are infeasible; a run with a database keeps why\n",
                msw_count_text(r->infeasible, count));
    return i->all || unstored;
}

static int verdict(const job *j)
{
    const msw_run_result *r = &j->result;
    if (r->stopped) {
        uint64_t before_this = j->todo.answered + j->todo.reused;
        fflush(stdout);
        fprintf(stderr,
                "memsweep: interrupted: %" PRIu64 " of %" PRIu64
                " done; run the same command to go on\n",
                before_this + r->evaluated, before_this + j->todo.missing);
        return EXIT_SOME_FAILED;
    }
    uint64_t before = j->s->retry ? 0 : j->todo.failed + j->todo.timeout;
    if (before && !j->s->quiet)
        printf("%" PRIu64 " points failed in earlier runs: --retry tries them again\n", before);
    bool infeasible = tell_infeasible(j);
    return r->failed + r->timeout + before || infeasible ? EXIT_SOME_FAILED : EXIT_OK;
}

static int finish(job *j, int rc)
{
    msw_err closing = {0};
    if (cli_target_finish(&j->target, j->store, &closing) && rc == 0) {
        j->err = closing;
        rc = -1;
    }
    if (rc)
        return cli_fail(&j->err);
    print_summary(j);
    print_failures(j);
    return verdict(j);
}

/* Ranks above 0 have said all they have to say to rank 0. */
static int finish_other(const job *j, int rc)
{
    if (rc && j->err.kind)
        return cli_fail(&j->err);
    return rc ? EXIT_TROUBLE : EXIT_OK;
}

static int run_plan(job *j)
{
    int rc = find_todo(j);
    if (rc == 0) {
        print_todo(j);
        rc = j->todo.missing ? evaluate(j) : 0;
    }
    if (rc == 0 && j->store && !j->result.stopped && !j->result.ok)
        rc = msw_store_infeasible(j->store, j->plan, j->sweep, &j->infeasible, &j->err);
    int code = j->ranks.rank ? finish_other(j, rc) : finish(j, rc);
    msw_todo_free(&j->todo);
    cli_target_close(&j->target);
    if (j->result.lost)
        msw_ranks_abort(&j->ranks, code);
    return code;
}

static int run_ranks(job *j)
{
    const settings *s = j->s;
    msw_plan_options options = {.fidelity = s->fidelity, .seed = s->seed};
    if (msw_ranks_agree_build(&j->ranks, &j->err))
        return j->ranks.rank ? EXIT_TROUBLE : cli_fail(&j->err);
    cli_check_binding(j->c, &j->ranks, j->threads);
    int code = cli_load_plan_shared(j->c, &j->ranks, s->sweep, &options, &j->plan);
    if (code == EXIT_OK)
        code = run_plan(j);
    msw_plan_free(j->plan);
    return code;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    job j = {.c = c, .s = s, .threads = s->threads ? (int)s->threads : cli_rank_threads()};
    if (msw_ranks_open(&j.ranks, &j.err))
        return cli_fail(&j.err);
    int code = run_ranks(&j);
    msw_ranks_close(&j.ranks);
    return code;
}

const cli_command cli_command_run = {
    .name = "run",
    .doc = "computes what is missing of a sweep and stores it",
    .about =
        "Points that are answered already are not computed again, so running a sweep once more "
        "goes on where it was interrupted, and a widened sweep computes only what is new. Ctrl-C "
        "(or SIGTERM, SIGHUP, SIGUSR1) finishes the points in hand, stores them and exits; a "
        "second one "
        "exits at once.\n\n"
        "The exit code is 1 when points failed, when all are infeasible, or when the run was "
        "interrupted.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
