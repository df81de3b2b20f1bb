#include "cli/cli.h"

#include <string.h>

int cli_sweep_word(const char *sweep, const char *fidelity, cli_sweep *out, msw_err *err)
{
    *out = (cli_sweep){.word = fidelity ? out->text : sweep};
    if (!fidelity)
        return 0;
    if (sweep && strchr(sweep, '@'))
        return msw_fail(err,
                        "--fidelity %s: '%s' names one sweep already; say '%.*s@%s', or leave "
                        "--fidelity out",
                        fidelity, sweep, (int)strcspn(sweep, "@"), sweep, fidelity);
    int size = snprintf(out->text, sizeof out->text, "%s@%s", sweep ? sweep : "", fidelity);
    return (size_t)size < sizeof out->text
               ? 0
               : msw_fail(err, "no sweep has a name of more than 200 characters");
}
