/* SPDX-License-Identifier: MIT */
#include "memsweep/workload/workload.h"

#include "memsweep/base/text.h"

#include <stdlib.h>
#include <string.h>

#define FRONT(name) extern const msw_frontend msw_frontend_##name;
#include "workload/list.h"
#undef FRONT

const msw_frontend *const msw_frontends[] = {
#define FRONT(name) &msw_frontend_##name,
#include "workload/list.h"
#undef FRONT
    NULL,
};

const msw_frontend *msw_frontend_find(const char *name)
{
    for (size_t f = 0; msw_frontends[f]; f++)
        if (strcmp(msw_frontends[f]->name, name) == 0)
            return msw_frontends[f];
    return NULL;
}

static int check_frontend(const msw_frontend *frontend, msw_err *err)
{
    if (frontend->config_size > MSW_FRONTEND_CONFIG_MAX)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "front end %s: config larger than %d bytes",
                             frontend->name, MSW_FRONTEND_CONFIG_MAX);
    if (!frontend->resolve || !frontend->build || !frontend->names || !frontend->docs ||
        (frontend->further && !frontend->assemble))
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "front end %s: incomplete record",
                             frontend->name);
    size_t prefix = strlen(frontend->name);
    for (const msw_param *p = frontend->params; p->name; p++)
        if (strncmp(p->name, frontend->name, prefix) != 0 || p->name[prefix] != '_')
            return msw_fail_kind(err, MSW_ERR_INTERNAL,
                                 "front end %s: parameter %s lacks the prefix '%s_'",
                                 frontend->name, p->name, frontend->name);
    return msw_params_check(frontend->params, frontend->name, frontend->config_size, err);
}

int msw_frontends_check(msw_err *err)
{
    for (size_t f = 0; msw_frontends[f]; f++)
        if (check_frontend(msw_frontends[f], err))
            return -1;
    return 0;
}

static void set_defaults(const msw_param *table, void *config, size_t size)
{
    memset(config, 0, size);
    msw_params_defaults(table, config);
}

enum { NAMES_MAX = 1024 };

static int fail_unknown(const char *name, msw_err *err)
{
    const char *all[NAMES_MAX + 1];
    size_t count = 0;
    for (size_t f = 0; msw_frontends[f]; f++)
        for (size_t n = 0; msw_frontends[f]->names[n] && count < NAMES_MAX; n++)
            all[count++] = msw_frontends[f]->names[n];
    all[count] = NULL;
    const char *best = msw_nearest(name, all, sizeof *all);
    return msw_fail(err, "no workload '%s'%s%s%s ('memsweep list workloads' shows all)", name,
                    best ? ", did you mean '" : "", best ? best : "", best ? "'?" : "");
}

int msw_workload_recognise(const char *name, const msw_frontend **frontend, void *config,
                           char *file, size_t file_size, msw_err *err)
{
    for (size_t f = 0; msw_frontends[f]; f++) {
        *frontend = msw_frontends[f];
        set_defaults((*frontend)->params, config, (*frontend)->config_size);
        int rc = (*frontend)->resolve(name, config, file, file_size, err);
        if (rc != 0)
            return rc < 0 ? -1 : 1;
    }
    return 0;
}

const msw_frontend *msw_workload_resolve(const char *name, void *config, char *file,
                                         size_t file_size, msw_err *err)
{
    const msw_frontend *frontend = NULL;
    int rc = msw_workload_recognise(name, &frontend, config, file, file_size, err);
    if (rc == 0)
        fail_unknown(name, err);
    return rc > 0 ? frontend : NULL;
}

/* What is digested of a file: with one file, as it always was. */
static msw_digest digest_of(const msw_frontend *frontend, const msw_workload_file *files,
                            size_t count)
{
    uint64_t words[2] = {(uint64_t)frontend->version, count ? files[0].size : 0};
    msw_digest all =
        msw_hash_pair(msw_hash_string(frontend->name), msw_hash_bytes(words, sizeof words));
    for (size_t i = 0; i < count; i++)
        all = msw_hash_pair(all, msw_hash_bytes(files[i].bytes, files[i].size));
    return all;
}

static int assemble(msw_workload *workload, const msw_workload_file *files, size_t count,
                    msw_err *err)
{
    msw_digest settings = {0};
    if (workload->frontend->assemble(workload->name ? workload->name : "", files, count,
                                     &workload->arena, &workload->content, &settings, err))
        return -1;
    /* one file about which the name says nothing has the digest of the file */
    if (workload->frontend->further || settings.hi || settings.lo)
        workload->digest = msw_hash_pair(workload->digest, settings);
    return 0;
}

int msw_workload_load_files(msw_workload *workload, const msw_workload_file *files, size_t count,
                            msw_err *err)
{
    const msw_frontend *frontend = workload->frontend;
    workload->digest = digest_of(frontend, files, count);
    if (count == 0)
        return 0;
    if (frontend->assemble)
        return assemble(workload, files, count, err);
    return frontend->parse(files[0].path, files[0].bytes, files[0].size, &workload->arena,
                           &workload->content, err);
}

int msw_workload_load(msw_workload *workload, const char *file, const char *bytes, size_t size,
                      msw_err *err)
{
    msw_workload_file one = {file, bytes, size};
    return msw_workload_load_files(workload, &one, bytes ? 1 : 0, err);
}

/* The length of "NAME=VALUE" up to a comma; 0 where it is none: a name of a workload has a '/'
 * before its first '='. */
static size_t setting_size(const char *text)
{
    size_t name = strcspn(text, "=/,");
    return name && text[name] == '=' ? strcspn(text, ",") : 0;
}

size_t msw_workload_name_size(const char *list)
{
    size_t size = strcspn(list, ","), start = size;
    while (start && list[start - 1] != '/')
        start--;
    bool has_settings = start && setting_size(list + start);
    while (has_settings && list[size] == ',' && setting_size(list + size + 1))
        size += 1 + setting_size(list + size + 1);
    return size;
}

void msw_workload_free(msw_workload *workload)
{
    if (!workload)
        return;
    free(workload->name);
    free(workload->config);
    msw_arena_free(&workload->arena);
    *workload = (msw_workload){0};
}
