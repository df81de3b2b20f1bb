/* SPDX-License-Identifier: MIT */
/* The plan of a sweep that a database holds, from the inputs in it. */
#include "cli/eval/eval.h"

#include "memsweep/results/replay.h"

static int load(const cli *c, msw_replay *from, msw_plan **plan)
{
    msw_messages messages = {0};
    msw_text lines = MSW_TEXT_EMPTY;
    msw_err err = {0};
    msw_plan_options options = {.data_dirs = c->context.data_dirs, .seed = -1};
    const char *path = msw_replay_options(from, &options);
    int code = msw_plan_load(path, &options, plan, &messages) ? cli_fail_plan(&messages) : EXIT_OK;
    if (code == EXIT_OK && msw_replay_differ(from, *plan, &lines)) {
        msw_fail(&err,
                 "%s: stored with other versions than those here, so that its points may "
                 "come out otherwise:\n%s",
                 from->path, msw_text_str(&lines));
        code = cli_fail(&err);
    }
    if (code == EXIT_OK) /* all that is computed is shown, whatever rows hold */
        (*plan)->keep.metric_count = 0;
    msw_text_free(&lines);
    msw_text_free(&messages.text);
    return code;
}

int cli_own_errors(const cli *c, const char *file, msw_plan *plan)
{
    msw_store *store = NULL;
    msw_err err = {0};
    int rc = msw_store_open(file, MSW_STORE_READ, false, &c->context.log, &store, &err);
    if (rc == 0)
        rc = msw_store_own_errors(store, plan, &err);
    if (msw_store_close(store, rc ? NULL : &err))
        rc = -1;
    return rc ? cli_fail(&err) : EXIT_OK;
}

int cli_stored_plan(const cli *c, const char *file, const char *sweep, msw_plan **plan)
{
    msw_replay from = {0};
    msw_err err = {0};
    int code = msw_replay_open(&from, &c->context, file, sweep, &err) ? cli_fail(&err)
                                                                      : load(c, &from, plan);
    msw_replay_close(&from);
    return code;
}
