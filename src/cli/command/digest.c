/* SPDX-License-Identifier: MIT */
#include "cli/shared_options.h"

#include "memsweep/results/reading.h"

#include <inttypes.h>

typedef struct settings {
    const char *file, *sweep, *fidelity;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "sweep", .letter = 's', .kind = CLI_TEXT, .arg = "NAME",
            .help = "the sweep to read; default: the only or latest one",
            .offset = offsetof(settings, sweep)),
    CLI_FIDELITY_OPTION(settings),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep digest quickstart", NULL};

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    msw_store *store = NULL;
    msw_digest digest;
    uint64_t rows = 0;
    char text[MSW_DIGEST_TEXT];
    cli_sweep sweep;
    int code =
        cli_sweep_word(&(cli_which){s->sweep, s->fidelity, "none", NULL, false}, &sweep, &err) ||
                msw_open_database(&c->context, s->file, MSW_STORE_READ, &store, &err) ||
                msw_store_digest(store, sweep.word, &digest, &rows, &err)
            ? cli_fail(&err)
            : EXIT_OK;
    if (code == EXIT_OK)
        cli_printf("%s  %" PRIu64 " rows\n", msw_digest_text(digest, text), rows);
    msw_store_close(store, NULL);
    return code;
}

const cli_command cli_command_digest = {
    .name = "digest",
    .doc = "prints the digest of a sweep's rows, to compare two files",
    .about = "The digest covers keys, parameters, metrics, half-widths and status of all rows in "
             "the plan's order. It does not depend on threads, order of evaluation or "
             "interruptions.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
