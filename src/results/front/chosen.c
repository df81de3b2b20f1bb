/* SPDX-License-Identifier: MIT */
/* Fronts of sweeps at fidelity auto, whose rows are of two fidelities. */
#include "memsweep/results/front.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
