/* SPDX-License-Identifier: MIT */
/* Runs a sweep: opens or makes its database, finds what is missing, evaluates it, publishes what
 * was written. */
#include "cli/run/sweep_run.h"

#include "cli/run/launch.h"

#include "memsweep/format/outfile.h"
#include "memsweep/results/nearest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS_SMALL = 64 << 20 };

enum { CHECKPOINT_SECONDS = 60 };

/* ---- what there is to do ---- */

/* A file knows a plan by its digest, and by the name that it came under first. */
static int tell_name(const cli_sweep_run *r, msw_err *err)
{
    char *called = msw_store_called(r->store, r->plan, err);
    size_t size = called ? strcspn(called, "@") : 0;
    if (called && !r->ask->quiet &&
        (size != strlen(r->plan->name) || strncmp(called, r->plan->name, size) != 0))
        msw_log_line(&r->c->context.log, MSW_LOG_WARN,
                     "%s holds this plan already, as sweep '%.*s': its rows are read by that name",
                     r->target.path, (int)size, called);
    free(called);
    return called ? 0 : -1;
}

/* Bytes of files that the options have kept in the database. */
static size_t inputs_most(const cli_run_options *ask)
{
    if (ask->no_store || strcmp(ask->inputs, "none") == 0)
        return 0;
    return strcmp(ask->inputs, "all") == 0 ? SIZE_MAX : INPUTS_SMALL;
}

int cli_sweep_keep_inputs(cli_sweep_run *r, const msw_plan *plan)
{
    size_t most = inputs_most(r->ask);
    if (!most)
        return 0;
    if (r->read.files.forgot || r->read.files.bytes.size > most) {
        msw_log_line(&r->c->context.log, MSW_LOG_WARN,
                     "the files that this sweep is made from are not kept in %s, because they have "
                     "more than %zu MiB: 'memsweep replay' needs them there (--inputs all)",
                     r->target.path, most >> 20);
        return 0;
    }
    const msw_replay *from = r->replay ? &r->replay->from : NULL;
    msw_inputs inputs = {.files = r->read.files.bytes,
                         .paths = r->read.paths,
                         .fidelity = from ? from->inputs.fidelity : r->ask->fidelity,
                         .seed = from ? from->inputs.seed : r->ask->seed};
    return msw_store_keep_inputs(r->store, plan, &inputs, &r->err);
}

static int open_store(cli_sweep_run *r)
{
    const cli_run_options *ask = r->ask;
    const char *file = ask->file || !r->replay ? ask->file : r->replay->database;
    cli_target_options options = {file, ask->shard, ask->scratch, ask->take_over,
                                  r->asking ? r->asking->wait : 0};
    cli_target *t = &r->target;
    if (msw_store_check_size(r->plan, &r->err) ||
        cli_target_open(t, r->c, r->plan->name, &options, &r->store, &r->err) ||
        msw_store_add_sweep(r->store, r->plan, &r->sweep, &r->err) || tell_name(r, &r->err) ||
        (r->plan->part == MSW_PART_NONE && cli_sweep_keep_inputs(r, r->plan)))
        return -1;
    if (r->plan->design.kind->searches) /* what is missing is known round by round */
        return 0;
    if (msw_keep_chooses(&r->plan->keep))
        return cli_keep_todo(r);
    MSW_TRY(msw_store_todo(r->store, r->plan, r->sweep, ask->retry, &r->todo, &r->err));
    msw_store_number_shard(r->store, r->plan->points, t->shard, t->shards);
    return msw_todo_keep_shard(&r->todo, t->shard, t->shards, &r->err);
}

static int begin_sweep(cli_sweep_run *r)
{
    return cli_begin_run(r->c, r->store, r->sweep, r->ranks.size, r->threads, &r->run, &r->err);
}

static int open_artifacts(cli_sweep_run *r)
{
    return r->ask->artifacts ? msw_store_open(r->ask->artifacts, MSW_STORE_READ, false,
                                              &r->c->context.log, &r->artifacts, &r->err)
                             : 0;
}

/* What came from standard input can be had again: by whoever goes on, and whoever asks later. */
static int keep_sweep(cli_sweep_run *r)
{
    if (!r->plan->typed)
        return 0;
    const char *file = r->target.path;
    char digest[MSW_DIGEST_TEXT];
    size_t size = strlen(file);
    size_t stem = size > 3 && strcmp(file + size - 3, ".db") == 0 ? size - 3 : size;
    char *path =
        msw_strfmt("%.*s.%.8s.yaml", (int)stem, file, msw_digest_text(r->plan->digest, digest));
    msw_text text = MSW_TEXT_EMPTY;
    msw_text_add(&text, "%s", r->plan->typed);
    int rc = path ? msw_outfile_write(path, MSW_OUTPUT_SWEEP, NULL, &text, &r->err)
                  : msw_fail_memory(&r->err);
    if (rc == 0 && !r->ask->quiet) {
        msw_text_clear(&text);
        msw_text_add_shell(&text, path);
        cli_printf("%s keeps the sweep; to go on, from this folder: memsweep run %s\n", path,
                   msw_text_str(&text));
    }
    msw_text_free(&text);
    free(path);
    return rc;
}

static bool hands_out(const cli_sweep_run *r)
{
    return r->asking && msw_plan_is_told(r->plan);
}

static int find_todo_here(cli_sweep_run *r)
{
    if (open_artifacts(r))
        return -1;
    if (!r->ask->no_store) {
        MSW_TRY(open_store(r));
        MSW_TRY(keep_sweep(r));
        MSW_TRY(r->todo.missing && !hands_out(r) && begin_sweep(r));
        return 0;
    }
    if (msw_keep_chooses(&r->plan->keep))
        return cli_keep_todo(r);
    r->todo.points = r->todo.missing = r->plan->points;
    r->todo.everything = true;
    return 0;
}

int cli_sweep_todo(cli_sweep_run *r)
{
    int rc = r->ranks.rank ? 0 : find_todo_here(r);
    r->told = rc ? cli_exit_code(r->err.kind) : EXIT_OK;
    return msw_ranks_share_todo(&r->ranks, &r->told, &r->todo, &r->err);
}

/* ---- evaluating ---- */

/* The record of a run that broke says why; the trouble itself is what gets reported. */
int cli_sweep_end(cli_sweep_run *r, int rc)
{
    if (!r->store)
        return rc;
    char reason[MSW_ERR_TEXT_BYTES + 16] = "finished";
    if (rc)
        snprintf(reason, sizeof reason, "failed: %s", r->err.text);
    else if (r->result.stopped)
        snprintf(reason, sizeof reason, "interrupted");
    MSW_TRY(msw_store_end_run(r->store, r->run, reason, rc ? NULL : &r->err));
    MSW_TRY(rc);
    return 0;
}

static int publish(void *context, msw_err *err)
{
    cli_sweep_run *r = context;
    return cli_target_publish(&r->target, r->c, r->store, err);
}

msw_run_options cli_sweep_options(cli_sweep_run *r)
{
    return (msw_run_options){
        .artifacts = r->artifacts,
        .ranks = &r->ranks,
        .launches = r->launches,
        .keys = !r->ask->no_store,
        .threads = r->threads,
        .point_timeout_s = r->ask->point_timeout,
        .shuffled = r->ask->shuffle,
        .only_builds = r->ask->artifacts_only,
        .progress_seconds = r->ask->quiet || r->ranks.rank ? 0 : cli_progress_seconds(),
        .progress = cli_progress,
        .checkpoint_seconds = r->ask->scratch ? CHECKPOINT_SECONDS : 0,
        .checkpoint = publish,
        .checkpoint_context = r,
        .stop = cli_catch_stop(),
        .log = &r->c->context.log,
    };
}

int cli_sweep_evaluate(cli_sweep_run *r)
{
    if (hands_out(r)) {
        r->result.stopped = true;
        return cli_hand_out(r, r->plan, r->sweep, &r->todo, &r->err);
    }
    msw_run_options options = cli_sweep_options(r);
    int rc = msw_run(r->plan, r->store, r->sweep, r->run, &r->todo, &options, &r->result, &r->err);
    if (!r->ask->quiet && !r->ranks.rank)
        cli_progress_end();
    return cli_sweep_end(r, rc);
}

/* ---- the end ---- */

static int finish(cli_sweep_run *r, int rc)
{
    msw_err closing = {0};
    if (cli_target_finish(&r->target, r->store, &closing) && rc == 0) {
        r->err = closing;
        rc = -1;
    }
    if (rc)
        return cli_fail(&r->err);
    if (r->asking)
        return EXIT_OK;
    int code = cli_print_outcome(r);
    const msw_run_result *result = &r->result;
    bool whole = !result->stopped && !result->failed && !result->timeout && !r->todo.failed &&
                 !r->todo.timeout;
    return r->replay && whole ? cli_replay_compare(r->replay, r->plan, r->target.path,
                                                   r->todo.answered + r->todo.reused)
                              : code;
}

/* Ranks above 0 have said all they have to say to rank 0, where they could. */
static int finish_other(cli_sweep_run *r, int rc)
{
    if (!rc)
        return EXIT_OK;
    if (!r->result.lost && !msw_ranks_are_apart(&r->ranks))
        return r->told ? r->told : cli_exit_code(r->err.kind);
    msw_fail_prefix(&r->err, "rank %d: ", r->ranks.rank);
    return cli_fail(&r->err);
}

static int run_points(cli_sweep_run *r)
{
    int rc = cli_sweep_todo(r);
    if (rc == 0) {
        cli_print_todo(r);
        rc = r->todo.missing ? cli_sweep_evaluate(r) : 0;
    }
    return rc;
}

/* Of a sweep with limits, which only its rows can tell. */
static int find_nearest(cli_sweep_run *r)
{
    bool limits = false;
    for (size_t i = 0; i < r->plan->view.derived_count; i++)
        limits = limits || strcmp(r->plan->view.derived[i].name, MSW_LIMITS_NAME) == 0;
    if (!limits || !r->result.evaluated || r->ask->quiet)
        return 0;
    char *called = msw_store_called(r->store, r->plan, &r->err);
    int rc = called ? msw_nearest_note(r->store, called, false, &r->nearest, &r->err) : -1;
    free(called);
    return rc;
}

static int run_plan(cli_sweep_run *r)
{
    bool kept = msw_keep_chooses(&r->plan->keep);
    int rc = r->plan->part == MSW_PART_AUTO   ? cli_run_auto(r)
             : r->plan->design.kind->searches ? cli_run_search(r, r->plan)
             : kept                           ? cli_run_keep(r)
                                              : run_points(r);
    bool alone = r->plan->part == MSW_PART_NONE && !r->asking;
    if (rc == 0 && r->asking && !r->handed)
        rc = cli_hand_out(r, r->plan, r->sweep, &(msw_todo){0}, &r->err);
    if (rc == 0 && r->store && alone && !kept && !r->result.stopped && !r->result.ok)
        rc = msw_store_infeasible(r->store, r->plan, r->sweep, &r->infeasible, &r->err);
    if (rc == 0 && r->store && alone && !kept && !r->result.stopped)
        rc = find_nearest(r);
    int code = r->ranks.rank ? finish_other(r, rc) : finish(r, rc);
    msw_text_free(&r->nearest);
    msw_todo_free(&r->todo);
    msw_store_close(r->artifacts, NULL);
    cli_target_close(&r->target);
    if (r->result.lost)
        msw_ranks_abort(&r->ranks, code);
    return code;
}

/* A file may change between the time a job is given to a queue and the time it starts. */
static int check_expected(cli_sweep_run *r)
{
    char digest[MSW_DIGEST_TEXT];
    msw_digest_text(r->plan->digest, digest);
    if (!r->ask->expect || strcmp(r->ask->expect, digest) == 0)
        return 0;
    return msw_fail(&r->err,
                    "%s is not the sweep that was asked for: its digest is %s, expected %s; the "
                    "sweep file, a table or workload it names, or memsweep has changed since: "
                    "submit it again",
                    r->ask->sweep, digest, r->ask->expect);
}

/* ---- programs ---- */

static char *default_work(const cli_sweep_run *r)
{
    const char *file = r->ask->file;
    if (r->ask->work)
        return msw_strdup(r->ask->work);
    size_t size = file ? strlen(file) : 0;
    if (!file)
        return msw_strfmt("%s/%s.runs", cli_results_dir(), r->plan->name);
    return msw_strfmt("%.*s.runs",
                      (int)(size > 3 && strcmp(file + size - 3, ".db") == 0 ? size - 3 : size),
                      file);
}

/* The user is asked once, by rank 0; the program is looked at on every node. */
static int open_launches(cli_sweep_run *r)
{
    char *work = default_work(r);
    cli_launch_ask ask = {.program = r->ask->program,
                          .work = work,
                          .once = r->ranks.rank > 0,
                          .asked = r->ranks.rank > 0};
    int rc =
        work ? cli_launch_open(r->plan, &ask, &r->launches, &r->err) : msw_fail_memory(&r->err);
    free(work);
    if (!r->ranks.rank)
        cli_launch_tell_left(r->launches, &r->c->context.log);
    r->threads = cli_launch_workers(r->plan, r->threads);
    if (r->ranks.size == 1)
        return rc ? cli_fail(&r->err) : EXIT_OK;
    char digest[MSW_DIGEST_TEXT];
    msw_err apart = {0};
    msw_text none = MSW_TEXT_EMPTY;
    int told = r->ranks.rank || !rc ? EXIT_OK : cli_exit_code(r->err.kind);
    int shared = msw_ranks_share(&r->ranks, &told, &none, &apart);
    msw_text_free(&none);
    if (told) /* what rank 0 was asked for ends all alike */
        return r->ranks.rank ? told : cli_fail(&r->err);
    if (shared) {
        r->err = apart;
        return cli_fail_shared(&r->ranks, &r->err);
    }
    msw_digest_text(r->plan->digest, digest);
    int differ = msw_ranks_agree(&r->ranks, "program", rc ? r->err.text : digest, &apart);
    if (rc == 0 && !differ)
        return EXIT_OK;
    if (rc == 0)
        r->err = apart;
    return r->ranks.rank && !differ ? cli_exit_code(r->err.kind)
                                    : cli_fail_shared(&r->ranks, &r->err);
}

static int run_ranks(cli_sweep_run *r)
{
    const cli_run_options *ask = r->ask;
    cli_plan_ask which = {ask->sweep, ask->fidelity, ask->seed, r->replay, inputs_most(ask)};
    if (msw_ranks_agree_build(&r->ranks, &r->err))
        return cli_fail_shared(&r->ranks, &r->err);
    cli_check_binding(r->c, &r->ranks, r->threads);
    int code = cli_load_plan_shared(r->c, &r->ranks, &which, &r->read, &r->plan);
    if (code == EXIT_OK && r->plan && check_expected(r))
        code = r->ranks.rank ? EXIT_USAGE : cli_fail(&r->err);
    else if (code == EXIT_OK && r->plan && r->asking && !r->plan->by_hand) {
        msw_fail(&r->err,
                 "the answers of sweep %s are computed: 'by: hand' in the sweep, or in its "
                 "program's definition, says that they are told",
                 r->plan->name);
        code = cli_fail(&r->err);
    } else if (code == EXIT_OK && r->plan && !r->asking)
        code = open_launches(r);
    if (code == EXIT_OK && r->plan)
        code = run_plan(r);
    msw_launches_close(r->launches);
    msw_plan_free(r->plan);
    cli_plan_files_free(&r->read);
    return code;
}

static int run_sweep(cli_sweep_run *r)
{
    r->threads = r->ask->threads ? (int)r->ask->threads : cli_rank_threads();
    if (msw_ranks_open(&r->ranks, &r->err))
        return cli_fail(&r->err);
    int code = run_ranks(r);
    if (msw_ranks_are_apart(&r->ranks))
        msw_ranks_abort(&r->ranks, code);
    msw_ranks_close(&r->ranks);
    return code;
}

int cli_run_sweep(const cli *c, const cli_run_options *ask, cli_replay *replay)
{
    cli_sweep_run r = {.c = c, .ask = ask, .replay = replay};
    return run_sweep(&r);
}

int cli_ask_sweep(const cli *c, const cli_run_options *ask, const cli_asking *asking)
{
    cli_sweep_run r = {.c = c, .ask = ask, .asking = asking};
    return run_sweep(&r);
}
