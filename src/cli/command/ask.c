/* SPDX-License-Identifier: MIT */
#include "cli/run/sweep_run.h"
#include "cli/shared_options.h"

typedef struct settings {
    const char *sweep, *file, *fidelity;
    int64_t seed;
    bool retry;
    cli_asking ask;
} settings;

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "sweep", .kind = CLI_SWEEP, .count = CLI_ONE, .help = "a sweep with 'by: hand'",
            .offset = offsetof(settings, sweep)),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "count", .letter = 'n', .kind = CLI_INTEGER, .arg = "N", .def = "1",
            .help = "points at most", .offset = offsetof(settings, ask.count), .min = 1,
            .max = 10000000),
    MSW_ROW(.name = "lease", .kind = CLI_SECONDS, .arg = "TIME", .def = "1h",
            .help = "how long nobody else is given them", .offset = offsetof(settings, ask.lease)),
    MSW_ROW(.name = "format", .letter = 'f', .kind = CLI_CHOICE, .arg = "FORMAT", .def = "text",
            .help = "text, tsv, csv, json (all values, also those that nothing varies) or record",
            .offset = offsetof(settings, ask.format), .choices = cli_formats),
    MSW_ROW(.name = "output", .letter = 'o', .kind = CLI_DATABASE, .arg = "FILE",
            .help = "the database, instead of results/<name of the sweep>.db",
            .offset = offsetof(settings, file)),
    MSW_ROW(.name = "wait", .kind = CLI_SECONDS, .arg = "TIME", .def = "60s",
            .help = "how long to wait while somebody else writes",
            .offset = offsetof(settings, ask.wait)),
    MSW_ROW(.name = "again", .kind = CLI_FLAG,
            .help = "also gives points whose lease has not expired: when whoever has them is gone",
            .offset = offsetof(settings, ask.again)),
    CLI_RETRY(settings, "also gives points that failed before"),
    MSW_ROW(.name = "fidelity", .kind = CLI_CHOICE, .arg = "NAME",
            .help = "analytic, sampled, full or auto, instead of the file's",
            .offset = offsetof(settings, fidelity), .choices = cli_plan_fidelities),
    MSW_ROW(.name = "seed", .kind = CLI_INTEGER, .arg = "N", .def = "-1",
            .help = "seed instead of the file's; -1 keeps it", .offset = offsetof(settings, seed),
            .min = -1, .max = INT64_MAX),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep ask lab.yaml -n 8 --lease 2h -f json", NULL};

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    const cli_run_options run = {.sweep = s->sweep,
                                 .file = s->file,
                                 .fidelity = s->fidelity,
                                 .inputs = "small",
                                 .seed = s->seed,
                                 .retry = s->retry,
                                 .quiet = true};
    return cli_ask_sweep(c, &run, &s->ask);
}

const cli_command cli_command_ask = {
    .name = "ask",
    .doc = "gives points of a sweep to evaluate elsewhere",
    .about = "For a sweep whose answers come from a lab, a Python function or another machine: "
             "'by: hand' in the definition of its program, or in a sweep of a mechanism of "
             "memsweep's own. Each point has a key, under which 'memsweep tell' takes its answer, "
             "and is given to nobody else until its lease expires; after that an answer still "
             "counts. At fidelity auto the points are those of the next round, which needs all "
             "answers of the one before. No points are left when none is printed.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
