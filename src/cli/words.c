/* SPDX-License-Identifier: MIT */
/* Resolves words of a command line: names from the tables of mechanisms, workloads and designs,
 * the view that a sweep's name and options mean, plan files. */
#include "cli/cli.h"

#include "memsweep/store/store.h"

#include "memsweep/base/vec.h"
#include "memsweep/design/design.h"
#include "memsweep/mech/engine.h"
#include "memsweep/sweep/sweep.h"
#include "memsweep/workload/workload.h"

#include <stdlib.h>
#include <string.h>

const char *const cli_what_names[] = {"mechanism", "workload",  "front end", "design",
                                      "preset",    "parameter", "metric",    NULL};

static int add_name(cli_names *names, cli_named named, msw_err *err)
{
    MSW_TRY(msw_vec_reserve(&names->list, &names->capacity, names->count + 2, sizeof *names->list,
                            err));
    names->list[names->count++] = named;
    names->list[names->count] = (cli_named){0};
    return 0;
}

static int add_params(cli_names *names, const char *owner, const msw_param *table, msw_err *err)
{
    for (const msw_param *p = table; p && p->name; p++)
        if (add_name(names, (cli_named){CLI_PARAMETER, p->name, owner, p->doc, p}, err))
            return -1;
    return 0;
}

static int add_mech(cli_names *names, const msw_mech *mech, msw_err *err)
{
    if (add_name(names, (cli_named){CLI_MECHANISM, mech->name, "", mech->title, mech}, err) ||
        add_params(names, mech->name, mech->params, err))
        return -1;
    for (const msw_metric *m = mech->metrics; m && m->name; m++)
        if (add_name(names, (cli_named){CLI_METRIC, m->name, mech->name, m->doc, m}, err))
            return -1;
    for (const msw_preset *p = mech->presets; p && p->name; p++)
        if (add_name(names, (cli_named){CLI_PRESET, p->name, mech->name, p->doc, p}, err))
            return -1;
    return 0;
}

static int add_frontend(cli_names *names, const msw_frontend *frontend, msw_err *err)
{
    if (add_name(names, (cli_named){CLI_FRONTEND, frontend->name, "", frontend->title, frontend},
                 err) ||
        add_params(names, frontend->name, frontend->params, err))
        return -1;
    for (size_t i = 0; frontend->names[i]; i++)
        if (add_name(names,
                     (cli_named){CLI_WORKLOAD, frontend->names[i], frontend->name,
                                 frontend->docs[i], frontend},
                     err))
            return -1;
    return 0;
}

static int add_design(cli_names *names, const msw_design *design, msw_err *err)
{
    MSW_TRY(add_name(names, (cli_named){CLI_DESIGN, design->name, "", design->title, design}, err));
    return add_params(names, design->name, design->params, err);
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

const char *const cli_overs[] = {"workload", "none", NULL};
const char *const cli_limits[] = {"on", "off", NULL};

static int add_view_word(cli_sweep *out, const char *word, msw_err *err)
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
    bool none = which->over && strcmp(which->over, "none") == 0;
    bool own = !which->over && !which->by && !(which->sweep && strchr(which->sweep, '@'));
    const char *by = which->by ? which->by : which->over && !none ? "worst" : NULL;
    *out = (cli_sweep){.word = which->sweep};
    if (none && by)
        return msw_fail(err, "--by %s: with --over none nothing is taken together", by);
    if (which->fidelity && check_free(which->sweep, "fidelity", which->fidelity, err))
        return -1;
    if (by && check_by(by, err))
        return -1;
    if (!which->fidelity && !by && !own)
        return 0;
    if (which->sweep && strlen(which->sweep) > 1000)
        return msw_fail(err, "no sweep has a name of more than 200 characters");
    strcpy(out->text, which->sweep ? which->sweep : "");
    if (which->fidelity && add_view_word(out, which->fidelity, err))
        return -1;
    if (own)
        by = &MSW_OVER_OWN[1];
    return by ? add_view_word(out, by, err) : 0;
}

const char *const cli_fidelities[] = {"analytic", "sampled", "full", NULL};
const char *const cli_plan_fidelities[] = {"analytic", "sampled", "full", "auto", NULL};

int cli_fail_plan(const msw_messages *messages)
{
    fflush(stdout);
    cli_say(msw_messages_text(messages));
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
