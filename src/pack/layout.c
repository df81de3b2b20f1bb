/* SPDX-License-Identifier: MIT */
/* Where files lie in the archive. Sweep files name others from their own folder, from the folder
 * the command runs in, or from a data folder; all three have to lead to the same file in the
 * archive:
 *
 *   inputs/...  what is the user's: paths below the folder that all of it has in common
 *   data/...    what was found in a data folder (data2/... in a second one, and so on)
 *
 * The folder the command runs in becomes the first of the folders that are searched. */
#include "pack/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OWN = -1, FOLDER_BYTES = 4096 };

typedef struct layout {
    msw_pack_job *job;
    char here[FOLDER_BYTES];      /* the folder the command runs in */
    char *common;                 /* the folder above all that is the user's; NULL: nothing yet */
    bool relative;                /* some of it was named from here */
    int used[MSW_PACKED_FOLDERS]; /* number of a data folder in the archive, from 1; 0: unused */
    int used_count;
} layout;

/* ---- which kind a file is of ---- */

/* "." is no data folder of memsweep: what is found there is the user's. */
static bool is_below(const char *path, const char *folder)
{
    size_t size = strlen(folder);
    return strcmp(folder, ".") != 0 && strncmp(path, folder, size) == 0 && path[size] == '/';
}

/* Number of the data folder that a file was found in, or OWN. A path that leaves it is the user's.
 */
static int kind_of(const layout *l, const char *path)
{
    const char *const *dirs = l->job->ask->context->data_dirs;
    for (int i = 0; dirs[i] && i < MSW_PACKED_FOLDERS; i++) {
        char *real = msw_pack_path(l->here, path), *folder = msw_pack_path(l->here, dirs[i]);
        bool below = is_below(path, dirs[i]) && real && folder && is_below(real, folder);
        free(real);
        free(folder);
        if (below)
            return i;
    }
    return OWN;
}

/* ---- what all have in common ---- */

static void cut_last(char *path)
{
    char *slash = strrchr(path, '/');
    *(slash ? slash : path) = '\0';
}

/* Shortens the common folder until `folder` lies below it. */
static void share(layout *l, const char *folder)
{
    size_t size;
    while ((size = strlen(l->common)) != 0 &&
           !(strncmp(folder, l->common, size) == 0 && (!folder[size] || folder[size] == '/')))
        cut_last(l->common);
}

static int widen(layout *l, char *folder)
{
    if (!folder)
        return msw_fail_memory(l->job->err);
    if (!l->common) {
        l->common = folder;
        return 0;
    }
    share(l, folder);
    free(folder);
    return 0;
}

/* A name that starts at the root is not there on another machine. */
static int refuse_absolute(const layout *l, const char *path)
{
    if (*path != '/' || *l->job->ask->sweep == '/')
        return 0;
    return msw_fail(l->job->err,
                    "%s: the sweep names this file by its whole path, which other machines do not "
                    "have: name it from the folder of the sweep",
                    path);
}

static int look_at(layout *l, const char *path)
{
    int kind = kind_of(l, path);
    if (kind != OWN) {
        l->used[kind] = 1;
        return 0;
    }
    if (strcmp(path, "-") == 0)
        return msw_fail(l->job->err, "a sweep from standard input has no file to pack: write it to "
                                     "one (run has kept it beside the database)");
    if (refuse_absolute(l, path))
        return -1;
    l->relative = l->relative || *path != '/';
    char *folder = msw_pack_path(l->here, path);
    if (folder)
        cut_last(folder);
    return widen(l, folder);
}

/* ---- names ---- */

static const char *data_name(layout *l, int kind)
{
    return l->used[kind] == 1 ? "data" : msw_pack_text(l->job, "data%d", l->used[kind]);
}

static const char *name_of(layout *l, const char *path)
{
    int kind = kind_of(l, path);
    char *real = msw_pack_path(l->here, path);
    char *folder =
        kind == OWN ? NULL : msw_pack_path(l->here, l->job->ask->context->data_dirs[kind]);
    const char *top = kind == OWN ? "inputs" : data_name(l, kind), *name = NULL;
    if (real && top && (kind == OWN || folder))
        name = msw_pack_text(l->job, "%s%s", top, real + strlen(kind == OWN ? l->common : folder));
    else
        msw_fail_memory(l->job->err);
    free(real);
    free(folder);
    return name;
}

static const char *type_of(const char *name)
{
    static const char *const TYPES[][2] = {
        {".yaml", "application/yaml"},         {".yml", "application/yaml"}, {".csv", "text/csv"},
        {".tsv", "text/tab-separated-values"}, {".gz", "application/gzip"},  {".ptx", "text/plain"},
        {".json", "application/json"},
    };
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof TYPES / sizeof *TYPES; i++)
        if (strcmp(dot, TYPES[i][0]) == 0)
            return TYPES[i][1];
    return "application/octet-stream";
}

static int add_file(layout *l, const msw_bundle_file *file)
{
    const char *name = name_of(l, file->path);
    if (!name)
        return -1;
    if (!l->job->sweep)
        l->job->sweep = name; /* the first that was read */
    return msw_pack_add(l->job, &(msw_pack_member){.name = name,
                                                   .type = type_of(name),
                                                   .role = "input",
                                                   .bytes = file->content,
                                                   .size = file->size});
}

/* In the order in which memsweep looks: here, then in the data folders. */
static int list_folders(layout *l)
{
    msw_pack_job *job = l->job;
    if (l->relative)
        job->folders[job->folder_count++] =
            msw_pack_text(job, "inputs%s", l->here + strlen(l->common));
    for (int i = 0; i < MSW_PACKED_FOLDERS - 1; i++)
        if (l->used[i]) {
            l->used[i] = ++l->used_count;
            job->folders[job->folder_count++] = data_name(l, i);
        }
    for (size_t i = 0; i < job->folder_count; i++)
        if (!job->folders[i])
            return -1;
    return 0;
}

/* ---- all of it ---- */

static int look_at_all(layout *l)
{
    msw_bundle_file file;
    const msw_text *bytes = &l->job->recorder.bytes;
    for (size_t at = 0; msw_bundle_next(bytes, &at, &file);)
        if (look_at(l, file.path))
            return -1;
    if (l->relative)
        share(l, l->here);
    return list_folders(l);
}

int msw_pack_inputs(msw_pack_job *job)
{
    layout l = {.job = job};
    msw_bundle_file file;
    if (!getcwd(l.here, sizeof l.here))
        return msw_fail_kind(job->err, MSW_ERR_IO, "this folder: %s", strerror(errno));
    if (strcmp(l.here, "/") == 0)
        l.here[0] = '\0';
    int rc = look_at_all(&l);
    for (size_t at = 0; rc == 0 && msw_bundle_next(&job->recorder.bytes, &at, &file);)
        rc = add_file(&l, &file);
    job->made->inputs = job->count;
    free(l.common);
    return rc;
}
