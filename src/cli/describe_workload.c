/* What a workload is: the one thing `describe` reads files for. */
#include "cli/describe.h"

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

/* Reads the workload's files and lets its front end tell about them. */
static int add_content(const cli *c, const char *name, const msw_frontend *frontend, void *config,
                       const char *file, msw_text *out, msw_err *err)
{
    msw_plan_options options = {.data_dirs = c->context.data_dirs};
    msw_workload w = {.name = msw_strdup(name), .frontend = frontend};
    char *path = msw_content_find(&options, file, err);
    int rc = path && w.name ? msw_content_load(&options, path, &w, err) : -1;
    if (rc == 0)
        rc = frontend->describe(w.content, config, out, err);
    free(path);
    msw_workload_free(&w);
    return rc;
}

int cli_describe_workload(const cli *c, const cli_named *named, msw_text *out, msw_err *err)
{
    _Alignas(uint64_t) char config[MSW_FRONTEND_CONFIG_MAX];
    char file[1024] = "";
    const msw_frontend *frontend =
        msw_workload_resolve(named->name, config, file, sizeof file, err);
    if (!frontend)
        return -1;
    cli_describe_head(named, out);
    msw_text_add(out, "  %-11s %s\n", "front end", frontend->title);
    if (*file)
        msw_text_add(out, "  %-11s %s\n", "file", file);
    add_params(frontend, config, out);
    return frontend->describe ? add_content(c, named->name, frontend, config, file, out, err) : 0;
}
