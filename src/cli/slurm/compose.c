/* SPDX-License-Identifier: MIT */
/* Fills the templates of job scripts from the options of `submit` and a plan, and writes what
 * `submit --dry-run` says above the scripts. */
#include "cli/slurm/slurm.h"

#include <inttypes.h>
#include <string.h>

enum { WARNING = 120 };

#define BLANKS " \t\r\n"

/* A warning that comes as early as the job starts would stop every start at once. */
int cli_find_warning(const cli_submit_options *ask, const msw_plan_jobs *jobs, int64_t *warning,
                     msw_err *err)
{
    int64_t limit = cli_slurm_seconds(ask->time);
    *warning = jobs->warning ? jobs->warning : WARNING;
    if (!limit || *warning <= limit / 4)
        return 0;
    if (!jobs->warning)
        *warning = limit > 4 ? limit / 4 : 1;
    if (*warning < limit)
        return 0;
    return msw_fail(err,
                    "submit: warning %" PRId64 " is no time before the limit --time %s (%" PRId64
                    " s): every start would stop at once; give less than %" PRId64
                    " seconds of warning, or more time",
                    *warning, ask->time, limit, limit);
}

static void add_options(const cli_submit_options *ask, const char *digest, msw_text *out)
{
    if (ask->fidelity)
        msw_text_add(out, " --fidelity %s", ask->fidelity); /* one of a list */
    if (ask->seed >= 0)
        msw_text_add(out, " --seed %" PRId64, ask->seed);
    if (ask->scratch) {
        msw_text_add(out, " --scratch ");
        msw_text_add_shell_vars(out, ask->scratch); /* may name a variable of the node */
    }
    if (ask->retry) /* not at every start: a point that fails would be tried each time */
        msw_text_add(out, " $([ $life -gt 1 ] || echo --retry)");
    if (ask->point_timeout > 0) {
        msw_text_add(out, " --point-timeout ");
        msw_text_add_double(out, ask->point_timeout);
    }
    if (ask->program) {
        msw_text_add(out, " --program ");
        msw_text_add_shell(out, ask->program);
    }
    if (ask->work) {
        msw_text_add(out, " --work ");
        msw_text_add_shell_vars(out, ask->work);
    }
    msw_text_add(out, " --expect %s", digest);
    if (ask->array)
        msw_text_add(out, " --shard \"$SLURM_ARRAY_TASK_ID/%" PRId64 "\"", ask->array);
}

static void add_directive(const char *name, const char *value, msw_text *out)
{
    msw_text_add(out, "%s#SBATCH --", out->size ? "\n" : "");
    msw_text_add(out, "%s=%s", name, value); /* checked by cli_script_check */
}

/* The next word of a list. Returns its size, 0 at the end. */
static size_t next_word(const char **at)
{
    *at += strspn(*at, BLANKS);
    return strcspn(*at, BLANKS);
}

static bool is_own(const char *name, size_t size)
{
    static const char *const OWN[] = {
        "job-name", "nodes",  "ntasks",    "ntasks-per-node", "cpus-per-task", "mem",
        "time",     "signal", "array",     "requeue",         "no-requeue",    "open-mode",
        "output",   "hold",   "partition", "dependency",      "parsable"};
    for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++)
        if (strlen(OWN[i]) == size && memcmp(OWN[i], name, size) == 0)
            return true;
    return false;
}

int cli_check_sbatch(const char *options, msw_err *err)
{
    size_t size;
    for (const char *at = options ? options : ""; (size = next_word(&at)); at += size) {
        char word[256];
        if (size >= sizeof word)
            return msw_fail(err, "sbatch: an option of more than %zu characters", sizeof word - 1);
        snprintf(word, sizeof word, "%.*s", (int)size, at);
        size_t name = strcspn(word, "=");
        if (strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-") < name || !name || *word == '-')
            return msw_fail(err,
                            "sbatch: found '%s', allowed: long options without their dashes, as "
                            "qos=high or exclusive",
                            word);
        if (is_own(word, name))
            return msw_fail(err, "sbatch: '%.*s' is set by 'memsweep submit' itself", (int)name,
                            word);
        if (cli_script_check("sbatch", word, err))
            return -1;
    }
    return 0;
}

static void add_sbatch(const char *options, msw_text *out)
{
    size_t size;
    for (const char *at = options ? options : ""; (size = next_word(&at)); at += size) {
        msw_text_add(out, "%s#SBATCH --", out->size ? "\n" : "");
        msw_text_add_bytes(out, at, size); /* checked by cli_check_sbatch */
    }
}

static void add_prologue(const char *commands, msw_text *out)
{
    if (!commands || !*commands)
        return;
    msw_text_add(out,
                 "{\n%s\n} || {\n    echo \"memsweep: the prologue failed\" >&2\n    exit 3\n}\n",
                 commands);
}

static void add_directives(const cli_submit_options *ask, const cli_job_plan *plan, msw_text *out)
{
    if (ask->partition)
        add_directive("partition", ask->partition, out);
    add_sbatch(plan->jobs->sbatch, out);
}

/* The file of a shard next to the database: x.db -> x.shard-<i>-of-5.db; here what comes before
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

/* The shards that are there: a task that was lost before it began has none. Those of a large array
 * do not fit into one command line. */
static void add_join(const cli_submit_options *ask, const char *start, msw_text *out)
{
    msw_text_add(out, "for ((i = 0; i < %" PRId64 "; i++)); do\n    shard=", ask->array);
    msw_text_add_shell(out, start);
    msw_text_add(out, "\"$i\"");
    add_shard_end(ask->array, out);
    msw_text_add(out, "\n    if [ -e \"$shard\" ]; then\n        printf '%%s\\0' \"$shard\"\n"
                      "    else\n        echo \"memsweep: task $i has left no $shard\" >&2\n"
                      "    fi\ndone | xargs -0 -r -n 500 ");
}

static void make_file_words(const cli_submit_options *ask, cli_script *script, const char *file)
{
    msw_text_add_shell(&script->file, file);
    if (!ask->array) {
        msw_text_add_shell(&script->output, file);
        return;
    }
    msw_text path = MSW_TEXT_EMPTY;
    add_shard_start(file, &path);
    msw_text_add_shell(&script->output, msw_text_str(&path));
    msw_text_add(&script->output, "\"$SLURM_ARRAY_TASK_ID\"");
    add_shard_end(ask->array, &script->output);
    add_join(ask, msw_text_str(&path), &script->join);
    msw_text_free(&path);
}

/* x.db -> x.artifacts.db, which the first job writes and the others read. */
static void add_builds(const cli_submit_options *ask, const cli_job_plan *plan, cli_script *script)
{
    const char *file = plan->file;
    size_t size = strlen(file);
    size_t stem = size > 3 && strcmp(file + size - 3, ".db") == 0 ? size - 3 : size;
    msw_text path = MSW_TEXT_EMPTY;
    msw_text_add(&path, "%.*s.artifacts.db", (int)stem, file);
    msw_text_add_shell(&script->build_output, msw_text_str(&path));
    msw_text_add(&script->options, " --artifacts ");
    msw_text_add_shell(&script->options, msw_text_str(&path));
    cli_submit_options alone = *ask;
    alone.array = 0;
    add_options(&alone, plan->digest, &script->build_options);
    msw_text_add(&script->build_options, " --artifacts-only");
    add_directives(ask, plan, &script->build_more);
    msw_text_add(&script->build_log, "%s.%%8j.log", file);
    msw_text_free(&path);
}

static int digits(int64_t number)
{
    int count = 1;
    for (; number > 9; number /= 10)
        count++;
    return count;
}

static void print_number(int64_t number, char text[24])
{
    snprintf(text, 24, "%" PRId64, number);
}

void cli_compose_script(const cli_submit_options *ask, const cli_job_plan *plan, cli_script *script)
{
    const char *file = plan->file;
    *script = (cli_script){.name = plan->name, .time = ask->time};
    make_file_words(ask, script, file);
    msw_text_add_shell(&script->sweep, plan->sweep);
    add_options(ask, plan->digest, &script->options);
    add_prologue(plan->jobs->prologue, &script->prologue);
    add_directives(ask, plan, &script->merge_more);
    add_directives(ask, plan, &script->more);
    if (ask->array) {
        char range[32];
        snprintf(range, sizeof range, "0-%" PRId64, ask->array - 1);
        add_directive("array", range, &script->more);
    }
    if (plan->builds)
        add_builds(ask, plan, script);
    /* Filled up with zeros, so that names sort as jobs and tasks do. */
    if (ask->array)
        msw_text_add(&script->log, "%s.%%8A_%%%da.log", file, digits(ask->array - 1));
    else
        msw_text_add(&script->log, "%s.%%8j.log", file);
    msw_text_add(&script->merge_log, "%s.%%8j.log", file);
    msw_text_add(&script->launch, "%s",
                 plan->jobs->launcher == MSW_LAUNCHER_SRUN
                     ? "srun --mpi=pmix --kill-on-bad-exit=1"
                     : "mpirun -n \"$SLURM_NTASKS\" --bind-to none");
    print_number(ask->nodes, script->numbers[0]);
    print_number(ask->tasks, script->numbers[1]);
    print_number(ask->cpus, script->numbers[2]);
    print_number(plan->memory_mib, script->numbers[3]);
    print_number(plan->warning_s, script->numbers[4]);
    print_number(plan->jobs->lives, script->numbers[5]);
}

static void add_shape(const cli_submit_options *ask, msw_text *out)
{
    msw_text_add(out, "%" PRId64 " node%s x %" PRId64 " rank%s x %" PRId64 " CPU%s", ask->nodes,
                 ask->nodes == 1 ? "" : "s", ask->tasks, ask->tasks == 1 ? "" : "s", ask->cpus,
                 ask->cpus == 1 ? "" : "s");
}

static void add_size(const cli_submit_options *ask, const cli_job_plan *plan, uint64_t points,
                     uint64_t missing, msw_text *out)
{
    char all[32], left[32];
    msw_text_add(out, "# Nothing is submitted. 'memsweep submit' without --dry-run would write the "
                      "scripts below\n# beside the database and give them to sbatch.\n#\n");
    msw_text_add(out, "# sweep     %s: %s points, %s to compute, digest %s\n", plan->name,
                 msw_count_text(points, all), msw_count_text(missing, left), plan->digest);
    msw_text_add(out,
                 "#           a job that finds another digest (the file, a table, a workload or "
                 "memsweep\n#           changed) computes nothing and says so\n");
    msw_text_add(out, "# database  %s\n", plan->file);
    if (missing < points && ask->array)
        msw_text_add(out, "#           tasks of an array look into their own shards only: points "
                          "that are only in the\n#           database are computed once more\n");
}

static void add_jobs(const cli_submit_options *ask, const cli_job_plan *plan, msw_text *out)
{
    if (plan->builds)
        msw_text_add(out, "# first     one job builds what is kept and shared by all points\n");
    if (ask->array) {
        msw_text_add(out, "# job       an array of %" PRId64 " tasks, each ", ask->array);
        add_shape(ask, out);
        msw_text_add(out,
                     ", at most %s;\n#           each computes its part of the points into a "
                     "file of its own, a shard\n",
                     ask->time);
    } else {
        msw_text_add(out, "# job       one job, ");
        add_shape(ask, out);
        msw_text_add(out, ", at most %s\n", ask->time);
    }
    msw_text_add(out, "# memory    %" PRId64 " MiB on each node, %s\n", plan->memory_mib,
                 ask->memory ? "as asked for" : "from what some points of the sweep took");
    msw_text_add(out,
                 "# warning   %" PRId64 " s before the limit: the points in hand are finished "
                 "and stored, and the job goes\n#           back to the queue while work is left "
                 "(at most %" PRId64 " starts)\n",
                 plan->warning_s, plan->jobs->lives);
}

static void add_after(const cli_submit_options *ask, const cli_job_plan *plan, msw_text *out)
{
    if (ask->array && !ask->until_done)
        msw_text_add(out, "# then      one job merges the shards into the database, however the "
                          "tasks ended\n");
    if (ask->until_done)
        msw_text_add(out,
                     "# then      one job%s submits the next round while points are left, at "
                     "most %" PRId64 "\n#           rounds; it stops after two rounds in a row "
                     "without a new point, or when a job was cancelled\n",
                     ask->array ? " merges the shards and" : "", ask->rounds);
    msw_text_add(out, "# logs      %s.JOB%s.log, numbers filled up with zeros\n", plan->file,
                 ask->array ? "_TASK" : "");
    msw_text_add(out, "# watch     memsweep status %s\n\n", plan->file);
}

void cli_explain(const cli_submit_options *ask, const cli_job_plan *plan, uint64_t points,
                 uint64_t missing, msw_text *out)
{
    add_size(ask, plan, points, missing, out);
    add_jobs(ask, plan, out);
    add_after(ask, plan, out);
}
