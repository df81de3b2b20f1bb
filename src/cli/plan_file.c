/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "memsweep/sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

const char *const cli_fidelities[] = {"analytic", "sampled", "full", NULL};
const char *const cli_plan_fidelities[] = {"analytic", "sampled", "full", "auto", NULL};

int cli_fail_plan(const msw_messages *messages)
{
    fflush(stdout);
    fputs(msw_messages_text(messages), stderr);
    return messages->trouble ? EXIT_TROUBLE : EXIT_USAGE;
}

static int load(const char *path, const msw_plan_options *options, msw_plan **plan)
{
    msw_messages messages = {0};
    int rc = msw_plan_load(path, options, plan, &messages);
    int code = rc ? cli_fail_plan(&messages) : EXIT_OK;
    msw_text_free(&messages.text);
    return code;
}

void cli_warn_plan(const cli *c, const msw_plan *plan)
{
    for (const char *line = msw_text_str(&plan->warnings); *line;) {
        size_t size = strcspn(line, "\n");
        msw_log_line(&c->context.log, MSW_LOG_WARN, "%.*s", (int)size, line);
        line += size + (line[size] == '\n');
    }
}

int cli_load_plan(const cli *c, const char *word, const char *fidelity, int64_t seed,
                  msw_plan **plan)
{
    msw_err err = {0};
    msw_plan_options options = {
        .data_dirs = c->context.data_dirs, .fidelity = fidelity, .seed = seed};
    char *path = msw_context_sweep(&c->context, word);
    if (!path) {
        msw_fail_memory(&err);
        return cli_fail(&err);
    }
    int code = load(path, &options, plan);
    if (code == EXIT_OK)
        cli_warn_plan(c, *plan);
    free(path);
    return code;
}
