/* SPDX-License-Identifier: MIT */
/* A table that has grown since it was imported: the sweep of all its rows takes the place of the
 * one that has some of them. */
#include "store/state.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <stdlib.h>

/* Derived columns and objectives, which end a canonical text: who asks for others wants another
 * sweep. */
#define ASKED(sweep)                                                                               \
    "substr(" sweep ".canonical, instr(" sweep ".canonical, char(10) || 'derive:'))"

#define OLDER                                                                                      \
    "SELECT o.id, o.digest FROM main.msw_sweep AS o JOIN main.msw_sweep AS n ON n.name = o.name "  \
    "AND n.mechanism = o.mechanism AND n.fidelity = o.fidelity AND n.points > o.points AND "       \
    "" ASKED("n") " = " ASKED("o") " WHERE n.id = ?1 ORDER BY o.id LIMIT 1 OFFSET ?2"

/* A row without an answer may have got one since. */
#define ANSWERS                                                                                    \
    "SELECT p.id FROM main.msw_span AS s CROSS JOIN main.points_%s AS p ON p.id BETWEEN "          \
    "s.first_row AND s.first_row + s.point_count - 1 WHERE s.sweep = ?1 AND p.status <> 'failed'"

typedef struct older {
    int64_t id;
    char digest[MSW_DIGEST_TEXT];
} older;

/* The one of this number. Returns 1, 0 when there are no more, or -1. */
static int find_older(msw_store *store, int64_t sweep, int number, older *found, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    MSW_TRY(msw_sql_prepare(store, OLDER, &stmt, err));
    sqlite3_bind_int64(stmt, 1, sweep);
    sqlite3_bind_int(stmt, 2, number);
    int got = msw_sql_step(store, stmt, err);
    if (got > 0) {
        found->id = sqlite3_column_int64(stmt, 0);
        msw_text_fit(found->digest, sizeof found->digest, msw_sql_text(stmt, 1));
    }
    sqlite3_finalize(stmt);
    return got;
}

/* Marks the answers of a sweep, or counts those that are not marked. */
static int each_answer(msw_store *store, const msw_plan *plan, int64_t sweep, uint64_t *bits,
                       uint64_t *unmarked, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    char *sql = msw_strfmt(ANSWERS, plan->mech->name);
    int got = sql ? msw_sql_prepare(store, sql, &stmt, err) : msw_fail_memory(err);
    if (got == 0)
        sqlite3_bind_int64(stmt, 1, sweep);
    while (got >= 0 && (got = msw_sql_step(store, stmt, err)) > 0) {
        uint64_t row = (uint64_t)sqlite3_column_int64(stmt, 0);
        if (unmarked)
            *unmarked += !msw_bit(bits, row);
        else
            msw_bit_set(bits, row);
    }
    sqlite3_finalize(stmt);
    free(sql);
    return got;
}

/* Its runs wrote rows of the new one; what was found out about fewer rows goes. */
static int drop(msw_store *store, const msw_plan *plan, const older *o, int64_t sweep, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY, view = MSW_TEXT_EMPTY;
    msw_text_add(&view, "%s@%.8s", plan->name, o->digest);
    msw_text_add(
        &sql,
        "UPDATE main.msw_run SET checksum = msw_sum_swap(checksum, 'sweep', sweep, %" PRId64
        "), sweep = %" PRId64 " WHERE sweep = %" PRId64 "; DROP VIEW IF EXISTS main.",
        sweep, sweep, o->id);
    msw_text_add_sql_name(&sql, msw_text_str(&view));
    msw_text_add(&sql,
                 "; DELETE FROM main.msw_span WHERE sweep = %" PRId64
                 "; DELETE FROM main.msw_analysis WHERE sweep = %" PRId64
                 "; DELETE FROM main.msw_sweep WHERE id = %" PRId64
                 "; DELETE FROM main.msw_column WHERE table_name = ",
                 o->id, o->id, o->id);
    msw_text_add_sql_string(&sql, o->digest);
    msw_text_free(&view);
    return msw_sql_exec_text(store, &sql, err);
}

static int supersede(msw_store *store, const msw_plan *plan, int64_t sweep, uint64_t *bits,
                     uint64_t *answers, msw_err *err)
{
    older o;
    int got, kept = 0;
    MSW_TRY(each_answer(store, plan, sweep, bits, NULL, err));
    while ((got = find_older(store, sweep, kept, &o, err)) > 0) {
        uint64_t unmarked = 0;
        MSW_TRY(each_answer(store, plan, o.id, bits, &unmarked, err));
        if (unmarked) {
            kept++;
            continue;
        }
        MSW_TRY(msw_sql_integer(store, "SELECT points FROM main.msw_sweep WHERE digest = ?1",
                                o.digest, (int64_t *)answers, err));
        MSW_TRY(drop(store, plan, &o, sweep, err));
    }
    MSW_TRY(got);
    return msw_view_point(store, sweep, err);
}

int msw_store_supersede(msw_store *store, const msw_plan *plan, int64_t sweep, uint64_t *before,
                        msw_err *err)
{
    int64_t rows = 0;
    char *sql = msw_strfmt("SELECT max(id) FROM main.points_%s", plan->mech->name);
    *before = 0;
    int rc = sql ? msw_sql_integer(store, sql, NULL, &rows, err) : msw_fail_memory(err);
    free(sql);
    MSW_TRY(rc);
    uint64_t *bits = calloc((uint64_t)rows / 64 + 1, sizeof *bits);
    if (!bits)
        return msw_fail_memory(err);
    rc = msw_store_commit(store, err) || msw_sql_begin(store, err)
             ? -1
             : msw_sql_end(store, supersede(store, plan, sweep, bits, before, err), err);
    free(bits);
    return rc;
}
