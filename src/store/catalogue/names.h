/* SPDX-License-Identifier: MIT */
/* Private to store: what the sweeps of a file are called, and the tables of errors that it keeps.
 * */
#ifndef MSW_STORE_CATALOGUE_NAMES_H
#define MSW_STORE_CATALOGUE_NAMES_H

#include "store/catalogue/catalogue.h"
#include "store/state.h"

/* A sweep of the catalogue, and what it is called. */
struct msw_sweep_name {
    int64_t id, points, last_run;
    char *name, *digest, *fidelity, *mechanism, *canonical;
    char *called;     /* as `status` shows it: NAME, NAME@full, NAME@93dd9cdc */
    int rank;         /* of its fidelity, or -1 */
    bool current;     /* used last of its name */
    bool head;        /* NAME@fidelity means it */
    bool best;        /* NAME means it */
    bool no_complete; /* used last, and no fidelity of its plan is complete */
};

typedef struct msw_names {
    msw_sweep_name *list; /* in the order of their ids */
    size_t count;
} msw_names;

/* SQL: how many points of the sweep `s` a run answers at most: of the chosen points of fidelity
 * auto the budget, which its text states as a share or a count, until the statement says that the
 * rounds are over. */
#define MSW_AUTO_SQL "substr(s.canonical, instr(s.canonical, 'auto: {version'))"
#define MSW_ROUNDS_OVER_SQL                                                                        \
    "(s.fidelity = 'auto-full' AND EXISTS (SELECT 1 FROM main.msw_sweep AS w JOIN "                \
    "main.msw_analysis AS a ON a.sweep = w.id WHERE w.name = s.name AND w.fidelity = 'auto' AND "  \
    "a.kind = 'auto' AND replace(substr(w.canonical, instr(w.canonical, 'auto: {version')), "      \
    "', full: ' || s.mechanism_version || '}', '}') = " MSW_AUTO_SQL "))"
#define MSW_TARGET_SQL                                                                             \
    "CASE WHEN " MSW_ROUNDS_OVER_SQL " OR EXISTS (SELECT 1 FROM main.msw_analysis AS a WHERE "     \
    "a.sweep = s.id AND (a.kind = 'search' OR (a.kind = 'auto' AND instr(s.canonical, 'design: "   \
    "{kind: search') > 0))) THEN "                                                                 \
    "(SELECT total(p.point_count) FROM main.msw_span AS p WHERE p.sweep = s.id) "                  \
    "WHEN s.fidelity <> 'auto-full' THEN s.points WHEN instr(" MSW_AUTO_SQL                        \
    ", ', budget: ') > 0 THEN CAST(CAST(substr(" MSW_AUTO_SQL ", instr(" MSW_AUTO_SQL              \
    ", ', budget: ') + 10) AS REAL) * s.points + 1e-9 AS INTEGER) ELSE min(s.points, "             \
    "CAST(substr(" MSW_AUTO_SQL ", instr(" MSW_AUTO_SQL ", ', points: ') + 10) AS INTEGER)) END"

/* Reads the sweeps of a name (NULL: all) and what they are called. Returns 0, or -1. */
int msw_names_load(msw_store *store, const char *name, msw_names *names, msw_err *err);
void msw_names_free(msw_names *names);

/* The sweep that a word means: NAME, NAME@fidelity, or NAME@ and 8 digits of a digest. Returns it,
 * or NULL. */
const msw_sweep_name *msw_names_find(const msw_names *names, const char *word);

/* Whether there are sweeps of a name at more than one fidelity. */
bool msw_names_several(const msw_names *names, const char *name);

/* Counts a sweep's rows and those that are answers. Returns 0, or -1. */
int msw_sweep_answered(msw_store *store, int64_t sweep, const char *mechanism, int64_t *rows,
                       int64_t *answered, msw_err *err);

/* Tables of errors that a file keeps, and the intervals that views make of
 * them. */

/* Keeps the table of a plan, once in a file. Returns 0, or -1. */
int msw_errors_keep(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err);

/* Appends, to the list of columns of a view of the closed form, NAME_low and NAME_high of each
 * metric that some table knows, and where they are from. Returns 0, or -1. */
int msw_errors_add_columns(msw_store *store, const msw_view_shape *shape, msw_text *sql,
                           msw_err *err);

#endif
