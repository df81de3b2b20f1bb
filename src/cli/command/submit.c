/* SPDX-License-Identifier: MIT */
#include "cli/shared_options.h"
#include "cli/slurm/slurm.h"

typedef cli_submit_options settings;

static const cli_operand OPERANDS[] = {
    CLI_SWEEP_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "nodes", .letter = 'N', .kind = CLI_INTEGER, .arg = "N", .def = "1",
            .help = "nodes of a job", .offset = offsetof(settings, nodes), .min = 1, .max = 100000),
    MSW_ROW(.name = "ntasks-per-node", .kind = CLI_INTEGER, .arg = "N", .def = "1",
            .help = "ranks on each node", .offset = offsetof(settings, tasks), .min = 1,
            .max = 4096),
    MSW_ROW(.name = "cpus-per-task", .letter = 'c', .kind = CLI_INTEGER, .arg = "N", .def = "1",
            .help = "CPUs, and threads, of each rank", .offset = offsetof(settings, cpus), .min = 1,
            .max = 4096),
    MSW_ROW(.name = "time", .kind = CLI_TEXT, .arg = "TIME", .def = "1:00:00",
            .help = "time limit of one start of the job, as sbatch reads it",
            .offset = offsetof(settings, time)),
    MSW_ROW(.name = "mem", .kind = CLI_INTEGER, .arg = "MIB", .def = "0",
            .help = "memory per node; 0: from the plan", .offset = offsetof(settings, memory),
            .max = INT64_C(1) << 40),
    MSW_ROW(.name = "array", .kind = CLI_INTEGER, .arg = "K", .def = "0",
            .help = "cuts the sweep into K jobs, each with a file of its own, and a job that "
                    "merges them; artifacts that are kept are built before, by a job of its own",
            .offset = offsetof(settings, array), .max = 100000),
    MSW_ROW(.name = "partition", .letter = 'p', .kind = CLI_TEXT, .arg = "NAME",
            .help = "partition", .offset = offsetof(settings, partition)),
    CLI_RETRY(settings, "the first start tries points again that failed or timed out before"),
    MSW_ROW(.name = "point-timeout", .kind = CLI_SECONDS, .arg = "TIME", .def = "0",
            .help = "leaves a point unanswered after this time; 0: never",
            .offset = offsetof(settings, point_timeout)),
    MSW_ROW(.name = "until-done", .kind = CLI_FLAG,
            .help = "a job that follows submits the next round while points are left",
            .offset = offsetof(settings, until_done)),
    MSW_ROW(.name = "rounds", .kind = CLI_INTEGER, .arg = "N", .def = "20",
            .help = "for --until-done: the most rounds", .offset = offsetof(settings, rounds),
            .min = 1, .max = 100000),
    CLI_RUN_OUTPUT(settings),
    MSW_ROW(.name = "scratch", .kind = CLI_TEXT, .arg = "DIR",
            .help = "folder on the node's disk to write in, see 'run'",
            .offset = offsetof(settings, scratch)),
    CLI_PROGRAM_OPTIONS(settings),
    CLI_PLAN_FIDELITY(settings),
    CLI_PLAN_SEED(settings),
    MSW_ROW(.name = "dry-run", .letter = 'n', .kind = CLI_FLAG,
            .help = "explains what would be submitted, prints the job scripts, and submits nothing",
            .offset = offsetof(settings, dry_run)),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep submit quickstart --nodes 4 --cpus-per-task 16 --time 2:00:00",
    "memsweep submit quickstart --array 5 --time 30:00 --dry-run",
    "memsweep submit quickstart --array 5 --time 30:00 --until-done", NULL};

static int run(const cli *c, const void *given)
{
    return cli_submit_sweep(c, given);
}

const cli_command cli_command_submit = {
    .name = "submit",
    .doc = "submits a sweep to Slurm",
    .about =
        "Writes a job script beside the database and submits it with sbatch. Before the time "
        "limit, "
        "and when it is preempted, the job finishes the points in hand, stores them and queues "
        "itself again while work is left. With --until-done, jobs that were lost all the same (a "
        "node "
        "that broke, a limit that came without a warning) are followed by another round, until "
        "every point has a row. What a site asks for (account, modules, srun) is written in the "
        "sweep "
        "file under 'submit'. 'memsweep status' shows the jobs of a database.",
    .first = "nodes ntasks-per-node time array dry-run",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
