/* SPDX-License-Identifier: MIT */
/* A database that is not there: where memsweep looked, and what it found instead. */
#include "memsweep/results/reading.h"

#include "memsweep/base/units.h"
#include "memsweep/mech/stated.h"
#include "memsweep/results/distinct.h"
#include "memsweep/sweep/errors.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int msw_open_database(const msw_context *context, const char *word, msw_store_mode mode,
                      msw_store **store, msw_err *err)
{
    char *path = msw_context_database(context, word);
    int rc = !path ? msw_fail_memory(err)
             : access(path, F_OK) && errno == ENOENT
                 ? msw_fail_database(context, word, err)
                 : msw_store_open(path, mode, false, &context->log, store, err);
    free(path);
    return rc;
}

int msw_read_rows(const msw_context *context, const char *word, const msw_query *query,
                  msw_table *table, msw_err *err)
{
    msw_store *store = NULL;
    int rc = -1;
    if (msw_open_database(context, word, MSW_STORE_READ, &store, err) ||
        msw_store_read(store, query, table, err))
        goto done;
    rc = 0;
done:
    msw_store_close(store, NULL);
    return rc;
}

enum { BLOCK = 1024 };

int msw_read_blocks(const msw_context *context, const char *word, const msw_query *query,
                    msw_block_fn take, void *taker, msw_err *err)
{
    msw_store *store = NULL;
    int rc = -1;
    if (msw_open_database(context, word, MSW_STORE_READ, &store, err) ||
        msw_store_read_blocks(store, query, BLOCK, take, taker, err))
        goto done;
    rc = 0;
done:
    msw_store_close(store, NULL);
    return rc;
}

/* The limit is one of lines, so it comes last. */
int msw_read_distinct(const msw_context *context, const char *word, const msw_query *query,
                      msw_table *table, msw_err *err)
{
    msw_store *store = NULL;
    msw_query all = *query;
    all.limit = -1;
    int rc = -1;
    if (msw_open_database(context, word, MSW_STORE_READ, &store, err) ||
        msw_store_read(store, &all, table, err) || msw_distinct(store, &all, table, NULL, err))
        goto done;
    rc = 0;
done:
    if (rc == 0 && query->limit > 0 && (uint64_t)query->limit < table->rows)
        table->rows = (size_t)query->limit;
    msw_store_close(store, NULL);
    return rc;
}

bool msw_is_half_width(const char *column)
{
    size_t size = strlen(column);
    return size > 3 && strcmp(column + size - 3, "_hw") == 0;
}

/* Half-widths that are 0 or nothing say no more than the fidelity does. */
static bool is_exact(const msw_table *table, size_t c)
{
    const msw_column *column = &table->columns[c];
    if (!msw_is_half_width(column->name))
        return false;
    for (size_t r = 0; r < table->rows; r++)
        if (fabs(column->values[r]) > 0)
            return false;
    return true;
}

static const char *const NAMES[] = {"design_index", "seed",   "version", "run",
                                    "cost_us",      "row_id", "key",     NULL};

bool msw_is_bookkeeping(const char *column)
{
    for (const char *const *name = NAMES; *name; name++)
        if (strcmp(column, *name) == 0)
            return true;
    return false;
}

const char *msw_drop_bookkeeping(msw_table *table)
{
    for (const char *const *name = NAMES; *name; name++) {
        int c = msw_table_find(table, *name);
        if (c >= 0)
            msw_table_drop_column(table, (size_t)c);
    }
    for (size_t c = table->column_count; c-- > 0;)
        if (is_exact(table, c))
            msw_table_drop_column(table, c);
    return "left out: design_index, seed, version, run, cost_us, row_id, key, " MSW_STRATUM_COLUMN
           ", "
           "half-widths of 0 (--all)";
}

void msw_doubtful_note(uint64_t count, msw_text *out)
{
    char text[32];
    if (count)
        msw_text_add(out,
                     "; %s doubtful left out (the column doubt says why; --doubtful: they "
                     "take part)",
                     msw_count_text(count, text));
}

void msw_outside_note(uint64_t count, msw_text *out)
{
    char text[32];
    if (count)
        msw_text_add(out,
                     "; %s outside the region of one or more statements about the closed "
                     "form (column " MSW_STATED_COLUMN ")",
                     msw_count_text(count, text));
}

void msw_unknown_note(const msw_left_out *count, msw_text *out)
{
    char unknown[32], all[32];
    if (count->unknown)
        msw_text_add(out, "; errors unknown here: %s of %s rows (%s)",
                     msw_count_text(count->unknown, unknown), msw_count_text(count->judged, all),
                     count->why);
    if (count->lacking)
        msw_text_add(out, "; errors of %s unknown: %s of %s rows", count->metrics,
                     msw_count_text(count->lacking, unknown), msw_count_text(count->judged, all));
}

bool msw_error_half(const msw_table *columns, const char *metric, const char *unknown,
                    msw_text *out)
{
    char *low = msw_strfmt("%s_low", metric), *high = msw_strfmt("%s_high", metric);
    bool there =
        low && high && msw_table_find(columns, low) >= 0 && msw_table_find(columns, high) >= 0;
    if (there)
        msw_text_add(out, "CASE WHEN %s IS NULL THEN %s ELSE max(%s - %s, %s - %s, 0) END", low,
                     unknown, high, metric, metric, low);
    out->failed = out->failed || !low || !high;
    free(low);
    free(high);
    return there;
}
