/* SPDX-License-Identifier: MIT */
#include "streams.h"

#include "source.h"

#include "memsweep/sweep/content.h"

int stream_bytes(stream *s, const char *file, const char *bytes, size_t size)
{
    char path[512];
    memset(s, 0, sizeof *s);
    s->workload.frontend = msw_workload_resolve(file, &s->config, path, sizeof path, &s->err);
    if (!s->workload.frontend)
        return -1;
    return msw_workload_load(&s->workload, path, bytes, size, &s->err);
}

int stream_text(stream *s, const char *file, const char *text)
{
    return stream_bytes(s, file, text, strlen(text));
}

int stream_named(stream *s, const char *name)
{
    char file[512] = "", path[1024] = "";
    memset(s, 0, sizeof *s);
    s->workload.frontend = msw_workload_resolve(name, &s->config, file, sizeof file, &s->err);
    if (!s->workload.frontend)
        return -1;
    s->workload.name = msw_strdup(name);
    if (*file)
        snprintf(path, sizeof path, "%s/%s", source_folder(), file);
    return msw_content_load(NULL, path, &s->workload, &s->err);
}

int stream_build(stream *s, uint64_t seed)
{
    msw_arena_reset(&s->arena);
    int rc = s->workload.frontend->build(s->workload.content, &s->config, seed, &s->arena,
                                         &s->product, &s->err);
    s->a = rc ? NULL : s->product.data;
    return rc;
}

void stream_close(stream *s)
{
    msw_arena_free(&s->arena);
    msw_workload_free(&s->workload);
}
