#include "cli/describe.h"
#include "cli/shared_options.h"

#include <string.h>

typedef struct settings {
    const char *name;
    bool all;
} settings;

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "name", .kind = CLI_NAME, .count = CLI_ONE,
            .help = "a mechanism, workload, front end, design, preset, parameter or metric; "
                    "'null.gain' is the parameter 'gain' of 'null'",
            .offset = offsetof(settings, name)),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_ALL(settings, "knows examples too, which are there to be copied"),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep describe null", "memsweep describe null.gain",
                                       "memsweep describe sobol", NULL};

/* "gain" or "null.gain". */
static bool is_meant(const cli_named *n, const char *word)
{
    size_t owner = strlen(n->owner);
    if (strcmp(n->name, word) == 0)
        return true;
    return owner && strncmp(word, n->owner, owner) == 0 && word[owner] == '.' &&
           strcmp(word + owner + 1, n->name) == 0;
}

/* Mechanisms may share a table: what says the same of the same thing is told once. */
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

static int describe(const cli_names *names, const char *word, msw_text *out, msw_err *err)
{
    for (size_t i = 0; i < names->count; i++)
        if (is_meant(&names->list[i], word) && !is_told(names, i, word)) {
            msw_text_add(out, out->size ? "\n" : "");
            cli_describe_one(&names->list[i], out);
        }
    return out->size ? 0 : fail_unknown(names, word, err);
}

static int run(const cli *c, const void *given)
{
    (void)c;
    const settings *s = given;
    msw_err err = {0};
    cli_names names = {0};
    msw_text text = MSW_TEXT_EMPTY;
    int rc = cli_names_all(&names, s->all, &err);
    if (rc == 0)
        rc = describe(&names, s->name, &text, &err);
    int code = rc ? cli_fail(&err) : cli_print(&text);
    cli_names_free(&names);
    return code;
}

const cli_command cli_command_describe = {
    .name = "describe",
    .doc = "tells what is known about a mechanism, workload, design, parameter or metric",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
