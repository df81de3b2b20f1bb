/* SPDX-License-Identifier: MIT */
/* Reads of a definition what surrounds a run: files, templates, executables, environment, limits.
 */
#include "program/reading.h"

#include "memsweep/base/disk.h"
#include "memsweep/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From the folder of the definition. */
static const char *beside(msw_reading *r, const char *name)
{
    const char *slash = strrchr(r->p->path, '/');
    int folder = slash && name[0] != '/' ? (int)(slash - r->p->path) + 1 : 0;
    size_t size = (size_t)folder + strlen(name) + 1;
    char *path = msw_arena_take(&r->p->arena, size);
    if (path)
        snprintf(path, size, "%.*s%s", folder, r->p->path, name);
    else
        msw_fail_memory(r->err);
    return path;
}

/* Under a name beside the definition, where ranks and archives keep it. */
static int identify(msw_reading *r, const msw_node *at, const char *name, msw_program_file *file)
{
    msw_err why = {0};
    char word[MSW_PROGRAM_PATH];
    snprintf(word, sizeof word, "%s.identity", name);
    for (char *c = word; *c; c++)
        *c = *c == '/' ? '_' : *c;
    const char *label = beside(r, word);
    if (!label)
        return -1;
    if (r->source->identify(r->source->context, label, file->path, file->digest, &why))
        return msw_reading_wrong(r, at, "%s", why.text);
    return 0;
}

/* A name, or {from: FILE, to: NAME}. */
static int read_names(msw_reading *r, const msw_node *node, msw_program_file *file)
{
    static const char *const KEYS[] = {"from", "to", NULL};
    const char *from = NULL;
    if (node->kind == MSW_NODE_MAP) {
        MSW_TRY(msw_reading_keys(r, node, "file", KEYS));
        MSW_TRY(msw_reading_word(r, node, "from", &from));
        MSW_TRY(msw_reading_word(r, node, "to", &file->name));
    } else
        MSW_TRY(msw_reading_text(r, node, &from));
    if (!from)
        return msw_reading_wrong(r, node, "file: 'from' is missing");
    if (!file->name)
        file->name = msw_file_name(from);
    MSW_TRY(msw_reading_inside(r, node, file->name));
    file->path = beside(r, from);
    return file->path ? 0 : -1;
}

static int read_template(msw_reading *r, const msw_node *node, msw_program_file *file)
{
    msw_err why = {0};
    char *data;
    size_t size;
    MSW_TRY(read_names(r, node, file));
    if (r->source->read(r->source->context, file->path, &data, &size, &why))
        return msw_reading_wrong(r, node, "%s", why.text);
    char *copy = msw_arena_take(&r->p->arena, size + 1);
    if (copy)
        memcpy(copy, data, size + 1);
    bool binary = memchr(data, '\0', size) != NULL;
    free(data);
    file->text = copy;
    if (!copy)
        return msw_fail_memory(r->err);
    return binary ? msw_reading_wrong(r, node, "%s: holds zero bytes, which no template does",
                                      file->path)
                  : 0;
}

static int read_list(msw_reading *r, const char *key, size_t *count, msw_program_file **files,
                     int (*one)(msw_reading *, const msw_node *, msw_program_file *))
{
    const msw_node *list = msw_node_get(r->root, key);
    if (!list)
        return 0;
    if (list->kind != MSW_NODE_LIST)
        return msw_reading_wrong(r, list, "%s: found %s, expected a list", key,
                                 msw_node_what(list));
    if (!(*files = msw_reading_room(r, list->count, sizeof **files)))
        return -1;
    for (; *count < list->count; ++*count)
        MSW_TRY(one(r, list->items[*count], &(*files)[*count]));
    return 0;
}

static int read_file(msw_reading *r, const msw_node *node, msw_program_file *file)
{
    MSW_TRY(read_names(r, node, file));
    return identify(r, node, file->name, file);
}

/* ---- executables ---- */

static const char *variable(const msw_program *p, const char *name)
{
    for (size_t i = 0; i < p->pass_count; i++)
        if (strcmp(p->pass[i], name) == 0 && getenv(name))
            return getenv(name);
    for (size_t i = 0; i < p->env_count; i++)
        if (strcmp(p->env[i].name, name) == 0)
            return p->env[i].text;
    return "";
}

static bool is_executable(const char *path)
{
    msw_file_info info;
    char *real = msw_file_real(path, NULL);
    bool is = real && msw_file_look(real, &info, NULL) == 0 && info.kind == MSW_FILE_PLAIN &&
              access(real, X_OK) == 0;
    free(real);
    return is;
}

static int find_in_path(msw_reading *r, const msw_node *at, msw_program_file *tool)
{
    char path[MSW_PROGRAM_PATH];
    const char *folder = variable(r->p, "PATH");
    while (*folder) {
        size_t size = strcspn(folder, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)size, folder, tool->name);
        if (size && folder[0] == '/' && is_executable(path))
            return (tool->path = msw_external_text(r->p->external, path)) ? 0
                                                                          : msw_fail_memory(r->err);
        folder += size + (folder[size] == ':');
    }
    return msw_reading_wrong(r, at,
                             "no program '%s' in PATH (%s): a program of your own is listed in "
                             "'files' and called ./%s; 'pass: [PATH]' looks where your shell does",
                             tool->name, variable(r->p, "PATH"), tool->name);
}

/* A command begins with a program of PATH, an absolute path, or a file of the run's folder. */
static int add_tool(msw_reading *r, const msw_node *command, const char *word)
{
    const msw_node *at = command->items[0];
    msw_program_file *tool = &r->p->tools[r->p->tool_count];
    if (strchr(word, '@'))
        return msw_reading_wrong(r, at, "'%s': a value may not choose the program", word);
    for (size_t i = 0; i < r->p->tool_count; i++)
        if (strcmp(r->p->tools[i].name, word) == 0)
            return 0;
    if (strchr(word, '/') && word[0] != '/') {
        const char *name = strncmp(word, "./", 2) == 0 ? word + 2 : word;
        for (size_t i = 0; i < r->p->file_count; i++)
            if (strcmp(r->p->files[i].name, name) == 0)
                return 0;
        return msw_reading_wrong(r, at,
                                 "'%s' is not in 'files', and nothing else is in a run's "
                                 "folder",
                                 word);
    }
    tool->name = tool->path = word;
    MSW_TRY(word[0] != '/' && !r->source->recorded && find_in_path(r, at, tool));
    MSW_TRY(identify(r, at, word, tool));
    r->p->tool_count++;
    return 0;
}

int msw_reading_files(msw_reading *r)
{
    msw_program *p = r->p;
    const msw_node *fidelities = msw_node_get(r->root, "fidelities");
    const msw_node *command = msw_node_get(r->root, "command");
    MSW_TRY(read_list(r, "files", &p->file_count, &p->files, read_file));
    MSW_TRY(read_list(r, "templates", &p->template_count, &p->templates, read_template));
    const msw_node *version = msw_node_get(r->root, "version");
    if (!(p->tools = msw_reading_room(r, MSW_FIDELITY_COUNT + 2, sizeof *p->tools)))
        return -1;
    if (p->version)
        MSW_TRY(add_tool(r, version, p->version[0]));
    if (command)
        MSW_TRY(add_tool(r, command, p->command[0]));
    for (int f = 0; fidelities && f < MSW_FIDELITY_COUNT; f++)
        if (p->fidelities[f].command)
            MSW_TRY(add_tool(
                r, msw_node_get(msw_node_get(fidelities, p->fidelities[f].name), "command"),
                p->fidelities[f].command[0]));
    return 0;
}

int msw_program_identify(const char *path, char digest[MSW_DIGEST_TEXT], msw_err *err)
{
    enum { BLOCK = 1 << 16 };
    char *block = malloc(BLOCK);
    msw_hash_stream *stream = msw_hash_stream_new();
    int fd = msw_disk_open(path, O_RDONLY | O_NONBLOCK, 0), rc = -1;
    ssize_t got = 0;
    msw_file_info info;
    if (!block || !stream) {
        msw_fail_memory(err);
        goto done;
    }
    if (fd < 0 || msw_file_look_open(fd, &info) || info.kind != MSW_FILE_PLAIN) {
        msw_fail(err, "%s: %s", path, fd < 0 ? strerror(errno) : "is no file");
        goto done;
    }
    while ((got = msw_disk_read(fd, block, BLOCK)) > 0)
        msw_hash_stream_add(stream, block, (size_t)got);
    msw_digest_text(msw_hash_stream_digest(stream), digest);
    rc = got < 0 ? msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno)) : 0;
done:
    if (fd >= 0)
        close(fd);
    msw_hash_stream_free(stream);
    free(block);
    return rc;
}

/* ---- environment ---- */

static int add_variable(msw_reading *r, const char *name, const char *text)
{
    for (size_t i = 0; i < r->p->env_count; i++)
        if (strcmp(r->p->env[i].name, name) == 0) {
            r->p->env[i].text = text;
            return 0;
        }
    r->p->env[r->p->env_count++] = (msw_program_pair){name, text};
    return 0;
}

/* Fixed whatever the caller's is: its mere length moves the stack, and answers with it. */
int msw_reading_environment(msw_reading *r)
{
    const msw_node *env = msw_node_get(r->root, "env"), *pass = msw_node_get(r->root, "pass");
    size_t more = env && env->kind == MSW_NODE_MAP ? env->count : 0;
    if (env && env->kind != MSW_NODE_MAP)
        return msw_reading_wrong(r, env, "env: expected a mapping of NAME: TEXT");
    if (!(r->p->env = msw_reading_room(r, more + 4, sizeof *r->p->env)))
        return -1;
    add_variable(r, "PATH", "/usr/local/bin:/usr/bin:/bin");
    add_variable(r, "HOME", ".");
    add_variable(r, "TMPDIR", ".");
    add_variable(r, "LC_ALL", "C");
    for (size_t i = 0; i < more; i++) {
        const char *name, *text;
        MSW_TRY(msw_reading_text(r, env->keys[i], &name));
        MSW_TRY(msw_reading_text(r, env->items[i], &text));
        if (!*name || strchr(name, '='))
            return msw_reading_wrong(r, env->keys[i], "env: '%s' is no name", name);
        add_variable(r, name, text);
    }
    return pass ? msw_reading_list(r, pass, "pass", &r->p->pass, &r->p->pass_count) : 0;
}

/* ---- limits ---- */

static int read_retry(msw_reading *r)
{
    static const char *const KEYS[] = {"times", "on", NULL};
    static const char *const CAUSES[] = {"signal", "exit", "timeout", "output", "memory"};
    const msw_node *map = msw_node_get(r->root, "retry");
    const char *const *words = NULL;
    size_t count = 0;
    double times = 1;
    if (!map)
        return 0;
    MSW_TRY(msw_reading_keys(r, map, "retry", KEYS));
    MSW_TRY(msw_reading_number(r, map, "times", "", &times));
    if (!msw_node_get(map, "on"))
        return msw_reading_wrong(r, map,
                                 "retry: 'on' is missing: signal, exit, timeout, output, "
                                 "memory");
    MSW_TRY(msw_reading_list(r, msw_node_get(map, "on"), "on", &words, &count));
    for (size_t i = 0; i < count; i++) {
        unsigned k = 0;
        while (k < 5 && strcmp(CAUSES[k], words[i]) != 0)
            k++;
        if (k == 5)
            return msw_reading_wrong(r, map,
                                     "retry: found '%s', allowed: signal, exit, timeout, "
                                     "output, memory",
                                     words[i]);
        r->p->limits.retry_causes |= 1u << k;
    }
    r->p->limits.retries = times >= 0 && times <= 100 ? (int)times : 1;
    return 0;
}

int msw_reading_limits(msw_reading *r)
{
    static const char *const KEYS[] = {"timeout", "grace",     "memory", "output",
                                       "cpus",    "processes", NULL};
    static const char *const KEEPS[] = {"failed", "all", "none", NULL};
    const msw_node *map = msw_node_get(r->root, "limits");
    msw_program_limits *l = &r->p->limits;
    double timeout = 0, grace = 1e9, cpus = 1, processes = 1000;
    int keep = MSW_KEEP_FAILED;
    *l = (msw_program_limits){.output = 1 << 30};
    if (map) {
        MSW_TRY(msw_reading_keys(r, map, "limits", KEYS));
        MSW_TRY(msw_reading_number(r, map, "timeout", "ns", &timeout));
        MSW_TRY(msw_reading_number(r, map, "grace", "ns", &grace));
        MSW_TRY(msw_reading_number(r, map, "memory", "B", &l->memory));
        MSW_TRY(msw_reading_number(r, map, "output", "B", &l->output));
        MSW_TRY(msw_reading_number(r, map, "cpus", "", &cpus));
        MSW_TRY(msw_reading_number(r, map, "processes", "", &processes));
        if (!(timeout >= 0) || !(grace >= 0) || !(cpus >= 1 && cpus <= 4096) ||
            !(processes >= 0 && processes <= 1e6))
            return msw_reading_wrong(r, map, "limits: times and processes from 0, cpus from 1");
    }
    l->timeout_s = timeout * 1e-9;
    l->grace_s = grace * 1e-9;
    l->cpus = (int64_t)cpus;
    l->processes = (int64_t)processes;
    MSW_TRY(msw_reading_choice(r, r->root, "keep", KEEPS, &keep));
    l->keep = (msw_keep)keep;
    MSW_TRY(msw_reading_flag(r, r->root, "random", &r->p->random));
    MSW_TRY(msw_reading_flag(r, r->root, "leftovers", &r->p->leftovers));
    return read_retry(r);
}
