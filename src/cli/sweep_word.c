/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <string.h>

const char *const cli_overs[] = {"workload", NULL};
const char *const cli_limits[] = {"on", "off", NULL};

static int add(cli_sweep *out, const char *word, msw_err *err)
{
    size_t size = strlen(out->text);
    int more = snprintf(out->text + size, sizeof out->text - size, "@%s", word);
    out->word = out->text;
    return size + (size_t)more < sizeof out->text
               ? 0
               : msw_fail(err,
                          "the name of the sweep with all that is said of it is longer than "
                          "%zu characters",
                          sizeof out->text - 1);
}

/* A fidelity may already follow the name, or a way to combine workloads. */
static int check_free(const char *sweep, const char *option, const char *word, msw_err *err)
{
    return sweep && strchr(sweep, '@')
               ? msw_fail(err,
                          "--%s %s: '%s' names one sweep already; say '%.*s@%s', or leave --%s out",
                          option, word, sweep, (int)strcspn(sweep, "@"), sweep, word, option)
               : 0;
}

static int check_by(const char *by, msw_err *err)
{
    static const char *const KNOWN[] = {"worst", "mean", "geomean", "weighted"};
    size_t size = strcspn(by, "( ");
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (strlen(KNOWN[i]) == size && strncmp(KNOWN[i], by, size) == 0)
            return 0;
    return msw_fail(err, "--by '%s': worst, mean, geomean or weighted(NAME=WEIGHT, ...)", by);
}

int cli_sweep_word(const cli_which *which, cli_sweep *out, msw_err *err)
{
    const char *by = which->by ? which->by : which->over ? "worst" : NULL;
    *out = (cli_sweep){.word = which->sweep};
    if (which->fidelity && check_free(which->sweep, "fidelity", which->fidelity, err))
        return -1;
    if (by && check_by(by, err))
        return -1;
    if (!which->fidelity && !by)
        return 0;
    if (which->sweep && strlen(which->sweep) > 1000)
        return msw_fail(err, "no sweep has a name of more than 200 characters");
    strcpy(out->text, which->sweep ? which->sweep : "");
    if (which->fidelity && add(out, which->fidelity, err))
        return -1;
    return by ? add(out, by, err) : 0;
}
