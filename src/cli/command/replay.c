/* SPDX-License-Identifier: MIT */
#include "cli/run/sweep_run.h"
#include "cli/shared_options.h"

typedef struct settings {
    const char *file, *sweep, *fidelity, *output;
    int64_t threads;
    bool only_check, anyway, quiet;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "sweep", .letter = 's', .kind = CLI_TEXT, .arg = "NAME",
            .help = "the sweep to compute again; default: the only or latest one",
            .offset = offsetof(settings, sweep)),
    CLI_FIDELITY_OPTION(settings),
    MSW_ROW(.name = "output", .letter = 'o', .kind = CLI_DATABASE, .arg = "FILE",
            .help = "the database, instead of results/<name of the sweep>-replay.db",
            .offset = offsetof(settings, output)),
    CLI_RUN_THREADS(settings),
    MSW_ROW(.name = "only-check", .kind = CLI_FLAG,
            .help = "checks the inputs, says which versions differ, and computes nothing",
            .offset = offsetof(settings, only_check)),
    MSW_ROW(.name = "anyway", .kind = CLI_FLAG,
            .help = "computes even if versions differ, and says which rows differ",
            .offset = offsetof(settings, anyway)),
    CLI_QUIET(settings, "prints errors only"),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep replay study.db",
                                       "memsweep replay study.db --only-check",
                                       "mpirun -n 4 memsweep replay study.db -o again.db", NULL};

static int only_check(const cli *c, cli_replay *replay)
{
    const char *path;
    msw_plan_options options;
    msw_messages messages = {0};
    msw_plan *plan = NULL;
    int code = cli_replay_open(replay, c, &options, &path);
    if (code == EXIT_OK && msw_plan_load(path, &options, &plan, &messages))
        code = cli_fail_plan(&messages);
    if (code == EXIT_OK)
        code = cli_replay_check(replay, plan);
    if (code == EXIT_OK && !replay->quiet)
        cli_printf("whole, and the same versions as here: its rows can be computed again\n");
    msw_plan_free(plan);
    msw_text_free(&messages.text);
    return code;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    cli_sweep sweep;
    msw_err err = {0};
    if (cli_sweep_word(&(cli_which){.sweep = s->sweep, .fidelity = s->fidelity}, &sweep, &err))
        return cli_fail(&err);
    cli_replay replay = {.file = s->file,
                         .sweep = sweep.word,
                         .output = s->output,
                         .anyway = s->anyway && !s->only_check,
                         .quiet = s->quiet};
    cli_run_options ask = {
        .file = s->output, .inputs = "small", .threads = s->threads, .seed = -1, .quiet = s->quiet};
    int code = s->only_check ? only_check(c, &replay) : cli_run_sweep(c, &ask, &replay);
    cli_replay_close(&replay);
    return code;
}

const cli_command cli_command_replay = {
    .name = "replay",
    .doc = "computes the rows of a database again and compares their digest",
    .about = "Reads the sweep and the files that it was made from in the database, and nowhere "
             "else; computes all points into a new database, and compares the rows. Before "
             "anything is computed it reports which versions of models, parts, front ends and "
             "design differ. After an interruption, the same command continues.\n\nInputs are "
             "checked first: damaged ones, and some that would fill memory, are refused. Nothing "
             "in the database is executed.\n\nThe exit code is 0 when the digest is the same, 1 "
             "when versions or rows differ or some points are not answered.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .on_ranks = true,
    .run = run,
};
