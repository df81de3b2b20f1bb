#include "cli/shared_options.h"
#include "cli/slurm.h"
#include "memsweep/run/estimate.h"

#include "memsweep/base/quote.h"
#include "memsweep/store/store.h"
#include "memsweep/sweep/sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *sweep, *file, *fidelity, *time, *partition, *account, *launcher, *scratch;
    int64_t nodes, tasks, cpus, array, lives, warning, seed, memory;
    bool dry_run;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_SWEEP_OPERAND(settings),
    {0},
};

static const char *const LAUNCHERS[] = {"mpirun", "srun", NULL};

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
            .help =
                "cuts the sweep in K jobs, each with a file of its own, and a job that merges them",
            .offset = offsetof(settings, array), .max = 100000),
    MSW_ROW(.name = "partition", .letter = 'p', .kind = CLI_TEXT, .arg = "NAME",
            .help = "partition", .offset = offsetof(settings, partition)),
    MSW_ROW(.name = "account", .kind = CLI_TEXT, .arg = "NAME", .help = "account",
            .offset = offsetof(settings, account)),
    MSW_ROW(.name = "lives", .kind = CLI_INTEGER, .arg = "N", .def = "20",
            .help = "how often the job may start", .offset = offsetof(settings, lives), .min = 1,
            .max = 100000),
    MSW_ROW(.name = "warning", .kind = CLI_INTEGER, .arg = "SECONDS", .def = "0",
            .help = "how long before the time limit to finish; 0: 120, or a quarter of --time when "
                    "that is less",
            .offset = offsetof(settings, warning), .max = 65535),
    MSW_ROW(.name = "launcher", .kind = CLI_CHOICE, .arg = "NAME", .def = "mpirun",
            .help = "what starts the ranks: mpirun or srun (PMIx)",
            .offset = offsetof(settings, launcher), .choices = LAUNCHERS),
    CLI_RUN_OUTPUT(settings),
    MSW_ROW(.name = "scratch", .kind = CLI_TEXT, .arg = "DIR",
            .help = "folder on the node's disk to write in, see 'run'",
            .offset = offsetof(settings, scratch)),
    CLI_PLAN_FIDELITY(settings),
    CLI_PLAN_SEED(settings),
    MSW_ROW(.name = "dry-run", .letter = 'n', .kind = CLI_FLAG,
            .help = "prints the job scripts and submits nothing",
            .offset = offsetof(settings, dry_run)),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep submit quickstart --nodes 4 --cpus-per-task 16 --time 2:00:00",
    "memsweep submit quickstart --array 5 --time 30:00 --dry-run", NULL};

/* ---- what goes into the scripts ---- */

enum { WARNING = 120 };

/* A warning that comes as early as the job starts would stop every start at once. */
static int find_warning(const settings *s, int64_t *warning, msw_err *err)
{
    int64_t limit = cli_slurm_seconds(s->time);
    *warning = s->warning ? s->warning : WARNING;
    if (!limit || *warning <= limit / 4)
        return 0;
    if (!s->warning)
        *warning = limit > 4 ? limit / 4 : 1;
    if (*warning < limit)
        return 0;
    return msw_fail(err,
                    "submit: --warning %" PRId64 " is no time before the limit --time %s (%" PRId64
                    " s): every start would stop at once; give less than %" PRId64
                    " seconds of warning, or more time",
                    *warning, s->time, limit, limit);
}

enum { MEMORY_LEAST = 256 };

static int estimate_memory(const msw_plan *plan, const settings *s, int64_t *mib, msw_err *err)
{
    msw_run_estimate estimate;
    *mib = s->memory;
    if (*mib)
        return 0;
    if (msw_run_estimate_plan(plan, 0.2, &estimate, err))
        return -1;
    *mib = MEMORY_LEAST + (int64_t)(1.25 * estimate.memory_bytes * (double)s->tasks / (1 << 20));
    return 0;
}

static char *default_file(const settings *s, const msw_plan *plan)
{
    return s->file ? msw_strdup(s->file) : msw_strfmt("%s/%s.db", cli_results_dir(), plan->name);
}

static void add_options(const settings *s, msw_text *out)
{
    if (s->fidelity)
        msw_text_add(out, " --fidelity %s", s->fidelity); /* one of a list */
    if (s->seed >= 0)
        msw_text_add(out, " --seed %" PRId64, s->seed);
    if (s->scratch) {
        msw_text_add(out, " --scratch ");
        msw_text_add_shell_vars(out, s->scratch); /* may name a variable of the node */
    }
    if (s->array)
        msw_text_add(out, " --shard \"$SLURM_ARRAY_TASK_ID/%" PRId64 "\"", s->array);
}

static void add_directive(const char *name, const char *value, msw_text *out)
{
    msw_text_add(out, "%s#SBATCH --", out->size ? "\n" : "");
    msw_text_add(out, "%s=%s", name, value); /* checked by cli_script_check */
}

static void add_directives(const settings *s, msw_text *out)
{
    if (s->partition)
        add_directive("partition", s->partition, out);
    if (s->account)
        add_directive("account", s->account, out);
}

/* The file of a shard next to the database: x.db -> x.shard-<i>-of-5.db; here what stands before
 * and behind the number. */
static void add_shard_start(const char *file, msw_text *out)
{
    size_t size = strlen(file);
    size_t stem = size > 3 && strcmp(file + size - 3, ".db") == 0 ? size - 3 : size;
    msw_text_add(out, "%.*s.shard-", (int)stem, file);
}

static void add_shard_end(int64_t count, msw_text *out)
{
    msw_text_add(out, "-of-%" PRId64 ".db", count);
}

static void make_file_words(const settings *s, cli_script *script, const char *file)
{
    msw_text_add_shell(&script->file, file);
    if (!s->array) {
        msw_text_add_shell(&script->output, file);
        return;
    }
    msw_text path = MSW_TEXT_EMPTY;
    add_shard_start(file, &path);
    msw_text_add_shell(&script->output, msw_text_str(&path));
    msw_text_add(&script->output, "\"$SLURM_ARRAY_TASK_ID\"");
    add_shard_end(s->array, &script->output);
    for (int64_t i = 0; i < s->array; i++) {
        msw_text_clear(&path);
        add_shard_start(file, &path);
        msw_text_add(&path, "%" PRId64, i);
        add_shard_end(s->array, &path);
        msw_text_add(&script->shards, i ? " " : "");
        msw_text_add_shell(&script->shards, msw_text_str(&path));
    }
    msw_text_free(&path);
}

/* Numbers that follow from the plan and the options. */
enum { MEMORY, WARN };

static void make_script(const settings *s, const msw_plan *plan, const char *sweep,
                        const char *file, const int64_t asked[2], cli_script *script)
{
    *script = (cli_script){.name = plan->name, .time = s->time};
    make_file_words(s, script, file);
    msw_text_add_shell(&script->sweep, sweep);
    add_options(s, &script->options);
    add_directives(s, &script->merge_more);
    add_directives(s, &script->more);
    if (s->array) {
        char range[32];
        snprintf(range, sizeof range, "0-%" PRId64, s->array - 1);
        add_directive("array", range, &script->more);
    }
    msw_text_add(&script->log, "%s.%s.log", file, s->array ? "%A_%a" : "%j");
    msw_text_add(&script->merge_log, "%s.%%j.log", file);
    msw_text_add(&script->launch, "%s",
                 strcmp(s->launcher, "srun") == 0 ? "srun --mpi=pmix --kill-on-bad-exit=1"
                                                  : "mpirun -n \"$SLURM_NTASKS\" --bind-to none");
    snprintf(script->numbers[0], sizeof *script->numbers, "%" PRId64, s->nodes);
    snprintf(script->numbers[1], sizeof *script->numbers, "%" PRId64, s->tasks);
    snprintf(script->numbers[2], sizeof *script->numbers, "%" PRId64, s->cpus);
    snprintf(script->numbers[3], sizeof *script->numbers, "%" PRId64, asked[MEMORY]);
    snprintf(script->numbers[4], sizeof *script->numbers, "%" PRId64, asked[WARN]);
    snprintf(script->numbers[5], sizeof *script->numbers, "%" PRId64, s->lives);
}

/* ---- submitting ---- */

typedef struct job {
    const cli *c;
    const settings *s;
    msw_plan *plan;
    char *file;
    msw_store *store;
    int64_t sweep;
    cli_script script;
    msw_err err;
} job;

static int remember(job *j, const char *id, const char *role)
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

/* Jobs are held until the database knows them and is free for them. */
static int submit(job *j)
{
    char id[64], merge_id[64] = "", role[32] = "run";
    if (j->s->array)
        snprintf(role, sizeof role, "array of %" PRId64, j->s->array);
    if (cli_script_submit(j->c, &j->script, "job", j->file, NULL, id, &j->err) ||
        remember(j, id, role))
        return -1;
    if (j->s->array &&
        (cli_script_submit(j->c, &j->script, "merge", j->file, id, merge_id, &j->err) ||
         remember(j, merge_id, "merge")))
        return -1;
    int rc = msw_store_close(j->store, &j->err);
    j->store = NULL;
    if (rc || cli_script_release(id, &j->err))
        return -1;
    printf("job %s submitted%s%s; 'memsweep status %s' shows how it goes\n", id,
           *merge_id ? ", merged by job " : "", merge_id, j->file);
    return 0;
}

static int open_store(job *j)
{
    return msw_make_folder(j->file, &j->err) ||
                   msw_store_open(j->file, MSW_STORE_WRITE, false, &j->c->context.log, &j->store,
                                  &j->err) ||
                   msw_store_add_sweep(j->store, j->plan, &j->sweep, &j->err)
               ? -1
               : 0;
}

static int show(job *j)
{
    msw_text text = MSW_TEXT_EMPTY;
    if (cli_script_write(j->c, &j->script, "job", &text, &j->err) ||
        (j->s->array && cli_script_write(j->c, &j->script, "merge", &text, &j->err))) {
        msw_text_free(&text);
        return -1;
    }
    return cli_print(&text) == EXIT_OK ? 0 : -1;
}

/* What cannot be quoted is refused. */
static int check_words(const job *j, msw_err *err)
{
    const settings *s = j->s;
    if (s->scratch && strpbrk(s->scratch, "\n\r"))
        return msw_fail(err, "--scratch: a folder without line ends is wanted");
    return cli_script_check("--output", j->file, err) || cli_script_check("--time", s->time, err) ||
                   cli_script_check("--partition", s->partition, err) ||
                   cli_script_check("--account", s->account, err)
               ? -1
               : 0;
}

static int run_plan(job *j)
{
    int64_t asked[2] = {0};
    char *sweep = msw_context_sweep(&j->c->context, j->s->sweep);
    j->file = default_file(j->s, j->plan);
    int rc = sweep && j->file ? check_words(j, &j->err) : msw_fail_memory(&j->err);
    if (rc == 0)
        rc = msw_store_check_size(j->plan, &j->err);
    if (rc == 0)
        rc = find_warning(j->s, &asked[WARN], &j->err);
    if (rc == 0 && !j->s->dry_run)
        rc = cli_script_need_slurm(j->s->sweep, &j->err);
    rc = rc ? -1 : estimate_memory(j->plan, j->s, &asked[MEMORY], &j->err);
    if (rc == 0) {
        make_script(j->s, j->plan, sweep, j->file, asked, &j->script);
        rc = j->s->dry_run ? show(j) : open_store(j) || submit(j) ? -1 : 0;
    }
    cli_script_free(&j->script);
    msw_store_close(j->store, NULL);
    free(j->file);
    free(sweep);
    return rc;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    job j = {.c = c, .s = s};
    int code = cli_load_plan(c, s->sweep, s->fidelity, s->seed, &j.plan);
    if (code)
        return code;
    code = run_plan(&j) ? cli_fail(&j.err) : EXIT_OK;
    msw_plan_free(j.plan);
    return code;
}

const cli_command cli_command_submit = {
    .name = "submit",
    .doc = "gives a sweep to Slurm",
    .about =
        "Writes a job script beside the database and submits it with sbatch. Before the time "
        "limit, "
        "and when it is preempted, the job finishes the points in hand, stores them and queues "
        "itself again while work is left. 'memsweep status' shows the jobs of a database.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
