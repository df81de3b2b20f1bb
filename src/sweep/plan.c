/* SPDX-License-Identifier: MIT */
/* Loading a sweep file, and freeing what came of it. */
#include "memsweep/sweep/errors.h"
#include "sweep/loader.h"

#include "memsweep/base/text.h"

#include <stdlib.h>
#include <string.h>

static void (*const STEPS[])(msw_loader *l) = {
    msw_step_head,    msw_step_workloads, msw_step_corpus,   msw_step_schema, msw_step_preset,
    msw_step_fix,     msw_step_vary,      msw_step_split,    msw_step_design, msw_step_overlay,
    msw_step_content, msw_step_rules,     msw_step_order,    msw_step_derive, msw_step_objectives,
    msw_step_cluster, msw_step_points,    msw_step_distinct, msw_step_search, msw_step_auto,
    msw_step_keep,    msw_step_canonical, msw_step_lint,     msw_step_errors,
};

static void run_steps(msw_loader *l)
{
    /* Where memory ran out what the next step needs may be missing. */
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS && !l->diagnostics.trouble; i++)
        STEPS[i](l);
}

static void load(msw_loader *l, const char *text, size_t size)
{
    if (size > MSW_SWEEP_FILE_MAX) {
        msw_diagnostics_add(&l->diagnostics, l->path, 0, 0, "larger than 16 MiB");
        return;
    }
    l->root = msw_loader_read(l, text, size);
    if (l->root)
        run_steps(l);
}

int msw_plan_parse(const char *path, const char *text, size_t size, const msw_plan_options *options,
                   msw_plan **plan, msw_messages *messages)
{
    msw_loader l = {.options = options, .path = path, .plan = calloc(1, sizeof *l.plan)};
    if (l.plan)
        load(&l, text, size);
    else
        msw_loader_memory(&l);
    int rc = -1;
    if (l.diagnostics.count || l.diagnostics.dropped)
        goto done;
    rc = 0;
done:
    if (rc == 0)
        *plan = l.plan;
    else
        msw_plan_free(l.plan);
    msw_diagnostics_print(&l.diagnostics, messages);
    msw_diagnostics_free(&l.diagnostics);
    msw_arena_free(&l.arena);
    return rc;
}

const char *msw_messages_text(const msw_messages *messages)
{
    bool lost = messages->text.failed || (messages->trouble && !messages->text.size);
    return lost ? "out of memory\n" : msw_text_str(&messages->text);
}

int msw_messages_fail(const msw_messages *messages, msw_err *err)
{
    const char *text = msw_messages_text(messages);
    return msw_fail_kind(err, messages->trouble ? MSW_ERR_IO : MSW_ERR_USAGE, "%.*s",
                         (int)strcspn(text, "\n"), text);
}

int msw_plan_load(const char *path, const msw_plan_options *options, msw_plan **plan,
                  msw_messages *messages)
{
    char *text;
    size_t size;
    msw_err err = {0};
    if (msw_loader_file(options, path, MSW_SWEEP_FILE_MAX, &text, &size, &err)) {
        msw_text_add(&messages->text, "%s\n", err.text);
        messages->count++;
        messages->trouble = err.kind == MSW_ERR_IO;
        return -1;
    }
    bool typed = strcmp(path, "-") == 0;
    int rc = msw_plan_parse(typed ? "<stdin>" : path, text, size, options, plan, messages);
    if (typed && rc == 0)
        (*plan)->typed = text;
    else
        free(text);
    return rc;
}

static void free_view(msw_plan *plan)
{
    for (size_t i = 0; i < plan->view.derived_count; i++) {
        free(plan->view.derived[i].name);
        free(plan->view.derived[i].text);
        free(plan->view.derived[i].unit);
    }
    for (size_t i = 0; i < plan->view.objective_count; i++)
        free(plan->view.objectives[i].name);
    free(plan->view.derived);
    free(plan->view.objectives);
}

static void free_design(msw_plan *plan)
{
    if (plan->design.kind)
        msw_design_release(plan->design.kind, &plan->design.state);
    free(plan->design.config);
    for (size_t g = 0; g < plan->design.input.group_count; g++)
        free(plan->design.group_names[g]);
    free(plan->design.group_names);
    free((void *)plan->design.input.group_of);
    free((void *)plan->design.input.levels);
    for (size_t f = 0; plan->design.input.list_columns && f < plan->space.factor_count; f++)
        free((void *)plan->design.input.list_columns[f].codes);
    free((void *)plan->design.input.list_columns);
}

void msw_plan_free(msw_plan *plan)
{
    if (!plan)
        return;
    free_view(plan);
    for (int i = 0; plan->parts && i < 2; i++)
        free(plan->parts[i].canonical);
    free(plan->parts);
    free(plan->automatic.over);
    free(plan->keep.summary);
    free(plan->keep.metrics);
    free_design(plan);
    msw_space_free(&plan->space);
    msw_schema_free(&plan->schema);
    for (size_t w = 0; w < plan->workload_count; w++)
        msw_workload_free(&plan->workloads[w]);
    free(plan->workloads);
    for (size_t w = 0; w < plan->corpus.count; w++)
        msw_workload_free(&plan->corpus.workloads[w]);
    free(plan->corpus.workloads);
    free(plan->workload_frontend);
    free(plan->frontends);
    free(plan->decided);
    free(plan->name);
    free(plan->canonical);
    free(plan->typed);
    msw_errors_free(plan->errors);
    free(plan->own);
    free(plan->jobs.sbatch);
    free(plan->jobs.prologue);
    msw_text_free(&plan->warnings);
    msw_program_free(plan->program);
    free(plan);
}
