/* SPDX-License-Identifier: MIT */
/* Every row against its checksum, every sweep against its rows. */
#include "memsweep/store/verify.h"
#include "memsweep/base/vec.h"
#include "store/catalogue/names.h"

#include "store/catalogue/catalogue.h"
#include "store/state.h"
#include "store/sum/sum.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 20 /* findings of a kind that are printed one by one */ };

/* One file while it is looked at. */
typedef struct verifying {
    msw_store *store;
    msw_verified *out;
    bool all;                     /* no record may be without a checksum */
    msw_links damaged, uncovered; /* rows of the mechanism at hand, in their order; point: told */
} verifying;

static void tell(verifying *v, uint64_t already, const char *format, const char *what, uint64_t a,
                 uint64_t b)
{
    v->out->damages++;
    if (already < LISTED)
        msw_text_add(&v->out->findings, format, what, a, b);
    else if (already == LISTED)
        msw_text_add(&v->out->findings, "%s: and more\n", what);
}

static int each(verifying *v, const char *sql, int (*look)(verifying *, sqlite3_stmt *, msw_err *),
                msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int got = msw_sql_prepare(v->store, sql, &stmt, err);
    while (got >= 0 && (got = msw_sql_step(v->store, stmt, err)) > 0)
        if (look(v, stmt, err))
            got = -1;
    sqlite3_finalize(stmt);
    return got;
}

/* ---- structure ---- */

static int look_at_structure(verifying *v, sqlite3_stmt *row, msw_err *err)
{
    (void)err;
    if (strcmp(msw_sql_text(row, 0), "ok") == 0)
        return 0;
    v->out->damages++;
    msw_text_add(&v->out->findings, "structure: %s\n", msw_sql_text(row, 0));
    return 0;
}

/* Checks of tables that a user added would be run: they are left out. */
static int check_structure(verifying *v, msw_err *err)
{
    MSW_TRY(msw_sql_exec(v->store, "PRAGMA ignore_check_constraints = ON", err));
    MSW_TRY(each(v, "PRAGMA main.quick_check(20)", look_at_structure, err));
    return 0;
}

/* ---- the catalogue ---- */

static int look_at_record(verifying *v, const msw_sums *sums, sqlite3_stmt *row)
{
    static const char *const WORDS[] = {"name", "table_name", "first_point", "sweep"};
    msw_soundness verdict = msw_sums_verdict(row, sums->sum, msw_sums_row(sums, row, 0));
    if (verdict == MSW_ROW_UNCOVERED && v->all)
        verdict = MSW_ROW_DAMAGED;
    v->out->records++;
    v->out->records_uncovered += verdict == MSW_ROW_UNCOVERED;
    if (verdict != MSW_ROW_DAMAGED)
        return 0;
    v->out->records_damaged++;
    v->out->damages++;
    msw_text_add(&v->out->findings, "catalogue: a record of %s is damaged:", sums->table);
    for (size_t c = 0; c < sums->count; c++)
        for (size_t w = 0; w < sizeof WORDS / sizeof *WORDS; w++)
            if ((int)c == sums->id || strcmp(sums->columns[c].name, WORDS[w]) == 0) {
                msw_text_add(&v->out->findings, " %s %s", sums->columns[c].name,
                             msw_sql_text(row, (int)c));
                break;
            }
    msw_text_add(&v->out->findings, "\n");
    return 0;
}

static int check_table(verifying *v, const char *table, msw_err *err)
{
    msw_sums sums;
    sqlite3_stmt *stmt = NULL;
    if (msw_sums_load(v->store, "main", table, &sums, err))
        return -1;
    char *sql = sums.count ? msw_strfmt("SELECT * FROM main.%s", table) : NULL;
    int got = sql ? msw_sql_prepare(v->store, sql, &stmt, err) : 0;
    while (stmt && got >= 0 && (got = msw_sql_step(v->store, stmt, err)) > 0)
        look_at_record(v, &sums, stmt);
    sqlite3_finalize(stmt);
    free(sql);
    msw_sums_free(&sums);
    return got;
}

static int look_at_artifacts(verifying *v, msw_err *err)
{
    uint64_t all = 0, damaged = 0;
    if (msw_kept_count_damaged(v->store, &all, &damaged, err))
        return -1;
    v->out->records += all;
    v->out->records_damaged += damaged;
    if (damaged)
        tell(v, 0, "catalogue: %s: %" PRIu64 " of %" PRIu64 " are damaged: they are built again\n",
             "kept artifacts", damaged, all);
    return 0;
}

static int look_at_inputs(verifying *v, msw_err *err)
{
    uint64_t all = 0, damaged = 0;
    if (msw_inputs_check(v->store, &all, &damaged, err))
        return -1;
    v->out->records += all;
    v->out->records_damaged += damaged;
    if (damaged)
        tell(v, 0,
             "catalogue: %s: %" PRIu64 " of %" PRIu64 " are damaged: nothing can be computed again "
             "from them\n",
             "inputs of sweeps", damaged, all);
    return 0;
}

/* A run finds its sweep by the index over digests. */
#define UNFOUND                                                                                    \
    "SELECT name FROM main.msw_sweep AS s WHERE NOT EXISTS(SELECT 1 FROM main.msw_sweep AS i "     \
    "WHERE i.digest = s.digest AND i.id = s.id)"

/* Rows belong to no sweep when the record of theirs has lost its number. */
#define UNKNOWN                                                                                    \
    "SELECT 'msw_span', count(*) FROM main.msw_span WHERE sweep NOT IN (SELECT id FROM "           \
    "main.msw_sweep) UNION ALL SELECT 'msw_run', count(*) FROM main.msw_run WHERE sweep NOT IN "   \
    "(SELECT id FROM main.msw_sweep) UNION ALL SELECT 'msw_analysis', count(*) FROM "              \
    "main.msw_analysis WHERE sweep NOT IN (SELECT id FROM main.msw_sweep)"
#define UNKNOWN_CHOICES                                                                            \
    "SELECT 'msw_choice', count(*) FROM main.msw_choice WHERE sweep NOT IN (SELECT id FROM "       \
    "main.msw_sweep)"

static void tell_view(void *context, const char *view)
{
    verifying *v = context;
    v->out->damages++;
    msw_text_add(&v->out->findings,
                 "the stored view %s is not the one that belongs to its sweep: the next run of "
                 "it makes it anew\n",
                 view);
}

static int look_at_unfound(verifying *v, sqlite3_stmt *row, msw_err *err)
{
    (void)err;
    v->out->damages++;
    msw_text_add(&v->out->findings, "catalogue: sweep %s is not found by its digest\n",
                 msw_sql_text(row, 0));
    return 0;
}

static int look_at_unknown(verifying *v, sqlite3_stmt *row, msw_err *err)
{
    (void)err;
    if (sqlite3_column_int64(row, 1) == 0)
        return 0;
    v->out->damages++;
    msw_text_add(&v->out->findings, "catalogue: %s records of %s name a sweep that is not there\n",
                 (const char *)sqlite3_column_text(row, 1), msw_sql_text(row, 0));
    return 0;
}

static int check_catalogue(verifying *v, msw_err *err)
{
    static const char *const TABLES[] = {"msw_sweep", "msw_run",      "msw_column",
                                         "msw_span",  "msw_analysis", "msw_job"};
    msw_old_runs old;
    if (msw_old_runs_load(v->store, "main", &old, err))
        return -1;
    v->all = old.newer && !old.count;
    msw_old_runs_free(&old);
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++)
        if (check_table(v, TABLES[i], err))
            return -1;
    MSW_TRY(look_at_artifacts(v, err));
    MSW_TRY(look_at_inputs(v, err));
    MSW_TRY(each(v, UNFOUND, look_at_unfound, err));
    MSW_TRY(each(v, UNKNOWN, look_at_unknown, err));
    int64_t choices = 0;
    MSW_TRY(msw_sql_integer(v->store, MSW_CHOICES_THERE("main"), NULL, &choices, err));
    MSW_TRY(choices && each(v, UNKNOWN_CHOICES, look_at_unknown, err));
    return msw_views_check(v->store, NULL, tell_view, v, err);
}

/* ---- rows ---- */

static int look_at_row(verifying *v, msw_checker *checker, sqlite3_stmt *row, msw_err *err)
{
    msw_soundness verdict;
    int64_t id = sqlite3_column_int64(row, 0);
    if (msw_checker_row(checker, row, 0, &verdict, err))
        return -1;
    if (id < 0 || id > UINT32_MAX) {
        tell(v, 0, "%s: row %" PRIu64 ": no row has such a number\n", checker->points.table,
             (uint64_t)id, 0);
        return 0;
    }
    return verdict == MSW_ROW_SOUND
               ? 0
               : msw_links_add(verdict == MSW_ROW_DAMAGED ? &v->damaged : &v->uncovered, 0,
                               (uint64_t)id, err);
}

static int check_rows(verifying *v, const char *mechanism, msw_err *err)
{
    msw_checker checker;
    sqlite3_stmt *stmt = NULL;
    if (msw_checker_open(v->store, "main", mechanism, &checker, err))
        return -1;
    char *sql = msw_strfmt("SELECT %s FROM main.points_%s ORDER BY id", checker.columns, mechanism);
    int got = sql ? msw_sql_prepare(v->store, sql, &stmt, err) : msw_fail_memory(err);
    if (got == 0)
        got = msw_checker_bind(&checker, stmt, err);
    while (got >= 0 && (got = msw_sql_step(v->store, stmt, err)) > 0)
        if (look_at_row(v, &checker, stmt, err))
            got = -1;
    sqlite3_finalize(stmt);
    free(sql);
    msw_checker_close(&checker);
    return got;
}

/* ---- sweeps ---- */

/* A span of a sweep, point by point. */
typedef struct walk {
    verifying *v;
    msw_verified_sweep *sweep;
    uint64_t point, row, count, due;
} walk;

static bool is_listed(const msw_links *links, uint64_t row)
{
    size_t at = msw_links_first(links, row);
    return at < links->count && links->list[at].row == row;
}

static void lose(walk *w, uint64_t end)
{
    for (; w->due < end; w->due++)
        tell(w->v, w->sweep->lost++, "%s: point %" PRIu64 ": row %" PRIu64 " is lost\n",
             w->sweep->name, w->point + (w->due - w->row), w->due);
}

static void meet(walk *w, uint64_t id)
{
    if (id < w->due || id - w->row >= w->count)
        return; /* out of order: what is due counts as lost */
    lose(w, id);
    w->due = id + 1;
    w->sweep->rows++;
    msw_links *damaged = &w->v->damaged;
    size_t at = msw_links_first(damaged, id);
    if (at < damaged->count && damaged->list[at].row == id) {
        damaged->list[at].point = 1;
        tell(w->v, w->sweep->damaged++, "%s: point %" PRIu64 ": row %" PRIu64 " is damaged\n",
             w->sweep->name, w->point + (id - w->row), id);
    }
    w->sweep->uncovered += is_listed(&w->v->uncovered, id);
}

static int walk_span(walk *w, sqlite3_stmt *ids, msw_err *err)
{
    int got;
    w->due = w->row;
    sqlite3_bind_int64(ids, 1, (sqlite3_int64)w->row);
    sqlite3_bind_int64(ids, 2, (sqlite3_int64)(w->row + w->count - 1));
    while ((got = msw_sql_step(w->v->store, ids, err)) > 0)
        meet(w, (uint64_t)sqlite3_column_int64(ids, 0));
    sqlite3_reset(ids);
    if (got == 0)
        lose(w, w->row + w->count);
    return got;
}

/* A span that leads outside of its sweep, or over points that another has, is damaged; the check
 * of the catalogue has said so where there are checksums. */
static int check_spans(walk *w, sqlite3_stmt *spans, sqlite3_stmt *ids, msw_err *err)
{
    int got;
    uint64_t next = 0;
    while ((got = msw_sql_step(w->v->store, spans, err)) > 0) {
        w->point = (uint64_t)sqlite3_column_int64(spans, 0);
        w->row = (uint64_t)sqlite3_column_int64(spans, 1);
        w->count = (uint64_t)sqlite3_column_int64(spans, 2);
        uint64_t points = w->sweep->points;
        if (w->point < next || w->point >= points || w->count > points - w->point ||
            w->row > UINT32_MAX) {
            tell(w->v, 0, "%s: the rows of %" PRIu64 " points from %" PRIu64 " on: damaged\n",
                 w->sweep->name, w->count, w->point);
            continue;
        }
        next = w->point + w->count;
        if (w->count && walk_span(w, ids, err))
            return -1;
    }
    return got;
}

static int check_sweep(verifying *v, const msw_sweep_name *name, msw_verified_sweep *sweep,
                       msw_err *err)
{
    sqlite3_stmt *spans = NULL, *ids = NULL;
    walk w = {.v = v, .sweep = sweep};
    char *sql = msw_strfmt("SELECT id FROM main.points_%s WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
                           name->mechanism);
    int rc = sql ? msw_sql_prepare(v->store, sql, &ids, err) ||
                       msw_sql_prepare(v->store,
                                       "SELECT first_point, first_row, point_count FROM "
                                       "main.msw_span WHERE sweep = ?1 ORDER BY first_point",
                                       &spans, err)
                 : msw_fail_memory(err);
    if (rc == 0) {
        sqlite3_bind_int64(spans, 1, name->id);
        rc = check_spans(&w, spans, ids, err);
    }
    sqlite3_finalize(spans);
    sqlite3_finalize(ids);
    free(sql);
    return rc ? -1 : 0;
}

static int add_sweep(verifying *v, const msw_sweep_name *name, msw_err *err)
{
    msw_verified *out = v->out;
    MSW_TRY(msw_vec_extend(&out->sweeps, out->sweep_count, sizeof *out->sweeps, err));
    msw_verified_sweep *sweep = &out->sweeps[out->sweep_count];
    *sweep =
        (msw_verified_sweep){.name = msw_strdup(name->called), .points = (uint64_t)name->points};
    if (!sweep->name)
        return msw_fail_memory(err);
    out->sweep_count++;
    return check_sweep(v, name, sweep, err);
}

/* Rows say which run computed them. */
static int check_runs(verifying *v, const char *mechanism, msw_err *err)
{
    int64_t rows = 0;
    char *sql = msw_strfmt("SELECT count(*) FROM main.points_%s WHERE run NOT IN (SELECT id FROM "
                           "main.msw_run)",
                           mechanism);
    int rc = sql ? msw_sql_integer(v->store, sql, NULL, &rows, err) : msw_fail_memory(err);
    free(sql);
    if (rc == 0 && rows > 0)
        tell(v, 0, "points_%s: %" PRIu64 " rows name a run that is not there\n", mechanism,
             (uint64_t)rows, 0);
    return rc;
}

/* Details say whose they are. */
static int look_at_detail(verifying *v, const char *mechanism, const char *table, msw_err *err)
{
    int64_t there = 0, lost = 0;
    char *sql = msw_strfmt("SELECT count(*) FROM main.%s WHERE row_id NOT IN (SELECT id FROM "
                           "main.points_%s)",
                           table, mechanism);
    int rc = !sql ? msw_fail_memory(err)
                  : msw_sql_integer(v->store,
                                    "SELECT count(*) FROM main.sqlite_master WHERE type = 'table' "
                                    "AND name = ?1",
                                    table, &there, err);
    if (rc == 0 && there)
        rc = msw_sql_integer(v->store, sql, NULL, &lost, err);
    free(sql);
    if (rc == 0 && lost > 0)
        tell(v, 0, "%s: %" PRIu64 " records name a row that is not there\n", table, (uint64_t)lost,
             0);
    return rc;
}

static int check_details(verifying *v, const char *mechanism, msw_err *err)
{
    const msw_mech *mech = msw_mech_find(mechanism);
    for (const msw_detail *d = mech ? mech->details : NULL; d && d->name; d++) {
        char *table = msw_strfmt("detail_%s_%s", mechanism, d->name);
        int rc = table ? look_at_detail(v, mechanism, table, err) : msw_fail_memory(err);
        free(table);
        MSW_TRY(rc);
    }
    return 0;
}

static void tell_orphans(verifying *v, const char *mechanism)
{
    uint64_t told = 0;
    for (size_t i = 0; i < v->damaged.count; i++)
        if (!v->damaged.list[i].point)
            tell(v, told++, "points_%s: row %" PRIu64 ", of no sweep, is damaged\n", mechanism,
                 v->damaged.list[i].row, 0);
}

static int check_mechanism(verifying *v, const msw_names *names, const char *mechanism,
                           msw_err *err)
{
    v->damaged.count = v->uncovered.count = 0;
    if (check_rows(v, mechanism, err))
        return -1;
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i].mechanism, mechanism) == 0 && add_sweep(v, &names->list[i], err))
            return -1;
    tell_orphans(v, mechanism);
    MSW_TRY(check_details(v, mechanism, err));
    return check_runs(v, mechanism, err);
}

static bool is_first(const msw_names *names, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(names->list[i].mechanism, names->list[at].mechanism) == 0)
            return false;
    return true;
}

static int check_sweeps(verifying *v, msw_err *err)
{
    msw_names names;
    if (msw_names_load(v->store, NULL, &names, err))
        return -1;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < names.count; i++)
        if (is_first(&names, i))
            rc = check_mechanism(v, &names, names.list[i].mechanism, err);
    msw_names_free(&names);
    return rc;
}

int msw_store_verify(msw_store *store, msw_verified *verified, msw_err *err)
{
    verifying v = {.store = store, .out = verified};
    *verified = (msw_verified){.findings = MSW_TEXT_EMPTY};
    int rc = check_structure(&v, err) || check_catalogue(&v, err) || check_sweeps(&v, err);
    if (rc == 0 && verified->findings.failed)
        rc = msw_fail_memory(err);
    free(v.damaged.list);
    free(v.uncovered.list);
    if (rc)
        msw_verified_free(verified);
    return rc ? -1 : 0;
}

void msw_verified_free(msw_verified *verified)
{
    for (size_t i = 0; i < verified->sweep_count; i++)
        free(verified->sweeps[i].name);
    free(verified->sweeps);
    msw_text_free(&verified->findings);
    *verified = (msw_verified){.findings = MSW_TEXT_EMPTY};
}
