#include "cli/slurm/submit.h"

#include "memsweep/run/builds.h"
#include "memsweep/run/estimate.h"
#include "memsweep/store/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
    const cli *c;
    const cli_submit_options *ask;
    msw_plan *plan;
    char *file;
    msw_store *store;
    int64_t sweep;
    bool builds; /* artifacts that are kept come first, in a job of their own */
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

static int give(job *j, const char *kind, const char *role, const char *after, char id[64])
{
    return cli_script_submit(j->c, &j->script, kind, j->file, after, id, &j->err) ||
                   remember(j, id, role)
               ? -1
               : 0;
}

static void depend(char text[96], const char *how, const char *id)
{
    snprintf(text, 96, "%s:%s", how, id);
}

/* Jobs are held until the database knows them and is free for them. */
static int submit(job *j)
{
    char id[64], merge_id[64] = "", build_id[64] = "", role[32] = "run", after[96];
    if (j->ask->array)
        snprintf(role, sizeof role, "array of %" PRId64, j->ask->array);
    if (j->builds && give(j, "artifacts", "artifacts", NULL, build_id))
        return -1;
    depend(after, "afterok", build_id);
    if (give(j, "job", role, j->builds ? after : NULL, id))
        return -1;
    depend(after, "afterany", id);
    if (j->ask->array && give(j, "merge", "merge", after, merge_id))
        return -1;
    int rc = msw_store_close(j->store, &j->err);
    j->store = NULL;
    if (rc || cli_script_release(j->builds ? build_id : id, &j->err))
        return -1;
    printf("job %s submitted%s%s%s%s; 'memsweep status %s' shows how it goes\n", id,
           j->builds ? ", after its artifacts by job " : "", build_id,
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
    if ((j->builds && cli_script_write(j->c, &j->script, "artifacts", &text, &j->err)) ||
        cli_script_write(j->c, &j->script, "job", &text, &j->err) ||
        (j->ask->array && cli_script_write(j->c, &j->script, "merge", &text, &j->err))) {
        msw_text_free(&text);
        return -1;
    }
    return cli_print(&text) == EXIT_OK ? 0 : -1;
}

/* What cannot be quoted is refused. */
static int check_words(const job *j, msw_err *err)
{
    const cli_submit_options *ask = j->ask;
    if (ask->scratch && strpbrk(ask->scratch, "\n\r"))
        return msw_fail(err, "--scratch: a folder without line ends is wanted");
    return cli_script_check("--output", j->file, err) ||
                   cli_script_check("--time", ask->time, err) ||
                   cli_script_check("--partition", ask->partition, err) ||
                   cli_script_check("--account", ask->account, err) ||
                   cli_check_sbatch(ask->sbatch, err)
               ? -1
               : 0;
}

static char *default_file(const cli_submit_options *ask, const msw_plan *plan)
{
    return ask->file ? msw_strdup(ask->file)
                     : msw_strfmt("%s/%s.db", cli_results_dir(), plan->name);
}

/* What the options leave open; what stands in the way is said before points are tried. */
static int find_rest(const job *j, cli_job_plan *found, msw_err *err)
{
    const cli_submit_options *ask = j->ask;
    found->memory_mib = ask->memory;
    if (check_words(j, err) || msw_store_check_size(j->plan, err) ||
        cli_find_warning(ask, &found->warning_s, err) ||
        (!ask->dry_run && cli_script_need_slurm(ask->sweep, err)))
        return -1;
    return ask->memory ? 0 : msw_run_node_memory(j->plan, ask->tasks, &found->memory_mib, err);
}

static int find_builds(job *j, cli_job_plan *found)
{
    msw_builds builds;
    if (!j->ask->array)
        return 0;
    int rc = msw_builds_find(j->plan, NULL, &builds, &j->err);
    j->builds = found->builds = builds.count > 0;
    msw_builds_free(&builds);
    return rc;
}

static int submit_plan(job *j)
{
    char *sweep = msw_context_sweep(&j->c->context, j->ask->sweep);
    j->file = default_file(j->ask, j->plan);
    cli_job_plan found = {.name = j->plan->name, .sweep = sweep, .file = j->file};
    int rc = sweep && j->file ? find_rest(j, &found, &j->err) : msw_fail_memory(&j->err);
    if (rc == 0)
        rc = find_builds(j, &found);
    if (rc == 0) {
        cli_compose_script(j->ask, &found, &j->script);
        rc = j->ask->dry_run ? show(j) : open_store(j) || submit(j) ? -1 : 0;
    }
    cli_script_free(&j->script);
    msw_store_close(j->store, NULL);
    free(j->file);
    free(sweep);
    return rc;
}

int cli_submit_sweep(const cli *c, const cli_submit_options *ask)
{
    cli_submit_options all = *ask;
    job j = {.c = c, .ask = &all};
    int code = cli_load_plan(c, ask->sweep, ask->fidelity, ask->seed, &j.plan);
    if (code)
        return code;
    all.sbatch = ask->sbatch ? ask->sbatch : j.plan->sbatch;
    all.prologue = ask->prologue ? ask->prologue : j.plan->prologue;
    code = submit_plan(&j) ? cli_fail(&j.err) : EXIT_OK;
    msw_plan_free(j.plan);
    return code;
}
