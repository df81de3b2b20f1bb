/* SPDX-License-Identifier: MIT */
/* The command that makes a calibration. */
#include "reproduce/calibrate/calibration.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>

static void add_option(msw_text *out, const char *name, const char *value)
{
    if (!value)
        return;
    msw_text_add(out, " --%s ", name);
    msw_text_add_shell(out, value);
}

void msw_calibration_command(const msw_calibration *c, msw_text *out)
{
    const msw_paper_options *ask = c->paper->ask;
    msw_text_add(out, "memsweep calibrate %s", c->paper->name);
    add_option(out, "figure", ask->figures);
    add_option(out, "unknowns", ask->unknowns);
    add_option(out, "against", c->ask->against);
    add_option(out, "hold-out", c->ask->hold_out);
    msw_text_add(out,
                 " --waves %" PRId64 " --samples %" PRId64 " --inner %" PRId64 " --errors %" PRId64
                 " --full %" PRId64 " --directed %" PRId64 " --aimed %" PRId64,
                 c->ask->waves, c->ask->samples, c->ask->inner, c->ask->errors, c->ask->full,
                 c->ask->directed, c->ask->aimed);
    if (c->ask->truths)
        msw_text_add(out, " --truths %" PRId64, c->ask->truths);
    if (c->ask->trends)
        msw_text_add(out, " --trends");
    if (ask->seed != 1)
        msw_text_add(out, " --seed %" PRId64, ask->seed);
}
