/* SPDX-License-Identifier: MIT */
/* What a workload is: the one thing `describe` reads files for. */
#include "cli/describe.h"

#include "memsweep/mech/engine.h"
#include "memsweep/sweep/content.h"

#include <stdlib.h>
#include <string.h>

static void add_params(const msw_frontend *frontend, const void *config, msw_text *out)
{
    if (frontend->params->name)
        msw_text_add(out, "\nParameters, as this workload sets them\n");
    for (const msw_param *p = frontend->params; p->name; p++) {
        char value[MSW_PARAM_TEXT];
        msw_text_add(out, "  %-20s %-12s %s\n", p->name,
                     msw_param_print(p, msw_param_get(p, config), value), p->doc);
    }
}

/* How a mechanism, with its default settings, maps the workload. */
static int add_mapping(const msw_mech *mech, msw_task *task, msw_text *out, msw_err *err)
{
    void *config = msw_arena_zero(task->arena, 1, mech->config_size);
    if (!config)
        return msw_fail_memory(err);
    msw_params_defaults(mech->params, config);
    task->mech = mech;
    task->config = config;
    msw_text_add(out, "\nMapping by %s, with its defaults\n", mech->name);
    return mech->mapping(task, out, err);
}

static bool maps(const msw_mech *mech, const msw_frontend *frontend)
{
    return mech->mapping && mech->accepts & frontend->product;
}

static int check_mapped(const char *name, const msw_frontend *frontend, msw_err *err)
{
    for (size_t i = 0; msw_mechs[i]; i++)
        if (maps(msw_mechs[i], frontend))
            return 0;
    return msw_fail(err, "workload '%s': no mechanism maps it; --mapping is for mixes of networks",
                    name);
}

static int add_mappings(const msw_workload *w, const void *config, const msw_product *product,
                        msw_arena *arena, msw_text *out, msw_err *err)
{
    msw_task task = {.workload = w, .workload_config = config, .product = product, .arena = arena};
    for (size_t i = 0; msw_mechs[i]; i++)
        if (maps(msw_mechs[i], w->frontend) && add_mapping(msw_mechs[i], &task, out, err))
            return -1;
    return 0;
}

/* What is reported of the product that mechanisms get. */
static int add_product(const msw_workload *w, const void *config, bool mapping, msw_text *out,
                       msw_err *err)
{
    msw_arena arena = {0};
    msw_product product = {0};
    bool told = w->frontend->product & (MSW_PRODUCT_ACCESSES | MSW_PRODUCT_PAGES);
    int rc = told || mapping ? w->frontend->build(w->content, config, 0, &arena, &product, err) : 0;
    if (rc == 0 && told)
        rc = cli_describe_product(&product, out, err);
    if (rc == 0 && mapping)
        rc = add_mappings(w, config, &product, &arena, out, err);
    msw_arena_free(&arena);
    return rc;
}

static int load(const cli *c, const char *file, msw_workload *w, msw_err *err)
{
    msw_plan_options options = {.data_dirs = c->context.data_dirs};
    if (!*file)
        return 0;
    char *path = msw_content_find(&options, file, err);
    int rc = path ? msw_content_load(&options, path, w, err) : -1;
    free(path);
    return rc;
}

/* Reads the workload's files and prints what they hold. */
static int add_content(const cli *c, const char *name, const msw_frontend *frontend, void *config,
                       const char *file, bool mapping, msw_text *out, msw_err *err)
{
    msw_workload w = {.name = msw_strdup(name), .frontend = frontend};
    int rc = w.name ? load(c, file, &w, err) : msw_fail_memory(err);
    if (rc == 0 && frontend->describe)
        rc = frontend->describe(w.content, config, out, err);
    if (rc == 0)
        rc = add_product(&w, config, mapping, out, err);
    msw_workload_free(&w);
    return rc;
}

int cli_describe_workload(const cli *c, const cli_named *named, bool mapping, msw_text *out,
                          msw_err *err)
{
    _Alignas(uint64_t) char config[MSW_FRONTEND_CONFIG_MAX];
    char file[1024] = "";
    const msw_frontend *frontend =
        msw_workload_resolve(named->name, config, file, sizeof file, err);
    if (!frontend || (mapping && check_mapped(named->name, frontend, err)))
        return -1;
    cli_describe_head(named, out);
    msw_text_add(out, "  %-11s %s\n", "front end", frontend->title);
    if (*file)
        msw_text_add(out, "  %-11s %s\n", "file", file);
    add_params(frontend, config, out);
    return add_content(c, named->name, frontend, config, file, mapping, out, err);
}
