/* SPDX-License-Identifier: MIT */
#include "direct.h"

#include "source.h"

#include "memsweep/sweep/content.h"

int direct_get(void *context, msw_digest key, msw_build_fn build, const msw_task *task,
               const void *extra, const void **root, void **handle, msw_err *err)
{
    direct *d = context;
    *handle = NULL;
    for (direct_entry *e = d->entries; e; e = e->next) {
        if (msw_digest_equal(e->key, key)) {
            *root = e->root;
            return 0;
        }
    }
    direct_entry *e = calloc(1, sizeof *e);
    if (!e)
        return msw_fail_memory(err);
    e->key = key;
    int rc = build(task, extra, &e->arena, &e->root, err);
    if (rc) {
        msw_arena_free(&e->arena);
        free(e);
        return -1;
    }
    e->next = d->entries;
    d->entries = e;
    *root = e->root;
    return 0;
}

void direct_put(void *context, void *handle)
{
    (void)context;
    (void)handle;
}

void direct_drop_artifacts(direct *d)
{
    direct_drop_since(d, NULL);
}

void direct_drop_since(direct *d, const direct_entry *mark)
{
    while (d->entries && d->entries != mark) {
        direct_entry *next = d->entries->next;
        msw_arena_free(&d->entries->arena);
        free(d->entries);
        d->entries = next;
    }
}

/* Reads the content a workload names, from the source folder unless its path says where. Returns 0,
 * or -1. */
static int direct_load(direct *d, const char *file, msw_err *err)
{
    char path[1024] = "";
    if (*file)
        snprintf(path, sizeof path, "%s%s%s", *file == '/' ? "" : source_folder(),
                 *file == '/' ? "" : "/", file);
    return msw_content_load(NULL, path, &d->workload, err);
}

int direct_open(direct *d, const msw_mech *mech, const char *workload, msw_err *err)
{
    char file[256];
    *d = (direct){.mech = mech};
    d->workload.config = calloc(1, MSW_FRONTEND_CONFIG_MAX);
    d->workload.name = strdup(workload);
    d->config = calloc(1, mech->config_size);
    d->workload.frontend =
        msw_workload_resolve(workload, d->workload.config, file, sizeof file, err);
    if (!d->workload.frontend || direct_load(d, file, err))
        return -1;
    msw_params_defaults(mech->params, d->config);
    d->source = (msw_artifact_source){.context = d, .get = direct_get, .put = direct_put};
    d->answer.metrics = d->metrics;
    d->answer.half_widths = d->half_widths;
    if (msw_metric_map_init(&d->map, mech, err))
        return -1;
    d->task = (msw_task){
        .mech = mech,
        .map = &d->map,
        .config = d->config,
        .workload = &d->workload,
        .workload_config = d->workload.config,
        .sampling = {.confidence = 0.95, .target = 0.02, .pilot = 400},
        .stream = 12345,
        .arena = &d->arena,
        .source = &d->source,
    };
    return 0;
}

void direct_set(direct *d, const char *param, double value)
{
    const msw_param *p = msw_params_find(d->mech->params, param);
    void *config = d->config;
    if (!p) {
        p = msw_params_find(d->workload.frontend->params, param);
        config = d->workload.config;
    }
    msw_param_set(p, config, value);
}

int direct_open_set(direct *d, const msw_mech *mech, const char *workload,
                    const direct_setting *settings, msw_err *err)
{
    if (direct_open(d, mech, workload, err))
        return -1;
    for (; settings->name; settings++)
        direct_set(d, settings->name, settings->value);
    return 0;
}

void direct_run(direct *d, msw_fidelity fidelity, uint64_t stream)
{
    d->task.fidelity = fidelity;
    d->task.stream = stream;
    msw_arena_reset(&d->arena);
    msw_mech_evaluate(&d->task, &d->answer);
}

void direct_close(direct *d)
{
    direct_drop_artifacts(d);
    msw_arena_free(&d->arena);
    msw_workload_free(&d->workload);
    free(d->config);
}
