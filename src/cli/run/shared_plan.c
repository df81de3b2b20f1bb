/* SPDX-License-Identifier: MIT */
#include "cli/run/sweep_run.h"

#include <stdlib.h>

/* Returns an exit code. */
static int load(const char *path, const msw_plan_options *options, bool quiet, msw_plan **plan)
{
    msw_messages messages = {0};
    int rc = msw_plan_load(path, options, plan, &messages);
    int code = !rc ? EXIT_OK : quiet ? EXIT_USAGE : cli_fail_plan(&messages);
    msw_text_free(&messages.text);
    return code;
}

void cli_plan_files_free(cli_plan_files *files)
{
    msw_text_free(&files->files.bytes);
    msw_text_free(&files->paths);
}

/* Where the sweep is read from: a database, or the file that a word means. The caller frees `path`.
 * Returns an exit code. */
static int find_origin(const cli *c, const cli_plan_ask *ask, msw_plan_options *options,
                       char **path)
{
    int code = EXIT_OK;
    const char *kept = NULL;
    *options = (msw_plan_options){
        .data_dirs = c->context.data_dirs, .fidelity = ask->fidelity, .seed = ask->seed};
    if (ask->replay)
        code = cli_replay_open(ask->replay, c, options, &kept);
    *path = code          ? NULL
            : ask->replay ? msw_strdup(kept)
                          : msw_context_sweep(&c->context, ask->word);
    if (code == EXIT_OK && !*path) {
        msw_err err = {0};
        msw_fail_memory(&err);
        code = cli_fail(&err);
    }
    return code;
}

/* What the rank that reads does. */
static int load_here(const cli *c, const cli_plan_ask *ask, cli_plan_files *read, msw_plan **plan)
{
    msw_plan_options options;
    char *path;
    int code = find_origin(c, ask, &options, &path);
    read->files.from = options.files;
    msw_file_source source = msw_bundle_recorder(&read->files);
    options.files = &source;
    if (code == EXIT_OK)
        code = load(path, &options, false, plan);
    if (code == EXIT_OK)
        cli_warn_plan(c, *plan);
    if (code == EXIT_OK && ask->replay)
        code = cli_replay_check(ask->replay, *plan);
    if (code == EXIT_OK)
        msw_bundle_paths(path, options.data_dirs, &read->paths);
    if (read->paths.failed || read->files.bytes.failed) {
        msw_err err = {0};
        msw_fail_memory(&err);
        code = cli_fail(&err);
    }
    free(path);
    return code;
}

static int share_texts(const msw_ranks *ranks, int *code, msw_text *paths, msw_text *files,
                       msw_err *err)
{
    MSW_TRY(msw_ranks_share(ranks, code, paths, err));
    return msw_ranks_share(ranks, code, files, err);
}

/* What rank 0 does: reads, and sends what it read. */
static int load_first(const cli *c, const msw_ranks *ranks, const cli_plan_ask *ask,
                      cli_plan_files *read, msw_plan **plan, int *code, msw_err *err)
{
    *code = load_here(c, ask, read, plan);
    return share_texts(ranks, code, &read->paths, &read->files.bytes, err);
}

static int load_other(const msw_ranks *ranks, const cli_plan_ask *ask, msw_plan **plan, int *code,
                      msw_err *err)
{
    const char *dirs[MSW_BUNDLE_DIRS + 1];
    msw_plan_options options = {.fidelity = ask->fidelity, .seed = ask->seed};
    msw_text files = MSW_TEXT_EMPTY, paths = MSW_TEXT_EMPTY;
    msw_file_source player = msw_bundle_player(&files);
    int rc = share_texts(ranks, code, &paths, &files, err);
    if (rc == 0) {
        msw_bundle_cut_paths(paths.data, dirs);
        options.data_dirs = dirs;
        options.files = &player;
        load(paths.data, &options, ask->replay != NULL, plan); /* agreeing finds out */
    }
    msw_text_free(&files);
    msw_text_free(&paths);
    return rc;
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

int cli_load_plan_shared(const cli *c, const msw_ranks *ranks, const cli_plan_ask *ask,
                         cli_plan_files *files, msw_plan **plan)
{
    msw_err err = {0};
    if (ranks->size == 1) {
        files->files.limited = true;
        files->files.most = ask->keep;
        return load_here(c, ask, files, plan);
    }
    int code = EXIT_OK;
    int rc = ranks->rank ? load_other(ranks, ask, plan, &code, &err)
                         : load_first(c, ranks, ask, files, plan, &code, &err);
    if (rc == 0)
        rc = msw_ranks_agree_plan(ranks, *plan, &err);
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
