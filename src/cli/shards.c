#include "cli/shards.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the shards hold of one line of the table. */
typedef struct tally {
    double answered, failed;
    size_t shards;
    bool running;
} tally;

static const char *text_at(const msw_table *table, const char *name, size_t row)
{
    int c = msw_table_find(table, name);
    const msw_column *column = &table->columns[c];
    return column->labels[(size_t)column->values[row]];
}

static double *number_at(const msw_table *table, const char *name, size_t row)
{
    return &table->columns[msw_table_find(table, name)].values[row];
}

/* A shard need not hold all fidelities of a sweep, so what stands behind the name may differ. */
static bool same_name(const char *a, const char *b)
{
    size_t size = strcspn(a, "@");
    return size == strcspn(b, "@") && strncmp(a, b, size) == 0;
}

/* The same sweep has the same name, mechanism, fidelity and number of points. */
static bool same_sweep(const msw_table *a, size_t i, const msw_table *b, size_t k)
{
    return same_name(text_at(a, "sweep", i), text_at(b, "sweep", k)) &&
           strcmp(text_at(a, "fidelity", i), text_at(b, "fidelity", k)) == 0 &&
           strcmp(text_at(a, "mechanism", i), text_at(b, "mechanism", k)) == 0 &&
           *number_at(a, "points", i) == *number_at(b, "points", k);
}

static void add_table(const msw_table *status, const msw_table *shard, tally *all)
{
    for (size_t r = 0; r < status->rows; r++)
        for (size_t s = 0; s < shard->rows; s++)
            if (same_sweep(status, r, shard, s)) {
                all[r].answered += *number_at(shard, "answered", s);
                all[r].failed += *number_at(shard, "failed", s);
                all[r].running |= strcmp(text_at(shard, "state", s), "running") == 0;
                all[r].shards++;
            }
}

/* A shard that is just being made, or was cut short, counts for nothing. */
static void add_shard(const cli *c, const char *path, const msw_table *status, tally *all)
{
    msw_store *store = NULL;
    msw_table shard = {0};
    if (msw_store_open(path, MSW_STORE_READ, false, &c->context.log, &store, NULL) == 0 &&
        msw_store_status(store, &shard, NULL) == 0)
        add_table(status, &shard, all);
    msw_table_free(&shard);
    msw_store_close(store, NULL);
}

/* "x.db" has the shards x.shard-0-of-5.db and so on. */
static bool is_shard(const char *name, const char *stem)
{
    size_t size = strlen(stem);
    unsigned long shard, count;
    int used = 0;
    return strncmp(name, stem, size) == 0 &&
           sscanf(name + size, ".shard-%lu-of-%lu.db%n", &shard, &count, &used) == 2 && used > 0 &&
           !name[size + (size_t)used];
}

static void add_all(const cli *c, const char *path, const msw_table *status, tally *all)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t size = strlen(name);
    size -= size > 3 && strcmp(name + size - 3, ".db") == 0 ? 3 : 0;
    char *folder = slash ? msw_strfmt("%.*s", (int)(slash - path) + 1, path) : msw_strdup("./");
    char *stem = msw_strfmt("%.*s", (int)size, name);
    DIR *dir = folder && stem ? opendir(folder) : NULL;
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        char *file = is_shard(e->d_name, stem) ? msw_strfmt("%s%s", folder, e->d_name) : NULL;
        if (file)
            add_shard(c, file, status, all);
        free(file);
    }
    if (dir)
        closedir(dir);
    free(folder);
    free(stem);
}

static int set_state(msw_table *status, size_t row, const char *state, msw_err *err)
{
    msw_column *column = &status->columns[msw_table_find(status, "state")];
    int label = msw_column_label(column, state, err);
    if (label >= 0)
        column->values[row] = label;
    return label < 0 ? -1 : 0;
}

/* All shards together are the sweep, so what is more counts; after the merge that is the file. */
static int settle(msw_table *status, size_t row, const tally *t, size_t *shards, msw_err *err)
{
    double *answered = number_at(status, "answered", row);
    if (t->answered + t->failed <= *answered + *number_at(status, "failed", row))
        return 0;
    *shards = t->shards > *shards ? t->shards : *shards;
    *answered = t->answered;
    *number_at(status, "failed", row) = t->failed;
    if (t->running)
        return set_state(status, row, "running", err);
    return t->answered == *number_at(status, "points", row)
               ? set_state(status, row, "complete, to be merged", err)
               : 0;
}

int cli_count_shards(const cli *c, const char *path, msw_table *status, size_t *shards,
                     msw_err *err)
{
    char *file = msw_context_database(&c->context, path);
    tally *all = calloc(status->rows + 1, sizeof *all);
    int rc = file && all ? 0 : msw_fail_memory(err);
    if (rc == 0)
        add_all(c, file, status, all);
    for (size_t r = 0; r < status->rows && rc == 0; r++)
        rc = settle(status, r, &all[r], shards, err);
    free(all);
    free(file);
    return rc;
}
