/* SPDX-License-Identifier: MIT */
/* Power failures: each scenario is recorded once; then, at every moment where something became sure
 * or was told to be, what a power failure may leave is put on the disk and the next run tried. */
#include "power_trials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct way {
    power_way way;
    const char *name;
} way;

static const way WAYS[] = {{POWER_NOTHING, "dropped"}, {POWER_ALL, "kept"}, {POWER_SOME, "torn"}};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };

static bool is_moment(const power_event *e)
{
    return e->what == POWER_SYNC || e->what == POWER_SYNC_FOLDER || e->what == POWER_COMMIT ||
           e->what == POWER_END;
}

/* How many rows were told to be safe before the moment, and whether the command had ended. */
static uint64_t promised(const power_log *log, size_t end, bool *ended)
{
    uint64_t rows = 0;
    *ended = false;
    for (size_t i = 0; i < end; i++) {
        if (log->list[i].what == POWER_COMMIT && log->list[i].size > rows)
            rows = log->list[i].size;
        *ended = *ended || log->list[i].what == POWER_END;
    }
    return rows;
}

static uint64_t rows_in(const char *database, trial_result *r)
{
    trial_check(NULL, database, r);
    return r->code || r->signal ? 0 : strtoull(r->out[TRIAL_STEPS - 1], NULL, 10);
}

/* Rows that were told to be safe lie in the database or in the copy it is written by. */
static outcome judge_rows(expected *e, const char *copy, uint64_t rows, char *detail, size_t size)
{
    static trial_result r;
    uint64_t found = rows_in(e->s->database, &r);
    if (r.code == 99) {
        snprintf(detail, size, "%.300s", r.err);
        return OUT_UNSOUND;
    }
    if (copy && *copy && found < rows)
        found = rows_in(copy, &r);
    if (found >= rows)
        return OUT_NONE;
    snprintf(detail, size, "%lu of %lu rows that were safe", (unsigned long)found,
             (unsigned long)rows);
    return OUT_LOST;
}

/* The copy's folder has a name of its own. */
static void find_copy(const power_log *log, char copy[300])
{
    *copy = '\0';
    for (size_t i = 0; i < log->events; i++) {
        const power_event *e = &log->list[i];
        const char *name = log->bytes + (e->what == POWER_RENAME ? e->to : e->text);
        size_t length = e->what == POWER_MAKE || e->what == POWER_RENAME ? strlen(name) : 0;
        if (length > 5 && strncmp(name, "scratch/", 8) == 0 &&
            strcmp(name + length - 5, "/x.db") == 0)
            snprintf(copy, 300, "%s", name);
    }
}

static void fail_at(expected *e, size_t end, const way *w, uint64_t seed, const char *copy,
                    tally *t)
{
    char detail[1000] = "";
    bool ended;
    uint64_t rows = promised(trial_power(), end, &ended);
    folder_write(&e->template, e->path);
    if (power_fail(trial_power(), end, w->way, seed, e->path))
        abort();
    outcome found = OUT_NONE;
    if (rows && e->s->database && !judge_known(e, rows, false)) {
        static folder state;
        folder_read(&state, e->path);
        found = judge_rows(e, copy, rows, detail, sizeof detail);
        folder_write(&state, e->path); /* SQLite may have brought it back into order */
        folder_free(&state);
        if (found == OUT_NONE)
            judge_known(e, rows, true);
    }
    if (found == OUT_NONE)
        found = judge_files(e, ended ? 0 : -1, detail, sizeof detail);
    if (found ==
        OUT_LEFT) /* a power failure may bring back what was removed: the next removes it */
        found = judge_files(e, -1, detail, sizeof detail);
    fault_plan plan = {.call = FAULT_CALLS, .kind = (fault_kind)w->way, .k = end};
    tally_add(t, e->s->name, &plan, found == OUT_NONE ? OUT_SAFE : found, detail);
}

void try_power(expected *e, uint64_t draws, tally *t)
{
    static trial_result r;
    char copy[300];
    trial_options o = {.plan = {.call = FAULT_CALLS}, .power = true};
    e->parts_may_stay = true;
    folder_write(&e->template, e->path);
    trial_run(&e->s->command, &o, &r);
    if (r.code || r.signal) {
        fprintf(stderr, "%s: %s\n", e->s->name, r.err);
        abort();
    }
    const power_log *log = trial_power();
    find_copy(log, copy);
    for (size_t i = 0; i < log->events; i++)
        for (size_t w = 0; w < WAY_COUNT && is_moment(&log->list[i]); w++)
            for (uint64_t d = 0; d < (WAYS[w].way == POWER_SOME ? draws : 1); d++) {
                /* Just before it is sure; of what was told, just after. */
                bool told = log->list[i].what >= POWER_COMMIT;
                fail_at(e, told ? i + 1 : i, &WAYS[w], i * 64 + d, copy, t);
            }
}
