/* SPDX-License-Identifier: MIT */
#include "cli/run/record.h"

#include <unistd.h>

static void add_command_line(const cli *c, msw_text *out)
{
    for (int i = 0; i < c->argc; i++)
        msw_text_add(out, "%s%s", i ? " " : "", i ? c->argv[i] : "memsweep");
}

void cli_who_am_i(const cli *c, int ranks, int threads, cli_who *who)
{
    *who = (cli_who){0};
    gethostname(who->host, sizeof who->host - 1);
    add_command_line(c, &who->line);
    who->info = (msw_run_info){.version = MEMSWEEP_VERSION,
                               .build = __VERSION__,
                               .revision = *cli_revision ? cli_revision : NULL,
                               .host = who->host,
                               .command_line = msw_text_str(&who->line),
                               .ranks = ranks,
                               .threads = threads};
}

int cli_begin_run(const cli *c, msw_store *store, int64_t sweep, int ranks, int threads,
                  int64_t *run, msw_err *err)
{
    cli_who who;
    cli_who_am_i(c, ranks, threads, &who);
    int rc = msw_store_begin_run(store, sweep, &who.info, run, err);
    msw_text_free(&who.line);
    return rc;
}
