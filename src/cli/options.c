/* SPDX-License-Identifier: MIT */
/* Words of a command line become the fields of a command's settings, by its tables. */
#include "cli/cli.h"

#include "memsweep/base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { EXPRESSION_MAX = 1 << 20 };

typedef struct parser {
    const cli_command *command;
    char *settings;
    int argc, next; /* next: the word to read */
    char **argv;
    const cli_operand *operand; /* the one to fill next */
    char *input;                /* what standard input held, where a word asked for it */
    bool help;
    msw_err *err;
} parser;

static void *field(const parser *p, size_t offset)
{
    return p->settings + offset;
}

static const cli_option *find_long(const cli_command *command, const char *name, size_t size)
{
    for (const cli_option *o = command->options; o && o->name; o++)
        if (strlen(o->name) == size && strncmp(o->name, name, size) == 0)
            return o;
    return NULL;
}

static const cli_option *find_short(const cli_command *command, char letter)
{
    for (const cli_option *o = command->options; o && o->name; o++)
        if (o->letter == letter)
            return o;
    return NULL;
}

static int fail_choice(const char *what, const char *const *choices, const char *word, msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    for (size_t i = 0; choices[i]; i++)
        msw_text_add(&text, "%s%s", i ? ", " : "", choices[i]);
    const char *best = msw_nearest(word, choices, sizeof *choices);
    msw_fail(err, "%s '%s': allowed are %s%s%s%s", what, word, msw_text_str(&text),
             best ? "; did you mean '" : "", best ? best : "", best ? "'?" : "");
    msw_text_free(&text);
    return -1;
}

static int set_choice(const char *what, const char *const *choices, const char *word,
                      const char **value, msw_err *err)
{
    for (size_t i = 0; choices[i]; i++)
        if (strcmp(choices[i], word) == 0) {
            *value = choices[i];
            return 0;
        }
    return fail_choice(what, choices, word, err);
}

static int set_integer(const cli_option *o, const char *word, int64_t *value, msw_err *err)
{
    char *end;
    errno = 0;
    long long number = strtoll(word, &end, 10);
    if (end == word || *end || errno || number < o->min || number > o->max)
        return msw_fail(err, "--%s '%s': a whole number from %" PRId64 " to %" PRId64, o->name,
                        word, o->min, o->max);
    *value = number;
    return 0;
}

/* A bare number is seconds. */
static int set_seconds(const cli_option *o, const char *word, double *value, msw_err *err)
{
    char *end;
    double seconds = strtod(word, &end);
    if (end == word || *end) {
        msw_err inner = {0};
        double times = end == word               ? 0
                       : strcmp(end, "h") == 0   ? 3600
                       : strcmp(end, "min") == 0 ? 60
                                                 : 0;
        if (!times && msw_units_parse(word, "ns", &seconds, &inner))
            return msw_fail(err, "--%s '%s': a time such as 10s, 500ms or 2h", o->name, word);
        seconds *= times ? times : 1e-9;
    }
    if (!(seconds >= 0 && seconds <= 1e9))
        return msw_fail(err, "--%s '%s': a time from 0 to 1e9 seconds", o->name, word);
    *value = seconds;
    return 0;
}

/* Refuses "-" where it would be a file of that name, or make the command wait endlessly. */
static int refuse_dash(cli_kind kind, const char *what, const char *word, msw_err *err)
{
    if (strcmp(word, "-") != 0)
        return 0;
    if (kind == CLI_DATABASE)
        return msw_fail(err,
                        "%s '-': a database is read and written in place, never from standard "
                        "input: name its file",
                        what);
    if (kind == CLI_NAME)
        return msw_fail(
            err,
            "%s '-': the kind of a file also depends on its name: write standard input to "
            "a file and name that",
            what);
    return 0;
}

/* An expression may come from standard input, one of them. */
static int set_expression(parser *p, const char *name, const char *word, const char **value)
{
    char *text;
    size_t size;
    *value = word;
    if (strcmp(word, "-") != 0)
        return 0;
    if (p->input)
        return msw_fail(p->err, "--%s '-': standard input was read for another option", name);
    if (msw_read_input("-", EXPRESSION_MAX, &text, &size, p->err))
        return msw_fail_prefix(p->err, "--%s: ", name);
    p->input = text;
    while (size && strchr(" \t\r\n", text[size - 1]))
        text[--size] = '\0';
    *value = text;
    return size && strlen(text) == size
               ? 0
               : msw_fail(p->err, "--%s '-': standard input held no text", name);
}

static int set_option(parser *p, const cli_option *o, const char *word)
{
    void *at = field(p, o->offset);
    char what[64];
    switch (o->kind) {
    case CLI_FLAG:
        *(bool *)at = true;
        return 0;
    case CLI_INTEGER:
        return set_integer(o, word, at, p->err);
    case CLI_SECONDS:
        return set_seconds(o, word, at, p->err);
    case CLI_CHOICE:
        snprintf(what, sizeof what, "--%s", o->name);
        return set_choice(what, o->choices, word, at, p->err);
    case CLI_EXPRESSION:
        return set_expression(p, o->name, word, at);
    default:
        *(const char **)at = word;
        snprintf(what, sizeof what, "--%s", o->name);
        if (o->kind == CLI_FILE && strcmp(word, "-") == 0)
            return msw_fail(p->err,
                            "%s '-': neither standard input nor output can be given here: "
                            "name a file",
                            what);
        return refuse_dash(o->kind, what, word, p->err);
    }
}

static int set_defaults(parser *p)
{
    for (const cli_option *o = p->command->options; o && o->name; o++)
        if (o->def && set_option(p, o, o->def))
            return msw_fail_kind(p->err, MSW_ERR_INTERNAL, "default of --%s does not parse",
                                 o->name);
    return 0;
}

/* A single letter is near to nothing. */
static int fail_option(const parser *p, const char *word, size_t size)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)size, word);
    const cli_option *options = p->command->options;
    const char *best =
        options && size > 1 ? msw_nearest(name, &options->name, sizeof *options) : NULL;
    const char *value = word[size] == '='   ? word + size + 1
                        : p->next < p->argc ? p->argv[p->next]
                                            : "-";
    if (!best && size > 1 && *value != '-' && strcmp(p->command->name, "eval") == 0)
        return msw_fail(p->err,
                        "eval: no option '--%s'; a parameter is set without dashes: '%s=%s' "
                        "('memsweep help eval' shows all)",
                        name, name, value);
    return msw_fail(p->err, "%s: no option '%s%s'%s%s%s ('memsweep help %s' shows all)",
                    p->command->name, size > 1 ? "--" : "-", name, best ? ", did you mean '--" : "",
                    best ? best : "", best ? "'?" : "", p->command->name);
}

/* The value of an option: what follows it in its own word, else the next word. */
static int take_value(parser *p, const cli_option *o, const char *attached)
{
    if (o->kind == CLI_FLAG)
        return attached ? msw_fail(p->err, "--%s takes no value", o->name) : set_option(p, o, NULL);
    if (!attached && p->next == p->argc)
        return msw_fail(p->err, "--%s needs a value: --%s %s", o->name, o->name, o->arg);
    return set_option(p, o, attached ? attached : p->argv[p->next++]);
}

static int parse_long(parser *p, const char *word)
{
    const char *equals = strchr(word, '=');
    size_t size = equals ? (size_t)(equals - word) : strlen(word);
    const cli_option *o = find_long(p->command, word, size);
    if (!o && size == 4 && strncmp(word, "help", size) == 0) {
        p->help = true;
        return 0;
    }
    return o ? take_value(p, o, equals ? equals + 1 : NULL) : fail_option(p, word, size);
}

/* "-qt2" is -q -t 2. */
static int parse_short(parser *p, const char *word)
{
    for (; *word; word++) {
        const cli_option *o = find_short(p->command, *word);
        if (!o && *word == 'h') {
            p->help = true;
            continue;
        }
        if (!o)
            return fail_option(p, word, 1);
        if (o->kind != CLI_FLAG)
            return take_value(p, o, word[1] ? word + 1 : NULL);
        if (take_value(p, o, NULL))
            return -1;
    }
    return 0;
}

/* Words already read make room for the list: options may come between its words. */
static int add_word(parser *p, char *word)
{
    cli_words *words = field(p, p->operand->offset);
    words->list = p->argv;
    words->list[words->count++] = word;
    return 0;
}

static const char *hint_for(const cli_command *command, const char *word)
{
    for (const cli_option *o = command->options; strncasecmp(word, "select ", 7) == 0 && o->name;
         o++)
        if (strcmp(o->name, "sql") == 0)
            return "; a SELECT of your own follows --sql";
    return "";
}

static int parse_operand(parser *p, char *word)
{
    const cli_operand *operand = p->operand;
    if (!operand || !operand->name)
        return msw_fail(p->err,
                        "%s: '%s' is one word too many%s ('memsweep help %s' shows the usage)",
                        p->command->name, word, hint_for(p->command, word), p->command->name);
    if (refuse_dash(operand->kind, operand->name, word, p->err))
        return -1;
    if (operand->count == CLI_MANY || operand->count == CLI_ANY)
        return add_word(p, word);
    p->operand++;
    if (operand->kind == CLI_CHOICE)
        return set_choice(operand->name, operand->choices, word, field(p, operand->offset), p->err);
    *(const char **)field(p, operand->offset) = word;
    return 0;
}

static int parse_words(parser *p)
{
    bool options = true;
    while (p->next < p->argc) {
        char *word = p->argv[p->next++];
        int rc = 0;
        if (options && strcmp(word, "--") == 0)
            options = false;
        else if (options && strncmp(word, "--", 2) == 0)
            rc = parse_long(p, word + 2);
        else if (options && word[0] == '-' && word[1])
            rc = parse_short(p, word + 1);
        else
            rc = parse_operand(p, word);
        if (rc || p->help)
            return rc;
    }
    return 0;
}

static int fail_missing(const parser *p)
{
    msw_text usage = MSW_TEXT_EMPTY;
    cli_usage_line(p->command, &usage);
    msw_fail(p->err, "%s: <%s> is missing; usage: %s", p->command->name, p->operand->name,
             msw_text_str(&usage));
    msw_text_free(&usage);
    return -1;
}

static bool is_missing(const parser *p)
{
    const cli_operand *o = p->operand;
    if (!o || !o->name || o->count == CLI_OPTIONAL || o->count == CLI_ANY)
        return false;
    return o->count == CLI_ONE || !((cli_words *)field(p, o->offset))->count;
}

int cli_parse(const cli_command *command, int argc, char **argv, void *settings, char **input,
              msw_err *err)
{
    parser p = {.command = command,
                .settings = settings,
                .argc = argc,
                .argv = argv,
                .operand = command->operands,
                .err = err};
    int rc = set_defaults(&p);
    if (rc == 0)
        rc = parse_words(&p);
    *input = p.input;
    if (rc)
        return -1;
    if (p.help)
        return 1;
    return is_missing(&p) ? fail_missing(&p) : 0;
}

int cli_share(const char *name, const char *text, double *share, msw_err *err)
{
    msw_err inner = {0};
    if (msw_units_parse(text, "", share, &inner) || !(*share > 0 && *share < 1))
        return msw_fail(err, "--%s '%s': a share between 0 and 1, such as 95%%", name, text);
    return 0;
}

/* ---- commands ---- */

const cli_command *cli_find_command(const cli *c, const char *name)
{
    for (size_t i = 0; c->commands[i]; i++)
        if (strcmp(c->commands[i]->name, name) == 0)
            return c->commands[i];
    return NULL;
}

const char *cli_nearest_command(const cli *c, const char *wrong)
{
    const char *names[64] = {NULL};
    for (size_t i = 0; c->commands[i] && i + 1 < sizeof names / sizeof *names; i++)
        names[i] = c->commands[i]->name;
    return msw_nearest(wrong, names, sizeof *names);
}
