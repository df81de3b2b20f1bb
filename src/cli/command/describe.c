/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"
#include "cli/shared_options.h"

#include "memsweep/workload/workload.h"

#include <string.h>

typedef struct settings {
    const char *name, *values;
    bool all, mapping;
    cli_words words;
} settings;

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "name", .kind = CLI_NAME, .count = CLI_ONE,
            .help = "a mechanism, workload, front end, design, preset, parameter or metric; "
                    "'null.gain' is the parameter 'gain' of 'null'; a workload may have settings "
                    "in its name and may be a file of your own",
            .offset = offsetof(settings, name)),
    MSW_ROW(.name = "setting", .kind = CLI_TEXT, .count = CLI_ANY,
            .help = "of a workload: NAME=VALUE of a parameter of its front end: npu_context=4096",
            .offset = offsetof(settings, words)),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_ALL(settings, "shows all that is known of a mechanism, and knows examples, too"),
    MSW_ROW(.name = "mapping", .kind = CLI_FLAG,
            .help = "for a mix of networks: shows how each operator is cut into tiles, and the "
                    "memory traffic that remains with a cache of this size",
            .offset = offsetof(settings, mapping)),
    MSW_ROW(.name = "values", .kind = CLI_TEXT, .arg = "ARRAY",
            .help = "for a program (.simt): runs it, and prints what it leaves in an array; "
                    "'y[0 .. 9]' prints some elements",
            .offset = offsetof(settings, values)),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep describe null",
                                       "memsweep describe null.gain",
                                       "memsweep describe sobol",
                                       "memsweep describe mix/camdn_light --mapping",
                                       "memsweep describe axpy --values 'c[0 .. 9]'",
                                       NULL};

/* "gain" or "null.gain". */
static bool is_meant(const cli_named *n, const char *word)
{
    size_t owner = strlen(n->owner);
    if (strcmp(n->name, word) == 0)
        return true;
    return owner && strncmp(word, n->owner, owner) == 0 && word[owner] == '.' &&
           strcmp(word + owner + 1, n->name) == 0;
}

/* Mechanisms may share a table: what says the same of the same thing is printed once. */
static bool is_told(const cli_names *names, size_t i, const char *word)
{
    for (size_t k = 0; k < i; k++)
        if (names->list[k].thing == names->list[i].thing &&
            names->list[k].what == names->list[i].what && is_meant(&names->list[k], word) &&
            strcmp(names->list[k].name, names->list[i].name) == 0)
            return true;
    return false;
}

static int fail_unknown(const cli_names *names, const char *word, msw_err *err)
{
    const char *best = msw_nearest(word, &names->list[0].name, sizeof *names->list);
    return msw_fail(err, "nothing is called '%s'%s%s%s ('memsweep list' shows what there is)", word,
                    best ? ", did you mean '" : "", best ? best : "", best ? "'?" : "");
}

static cli_describe_more more_of(const settings *s)
{
    return (cli_describe_more){.mapping = s->mapping, .values = s->values, .settings = s->words};
}

/* A name that no list has may be a workload all the same: with settings, or a user's file. Where a
 * front end takes it for its own, what is wrong with it is reported. */
static int describe_given(const cli *c, const cli_names *names, const settings *s, msw_text *out,
                          msw_err *err)
{
    _Alignas(uint64_t) char config[MSW_FRONTEND_CONFIG_MAX];
    char file[1024];
    const msw_frontend *frontend = NULL;
    const char *word = s->name;
    int known = msw_workload_recognise(word, &frontend, config, file, sizeof file, err);
    if (known <= 0)
        return known ? -1 : fail_unknown(names, word, err);
    cli_named named = {.what = CLI_WORKLOAD, .name = word, .owner = "", .doc = ""};
    return cli_describe_workload(c, &named, more_of(s), out, err);
}

static int describe_named(const cli *c, const cli_named *named, const settings *s, msw_text *out,
                          msw_err *err)
{
    if (named->what == CLI_WORKLOAD)
        return cli_describe_workload(c, named, more_of(s), out, err);
    if (s->mapping || s->values || s->words.count)
        return msw_fail(err, "%s: found %s, allowed: of a workload", named->name,
                        s->mapping  ? "--mapping"
                        : s->values ? "--values"
                                    : s->words.list[0]);
    cli_describe_one(named, s->all, out);
    return 0;
}

static int describe(const cli *c, const cli_names *names, const settings *s, msw_text *out,
                    msw_err *err)
{
    for (size_t i = 0; i < names->count; i++)
        if (is_meant(&names->list[i], s->name) && !is_told(names, i, s->name) &&
            (s->all || !out->size || names->list[i].what != CLI_PRESET)) {
            msw_text_add(out, out->size ? "\n" : "");
            if (describe_named(c, &names->list[i], s, out, err))
                return -1;
        }
    return out->size ? 0 : describe_given(c, names, s, out, err);
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    cli_names names = {0};
    msw_text text = MSW_TEXT_EMPTY;
    int rc = cli_names_all(&names, s->all, &err);
    if (rc == 0)
        rc = describe(c, &names, s, &text, &err);
    int code = rc ? cli_fail(&err) : cli_print(&text);
    if (rc)
        msw_text_free(&text);
    cli_names_free(&names);
    return code;
}

const cli_command cli_command_describe = {
    .name = "describe",
    .doc = "shows what is known about a mechanism, workload, parameter, ...",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
