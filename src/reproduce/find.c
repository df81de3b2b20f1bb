/* SPDX-License-Identifier: MIT */
/* Which papers there are, and where. */
#include "memsweep/reproduce/paper.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The name of the folder a published.csv is in. */
static char *name_of(const char *path)
{
    const char *end = strrchr(path, '/'), *start = end;
    while (start > path && start[-1] != '/')
        start--;
    return msw_strfmt("%.*s", (int)(end - start), start);
}

static bool listed(char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static int find_all(const msw_context *context, glob_t *found)
{
    *found = (glob_t){0};
    for (const char *const *dir = context->data_dirs; *dir; dir++) {
        char *pattern = msw_strfmt("%s/sweeps/paper/*/published.csv", *dir);
        int rc =
            pattern ? glob(pattern, found->gl_pathv ? GLOB_APPEND : 0, NULL, found) : GLOB_NOSPACE;
        free(pattern);
        if (rc == GLOB_NOSPACE)
            return -1;
    }
    return 0;
}

char **msw_paper_names(const msw_context *context)
{
    glob_t found;
    int rc = find_all(context, &found);
    char **names = rc ? NULL : calloc(found.gl_pathc + 1, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; names && i < found.gl_pathc; i++) {
        char *name = name_of(found.gl_pathv[i]);
        if (name && !listed(names, count, name))
            names[count++] = name;
        else
            free(name);
    }
    if (names)
        qsort(names, count, sizeof *names, by_name);
    globfree(&found);
    return names;
}

void msw_paper_names_free(char **names)
{
    for (size_t i = 0; names && names[i]; i++)
        free(names[i]);
    free(names);
}

static bool is_paper(const char *folder)
{
    char *path = msw_strfmt("%s/published.csv", folder);
    bool found = path && access(path, R_OK) == 0;
    free(path);
    return found;
}

static char *find_folder(const msw_context *context, const char *name)
{
    for (const char *const *dir = context->data_dirs; *dir; dir++) {
        char *folder = msw_strfmt("%s/sweeps/paper/%s", *dir, name);
        if (folder && is_paper(folder))
            return folder;
        free(folder);
    }
    return NULL;
}

/* A path, without slashes at its end. */
static char *given_folder(const char *path)
{
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    char *folder = msw_strfmt("%.*s", (int)size, path);
    if (folder && strchr(folder, '/') && is_paper(folder))
        return folder;
    free(folder);
    return NULL;
}

char *msw_paper_folder(const msw_context *context, const char *name, msw_err *err)
{
    char *folder = strchr(name, '/') ? given_folder(name) : find_folder(context, name);
    if (folder)
        return folder;
    char **names = msw_paper_names(context);
    msw_text known = MSW_TEXT_EMPTY;
    for (size_t i = 0; names && names[i]; i++)
        msw_text_add(&known, "%s%s", i ? ", " : "", names[i]);
    const char *best = names ? msw_nearest(name, (const char *const *)names, sizeof *names) : NULL;
    msw_fail(err, "no paper '%s'%s%s%s (there are: %s, all)", name, best ? ", did you mean '" : "",
             best ? best : "", best ? "'?" : "", msw_text_str(&known));
    msw_text_free(&known);
    msw_paper_names_free(names);
    return NULL;
}
