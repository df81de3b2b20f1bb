/* SPDX-License-Identifier: MIT */
/* Finds the files that a sweep names, reads their content, and refines a sweep file by another. */
#include "memsweep/base/text.h"
#include "memsweep/sweep/bundle.h"
#include "memsweep/sweep/content.h"
#include "sweep/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *join(msw_arena *arena, const char *folder, int folder_size, const char *slash,
                  const char *name)
{
    size_t size = (size_t)folder_size + strlen(name) + 2;
    char *path = msw_arena_take(arena, size);
    if (path)
        snprintf(path, size, "%.*s%s%s", folder_size, folder, slash, name);
    return path;
}

static char *msw_path_beside(msw_arena *arena, const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    int folder = slash && name[0] != '/' ? (int)(slash - file) + 1 : 0;
    return join(arena, file, folder, "", name);
}

static bool msw_is_file(const msw_plan_options *options, const char *path)
{
    struct stat info;
    if (options && options->files)
        return options->files->exists(options->files->context, path);
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static int msw_plan_file(const msw_plan_options *options, const char *path, size_t most,
                         char **data, size_t *size, msw_err *err)
{
    if (options && options->files)
        return options->files->read(options->files->context, path, most, data, size, err);
    return msw_read_input(path, most, data, size, err);
}

int msw_loader_file(const msw_plan_options *options, const char *path, size_t most, char **data,
                    size_t *size, msw_err *err)
{
    int rc = msw_plan_file(options, path, most, data, size, err);
    /* A file that is not there was named wrongly; one that is there and cannot be read is an I/O
     * error. */
    if (rc && err && err->kind == MSW_ERR_IO && !msw_is_file(options, path))
        err->kind = MSW_ERR_USAGE;
    return rc;
}

/* The digest of a file is read like a file of its own, so that ranks and archives have it without
 * the file. */
int msw_loader_identify(const msw_plan_options *options, const char *label, const char *path,
                        char digest[MSW_DIGEST_TEXT], msw_err *err)
{
    const msw_file_source *files = options ? options->files : NULL;
    bool known = files && files->recorded;
    char *data = NULL,
         *name = known ? msw_strdup(label) : msw_strfmt("%s\n%s%s", label, MSW_IDENTITY, path);
    size_t size = 0;
    if (!name)
        return msw_fail_memory(err);
    int rc = files ? files->read(files->context, name, MSW_DIGEST_TEXT, &data, &size, err)
                   : msw_program_identify(path, digest, err);
    if (files && rc == 0)
        msw_text_fit(digest, MSW_DIGEST_TEXT, data);
    free(data);
    free(name);
    return rc;
}

/* Why what is there is not read: a workload's content is read more than once. NULL: nothing is. */
static const char *special_file(const msw_plan_options *options, const char *path)
{
    struct stat info;
    if (!path || (options && options->files) || stat(path, &info))
        return NULL;
    return S_ISFIFO(info.st_mode)                           ? "a named pipe"
           : S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode) ? "a device"
           : S_ISDIR(info.st_mode)                          ? "a folder"
           : S_ISSOCK(info.st_mode)                         ? "a socket"
                                                            : NULL;
}

char *msw_loader_find(msw_loader *l, const msw_node *at, const char *name)
{
    char *path = msw_path_beside(&l->arena, at->file, name);
    const char *what = special_file(l->options, path);
    if (path && msw_is_file(l->options, path))
        return path;
    /* From the user's working folder: the copy of a sweep that came from standard input. */
    if (name[0] != '/' && msw_is_file(l->options, name))
        return msw_loader_copy(l, name);
    const char *const *dirs = l->options ? l->options->data_dirs : NULL;
    for (; name[0] != '/' && dirs && *dirs; dirs++) {
        path = join(&l->arena, *dirs, (int)strlen(*dirs), "/", name);
        if (path && msw_is_file(l->options, path))
            return path;
    }
    if (what || (what = special_file(l->options, name)))
        msw_loader_say(l, at, "'%s' is %s: only a file can be read as a workload", name, what);
    else
        msw_loader_say(l, at, "no file '%s' beside the sweep file, here or in the data folders",
                       name);
    return NULL;
}

enum { FILE_NAME_MAX = 1024 };

typedef struct content {
    const msw_plan_options *options;
    msw_workload_file files[MSW_WORKLOAD_FILES_MAX];
    char *bytes[MSW_WORKLOAD_FILES_MAX];
    size_t count;
    msw_arena arena; /* paths */
} content;

static int read_one(content *c, const char *path, msw_err *err)
{
    msw_workload_file *file = &c->files[c->count];
    if (msw_plan_file(c->options, path, MSW_READ_MAX, &c->bytes[c->count], &file->size, err))
        return -1;
    file->path = path;
    file->bytes = c->bytes[c->count++];
    return 0;
}

/* Looks next to the first file, or else in a data folder. Returns the path, or NULL. */
static const char *further_path(content *c, const char *first, const char *name)
{
    msw_err ignored;
    char *beside = msw_path_beside(&c->arena, first, name);
    if (!beside || msw_is_file(c->options, beside))
        return beside;
    char *found = msw_content_find(c->options, name, &ignored);
    char *kept = found ? msw_arena_take(&c->arena, strlen(found) + 1) : beside;
    if (found && kept)
        memcpy(kept, found, strlen(found) + 1);
    free(found);
    return kept;
}

static int read_further(content *c, const char *first, const msw_workload *w, msw_err *err)
{
    char name[FILE_NAME_MAX];
    int more = 0;
    while (w->frontend->further &&
           (more = w->frontend->further(w->name, c->files, c->count, name, sizeof name, err)) > 0) {
        const char *path = further_path(c, first, name);
        if (!path)
            return msw_fail_memory(err);
        if (c->count == MSW_WORKLOAD_FILES_MAX)
            return msw_fail(err, "%s: names more than %d files", first, MSW_WORKLOAD_FILES_MAX - 1);
        if (read_one(c, path, err))
            return msw_fail_prefix(err, "%s: ", first);
    }
    return more;
}

int msw_content_load(const msw_plan_options *options, const char *path, msw_workload *workload,
                     msw_err *err)
{
    content c = {.options = options};
    int rc = *path ? read_one(&c, path, err) || read_further(&c, path, workload, err) : 0;
    if (rc == 0)
        rc = msw_workload_load_files(workload, c.files, c.count, err);
    for (size_t i = 0; i < c.count; i++)
        free(c.bytes[i]);
    msw_arena_free(&c.arena);
    return rc ? -1 : 0;
}

char *msw_content_find(const msw_plan_options *options, const char *name, msw_err *err)
{
    const char *const *dirs = options ? options->data_dirs : NULL;
    if (msw_is_file(options, name))
        return msw_strdup(name);
    for (; name[0] != '/' && dirs && *dirs; dirs++) {
        char *path = msw_strfmt("%s/%s", *dirs, name);
        if (path && msw_is_file(options, path))
            return path;
        free(path);
    }
    msw_fail(err, "no file '%s' here or in the data folders", name);
    return NULL;
}

/* `extends`: a sweep file that refines another one. */

enum { EXTENDS_MAX = 16 };

/* Mappings whose entries are merged one by one; whatever else is given replaces what was there. */
static const char *const MERGED[] = {"vary",     "fix",        "split", "derive",
                                     "sampling", "objectives", "auto"};

static bool is_merged(const char *key)
{
    for (size_t i = 0; i < sizeof MERGED / sizeof *MERGED; i++)
        if (strcmp(key, MERGED[i]) == 0)
            return true;
    return false;
}

static bool names_kind(const msw_node *design)
{
    return msw_node_find(design, "kind") < design->count ||
           msw_node_find(design, "name") < design->count;
}

/* Settings of one design mean nothing to another: a file that names a design starts afresh. */
static bool merges(const char *key, const msw_node *base, const msw_node *top)
{
    if (base->kind != MSW_NODE_MAP || top->kind != MSW_NODE_MAP)
        return false;
    return is_merged(key) || (strcmp(key, "design") == 0 && !names_kind(top));
}

static msw_node *merge(msw_loader *l, const msw_node *base, const msw_node *top, bool deep);

static int add_base(msw_loader *l, msw_node *out, const msw_node *base, const msw_node *top,
                    size_t i, bool deep)
{
    const char *key = base->keys[i]->text;
    size_t t = msw_node_find(top, key);
    msw_node *item = base->items[i], *name = base->keys[i];
    if (t < top->count) {
        name = top->keys[t];
        if (top->items[t]->kind == MSW_NODE_NULL)
            return 0;
        item = deep && merges(key, item, top->items[t]) ? merge(l, item, top->items[t], false)
                                                        : top->items[t];
    }
    return item ? msw_node_add(&l->arena, out, name, item) : -1;
}

static msw_node *merge(msw_loader *l, const msw_node *base, const msw_node *top, bool deep)
{
    msw_node *out = msw_node_new(&l->arena, MSW_NODE_MAP, top);
    int rc = out ? 0 : -1;
    for (size_t i = 0; rc == 0 && i < base->count; i++)
        rc = add_base(l, out, base, top, i, deep);
    for (size_t i = 0; rc == 0 && i < top->count; i++)
        if (msw_node_find(base, top->keys[i]->text) == base->count)
            rc = msw_node_add(&l->arena, out, top->keys[i], top->items[i]);
    if (rc == 0)
        return out;
    msw_loader_memory(l);
    return NULL;
}

/* The files on the way from the sweep to the one being read. */
typedef struct chain {
    const char *path;
    const struct chain *below;
    int depth;
} chain;

static bool is_on(const chain *c, const char *path)
{
    for (; c; c = c->below) {
        char *a = realpath(c->path, NULL), *b = realpath(path, NULL);
        bool same = strcmp(c->path, path) == 0 || (a && b && strcmp(a, b) == 0);
        free(a);
        free(b);
        if (same)
            return true;
    }
    return false;
}

static msw_node *read_text(msw_loader *l, const chain *c, const char *text, size_t size);

static msw_node *read_base(msw_loader *l, const chain *below, const msw_node *at)
{
    char *path = msw_loader_find(l, at, at->text);
    if (!path)
        return NULL;
    if (is_on(below, path)) {
        msw_loader_say(l, at, "'%s' extends itself, directly or through others", at->text);
        return NULL;
    }
    if (below->depth >= EXTENDS_MAX) {
        msw_loader_say(l, at, "more than 16 files extend one another");
        return NULL;
    }
    char *text;
    size_t size;
    msw_err err = {0};
    if (msw_loader_file(l->options, path, MSW_SWEEP_FILE_MAX, &text, &size, &err)) {
        msw_loader_fail(l, &err, at, "cannot read %s", err.text);
        return NULL;
    }
    chain here = {path, below, below->depth + 1};
    msw_node *root = read_text(l, &here, text, size);
    free(text);
    return root;
}

static msw_node *read_text(msw_loader *l, const chain *c, const char *text, size_t size)
{
    msw_node *root, *base;
    if (msw_sweep_parse(c->path, text, size, &l->arena, &l->diagnostics, &root))
        return NULL;
    const msw_node *extends = msw_node_get(root, "extends");
    if (!extends)
        return root;
    if (!msw_loader_word(l, extends, "extends") || !(base = read_base(l, c, extends)))
        return NULL;
    return merge(l, base, root, true);
}

msw_node *msw_loader_read(msw_loader *l, const char *text, size_t size)
{
    chain first = {l->path, NULL, 0};
    return read_text(l, &first, text, size);
}
