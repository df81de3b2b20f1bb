/* SPDX-License-Identifier: MIT */
/* Opens the sweep whose front is asked for, and that of another to compare with. Of a sweep at
 * fidelity auto, whose rows are of two fidelities, those in full alone compete. */
#include "memsweep/results/front.h"

#include "memsweep/results/reading.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Opens, with objectives that are declared in `sweep`. */
static int open_with(msw_front *j, const msw_context *context, const msw_front_source *source,
                     msw_store_mode mode, const msw_sweep_info *sweep)
{
    if (msw_open_database(context, source->file, mode, &j->store, j->err) ||
        msw_store_sweep(j->store, source->sweep, &j->sweep, j->err) ||
        msw_objectives_read(source->minimize, source->maximize, sweep, &j->objectives, j->err))
        return -1;
    MSW_TRY(msw_front_choose_groups(j));
    return msw_front_narrow(j);
}

int msw_front_open(msw_front *j, const msw_context *context, const msw_front_source *source,
                   msw_store_mode mode)
{
    return open_with(j, context, source, mode, &j->sweep);
}

static int fail_several(const msw_front *j)
{
    return msw_fail(j->err, "pareto: --against compares one front with one: choose one by --filter "
                            "\"workload = '...'\", or mix them by --group-by none");
}

/* The same question to the other sweep; only where its points lie matters. */
static int find_other(const msw_front *j, const msw_context *context,
                      const msw_front_source *source, msw_front *other)
{
    if (j->group_count > 1 || (j->grouping.count && !msw_front_by_default(j)))
        return fail_several(j);
    other->ask = j->ask;
    other->ask.group_by = msw_front_by_default(j) ? NULL : j->ask.group_by;
    other->ask.crowding = other->ask.knee = other->ask.exclusive = other->ask.uncertain = false;
    other->ask.thin = 0;
    other->ask.goals = other->ask.weights = NULL;
    other->err = j->err;
    if (open_with(other, context, source, MSW_STORE_READ, &j->sweep) || msw_front_find(other))
        return -1;
    return other->group_count > 1 ? fail_several(j) : 0;
}

int msw_front_compare(msw_front *j, const msw_context *context, const msw_front_source *source,
                      msw_table_builder *builder)
{
    msw_front other = {0};
    int rc = find_other(j, context, source, &other) || msw_front_measure(j, &other, builder);
    msw_store_close(other.store, NULL);
    msw_front_free(&other);
    return rc ? -1 : 0;
}

int msw_narrow_filter(const char *canonical, const char **filter, char **narrowed, msw_err *err)
{
    if (!canonical || !strstr(canonical, "\nfidelity: auto\n"))
        return 0;
    *narrowed = *filter && **filter ? msw_strfmt("(%s) AND fidelity = 'full'", *filter)
                                    : msw_strdup("fidelity = 'full'");
    *filter = *narrowed;
    return *narrowed ? 0 : msw_fail_memory(err);
}

int msw_front_narrow(msw_front *j)
{
    return msw_narrow_filter(j->sweep.canonical, &j->ask.filter, &j->narrowed, j->err);
}

/* The sentence that the last run kept with the sweep. */
static void add_statement(const msw_table *t, msw_text *note)
{
    static const char HEAD[] = "\"statement\": \"";
    const msw_column *c = &t->columns[0];
    const char *json = t->rows && c->labels ? c->labels[(size_t)c->values[0]] : "";
    const char *text = strstr(json, HEAD);
    if (text)
        msw_text_add(note, "\n%.*s", (int)strcspn(text + strlen(HEAD), "\""), text + strlen(HEAD));
}

int msw_front_chosen_note(msw_front *j, msw_text *note)
{
    msw_table table = {0};
    if (!j->narrowed)
        return 0;
    char *sql = msw_strfmt("SELECT result FROM msw_analysis WHERE sweep = %" PRId64
                           " AND kind = 'auto' ORDER BY id DESC LIMIT 1",
                           j->sweep.id);
    msw_query query = {.sql = sql};
    int rc = sql ? msw_store_read(j->store, &query, &table, j->err) : msw_fail_memory(j->err);
    free(sql);
    if (rc)
        return -1;
    msw_text_add(note, "\nrows in full alone: those by the closed form do not compete");
    add_statement(&table, note);
    msw_table_free(&table);
    return 0;
}
