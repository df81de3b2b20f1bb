/* SPDX-License-Identifier: MIT */
/* Finding the view a command means, and what its columns are. */
#include "store/read/view.h"
#include "store/state.h"

#include "memsweep/store/keeping.h"

#include "memsweep/base/text_check.h"
#include "memsweep/base/vec.h"
#include "memsweep/sweep/errors.h"

#include <stdlib.h>
#include <string.h>

/* How a list of sweeps names one: with its fidelity where the name does not say it. */
static void add_name(const msw_sweep_name *n, msw_text *list)
{
    msw_text_add(list, "%s%s", list->size ? ", " : "", n->called);
    if (!n->head || n->best)
        msw_text_add(list, " (%s)", n->fidelity);
}

/* The only sweep, or the one used last; -1 with the choice listed. `*name` is NULL or its name. */
static int default_name(msw_store *store, const msw_names *names, bool latest, const char **name,
                        msw_err *err)
{
    msw_text list = MSW_TEXT_EMPTY;
    const msw_sweep_name *best = NULL;
    int count = 0, result = 0;
    for (size_t i = 0; i < names->count; i++) {
        const msw_sweep_name *n = &names->list[i];
        if (!n->current)
            continue;
        msw_text_add(&list, "%s%s", count++ ? ", " : "", n->name);
        if (!best || n->last_run >= best->last_run)
            best = n;
    }
    if (!best)
        result = msw_fail(err, "%s: no sweep in this file yet", store->path);
    else if (count > 1 && !latest)
        result = msw_fail(err, "%s holds several sweeps: name one of %s", store->path,
                          msw_text_str(&list));
    msw_text_free(&list);
    *name = best ? best->name : NULL;
    return result;
}

/* What there is of the name that was asked for, else of all. */
static int unknown(msw_store *store, const msw_names *names, const char *word, msw_err *err)
{
    msw_text list = MSW_TEXT_EMPTY;
    size_t size = strcspn(word, "@");
    for (int all = 0; all < 2 && !list.size; all++)
        for (size_t i = 0; i < names->count; i++) {
            const char *name = names->list[i].name;
            if (all || (strlen(name) == size && strncmp(name, word, size) == 0))
                add_name(&names->list[i], &list);
        }
    msw_fail(err, "%s: no sweep '%s': there is %s", store->path, word,
             list.size ? msw_text_str(&list) : "none yet");
    msw_text_free(&list);
    return -1;
}

/* Said once, and only where the first question was for a bare name: commands go on with what the
 * sweep is called. */
static void tell_incomplete(msw_store *store, const msw_sweep_name *n, const char *word)
{
    if (!store->asked && !strchr(word, '@') && n->no_complete)
        msw_log_line(&store->log, MSW_LOG_WARN,
                     "no fidelity of sweep '%s' is complete: %s@%s, run last, is read", n->name,
                     n->name, n->fidelity);
    store->asked = true;
}

/* "@full" is the only (or latest) sweep at that fidelity. */
static int find_word(msw_store *store, const msw_names *names, const char *sweep, bool latest,
                     msw_text *word, msw_err *err)
{
    const char *name = "";
    if ((!sweep || *sweep == '@') && default_name(store, names, latest, &name, err))
        return -1;
    msw_text_add(word, "%s%s", name, sweep ? sweep : "");
    return word->failed ? msw_fail_memory(err) : 0;
}

/* Only the sweeps of the name that is asked for, if it is one: of others no rows are counted. */
static int load_names(msw_store *store, const char *sweep, msw_names *names, msw_err *err)
{
    bool named = sweep && *sweep && *sweep != '@';
    char *name = named ? msw_strfmt("%.*s", (int)strcspn(sweep, "@"), sweep) : NULL;
    int result = named && !name ? msw_fail_memory(err) : msw_names_load(store, name, names, err);
    if (result == 0 && named && names->count == 0)
        result = msw_names_load(store, NULL, names, err);
    free(name);
    return result;
}

static int take(msw_store *store, const msw_sweep_name *n, msw_view *view, msw_err *err)
{
    view->sweep = n->id;
    view->name = msw_strdup(n->called);
    return view->name ? msw_view_make(store, n, err) : msw_fail_memory(err);
}

static int find_base(msw_store *store, const char *sweep, bool latest, msw_view *view, msw_err *err)
{
    msw_names names;
    msw_text word = MSW_TEXT_EMPTY;
    if (load_names(store, sweep, &names, err))
        return -1;
    int result = find_word(store, &names, sweep, latest, &word, err);
    if (result == 0)
        result = msw_text_check(&word, err);
    const msw_sweep_name *n = result ? NULL : msw_names_find(&names, msw_text_str(&word));
    if (n) {
        tell_incomplete(store, n, msw_text_str(&word));
        result = take(store, n, view, err);
    } else if (result == 0) {
        result = unknown(store, &names, msw_text_str(&word), err);
    }
    msw_text_free(&word);
    msw_names_free(&names);
    return result;
}

#define FAMILY_DIGEST "(SELECT digest FROM main.msw_sweep WHERE id = ?2)"
#define FAMILY_TABLE  "(SELECT 'points_' || mechanism FROM main.msw_sweep WHERE id = ?2)"

static msw_goal goal_of(const char *text)
{
    if (!text || !*text)
        return MSW_GOAL_NONE;
    return *text == 'l' ? MSW_GOAL_LOWER : MSW_GOAL_HIGHER;
}

static msw_expr_type type_of(const char *text)
{
    if (text && strcmp(text, "INTEGER") == 0)
        return MSW_EXPR_INTEGER;
    if (text && (strcmp(text, "TEXT") == 0 || strcmp(text, "BLOB") == 0))
        return MSW_EXPR_TEXT;
    return MSW_EXPR_REAL;
}

static const char ENGINE[] = "engine";

/* Of a column that views are given and no table has. */
static const char *made_role(const char *name)
{
    bool engine =
        name && (strcmp(name, MSW_DOUBT_NAME) == 0 || strcmp(name, MSW_ERRORS_COLUMN) == 0);
    return engine ? ENGINE : "derived";
}

static int add_column(msw_view *view, sqlite3_stmt *row, msw_err *err)
{
    MSW_TRY(msw_vec_extend(&view->columns, view->count, sizeof *view->columns, err));
    const char *texts[5];
    for (int i = 0; i < 5; i++)
        texts[i] = (const char *)sqlite3_column_text(row, i);
    msw_view_column column = {
        .name = msw_strdup(texts[0] ? texts[0] : ""),
        .unit = msw_strdup(texts[2] ? texts[2] : ""),
        .role = msw_strdup(texts[4] ? texts[4] : made_role(texts[0])),
        .goal = goal_of(texts[3]),
        .type = !texts[4] && made_role(texts[0]) == ENGINE ? MSW_EXPR_TEXT : type_of(texts[1])};
    view->columns[view->count++] = column;
    return column.name && column.unit && column.role ? 0 : msw_fail_memory(err);
}

static int load_columns(msw_store *store, msw_view *view, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(
            store,
            "SELECT i.name, c.type, c.unit, c.goal, c.role FROM pragma_table_info(?1, 'temp') AS i "
            "LEFT JOIN main.msw_column AS c ON c.name = i.name AND c.table_name = CASE WHEN i.name "
            "IN "
            "('point', 'design_index', 'row_id', 'role', 'round', 'margin', 'state') AND NOT "
            "EXISTS(SELECT 1 FROM main.msw_column WHERE table_name = " FAMILY_TABLE
            " AND name = i.name) THEN 'view' WHEN EXISTS(SELECT 1 FROM "
            "main.msw_column "
            "WHERE table_name = " FAMILY_DIGEST " AND name = i.name) THEN " FAMILY_DIGEST
            " ELSE " FAMILY_TABLE " END ORDER BY i.cid",
            &stmt, err))
        return -1;
    sqlite3_bind_text(stmt, 1, view->name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 2, view->sweep);
    int got;
    while ((got = msw_sql_step(store, stmt, err)) > 0)
        if (add_column(view, stmt, err)) {
            got = -1;
            break;
        }
    sqlite3_finalize(stmt);
    return got;
}

/* Rows near a front need not be there for all workloads of a design. */
static int refuse_kept(msw_store *store, const msw_view *view, msw_err *err)
{
    msw_kept_rows kept = {0};
    msw_sweep_info info = {0};
    int rc = msw_sweep_info_read(store, view->sweep, &info, err);
    if (rc == 0)
        rc = msw_kept_rows_read(store, &info, &kept, err);
    if (rc == 0 && kept.chosen) {
        free(info.name);
        info.name = msw_strdup(view->name);
        rc = info.name ? msw_kept_rows_need(&kept, &info, "for workloads taken together",
                                            "keep: all", err)
                       : msw_fail_memory(err);
    }
    msw_sweep_info_free(&info);
    return rc;
}

/* The view over workloads is made of the listed view of its sweep. */
static int make_over(msw_store *store, const char *at, msw_view *view, msw_err *err)
{
    MSW_TRY(refuse_kept(store, view, err));
    char *name = NULL;
    int result = load_columns(store, view, err) || msw_over_make(store, at, view, &name, err);
    int64_t sweep = view->sweep;
    msw_view_free(view);
    *view = (msw_view){.name = name, .sweep = sweep, .over = true};
    return result ? -1 : 0;
}

/* How a sweep itself takes its workloads together, as its canonical text says: "@worst"; empty
 * where it does not. */
static int find_own(msw_store *store, int64_t sweep, msw_text *own, msw_err *err)
{
    static const char AUTO[] = "\nauto: {", SEARCH[] = "\ndesign: {kind: search",
                      OVER[] = ", over: \"";
    msw_sweep_info info = {0};
    int rc = msw_sweep_info_read(store, sweep, &info, err);
    const char *line = rc ? NULL : strstr(info.canonical, SEARCH);
    if (rc == 0 && !line && strstr(info.canonical, "\nfidelity: auto\n"))
        line = strstr(info.canonical, AUTO);
    const char *at = line ? strstr(line + 1, OVER) : NULL;
    if (at && at < line + 1 + strcspn(line + 1, "\n")) {
        msw_text_add(own, "@");
        for (at += strlen(OVER); *at && *at != '"'; at++) {
            at += *at == '\\' && at[1];
            msw_text_add_bytes(own, at, 1);
        }
    }
    msw_sweep_info_free(&info);
    return rc ? rc : msw_text_check(own, err);
}

static int find_with_own(msw_store *store, const char *sweep, bool latest, msw_view *view,
                         msw_err *err)
{
    msw_text own = MSW_TEXT_EMPTY;
    char *base = msw_strfmt("%.*s", (int)(strlen(sweep) - strlen(MSW_OVER_OWN)), sweep);
    int result =
        base ? find_base(store, *base ? base : NULL, latest, view, err) : msw_fail_memory(err);
    if (result == 0)
        result = find_own(store, view->sweep, &own, err);
    if (result == 0 && own.size)
        result = make_over(store, msw_text_str(&own), view, err);
    msw_text_free(&own);
    free(base);
    return result;
}

int msw_view_find(msw_store *store, const char *sweep, bool latest, msw_view *view, msw_err *err)
{
    const char *at = sweep ? msw_over_find(sweep) : NULL;
    if (sweep && msw_over_is_own(sweep))
        return find_with_own(store, sweep, latest, view, err);
    if (!at)
        return find_base(store, sweep, latest, view, err);
    char *base = at > sweep ? msw_strfmt("%.*s", (int)(at - sweep), sweep) : NULL;
    int result =
        at > sweep && !base ? msw_fail_memory(err) : find_base(store, base, latest, view, err);
    free(base);
    return result ? -1 : make_over(store, at, view, err);
}

/* The mean of whole numbers need not be whole. */
static void set_types(msw_view *view)
{
    for (size_t i = 0; view->over && i < view->count; i++)
        if (view->columns[i].type == MSW_EXPR_INTEGER &&
            strcmp(view->columns[i].role, "metric") == 0)
            view->columns[i].type = MSW_EXPR_REAL;
}

int msw_view_load(msw_store *store, const char *sweep, bool latest, msw_view *view, msw_err *err)
{
    *view = (msw_view){0};
    if (msw_view_find(store, sweep, latest, view, err) == 0 &&
        load_columns(store, view, err) == 0) {
        set_types(view);
        return 0;
    }
    msw_view_free(view);
    return -1;
}

void msw_view_free(msw_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        free(view->columns[i].name);
        free(view->columns[i].unit);
        free(view->columns[i].role);
    }
    free(view->columns);
    free(view->name);
    free(view->source);
    *view = (msw_view){0};
}
