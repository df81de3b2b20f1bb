/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"

#include "memsweep/base/vec.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the shards of one array hold of one line of the table. Arrays of several sizes may have left
 * shards of the same points. */
typedef struct tally {
    unsigned long count; /* shards of the array */
    double answered, failed;
    size_t shards;
    bool running;
    char last[32];
} tally;

typedef struct counting {
    const cli *c;
    const msw_table *status;
    cli_shards *found;
    tally *all; /* arrays x lines of the table */
    size_t arrays;
    msw_err *err;
} counting;

/* ---- tables ---- */

const char *cli_label(const msw_table *table, const char *name, size_t row)
{
    const msw_column *column = &table->columns[msw_table_find(table, name)];
    return column->labels && !isnan(column->values[row])
               ? column->labels[(size_t)column->values[row]]
               : "";
}

static double *number_at(const msw_table *table, const char *name, size_t row)
{
    return &table->columns[msw_table_find(table, name)].values[row];
}

double cli_number(const msw_table *table, const char *name, size_t row)
{
    return *number_at(table, name, row);
}

static int set_label(msw_table *table, const char *name, size_t row, const char *text, msw_err *err)
{
    msw_column *column = &table->columns[msw_table_find(table, name)];
    int label = msw_column_label(column, text, err);
    if (label >= 0)
        column->values[row] = label;
    return label < 0 ? -1 : 0;
}

/* A shard need not hold all fidelities of a sweep, so what comes after the name may differ. */
static bool same_name(const char *a, const char *b)
{
    size_t size = strcspn(a, "@");
    return size == strcspn(b, "@") && strncmp(a, b, size) == 0;
}

/* The same sweep has the same name, mechanism, fidelity and number of points. */
static bool same_sweep(const msw_table *a, size_t i, const msw_table *b, size_t k)
{
    return same_name(cli_label(a, "sweep", i), cli_label(b, "sweep", k)) &&
           strcmp(cli_label(a, "fidelity", i), cli_label(b, "fidelity", k)) == 0 &&
           strcmp(cli_label(a, "mechanism", i), cli_label(b, "mechanism", k)) == 0 &&
           cli_number(a, "points", i) == cli_number(b, "points", k);
}

bool cli_same_sweep(const msw_table *status, size_t row, const msw_plan *plan)
{
    return same_name(cli_label(status, "sweep", row), plan->name) &&
           strcmp(cli_label(status, "fidelity", row), msw_plan_fidelity(plan)) == 0 &&
           strcmp(cli_label(status, "mechanism", row), plan->mech->name) == 0 &&
           cli_number(status, "points", row) == (double)plan->points;
}

/* ---- what runs ---- */

static int start_running(msw_table *t, msw_err *err)
{
    static const char *const NAMES[] = {"sweep",   "of",   "host",       "ranks",
                                        "threads", "rows", "rows_per_s", "seconds_left"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        int at = msw_table_add_column(t, NAMES[i], "", MSW_GOAL_NONE, err);
        if (at < 0)
            return -1;
        t->columns[at].integer = i >= 3 && i <= 5;
    }
    return 0;
}

static int add_line(counting *n, const msw_table *from, size_t row, const char *of)
{
    static const char *const NUMBERS[] = {"ranks", "threads", "rows", "rows_per_s", "seconds_left"};
    msw_table *t = &n->found->running;
    if (msw_table_resize(t, t->rows + 1, n->err) ||
        set_label(t, "sweep", t->rows - 1, cli_label(from, "sweep", row), n->err) ||
        set_label(t, "of", t->rows - 1, of, n->err) ||
        set_label(t, "host", t->rows - 1, cli_label(from, "host", row), n->err))
        return -1;
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        *number_at(t, NUMBERS[i], t->rows - 1) = cli_number(from, NUMBERS[i], row);
    return 0;
}

/* Runs that write to one file. Its rate is that of every fidelity of the sweep that is running. */
static int add_running(counting *n, msw_store *store, const char *of)
{
    msw_table running = {0};
    if (msw_store_running(store, &running, n->err))
        return -1;
    int rc = 0;
    for (size_t i = 0; i < running.rows && rc == 0; i++) {
        rc = add_line(n, &running, i, of);
        for (size_t r = 0; r < n->status->rows; r++)
            if (same_name(cli_label(n->status, "sweep", r), cli_label(&running, "sweep", i)))
                n->found->rates[r] += cli_number(&running, "rows_per_s", i);
    }
    msw_table_free(&running);
    return rc;
}

/* ---- one shard ---- */

/* The tallies of the array with this many shards. Returns them, or NULL when memory runs out. */
static tally *tallies(counting *n, unsigned long count)
{
    size_t rows = n->status->rows;
    for (size_t a = 0; a < n->arrays; a++)
        if (n->all[a * rows].count == count)
            return n->all + a * rows;
    if (msw_vec_extend(&n->all, n->arrays, (rows + !rows) * sizeof *n->all, NULL))
        return NULL;
    tally *all = n->all;
    memset(all + n->arrays * rows, 0, rows * sizeof *all);
    for (size_t r = 0; r < rows; r++)
        all[n->arrays * rows + r].count = count;
    return all + n->arrays++ * rows;
}

static void add_table(const msw_table *status, const msw_table *shard, tally *all)
{
    for (size_t r = 0; r < status->rows; r++)
        for (size_t s = 0; s < shard->rows; s++)
            if (same_sweep(status, r, shard, s)) {
                const char *last = cli_label(shard, "last_run", s);
                all[r].answered += cli_number(shard, "answered", s);
                all[r].failed += cli_number(shard, "failed", s);
                all[r].running |= strcmp(cli_label(shard, "state", s), "running") == 0;
                all[r].shards++;
                if (strcmp(last, "never") != 0 && strcmp(last, all[r].last) > 0)
                    msw_text_fit(all[r].last, sizeof all[r].last, last);
            }
}

/* A shard that is just being made, or was cut short, counts for nothing. */
static int add_shard(counting *n, const char *path, unsigned long shard, unsigned long count)
{
    msw_store *store = NULL;
    msw_table table = {0};
    char of[64];
    int rc = 0;
    snprintf(of, sizeof of, "shard %lu of %lu", shard, count);
    bool read =
        msw_store_open(path, MSW_STORE_READ, false, &n->c->context.log, &store, NULL) == 0 &&
        msw_store_status(store, &table, NULL) == 0;
    tally *all = read ? tallies(n, count) : NULL;
    if (!read)
        n->found->unread++;
    else if (!all)
        rc = msw_fail_memory(n->err);
    else {
        add_table(n->status, &table, all);
        rc = add_running(n, store, of);
    }
    msw_table_free(&table);
    msw_store_close(store, NULL);
    return rc;
}

/* "x.db" has the shards x.shard-0-of-5.db and so on. */
static bool is_shard(const char *name, const char *stem, unsigned long *shard, unsigned long *count)
{
    size_t size = strlen(stem);
    int used = 0;
    return strncmp(name, stem, size) == 0 &&
           sscanf(name + size, ".shard-%lu-of-%lu.db%n", shard, count, &used) == 2 && used > 0 &&
           !name[size + (size_t)used];
}

static int add_all(counting *n, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t size = strlen(name);
    unsigned long shard, count;
    int rc = 0;
    size -= size > 3 && strcmp(name + size - 3, ".db") == 0 ? 3 : 0;
    char *folder = slash ? msw_strfmt("%.*s", (int)(slash - path) + 1, path) : msw_strdup("./");
    char *stem = msw_strfmt("%.*s", (int)size, name);
    DIR *dir = folder && stem ? opendir(folder) : NULL;
    for (struct dirent *e = dir ? readdir(dir) : NULL; e && rc == 0; e = readdir(dir)) {
        if (!is_shard(e->d_name, stem, &shard, &count))
            continue;
        char *file = msw_strfmt("%s%s", folder, e->d_name);
        rc = file ? add_shard(n, file, shard, count) : msw_fail_memory(n->err);
        free(file);
    }
    if (dir)
        closedir(dir);
    free(folder);
    free(stem);
    return rc;
}

/* ---- all of them ---- */

/* The array that has got furthest: another one holds some of the same points. */
static const tally *fullest(const counting *n, size_t row)
{
    const tally *best = NULL;
    for (size_t a = 0; a < n->arrays; a++) {
        const tally *t = &n->all[a * n->status->rows + row];
        if (!best || t->answered + t->failed > best->answered + best->failed)
            best = t;
    }
    return best;
}

/* All shards together are the sweep, so what is more counts; after the merge that is the file. */
static int settle(counting *n, msw_table *status, size_t row)
{
    const tally *t = fullest(n, row);
    double *answered = number_at(status, "answered", row),
           *failed = number_at(status, "failed", row), points = cli_number(status, "points", row);
    if (!t)
        return 0;
    const char *known = cli_label(status, "last_run", row);
    if (t->last[0] && (strcmp(known, "never") == 0 || strcmp(t->last, known) > 0) &&
        set_label(status, "last_run", row, t->last, n->err))
        return -1;
    bool running = t->running && *answered < points;
    if (t->answered + t->failed > *answered + *failed) {
        n->found->lacking = t->shards > n->found->lacking ? t->shards : n->found->lacking;
        *answered = t->answered;
        *failed = t->failed;
        if (!running && t->answered == points)
            return set_label(status, "state", row, "complete, to be merged", n->err);
    }
    return running ? set_label(status, "state", row, "running", n->err) : 0;
}

int cli_count_shards(const cli *c, msw_store *store, const char *path, msw_table *status,
                     cli_shards *shards, msw_err *err)
{
    char *file = msw_context_database(&c->context, path);
    counting n = {.c = c, .status = status, .found = shards, .err = err};
    *shards = (cli_shards){.rates = calloc(status->rows + 1, sizeof *shards->rates)};
    int rc = file && shards->rates ? start_running(&shards->running, err) : msw_fail_memory(err);
    if (rc == 0)
        rc = add_running(&n, store, "database");
    if (rc == 0 && status->rows)
        rc = add_all(&n, file);
    for (size_t r = 0; r < status->rows && rc == 0; r++)
        rc = settle(&n, status, r);
    shards->several = n.arrays > 1;
    free(n.all);
    free(file);
    return rc;
}

void cli_shards_free(cli_shards *shards)
{
    free(shards->rates);
    msw_table_free(&shards->running);
    *shards = (cli_shards){0};
}
