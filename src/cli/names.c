/* SPDX-License-Identifier: MIT */
/* Everything that has a name, gathered from the tables of mechanisms, workloads and designs. */
#include "cli/cli.h"

#include "memsweep/design/design.h"
#include "memsweep/mech/engine.h"
#include "memsweep/workload/workload.h"

#include <stdlib.h>

const char *const cli_what_names[] = {"mechanism", "workload",  "front end", "design",
                                      "preset",    "parameter", "metric",    NULL};

static int add(cli_names *names, cli_named named, msw_err *err)
{
    if (names->count + 1 >= names->capacity) {
        size_t capacity = names->capacity ? 2 * names->capacity : 64;
        cli_named *list = realloc(names->list, capacity * sizeof *list);
        if (!list)
            return msw_fail_memory(err);
        names->list = list;
        names->capacity = capacity;
    }
    names->list[names->count++] = named;
    names->list[names->count] = (cli_named){0};
    return 0;
}

static int add_params(cli_names *names, const char *owner, const msw_param *table, msw_err *err)
{
    for (const msw_param *p = table; p && p->name; p++)
        if (add(names, (cli_named){CLI_PARAMETER, p->name, owner, p->doc, p}, err))
            return -1;
    return 0;
}

static int add_mech(cli_names *names, const msw_mech *mech, msw_err *err)
{
    if (add(names, (cli_named){CLI_MECHANISM, mech->name, "", mech->title, mech}, err) ||
        add_params(names, mech->name, mech->params, err))
        return -1;
    for (const msw_metric *m = mech->metrics; m && m->name; m++)
        if (add(names, (cli_named){CLI_METRIC, m->name, mech->name, m->doc, m}, err))
            return -1;
    for (const msw_preset *p = mech->presets; p && p->name; p++)
        if (add(names, (cli_named){CLI_PRESET, p->name, mech->name, p->doc, p}, err))
            return -1;
    return 0;
}

static int add_frontend(cli_names *names, const msw_frontend *frontend, msw_err *err)
{
    if (add(names, (cli_named){CLI_FRONTEND, frontend->name, "", frontend->title, frontend}, err) ||
        add_params(names, frontend->name, frontend->params, err))
        return -1;
    for (size_t i = 0; frontend->names[i]; i++)
        if (add(names,
                (cli_named){CLI_WORKLOAD, frontend->names[i], frontend->name, frontend->docs[i],
                            frontend},
                err))
            return -1;
    return 0;
}

static int add_design(cli_names *names, const msw_design *design, msw_err *err)
{
    return add(names, (cli_named){CLI_DESIGN, design->name, "", design->title, design}, err)
               ? -1
               : add_params(names, design->name, design->params, err);
}

int cli_names_all(cli_names *names, bool examples, msw_err *err)
{
    int rc = 0;
    for (size_t i = 0; msw_mechs[i] && rc == 0; i++)
        if (examples || !msw_mechs[i]->example)
            rc = add_mech(names, msw_mechs[i], err);
    for (size_t i = 0; msw_frontends[i] && rc == 0; i++)
        rc = add_frontend(names, msw_frontends[i], err);
    for (size_t i = 0; msw_designs[i] && rc == 0; i++)
        rc = add_design(names, msw_designs[i], err);
    return rc;
}

void cli_names_free(cli_names *names)
{
    free(names->list);
    *names = (cli_names){0};
}
