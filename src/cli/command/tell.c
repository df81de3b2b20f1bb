/* SPDX-License-Identifier: MIT */
#include "cli/run/sweep_run.h"

#include "cli/shared_options.h"

typedef cli_tell_options settings;

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "sweep", .kind = CLI_SWEEP, .count = CLI_ONE,
            .help = "the sweep that was asked", .offset = offsetof(settings, sweep)),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_RUN_OUTPUT(settings),
    MSW_ROW(.name = "wait", .kind = CLI_SECONDS, .arg = "TIME", .def = "60s",
            .help = "how long to wait while somebody else writes",
            .offset = offsetof(settings, wait)),
    CLI_PLAN_FIDELITY(settings),
    CLI_PLAN_SEED(settings),
    CLI_QUIET(settings, "prints errors only"),
    {0},
};

static const char *const EXAMPLES[] = {
    "echo '{\"key\": \"0c5e...\", \"metrics\": {\"yield\": 0.93, \"time\": \"12 ms\"}}' | "
    "memsweep tell lab.yaml",
    NULL};

static int run(const cli *c, const void *given)
{
    return cli_tell(c, given);
}

const cli_command cli_command_tell = {
    .name = "tell",
    .doc = "stores answers of points that ask gave",
    .about =
        "Reads lines of JSON from standard input: {\"key\": K, \"metrics\": {NAME: VALUE}}, or "
        "{\"key\": K, \"failed\": WHY}, or {\"key\": K, \"infeasible\": WHY}. A value is a "
        "number in the metric's unit, or a text with a unit, which is converted. All metrics "
        "of a definition are needed but those that are optional; of a mechanism of "
        "memsweep's own those that objectives and derived columns name. All lines are stored, "
        "or none: an unknown key, a missing metric, a wrong unit, or another value than was "
        "told before end the command with exit code 2. Telling the same twice is nothing; an "
        "answer takes the place of a failure. What somebody else's run of a program gave can be "
        "told to the program's own sweep, with \"values\" of all that it varies instead of a key.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
