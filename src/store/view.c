/* One view per sweep: its own rows in the order of the plan, under the names a user knows. */
#include "store/internal.h"

#include "memsweep/quote.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define POINT "(s.first_point + (p.id - s.first_row))"

/* An alias can stand for several workloads or replicates of the plan, so these two come from the
 * point's number and not from the row. */
static void add_places(const msw_plan *plan, msw_text *out)
{
    uint64_t replicates = plan->replicates ? plan->replicates : 1;
    uint64_t per_workload = plan->points / (plan->workload_count ? plan->workload_count : 1);
    per_workload = per_workload ? per_workload : 1;
    msw_text_add(out, POINT " AS point, (" POINT " %% %" PRIu64 ") / %" PRIu64 " AS design_index, ",
                 per_workload, replicates);
    if (plan->workload_count == 1) {
        msw_text_add(out, "p.workload AS workload, ");
    } else {
        msw_text_add(out, "CASE " POINT " / %" PRIu64, per_workload);
        for (size_t i = 0; i < plan->workload_count; i++) {
            msw_text_add(out, " WHEN %zu THEN ", i);
            msw_text_add_sql_string(out, plan->workloads[i].name);
        }
        msw_text_add(out, " END AS workload, ");
    }
    msw_text_add(out, "p.fidelity AS fidelity, " POINT " %% %" PRIu64 " AS replicate", replicates);
}

static bool is_place(const msw_store_column *column)
{
    return column->role == MSW_ROLE_ENGINE &&
           (column->value == MSW_ENGINE_WORKLOAD || column->value == MSW_ENGINE_FIDELITY ||
            column->value == MSW_ENGINE_REPLICATE);
}

static void add_role(const msw_store_layout *layout, msw_role role, msw_text *out)
{
    for (size_t i = 0; i < layout->count; i++)
        if (layout->columns[i].role == role && !is_place(&layout->columns[i]))
            msw_text_add(out, ", p.%s AS %s", layout->columns[i].name, layout->columns[i].name);
}

static void add_rows(const msw_plan *plan, const msw_store_layout *layout, msw_text *out)
{
    char digest[MSW_DIGEST_TEXT];
    msw_text_add(out, "SELECT ");
    add_places(plan, out);
    add_role(layout, MSW_ROLE_PARAM, out);
    add_role(layout, MSW_ROLE_METRIC, out);
    add_role(layout, MSW_ROLE_HALF_WIDTH, out);
    add_role(layout, MSW_ROLE_ENGINE, out);
    /* CROSS JOIN keeps the spans outside: rows then come in the order of the plan, unsorted. */
    msw_text_add(out,
                 ", p.id AS row_id FROM msw_span AS s CROSS JOIN %s AS p ON p.id BETWEEN "
                 "s.first_row AND s.first_row + s.point_count - 1 WHERE s.sweep = (SELECT id FROM "
                 "msw_sweep WHERE digest = ",
                 layout->table);
    msw_text_add_sql_string(out, msw_digest_text(plan->digest, digest));
    msw_text_add(out, ")");
}

void msw_view_select(const msw_plan *plan, const msw_store_layout *layout, msw_text *out)
{
    if (!plan->derived_count) {
        add_rows(plan, layout, out);
        return;
    }
    msw_text_add(out, "SELECT q.*");
    for (size_t i = 0; i < plan->derived_count; i++) {
        msw_text_add(out, ", (%s) AS ", plan->derived[i].text);
        msw_text_add_sql_name(out, plan->derived[i].name);
    }
    msw_text_add(out, " FROM (");
    add_rows(plan, layout, out);
    msw_text_add(out, ") AS q");
}

static bool starts_with(const char *name, const char *prefix)
{
    return strncasecmp(name, prefix, strlen(prefix)) == 0;
}

int msw_view_check_name(msw_store *store, const char *name, msw_err *err)
{
    static const char *const TAKEN[] = {"msw_", "points_", "detail_", "sqlite_", "pragma_"};
    for (size_t i = 0; i < sizeof TAKEN / sizeof *TAKEN; i++)
        if (starts_with(name, TAKEN[i]))
            return msw_fail(err,
                            "a sweep cannot be called '%s': names that start with %s belong to the "
                            "file's own tables",
                            name, TAKEN[i]);
    if (!*name || strpbrk(name, "@\"`[]") || strlen(name) > 200)
        return msw_fail(
            err, "a sweep cannot be called '%s': 1 to 200 characters, none of @ \" ` [ ]", name);
    int64_t clashes = 0;
    if (msw_sql_integer(store,
                        "SELECT count(*) FROM sqlite_master WHERE lower(name) = lower(?1) AND NOT "
                        "(type = 'view' AND name = ?1)",
                        name, &clashes, err))
        return -1;
    return clashes ? msw_fail(err,
                              "a sweep cannot be called '%s': the file has something else of that "
                              "name (SQL does not tell upper from lower case)",
                              name)
                   : 0;
}

static int create_view(msw_store *store, const char *name, const char *select, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "DROP VIEW IF EXISTS ");
    msw_text_add_sql_name(&sql, name);
    msw_text_add(&sql, "; CREATE VIEW ");
    msw_text_add_sql_name(&sql, name);
    msw_text_add(&sql, " AS %s", select);
    return msw_sql_exec_text(store, &sql, err);
}

/* Makes the view of one sweep of a family: the bare name for the current one. */
static int create_one(msw_store *store, const char *name, sqlite3_stmt *row, bool current,
                      msw_err *err)
{
    const char *select = msw_sql_text(row, 1);
    if (current)
        return create_view(store, name, select, err);
    char *old = msw_strfmt("%s@%.8s", name, msw_sql_text(row, 2));
    int result = old ? create_view(store, old, select, err) : msw_fail_memory(err);
    free(old);
    return result;
}

static int mark_current(msw_store *store, int64_t id, const char *name, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "UPDATE msw_sweep SET is_current = (id = %" PRId64 ") WHERE name = ", id);
    msw_text_add_sql_string(&sql, name);
    return msw_sql_exec_text(store, &sql, err);
}

int msw_view_point(msw_store *store, int64_t id, const char *name, msw_err *err)
{
    sqlite3_stmt *family = NULL;
    if (mark_current(store, id, name, err) ||
        msw_sql_prepare(store, "SELECT id, view_sql, digest FROM msw_sweep WHERE name = ?1",
                        &family, err))
        return -1;
    sqlite3_bind_text(family, 1, name, -1, SQLITE_STATIC);
    int got;
    while ((got = msw_sql_step(store, family, err)) > 0)
        if (create_one(store, name, family, sqlite3_column_int64(family, 0) == id, err)) {
            got = -1;
            break;
        }
    sqlite3_finalize(family);
    return got;
}
