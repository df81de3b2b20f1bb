/* SPDX-License-Identifier: MIT */
/* Parameters that act by default and do nothing behind a preset: whoever varies one of them
 * together with the preset gets equal rows. */
#include "cli/reading.h"

#include "memsweep/sweep/acting.h"

#include <stdlib.h>
#include <string.h>

/* Values of a front end's parameters are of another table. */
static int apply(const msw_mech *mech, const msw_preset *preset, void *config, msw_err *err)
{
    for (const msw_preset_value *v = preset->values; v->param; v++)
        for (const msw_param *p = mech->params; p->name; p++) {
            double value;
            if (strcmp(p->name, v->param) != 0)
                continue;
            MSW_TRY(msw_param_parse(p, v->value, &value, err));
            msw_param_set(p, config, value);
        }
    return 0;
}

static void add_names(const msw_mech *mech, const msw_conditions *conditions, const void *before,
                      const void *after, msw_text *out, msw_err *err)
{
    bool any = false;
    for (const msw_param *p = mech->params; p->name; p++) {
        bool off = msw_conditions_hold(conditions, p->name, before, err) == 1 &&
                   msw_conditions_hold(conditions, p->name, after, err) == 0;
        if (off)
            msw_text_add(out, "%s %s", any ? "," : "; then these do nothing:", p->name);
        any = any || off;
    }
}

void cli_add_switched_off(const msw_mech *mech, const msw_preset *preset, msw_text *out)
{
    msw_err err = {0}; /* tables are checked when the program starts: only memory can be short */
    msw_conditions *conditions = NULL;
    void *before = calloc(1, mech->config_size), *after = calloc(1, mech->config_size);
    if (!before || !after)
        goto done;
    msw_params_defaults(mech->params, before);
    msw_params_defaults(mech->params, after);
    if (msw_conditions_new(mech->params, mech->name, &conditions, &err) == 0 &&
        apply(mech, preset, after, &err) == 0)
        add_names(mech, conditions, before, after, out, &err);
done:
    msw_conditions_free(conditions);
    free(before);
    free(after);
}
