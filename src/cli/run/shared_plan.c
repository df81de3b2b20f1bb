#include "cli/run/shared_plan.h"

#include "memsweep/sweep/bundle.h"

#include <stdlib.h>
#include <string.h>

enum { DIRS_MAX = 8 };

/* The first line is the sweep file, the others are the data folders of rank 0. */
static void write_paths(const char *path, const char *const *dirs, msw_text *paths)
{
    msw_text_add(paths, "%s", path);
    for (; *dirs; dirs++)
        msw_text_add(paths, "\n%s", *dirs);
}

/* Cuts the text into its lines. */
static void read_paths(char *text, const char *dirs[DIRS_MAX + 1])
{
    int count = 0;
    for (char *end = strchr(text, '\n'); end && count < DIRS_MAX; end = strchr(end, '\n')) {
        *end++ = '\0';
        dirs[count++] = end;
    }
    dirs[count] = NULL;
}

/* Returns an exit code. */
static int load(const char *path, const msw_plan_options *options, msw_plan **plan)
{
    msw_messages messages = {0};
    int rc = msw_plan_load(path, options, plan, &messages);
    int code = rc ? cli_fail_plan(&messages) : EXIT_OK;
    msw_text_free(&messages.text);
    return code;
}

static int share_texts(const msw_ranks *ranks, int *code, msw_text *paths, msw_text *files,
                       msw_err *err)
{
    return msw_ranks_share(ranks, code, paths, err) || msw_ranks_share(ranks, code, files, err) ? -1
                                                                                                : 0;
}

/* What rank 0 does: reads, and sends what it read. */
static int load_first(const cli *c, const msw_ranks *ranks, const char *word,
                      msw_plan_options options, msw_plan **plan, int *code, msw_err *err)
{
    msw_text files = MSW_TEXT_EMPTY, paths = MSW_TEXT_EMPTY;
    msw_file_source recorder = msw_bundle_recorder(&files);
    char *path = msw_context_sweep(&c->context, word);
    options.data_dirs = c->context.data_dirs;
    options.files = &recorder;
    *code = path ? load(path, &options, plan) : EXIT_OK;
    if (path && *code == EXIT_OK) {
        cli_warn_plan(c, *plan);
        write_paths(path, c->context.data_dirs, &paths);
    }
    if (!path || paths.failed || files.failed) {
        msw_fail_memory(err);
        *code = EXIT_TROUBLE;
    }
    int rc = share_texts(ranks, code, &paths, &files, err);
    msw_text_free(&files);
    msw_text_free(&paths);
    free(path);
    return rc;
}

static int load_other(const msw_ranks *ranks, msw_plan_options options, msw_plan **plan, int *code,
                      msw_err *err)
{
    const char *dirs[DIRS_MAX + 1];
    msw_text files = MSW_TEXT_EMPTY, paths = MSW_TEXT_EMPTY;
    msw_file_source player = msw_bundle_player(&files);
    int rc = share_texts(ranks, code, &paths, &files, err);
    if (rc == 0) {
        read_paths(paths.data, dirs);
        options.data_dirs = dirs;
        options.files = &player;
        load(paths.data, &options, plan); /* agreeing finds out */
    }
    msw_text_free(&files);
    msw_text_free(&paths);
    return rc;
}

/* Contents are compared by themselves first: that says more than that the plans differ. */
static int agree(const msw_ranks *ranks, const msw_plan *plan, msw_err *err)
{
    char text[MSW_DIGEST_TEXT] = "none";
    msw_digest contents = {0};
    for (size_t w = 0; plan && w < plan->workload_count; w++)
        contents = msw_hash_pair(contents, plan->workloads[w].digest);
    for (size_t w = 0; plan && w < plan->corpus_count; w++)
        contents = msw_hash_pair(contents, plan->corpus[w].digest);
    if (msw_ranks_agree(ranks, "contents of the workloads", msw_digest_text(contents, text), err))
        return -1;
    return msw_ranks_agree(ranks, "plan", plan ? msw_digest_text(plan->digest, text) : "none", err);
}

int cli_fail_shared(const msw_ranks *ranks, msw_err *err)
{
    if (!ranks->rank)
        return cli_fail(err);
    if (!msw_ranks_are_apart(ranks))
        return EXIT_TROUBLE;
    msw_fail_prefix(err, "rank %d: ", ranks->rank);
    return cli_fail(err);
}

int cli_load_plan_shared(const cli *c, const msw_ranks *ranks, const char *word,
                         const msw_plan_options *options, msw_plan **plan)
{
    msw_err err = {0};
    if (ranks->size == 1)
        return cli_load_plan(c, word, options->fidelity, options->seed, plan);
    int code = EXIT_OK;
    int rc = ranks->rank ? load_other(ranks, *options, plan, &code, &err)
                         : load_first(c, ranks, word, *options, plan, &code, &err);
    if (rc == 0)
        rc = agree(ranks, *plan, &err);
    if (rc == 0)
        return EXIT_OK;
    msw_plan_free(*plan);
    *plan = NULL;
    if (!err.kind)
        return code; /* rank 0 has said what is wrong with the file */
    return cli_fail_shared(ranks, &err);
}

int cli_rank_threads(void)
{
    int threads = cli_default_threads();
    if (cli_threads_asked() || !cli_may_use_all())
        return threads;
    int share = threads / msw_ranks_beside();
    return share > 0 ? share : 1;
}

void cli_check_binding(const cli *c, const msw_ranks *ranks, int threads)
{
    int allowed = cli_allowed_cpus();
    if (threads <= allowed || ranks->size == 1 || ranks->rank)
        return;
    msw_log_line(&c->context.log, MSW_LOG_WARN,
                 "%d threads share %d CPU%s: give each rank more with 'mpirun --map-by slot:PE=%d' "
                 "or '--bind-to none', or srun's --cpus-per-task",
                 threads, allowed, allowed == 1 ? "" : "s", threads);
}
