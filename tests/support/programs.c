/* SPDX-License-Identifier: MIT */
#include "programs.h"

#include "source.h"

#include "memsweep/sweep/content.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int start(program *p, const char *name, char *file, size_t file_size)
{
    _Alignas(uint64_t) char config[MSW_FRONTEND_CONFIG_MAX];
    memset(p, 0, sizeof *p);
    p->workload.name = msw_strdup(name);
    p->workload.frontend = msw_workload_resolve(name, config, file, file_size, &p->err);
    if (p->workload.frontend != &msw_frontend_simt)
        return -1;
    memcpy(&p->config, config, sizeof p->config);
    return 0;
}

int program_named(program *p, const char *name)
{
    char file[512], path[1024];
    if (start(p, name, file, sizeof file))
        return -1;
    snprintf(path, sizeof path, "%s/%s", source_folder(), file);
    return msw_content_load(NULL, path, &p->workload, &p->err);
}

int program_text(program *p, const char *settings, const char *text, const char *ptx)
{
    return program_files(p, settings, text, ptx, NULL, 0);
}

int program_files(program *p, const char *settings, const char *text, const char *ptx,
                  const msw_workload_file *data, size_t count)
{
    char file[512], ptx_file[512], name[512];
    snprintf(name, sizeof name, "t.simt%s", settings);
    if (start(p, name, file, sizeof file))
        return -1;
    msw_workload_file files[MSW_WORKLOAD_FILES_MAX] = {{"t.simt", text, strlen(text)}};
    if (msw_frontend_simt.further(name, files, 1, ptx_file, sizeof ptx_file, &p->err) < 0)
        return -1;
    files[1] = (msw_workload_file){ptx_file, ptx, strlen(ptx)};
    size_t all = 2;
    int more;
    while ((more = msw_frontend_simt.further(name, files, all, file, sizeof file, &p->err)) > 0) {
        size_t at = 0;
        while (at < count && strcmp(data[at].path, file) != 0)
            at++;
        if (at == count)
            return msw_fail(&p->err, "no file %s", file);
        files[all++] = data[at];
    }
    return more ? -1 : msw_workload_load_files(&p->workload, files, all, &p->err);
}

int program_build(program *p)
{
    msw_arena_reset(&p->arena);
    int rc = msw_frontend_simt.build(p->workload.content, &p->config, 0, &p->arena, &p->product,
                                     &p->err);
    p->p = rc ? NULL : p->product.data;
    return rc;
}

const msw_simt_array *program_array(const program *p, const char *name)
{
    for (size_t i = 0; i < p->p->array_count; i++)
        if (strcmp(p->p->arrays[i].name, name) == 0)
            return &p->p->arrays[i];
    return NULL;
}

void program_close(program *p)
{
    msw_arena_free(&p->arena);
    msw_workload_free(&p->workload);
}
