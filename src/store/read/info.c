/* SPDX-License-Identifier: MIT */
/* What the catalogue knows about a sweep. */
#include "store/read/view.h"
#include "store/state.h"

#include <stdlib.h>
#include <string.h>

/* Reads the next string of the JSON that catalogue.c wrote (names and goals need no escapes).
 * Returns it on the heap, or NULL at the end. */
static char *next_string(const char **json)
{
    const char *open = strchr(*json, '"');
    const char *close = open ? strchr(open + 1, '"') : NULL;
    if (!close)
        return NULL;
    *json = close + 1;
    return msw_strfmt("%.*s", (int)(close - open - 1), open + 1);
}

static int add_objective(msw_sweep_info *info, char *name, const char *goal, msw_err *err)
{
    msw_objective *list =
        realloc(info->objectives, (info->objective_count + 1) * sizeof *info->objectives);
    if (!list) {
        free(name);
        return msw_fail_memory(err);
    }
    info->objectives = list;
    list[info->objective_count++] =
        (msw_objective){name, strcmp(goal, "lower") == 0 ? MSW_GOAL_LOWER : MSW_GOAL_HIGHER};
    return 0;
}

static int parse_objectives(msw_sweep_info *info, const char *json, msw_err *err)
{
    while (strchr(json, '"')) {
        free(next_string(&json)); /* "name" */
        char *name = next_string(&json);
        free(next_string(&json)); /* "goal" */
        char *goal = next_string(&json);
        if (!name || !goal) {
            free(name);
            free(goal);
            return msw_fail_memory(err);
        }
        int result = add_objective(info, name, goal, err);
        free(goal);
        if (result)
            return -1;
    }
    return 0;
}

int msw_sweep_info_read(msw_store *store, int64_t sweep, msw_sweep_info *info, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store,
                        "SELECT id, mechanism, objectives, canonical, points FROM main.msw_sweep "
                        "WHERE id = ?1",
                        &stmt, err))
        return -1;
    sqlite3_bind_int64(stmt, 1, sweep);
    int got = msw_sql_step(store, stmt, err);
    if (got > 0) {
        info->id = sqlite3_column_int64(stmt, 0);
        info->mechanism = msw_strdup(msw_sql_text(stmt, 1));
        info->canonical = msw_strdup(msw_sql_text(stmt, 3));
        info->points = (uint64_t)sqlite3_column_int64(stmt, 4);
        got = parse_objectives(info, msw_sql_text(stmt, 2), err);
    }
    sqlite3_finalize(stmt);
    return got == 0 && (!info->mechanism || !info->canonical) ? msw_fail_memory(err) : got;
}

char *msw_store_called(msw_store *store, const msw_plan *plan, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    char digest[MSW_DIGEST_TEXT], *called = NULL;
    if (msw_sql_prepare(store, "SELECT name FROM main.msw_sweep WHERE digest = ?1", &stmt, err))
        return NULL;
    sqlite3_bind_text(stmt, 1, msw_digest_text(plan->digest, digest), -1, SQLITE_STATIC);
    int got = msw_sql_step(store, stmt, err);
    if (got > 0 && !(called = msw_strfmt("%s@%.8s", msw_sql_text(stmt, 0), digest)))
        msw_fail_memory(err);
    else if (got == 0)
        msw_fail_kind(err, MSW_ERR_IO, "%s: no rows of sweep '%s' as it is now", store->path,
                      plan->name);
    sqlite3_finalize(stmt);
    return called;
}

/* Workloads in the brackets may have an '@' in their names. */
const char *msw_sweep_over_word(const msw_sweep_info *info)
{
    size_t at = strcspn(info->name, "(");
    while (at && info->name[at - 1] != '@')
        at--;
    return info->name + at;
}

void msw_sweep_info_free(msw_sweep_info *info)
{
    for (size_t i = 0; i < info->objective_count; i++)
        free(info->objectives[i].name);
    free(info->objectives);
    free(info->name);
    free(info->mechanism);
    free(info->canonical);
    *info = (msw_sweep_info){0};
}
