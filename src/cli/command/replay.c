/* SPDX-License-Identifier: MIT */
#include "cli/run/sweep_run.h"
#include "cli/shared_options.h"

typedef struct settings {
    const char *archive, *output;
    int64_t threads;
    bool only_check, anyway, quiet;
} settings;

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "archive", .kind = CLI_FILE, .count = CLI_ONE,
            .help = "an archive written by 'memsweep pack'", .offset = offsetof(settings, archive)),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "output", .letter = 'o', .kind = CLI_DATABASE, .arg = "FILE",
            .help = "the database, instead of results/<name of the sweep>-replay.db",
            .offset = offsetof(settings, output)),
    CLI_RUN_THREADS(settings),
    MSW_ROW(.name = "only-check", .kind = CLI_FLAG,
            .help = "checks the archive, says which versions differ, and computes nothing",
            .offset = offsetof(settings, only_check)),
    MSW_ROW(.name = "anyway", .kind = CLI_FLAG,
            .help = "computes even if versions differ, and says which rows differ",
            .offset = offsetof(settings, anyway)),
    MSW_ROW(.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .help = "prints errors only",
            .offset = offsetof(settings, quiet)),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep replay study.zip",
                                       "memsweep replay study.zip --only-check",
                                       "mpirun -n 4 memsweep replay study.zip -o again.db", NULL};

static int only_check(const cli *c, cli_replay *replay)
{
    msw_plan_options options;
    msw_messages messages = {0};
    msw_plan *plan = NULL;
    int code = cli_replay_open(replay, c, &options);
    if (code == EXIT_OK && msw_plan_load(replay->packed.sweep, &options, &plan, &messages))
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
    cli_replay replay = {
        .file = s->archive, .anyway = s->anyway && !s->only_check, .quiet = s->quiet};
    cli_run_options ask = {.file = s->output, .threads = s->threads, .seed = -1, .quiet = s->quiet};
    int code = s->only_check ? only_check(c, &replay) : cli_run_sweep(c, &ask, &replay);
    cli_replay_close(&replay);
    return code;
}

const cli_command cli_command_replay = {
    .name = "replay",
    .doc = "computes the rows of an archive again and compares their digest",
    .about = "Reads the sweep and its inputs straight from the archive, computes all points into a "
             "new database, and compares the rows with those that were packed. Before anything is "
             "computed it reports which versions of models, parts, front ends, design and machine "
             "differ. After an interruption, the same command continues.\n\nThe archive is checked "
             "first: one that is damaged, or crafted to write outside its folder or to fill "
             "memory, is refused.\n\nThe exit code is 0 when the digest is the same, 1 when "
             "versions or rows differ or some points are not answered.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .on_ranks = true,
    .run = run,
};
