/* SPDX-License-Identifier: MIT */
/* Names sweeps. All fidelities of a sweep have one name: NAME is the best complete one,
 * NAME@full and so on name each, and an older plan of the same name and fidelity keeps NAME@ and
 * the first digits of its digest. The catalogue is all this is worked out from, so files of any age
 * are read alike. */
#include "store/catalogue/names.h"
#include "store/catalogue/catalogue.h"
#include "store/state.h"

#include "memsweep/base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 8 };

/* Fidelities in the order in which they are preferred, the last one first. The parts of a sweep at
 * `auto` are never what its bare name means. */
enum { AUTO_ANALYTIC, AUTO_FULL, ANALYTIC, AUTO, SAMPLED, FULL, FIDELITIES };
static const char *const FIDELITY[FIDELITIES] = {[AUTO_ANALYTIC] = "auto-analytic",
                                                 [AUTO_FULL] = "auto-full",
                                                 [ANALYTIC] = "analytic",
                                                 [AUTO] = "auto",
                                                 [SAMPLED] = "sampled",
                                                 [FULL] = "full"};

static int rank_of(const char *fidelity)
{
    int rank = FIDELITIES - 1;
    while (rank >= 0 && strcmp(FIDELITY[rank], fidelity) != 0)
        rank--;
    return rank;
}

/* ---- reading ---- */

static int add_sweep(msw_names *names, sqlite3_stmt *row, msw_err *err)
{
    MSW_TRY(msw_vec_extend(&names->list, names->count, sizeof *names->list, err));
    msw_sweep_name *n = &names->list[names->count++];
    *n = (msw_sweep_name){.id = sqlite3_column_int64(row, 0),
                          .name = msw_strdup(msw_sql_text(row, 1)),
                          .digest = msw_strdup(msw_sql_text(row, 2)),
                          .fidelity = msw_strdup(msw_sql_text(row, 3)),
                          .mechanism = msw_strdup(msw_sql_text(row, 4)),
                          .canonical = msw_strdup(msw_sql_text(row, 5)),
                          .points = sqlite3_column_int64(row, 6),
                          .current = sqlite3_column_int(row, 7) != 0,
                          .last_run = sqlite3_column_int64(row, 8)};
    n->rank = n->fidelity ? rank_of(n->fidelity) : -1;
    return n->name && n->digest && n->fidelity && n->mechanism && n->canonical
               ? 0
               : msw_fail_memory(err);
}

static int read_sweeps(msw_store *store, const char *name, msw_names *names, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store,
                        "SELECT id, name, digest, fidelity, mechanism, canonical, points, "
                        "is_current, (SELECT max(id) FROM main.msw_run WHERE sweep = s.id) FROM "
                        "main.msw_sweep AS s WHERE ?1 IS NULL OR name = ?1 ORDER BY id",
                        &stmt, err))
        return -1;
    if (name)
        sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
    int got;
    while ((got = msw_sql_step(store, stmt, err)) > 0)
        if (add_sweep(names, stmt, err)) {
            got = -1;
            break;
        }
    sqlite3_finalize(stmt);
    return got;
}

/* ---- one plan at several fidelities ---- */

/* Plans that differ only in how a point is evaluated are recognised by their canonical text. A file
 * keeps one digest of a plan, fidelity and versions in it, and no table of its settings; a second
 * digest, without those, would be missing in every file written so far.
 *
 * The next line of two texts that does not say how a point is evaluated, or what the rows of an
 * imported table hold. */
static const char *skip_lines(const char *text)
{
    while (strncmp(text, "fidelity: ", 10) == 0 || strncmp(text, "sampling: ", 10) == 0 ||
           strncmp(text, "auto: ", 6) == 0 || strncmp(text, "table: ", 7) == 0) {
        const char *end = strchr(text, '\n');
        if (!end)
            return "";
        text = end + 1;
    }
    return text;
}

/* How much of a line counts. Of "mechanism: {name: x, version: 3, parts: {...}, sampler: 1}" the
 * sampler does not, and version and parts only where both were answered by the same model. */
static size_t line_size(const char *line, bool same_model)
{
    size_t size = strcspn(line, "\n");
    if (strncmp(line, "mechanism: {", 12) != 0)
        return size;
    const char *cut = strstr(line, same_model ? ", sampler: " : ", version: ");
    if (cut && (size_t)(cut - line) < size)
        return (size_t)(cut - line);
    return size && line[size - 1] == '}' ? size - 1 : size;
}

/* Whether its version is that of the closed form. */
static bool is_closed(const msw_sweep_name *n)
{
    return n->rank == ANALYTIC || n->rank == AUTO_ANALYTIC || n->rank == AUTO;
}

/* Whether two plans differ in their fidelity alone. */
static bool same_plan(const msw_sweep_name *x, const msw_sweep_name *y)
{
    const char *a = x->canonical, *b = y->canonical;
    bool same_model = is_closed(x) == is_closed(y);
    for (;;) {
        a = skip_lines(a);
        b = skip_lines(b);
        size_t size = line_size(a, same_model);
        if (size != line_size(b, same_model) || strncmp(a, b, size) != 0)
            return false;
        a += strcspn(a, "\n");
        b += strcspn(b, "\n");
        if (!*a || !*b)
            return *a == *b;
        a++;
        b++;
    }
}

static bool is_later(const msw_sweep_name *a, const msw_sweep_name *b)
{
    if (a->current != b->current)
        return a->current;
    return a->last_run != b->last_run ? a->last_run > b->last_run : a->id > b->id;
}

static bool is_part(int rank)
{
    return rank == AUTO_ANALYTIC || rank == AUTO_FULL;
}

/* The sweep at `auto` that a part belongs to: it comes into a file after its parts. */
static msw_sweep_name *whole_of(msw_names *names, msw_sweep_name *part)
{
    for (size_t i = 0; i < names->count; i++) {
        msw_sweep_name *n = &names->list[i];
        if (n->rank == AUTO && strcmp(n->name, part->name) == 0 && same_plan(n, part))
            return n;
    }
    return part;
}

/* The sweep of its name that was used last. */
static msw_sweep_name *find_current(msw_names *names, const char *name)
{
    msw_sweep_name *best = NULL;
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i].name, name) == 0 && (!best || is_later(&names->list[i], best)))
            best = &names->list[i];
    return best && is_part(best->rank) ? whole_of(names, best) : best;
}

/* The one that NAME@fidelity means: of the current plan, else the latest. */
static msw_sweep_name *find_head(msw_names *names, const msw_sweep_name *current, int rank)
{
    msw_sweep_name *best = NULL;
    bool best_fits = false;
    for (size_t i = 0; i < names->count; i++) {
        msw_sweep_name *n = &names->list[i];
        if (n->rank != rank || strcmp(n->name, current->name) != 0)
            continue;
        bool fits = same_plan(n, current);
        if (!best || (fits != best_fits ? fits : is_later(n, best))) {
            best = n;
            best_fits = fits;
        }
    }
    return best;
}

/* ---- which one a bare name means ---- */

int msw_sweep_answered(msw_store *store, int64_t sweep, const char *mechanism, int64_t *rows,
                       int64_t *answered, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    char *sql = msw_strfmt("SELECT count(*), ifnull(sum(p.status IN ('ok', 'infeasible')), 0) FROM "
                           "main.msw_span AS s CROSS JOIN main.points_%s AS p ON p.id BETWEEN "
                           "s.first_row AND s.first_row + s.point_count - 1 WHERE s.sweep = %lld",
                           mechanism, (long long)sweep);
    int result = sql ? msw_sql_prepare(store, sql, &stmt, err) : msw_fail_memory(err);
    free(sql);
    if (result == 0)
        result = msw_sql_step(store, stmt, err);
    if (result > 0) {
        *rows = sqlite3_column_int64(stmt, 0);
        *answered = sqlite3_column_int64(stmt, 1);
    }
    sqlite3_finalize(stmt);
    return result < 0 ? -1 : 0;
}

static bool is_known_complete(const msw_store *store, int64_t sweep)
{
    for (size_t i = 0; i < store->complete_count; i++)
        if (store->complete[i] == sweep)
            return true;
    return false;
}

/* A sweep that is complete stays so: its rows need not be counted again. */
static void keep_complete(msw_store *store, int64_t sweep)
{
    if (!msw_vec_extend(&store->complete, store->complete_count, sizeof *store->complete, NULL))
        store->complete[store->complete_count++] = sweep;
}

/* Fewer points in the spans than in the plan: nothing has to be counted. */
static bool may_be_complete(msw_store *store, const msw_sweep_name *n)
{
    int64_t points = 0;
    return msw_sql_integer(store,
                           "SELECT sum(point_count) FROM main.msw_span WHERE sweep = (SELECT id "
                           "FROM main.msw_sweep WHERE digest = ?1)",
                           n->digest, &points, NULL) == 0 &&
           points >= n->points;
}

/* A table that cannot be counted says so when its rows are asked for. */
static bool is_complete(msw_store *store, const msw_sweep_name *n)
{
    int64_t rows = 0, answered = 0;
    if (is_known_complete(store, n->id))
        return true;
    if (!may_be_complete(store, n) ||
        msw_sweep_answered(store, n->id, n->mechanism, &rows, &answered, NULL) ||
        answered != n->points)
        return false;
    keep_complete(store, n->id);
    return true;
}

/* Fills heads by rank. Returns how many of them, parts aside, are of the current plan. */
static int find_heads(msw_names *names, msw_sweep_name *current, msw_sweep_name *heads[FIDELITIES],
                      bool fits[FIDELITIES])
{
    int family = 0;
    for (int rank = 0; rank < FIDELITIES; rank++) {
        heads[rank] = find_head(names, current, rank);
        fits[rank] = heads[rank] && same_plan(heads[rank], current);
        family += fits[rank] && !is_part(rank);
    }
    return family;
}

static void settle(msw_store *store, msw_names *names, msw_sweep_name *current)
{
    msw_sweep_name *heads[FIDELITIES], *best = NULL;
    bool fits[FIDELITIES];
    int family = find_heads(names, current, heads, fits);
    for (int rank = FIDELITIES - 1; rank >= 0; rank--) {
        if (heads[rank])
            heads[rank]->head = true;
        if (!best && fits[rank] && !is_part(rank) && (family > 1 || is_part(current->rank)) &&
            is_complete(store, heads[rank]))
            best = heads[rank];
    }
    current->no_complete = family > 1 && !best;
    (best ? best : current)->best = true;
}

static int call(msw_sweep_name *n, msw_err *err)
{
    n->called = n->best   ? msw_strdup(n->name)
                : n->head ? msw_strfmt("%s@%s", n->name, n->fidelity)
                          : msw_strfmt("%s@%.*s", n->name, DIGITS, n->digest);
    return n->called ? 0 : msw_fail_memory(err);
}

int msw_names_load(msw_store *store, const char *name, msw_names *names, msw_err *err)
{
    *names = (msw_names){0};
    int result = read_sweeps(store, name, names, err);
    for (size_t i = 0; result == 0 && i < names->count; i++) {
        msw_sweep_name *current = find_current(names, names->list[i].name);
        if (current == &names->list[i])
            settle(store, names, current);
    }
    for (size_t i = 0; result == 0 && i < names->count; i++)
        result = call(&names->list[i], err);
    if (result)
        msw_names_free(names);
    return result;
}

void msw_names_free(msw_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        msw_sweep_name *n = &names->list[i];
        free(n->name);
        free(n->digest);
        free(n->fidelity);
        free(n->mechanism);
        free(n->canonical);
        free(n->called);
    }
    free(names->list);
    *names = (msw_names){0};
}

/* ---- what a word means ---- */

static bool is_digest_of(const msw_sweep_name *n, const char *tail)
{
    return strlen(tail) == DIGITS && strncmp(n->digest, tail, DIGITS) == 0;
}

const msw_sweep_name *msw_names_find(const msw_names *names, const char *word)
{
    size_t size = strcspn(word, "@");
    const char *tail = word[size] ? word + size + 1 : NULL;
    for (size_t i = 0; i < names->count; i++) {
        const msw_sweep_name *n = &names->list[i];
        if (strlen(n->name) != size || strncmp(n->name, word, size) != 0)
            continue;
        if (tail ? (n->head && strcmp(n->fidelity, tail) == 0) || is_digest_of(n, tail) : n->best)
            return n;
    }
    return NULL;
}

bool msw_names_several(const msw_names *names, const char *name)
{
    int ranks = 0;
    for (size_t i = 0; i < names->count; i++)
        if (names->list[i].rank >= 0 && !is_part(names->list[i].rank) &&
            strcmp(names->list[i].name, name) == 0)
            ranks |= 1 << names->list[i].rank;
    return (ranks & (ranks - 1)) != 0;
}
