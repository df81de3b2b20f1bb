/* SPDX-License-Identifier: MIT */
/* `submit --dry-run`: what would happen, as comments above the scripts. */
#include "cli/slurm/submit.h"

#include <inttypes.h>
#include <string.h>

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
                 plan->warning_s, ask->lives);
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
