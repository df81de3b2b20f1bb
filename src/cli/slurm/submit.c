/* SPDX-License-Identifier: MIT */
/* Submits a sweep: one job, or rounds of jobs until it is done. The job that follows a round
 * (next.sh.in) calls `submit` with MEMSWEEP_ROUND, which says what was before that round; whether
 * another follows is decided here. */
#include "cli/slurm/slurm.h"

#include "cli/reading.h"
#include "cli/run/launch.h"

#include "memsweep/explore/drive.h"
#include "memsweep/run/builds.h"
#include "memsweep/run/estimate.h"
#include "memsweep/store/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One round may add nothing by bad luck (a node that breaks in its first minute), two in a row
 * would go on like that. */
enum { IDLE_MAX = 2 };

/* The variable in which a job says what was before the round that it follows. */
static const char ROUND[] = "MEMSWEEP_ROUND";

/* A round of --until-done: jobs that are submitted together. Zero before the first. */
typedef struct cli_round {
    int64_t number;  /* the one that ended, from 1 */
    int64_t rows;    /* points with a row before it */
    int64_t idle;    /* rounds before it, in a row, that added none */
    char job[64];    /* that computed in it */
    char digest[40]; /* of the sweep then */
} cli_round;

/* Whether another round is to follow. */
typedef enum cli_verdict { CLI_GO_ON, CLI_DONE, CLI_STOP } cli_verdict;

typedef struct submission {
    const cli *c;
    const cli_submit_options *ask;
    msw_plan *plan;
    char *file;
    msw_store *store;
    int64_t sweep;
    msw_todo todo;
    cli_round round; /* that has ended */
    bool builds;     /* artifacts that are kept come first, in a job of their own */
    cli_script script;
    msw_err err;
} submission;

/* Reads "3,120,0,4711,<digest>". */
static int read_round(const char *text, cli_round *r, msw_err *err)
{
    int used = 0;
    *r = (cli_round){0};
    if (!text)
        return 0;
    if (sscanf(text, "%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%63[0-9],%32[0-9a-f]%n", &r->number,
               &r->rows, &r->idle, r->job, r->digest, &used) == 5 &&
        !text[used] && r->number > 0 && r->rows >= 0 && r->idle >= 0)
        return 0;
    return msw_fail(
        err,
        "MEMSWEEP_ROUND '%s': set by jobs of --until-done only: number of the round, points "
        "before it, rounds without any, its job, digest of the sweep",
        text);
}

static int64_t idle_after(const cli_round *ended, uint64_t rows)
{
    return ended->number && rows <= (uint64_t)ended->rows ? ended->idle + 1 : 0;
}

/* The same words for the job after the next round, which starts with `rows`. */
static void write_round(const cli_round *ended, uint64_t rows, const char *job, const char *digest,
                        msw_text *out)
{
    msw_text_add(out, "%" PRId64 ",%" PRIu64 ",%" PRId64 ",%s,%s", ended->number + 1, rows,
                 idle_after(ended, rows), job, digest);
}

/* Whether the sweep is still that of the round before, which is said. */
static bool is_round_of(const cli_round *ended, const char *digest)
{
    if (!ended->number || strcmp(ended->digest, digest) == 0)
        return true;
    cli_printf("the sweep is another one than in round %" PRId64 " (digest %s, then %s): no round "
               "follows; submit it again\n",
               ended->number, digest, ended->digest);
    return false;
}

static cli_verdict judge_round(const cli_round *ended, const cli_submit_options *ask,
                               uint64_t points, uint64_t missing)
{
    char all[32], left[32];
    msw_count_text(points, all);
    msw_count_text(missing, left);
    if (!missing) {
        cli_printf("done: all %s points have a row%s\n", all,
                   ended->number ? "" : ": there is nothing to submit");
        return CLI_DONE;
    }
    if (!ended->number)
        return CLI_GO_ON;
    cli_printf("after round %" PRId64 " of at most %" PRId64 ": %s of %s points are left\n",
               ended->number, ask->rounds, left, all);
    if (cli_job_cancelled(ended->job))
        cli_printf("job %s was cancelled: no round follows\n", ended->job);
    else if (idle_after(ended, points - missing) >= IDLE_MAX)
        cli_printf(
            "%d rounds in a row have added no point: no round follows; the logs of their jobs "
            "say why\n",
            IDLE_MAX);
    else if (ended->number >= ask->rounds)
        cli_printf("that was the last round: --rounds allows more\n");
    else
        return CLI_GO_ON;
    return CLI_STOP;
}

/* Whether it belongs to one round only. */
static bool is_passing(const char *word)
{
    return strcmp(word, "--retry") == 0 || strcmp(word, "--dry-run") == 0 ||
           strcmp(word, "-n") == 0;
}

/* The words of this command for the next round. */
static void round_words(const cli *c, const cli_submit_options *ask, const char *file,
                        msw_text *out)
{
    for (int i = 2; i < c->argc; i++) {
        if (is_passing(c->argv[i]))
            continue;
        msw_text_add(out, out->size ? " " : "");
        msw_text_add_shell(out, c->argv[i]);
    }
    if (!ask->file) { /* the folder of results may be another one there */
        msw_text_add(out, " --output ");
        msw_text_add_shell(out, file);
    }
}

static int remember_job(submission *j, const char *id, const char *role)
{
    msw_text line = MSW_TEXT_EMPTY;
    for (int i = 1; i < j->c->argc; i++) {
        msw_text_add(&line, i > 1 ? " " : "");
        msw_text_add_shell(&line, j->c->argv[i]);
    }
    int rc = msw_store_add_job(j->store, j->sweep, id, role, msw_text_str(&line), &j->err);
    msw_text_free(&line);
    return rc;
}

static int give_job(submission *j, const char *kind, const char *role, const char *after,
                    char id[64])
{
    MSW_TRY(cli_script_submit(j->c, &j->script, kind, j->file, after, id, &j->err));
    return remember_job(j, id, role);
}

static void depend(char text[96], const char *how, const char *id)
{
    snprintf(text, 96, "%s:%s", how, id);
}

/* The job that follows: it merges, or goes on with another round, or both. */
static int give_after(submission *j, const char *id, char after_id[64])
{
    char after[96];
    depend(after, "afterany", id);
    if (!j->ask->until_done)
        return j->ask->array ? give_job(j, "merge", "merge", after, after_id) : 0;
    msw_text *words = &j->script.words;
    round_words(j->c, j->ask, j->file, words);
    char digest[MSW_DIGEST_TEXT];
    write_round(&j->round, j->todo.points - j->todo.missing, id,
                msw_digest_text(j->plan->digest, digest), &j->script.state);
    snprintf(j->script.round, sizeof j->script.round, "%" PRId64, j->round.number + 1);
    return give_job(j, "next", "next", after, after_id);
}

static void tell_jobs(const submission *j, const char *id, const char *build_id,
                      const char *after_id)
{
    cli_printf("job %s submitted%s%s", id, j->builds ? ", after its artifacts by job " : "",
               build_id);
    if (*after_id && j->ask->array)
        cli_printf(", merged by job %s", after_id);
    else if (*after_id)
        cli_printf(", followed by job %s", after_id);
    if (j->ask->until_done)
        cli_printf(", round %" PRId64 " of at most %" PRId64, j->round.number + 1, j->ask->rounds);
    cli_printf("; 'memsweep status %s' shows how it goes\n", j->file);
    if (j->ask->until_done)
        cli_printf("to end it: scancel %s %s\n", id, after_id);
}

static int give_all(submission *j, char id[64], char build_id[64], char after_id[64])
{
    char role[32] = "run", after[96];
    if (j->ask->array)
        snprintf(role, sizeof role, "array of %" PRId64, j->ask->array);
    if (j->builds && give_job(j, "artifacts", "artifacts", NULL, build_id))
        return -1;
    depend(after, "afterok", build_id);
    MSW_TRY(give_job(j, "job", role, j->builds ? after : NULL, id));
    MSW_TRY(give_after(j, id, after_id));
    return 0;
}

/* Jobs are held until the database knows them and is free for them; where that does not come about
 * they are taken back. */
static int submit(submission *j)
{
    char id[64] = "", merge_id[64] = "", build_id[64] = "";
    int rc = give_all(j, id, build_id, merge_id);
    if (msw_store_close(j->store, rc ? NULL : &j->err))
        rc = -1;
    j->store = NULL;
    if (rc == 0)
        rc = cli_script_release(j->builds ? build_id : id, &j->err);
    if (rc) {
        cli_script_cancel((const char *const[]){merge_id, id, build_id, NULL});
        return -1;
    }
    tell_jobs(j, id, build_id, merge_id);
    return 0;
}

/* Jobs of this sweep that compute, or will: two of them would write to one file. Returns the first
 * with its state, or NULL. */
static char *find_queued(submission *j)
{
    static const char *const OVER[] = {"ended",    "unknown", "COMPLETED", "CANCELLED",
                                       "FAILED",   "TIMEOUT", "NODE_",     "OUT_OF",
                                       "DEADLINE", "BOOT_",   "PREEMPTED"};
    msw_table jobs = {0};
    char *found = NULL;
    if (msw_store_jobs(j->store, &jobs, NULL) || !jobs.rows || cli_add_job_states(&jobs, NULL)) {
        msw_table_free(&jobs);
        return NULL;
    }
    for (size_t r = 0; r < jobs.rows && !found; r++) {
        const char *role = cli_label(&jobs, "role", r), *state = cli_label(&jobs, "state", r);
        bool over = strcmp(role, "merge") == 0 || strcmp(role, "next") == 0 ||
                    strcmp(cli_label(&jobs, "sweep", r), j->plan->name) != 0;
        for (size_t i = 0; i < sizeof OVER / sizeof *OVER; i++)
            over = over || (strncmp(state, OVER[i], strlen(OVER[i])) == 0 && !strchr(state, ','));
        if (!over)
            found = msw_strfmt("job %s of this sweep is in the queue already: %s",
                               cli_label(&jobs, "job", r), state);
    }
    msw_table_free(&jobs);
    return found;
}

/* Returns 1 when there is nothing to submit, with what to say said; 0; or -1. */
static int judge_last_round(submission *j, int *code)
{
    char *queued = find_queued(j);
    if (queued && j->round.number) {
        cli_printf("%s\n", queued);
        free(queued);
        return 1;
    }
    if (queued)
        msw_log_line(&j->c->context.log, MSW_LOG_WARN, "%s; 'scancel' ends it", queued);
    free(queued);
    if (j->plan->part == MSW_PART_AUTO) /* what is left is known when it has been chosen */
        j->todo = (msw_todo){.points = j->plan->points, .missing = j->plan->points};
    else if (msw_store_todo(j->store, j->plan, j->sweep, j->ask->retry, &j->todo, &j->err))
        return -1;
    if (!j->ask->until_done)
        return 0;
    cli_verdict verdict = judge_round(&j->round, j->ask, j->todo.points, j->todo.missing);
    *code = verdict == CLI_STOP ? EXIT_SOME_FAILED : EXIT_OK;
    if (verdict == CLI_DONE && j->todo.failed + j->todo.timeout) {
        cli_printf("%" PRIu64 " of them failed or timed out: --retry tries them again\n",
                   j->todo.failed + j->todo.timeout);
        *code = EXIT_SOME_FAILED;
    }
    return verdict != CLI_GO_ON;
}

/* Points that have no row yet, of a database that is only looked at; all where there is none. */
static uint64_t count_missing(submission *j)
{
    msw_table status = {0};
    msw_store *store = NULL;
    cli_shards shards = {0};
    uint64_t missing = j->plan->points;
    if (access(j->file, R_OK) == 0 &&
        msw_store_open(j->file, MSW_STORE_READ, false, &j->c->context.log, &store, NULL) == 0 &&
        msw_store_status(store, &status, NULL) == 0 &&
        cli_count_shards(j->c, store, j->file, &status, &shards, NULL) == 0)
        for (size_t r = 0; r < status.rows; r++)
            if (cli_same_sweep(&status, r, j->plan))
                missing = (uint64_t)(cli_number(&status, "points", r) -
                                     cli_number(&status, "answered", r) -
                                     cli_number(&status, "failed", r));
    cli_shards_free(&shards);
    msw_table_free(&status);
    msw_store_close(store, NULL);
    return missing;
}

static int open_store(submission *j)
{
    MSW_TRY(msw_make_folder(j->file, &j->err));
    MSW_TRY(
        msw_store_open(j->file, MSW_STORE_WRITE, false, &j->c->context.log, &j->store, &j->err));
    MSW_TRY(msw_store_add_sweep(j->store, j->plan, &j->sweep, &j->err));
    return 0;
}

static int show_scripts(submission *j, const cli_job_plan *found)
{
    msw_text text = MSW_TEXT_EMPTY;
    const char *after = j->ask->until_done ? "next" : j->ask->array ? "merge" : NULL;
    j->todo.points = j->plan->points;
    j->todo.missing = count_missing(j);
    cli_explain(j->ask, found, j->todo.points, j->todo.missing, &text);
    round_words(j->c, j->ask, j->file, &j->script.words);
    write_round(&j->round, j->todo.points - j->todo.missing, "JOB", found->digest,
                &j->script.state);
    snprintf(j->script.round, sizeof j->script.round, "1");
    if ((j->builds && cli_script_write(j->c, &j->script, "artifacts", &text, &j->err)) ||
        cli_script_write(j->c, &j->script, "job", &text, &j->err) ||
        (after && cli_script_write(j->c, &j->script, after, &text, &j->err))) {
        msw_text_free(&text);
        return -1;
    }
    return cli_print(&text) == EXIT_OK ? 0 : -1;
}

/* Refuses text that cannot be quoted. */
static int check_words(const submission *j, msw_err *err)
{
    const cli_submit_options *ask = j->ask;
    if (ask->scratch && strpbrk(ask->scratch, "\n\r"))
        return msw_fail(err, "--scratch: the name of the folder must not contain line ends");
    MSW_TRY(cli_script_check("--output", j->file, err));
    MSW_TRY(cli_script_check("--time", ask->time, err));
    MSW_TRY(cli_script_check("--partition", ask->partition, err));
    return cli_check_sbatch(j->plan->jobs.sbatch, err);
}

static char *default_file(const cli_submit_options *ask, const msw_plan *plan)
{
    return ask->file ? msw_strdup(ask->file)
                     : msw_strfmt("%s/%s.db", cli_results_dir(), plan->name);
}

/* Rounds follow each other: one job has them all, on any number of ranks. */
static int check_auto(const submission *j, msw_err *err)
{
    if (j->plan->part != MSW_PART_AUTO || (!j->ask->array && !j->ask->until_done))
        return msw_explore_check(j->plan, err);
    return msw_fail(err,
                    "%s: fidelity auto is one job with its rounds: submit it without --array and "
                    "--until-done ('memsweep run' goes on where a job ended; --shard and --round "
                    "compute parts by hand)",
                    j->plan->name);
}

/* Fills in what the options leave open; problems are reported before points are tried. */
static int find_rest(const submission *j, cli_job_plan *found, msw_err *err)
{
    const cli_submit_options *ask = j->ask;
    found->memory_mib = ask->memory;
    if (check_auto(j, err) || check_words(j, err) || msw_store_check_size(j->plan, err) ||
        cli_find_warning(ask, &j->plan->jobs, &found->warning_s, err) ||
        (!ask->dry_run && cli_script_need_slurm(ask->sweep, err)))
        return -1;
    return ask->memory ? 0 : msw_run_node_memory(j->plan, ask->tasks, &found->memory_mib, err);
}

static int find_builds(submission *j, cli_job_plan *found)
{
    msw_builds builds;
    if (!j->ask->array)
        return 0;
    int rc = msw_builds_find(j->plan, NULL, &builds, &j->err);
    j->builds = found->builds = builds.count > 0;
    msw_builds_free(&builds);
    return rc;
}

static int submit_plan(submission *j, int *code)
{
    char *sweep = msw_context_sweep(&j->c->context, j->ask->sweep);
    j->file = default_file(j->ask, j->plan);
    char digest[MSW_DIGEST_TEXT];
    cli_job_plan found = {.name = j->plan->name,
                          .jobs = &j->plan->jobs,
                          .sweep = sweep,
                          .file = j->file,
                          .digest = msw_digest_text(j->plan->digest, digest)};
    int rc = read_round(getenv(ROUND), &j->round, &j->err);
    unsetenv(ROUND); /* jobs inherit what is set here */
    if (rc == 0 && !is_round_of(&j->round, digest)) {
        *code = EXIT_SOME_FAILED;
        free(j->file);
        free(sweep);
        return 0;
    }
    if (rc == 0)
        rc = sweep && j->file ? find_rest(j, &found, &j->err) : msw_fail_memory(&j->err);
    if (rc == 0)
        rc = find_builds(j, &found);
    if (rc == 0) {
        cli_compose_script(j->ask, &found, &j->script);
        rc = j->ask->dry_run ? show_scripts(j, &found)
             : open_store(j) ? -1
                             : judge_last_round(j, code);
        if (rc == 0 && !j->ask->dry_run)
            rc = submit(j);
    }
    msw_todo_free(&j->todo);
    cli_script_free(&j->script);
    msw_store_close(j->store, NULL);
    free(j->file);
    free(sweep);
    return rc < 0 ? -1 : 0;
}

int cli_submit_sweep(const cli *c, const cli_submit_options *ask)
{
    submission j = {.c = c, .ask = ask};
    if (strcmp(ask->sweep, "-") == 0) {
        msw_fail(&j.err, "submit '-': jobs read the sweep when they start, and standard input is "
                         "gone by then: write it to a file");
        return cli_fail(&j.err);
    }
    int code = cli_load_plan(c, ask->sweep, ask->fidelity, ask->seed, &j.plan);
    if (code)
        return code;
    bool refused =
        (!ask->dry_run || j.plan->by_hand) && cli_launch_consent(j.plan, ask->program, &j.err);
    if (refused || submit_plan(&j, &code))
        code = cli_fail(&j.err);
    msw_plan_free(j.plan);
    return code;
}
