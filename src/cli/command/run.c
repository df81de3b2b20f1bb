/* SPDX-License-Identifier: MIT */
#include "cli/run/sweep_run.h"
#include "cli/shared_options.h"

typedef cli_run_options settings;

static const cli_operand OPERANDS[] = {
    CLI_SWEEP_OPERAND(settings),
    {0},
};

static const char *const INPUTS[] = {"small", "all", "none", NULL};

static const cli_option OPTIONS[] = {
    CLI_RUN_OUTPUT(settings),
    CLI_RUN_THREADS(settings),
    CLI_RETRY(settings, "tries points again that failed or timed out before"),
    MSW_ROW(.name = "point-timeout", .kind = CLI_SECONDS, .arg = "TIME", .def = "0",
            .help = "leaves a point unanswered after this time, not counting the time to build "
                    "what points share; 0: never",
            .offset = offsetof(settings, point_timeout)),
    CLI_PLAN_FIDELITY(settings),
    CLI_PLAN_SEED(settings),
    MSW_ROW(.name = "shard", .kind = CLI_TEXT, .arg = "I/K",
            .help = "computes only part I of K (from 0): each part into a file of its own, joined "
                    "by 'memsweep merge'",
            .offset = offsetof(settings, shard)),
    MSW_ROW(.name = "round", .kind = CLI_INTEGER, .arg = "R", .def = "0",
            .help =
                "of a search, and of the points in full at fidelity auto: ends after round R; with "
                "--shard computes that part of round R alone, from a database (-o) in which "
                "the earlier rounds are complete, into a file next to it; 0: all rounds",
            .offset = offsetof(settings, round), .max = 1000000),
    MSW_ROW(.name = "scratch", .kind = CLI_FILE, .arg = "DIR",
            .help = "for network file systems: writes in a private folder inside this folder, "
                    "which is on a local disk, and copies to the database every minute and at the "
                    "end; rows that a killed run left there are recovered",
            .offset = offsetof(settings, scratch)),
    CLI_PROGRAM_OPTIONS(settings),
    MSW_ROW(.name = "artifacts", .kind = CLI_FILE, .arg = "FILE",
            .help = "also takes kept artifacts (for example trained models) from this database "
                    "before building them",
            .offset = offsetof(settings, artifacts)),
    MSW_ROW(.name = "artifacts-only", .kind = CLI_FLAG,
            .help = "only builds the artifacts that are kept, and computes no points",
            .offset = offsetof(settings, artifacts_only)),
    MSW_ROW(.name = "inputs", .kind = CLI_CHOICE, .arg = "WHICH", .def = "small",
            .help = "keeps the sweep and the files that it was made from in the database, for "
                    "'memsweep replay': small (up to 64 MiB in all), all or none",
            .offset = offsetof(settings, inputs), .choices = INPUTS),
    MSW_ROW(.name = "expect", .kind = CLI_TEXT, .arg = "DIGEST",
            .help = "computes nothing unless the sweep has this digest, which 'memsweep check' "
                    "prints: for jobs that start later",
            .offset = offsetof(settings, expect)),
    MSW_ROW(.name = "shuffle", .kind = CLI_FLAG,
            .help = "evaluates in a random order (answers do not depend on it)",
            .offset = offsetof(settings, shuffle)),
    MSW_ROW(.name = "no-store", .kind = CLI_FLAG,
            .help = "computes without writing a file: for timing",
            .offset = offsetof(settings, no_store)),
    MSW_ROW(.name = "take-over", .kind = CLI_FLAG,
            .help = "writes even if another process seems to hold the file: use it only when that "
                    "process is surely gone",
            .offset = offsetof(settings, take_over)),
    CLI_QUIET(settings, "prints errors only"),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep run sweeps/quickstart.yaml", "memsweep run quickstart -o all.db --threads 4",
    "memsweep run quickstart --fidelity full --point-timeout 10s", NULL};

static int run(const cli *c, const void *given)
{
    return cli_run_sweep(c, given, NULL);
}

const cli_command cli_command_run = {
    .name = "run",
    .doc = "computes what is missing of a sweep and stores it",
    .about = "Points that are answered already are not computed again, so running a sweep once "
             "more continues where it was interrupted, and a widened sweep computes only what is "
             "new. Ctrl-C (or SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU) finishes the points in "
             "hand, stores them "
             "and exits; a second one exits at once.\n\nThe exit code is 1 when points failed, "
             "when all are infeasible, or when the run was interrupted.",
    .first = "output threads fidelity retry quiet",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .on_ranks = true,
    .run = run,
};
