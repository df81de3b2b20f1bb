/* SPDX-License-Identifier: MIT */
#include "report/importance.h"

#include "memsweep/results/effects.h"

int report_importance_find(const report_importance *ask, msw_table *table, msw_text *note,
                           msw_err *err)
{
    msw_table_builder builder = {.err = err};
    msw_cases cases = {.ask = {.metric = ask->metric,
                               .filter = ask->filter,
                               .beyond = ask->beyond,
                               .doubtful = ask->doubtful},
                       .err = err};
    msw_effects job = {
        .cases = &cases,
        .ask = {.confidence = 0.95, .resamples = 200, .seed = 1, .degree = 3, .method = "auto"},
        .builder = &builder,
        .note = note};
    int rc = -1;
    if (msw_cases_open(ask->context, ask->file, ask->sweep, MSW_STORE_READ, &cases) ||
        msw_cases_read(&cases) || msw_effects_find(&job))
        goto done;
    rc = 0;
done:
    if (rc == 0)
        msw_effects_note(&job, note);
    msw_store_close(cases.store, NULL);
    msw_cases_free(&cases);
    *table = builder.table;
    return rc;
}
