#include "cli/run/record.h"

#include <unistd.h>

static void add_command_line(const cli *c, msw_text *out)
{
    for (int i = 0; i < c->argc; i++)
        msw_text_add(out, "%s%s", i ? " " : "", i ? c->argv[i] : "memsweep");
}

int cli_begin_run(const cli *c, msw_store *store, int64_t sweep, int ranks, int threads,
                  int64_t *run, msw_err *err)
{
    char host[256] = "";
    msw_text line = MSW_TEXT_EMPTY;
    gethostname(host, sizeof host - 1);
    add_command_line(c, &line);
    msw_run_info info = {.version = MEMSWEEP_VERSION,
                         .build = __VERSION__,
                         .host = host,
                         .command_line = msw_text_str(&line),
                         .ranks = ranks,
                         .threads = threads};
    int rc = msw_store_begin_run(store, sweep, &info, run, err);
    msw_text_free(&line);
    return rc;
}
