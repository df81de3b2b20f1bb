#include "cli.h"

#include <gsl/gsl_version.h>
#include <libfyaml.h>
#include <sqlite3.h>

static int run(const cli *c, const void *given)
{
    (void)c, (void)given;
    msw_text text = MSW_TEXT_EMPTY;
    msw_text_add(&text, "memsweep %s (SQLite %s, GSL %s, libfyaml %s)\n", MEMSWEEP_VERSION,
                 sqlite3_libversion(), gsl_version, fy_library_version());
    return cli_print(&text);
}

const cli_command cli_command_version = {
    .name = "version",
    .doc = "prints the versions of memsweep and its libraries",
    .run = run,
};
