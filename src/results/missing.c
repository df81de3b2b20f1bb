/* SPDX-License-Identifier: MIT */
/* A database that is not there: where memsweep looked, and what it found instead. */
#include "memsweep/results/reading.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 4096, SHOWN = 12 };

typedef struct files {
    size_t count;
    char *list[FILES_MAX + 1]; /* ended by NULL */
} files;

static int is_database(const struct dirent *entry)
{
    size_t size = strlen(entry->d_name);
    return size > 3 && strcmp(entry->d_name + size - 3, ".db") == 0;
}

/* Adds the databases of a folder by the words a command takes them by: the name without ".db",
 * with something before and behind it. */
static void list_folder(const char *folder, const char *before, const char *end, files *all)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_database, alphasort);
    for (int i = 0; i < count; i++) {
        int stem = (int)strlen(entries[i]->d_name) - 3;
        char *word = msw_strfmt("%s%.*s%s", before, stem, entries[i]->d_name, end);
        if (all->count < FILES_MAX && word)
            all->list[all->count++] = word;
        else
            free(word);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* A path is looked for as it is; a bare word here and in the results folder. */
static void list_folders(const msw_context *context, const char *word, files *all)
{
    const char *slash = strrchr(word, '/');
    if (!slash) {
        list_folder(context->results_dir, "", "", all);
        list_folder(".", "", ".db", all);
        return;
    }
    char *before = msw_strfmt("%.*s", (int)(slash - word) + 1, word);
    if (before)
        list_folder(before, before, ".db", all);
    free(before);
}

/* Only a bare word without ".db" may be the name of a sweep in the results folder. */
static bool is_name(const char *word)
{
    size_t size = strlen(word);
    return !strchr(word, '/') && !(size > 3 && strcmp(word + size - 3, ".db") == 0);
}

int msw_fail_database(const msw_context *context, const char *word, msw_err *err)
{
    files *all = calloc(1, sizeof *all);
    msw_text text = MSW_TEXT_EMPTY;
    if (!all)
        return msw_fail_memory(err);
    list_folders(context, word, all);
    const char *best = msw_nearest(word, (const char *const *)all->list, sizeof *all->list);
    if (is_name(word))
        msw_text_add(&text, ": neither a file of that name nor %s/%s.db", context->results_dir,
                     word);
    if (best)
        msw_text_add(&text, "; did you mean '%s'?", best);
    for (size_t i = 0; !best && i < all->count && i < SHOWN; i++)
        msw_text_add(&text, "%s%s", i ? ", " : "; there is ", all->list[i]);
    if (!best && all->count > SHOWN)
        msw_text_add(&text, ", ...");
    if (!all->count)
        msw_text_add(&text, "; there is none in its folder: 'memsweep run SWEEP' makes one");
    msw_fail_kind(err, MSW_ERR_IO, "no database '%s'%s", word, msw_text_str(&text));
    for (size_t i = 0; i < all->count; i++)
        free(all->list[i]);
    free(all);
    msw_text_free(&text);
    return -1;
}
