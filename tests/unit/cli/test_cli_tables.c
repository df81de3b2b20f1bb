/* SPDX-License-Identifier: MIT */
/* Are the tables of commands, options and operands sound: no hole, a name and help for each, a
 * letter once, a field of their own inside the settings, a default that the parser takes? */
#include "testing.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static size_t field_size(cli_kind kind)
{
    switch (kind) {
    case CLI_FLAG:
        return sizeof(bool);
    case CLI_INTEGER:
        return sizeof(int64_t);
    case CLI_SECONDS:
        return sizeof(double);
    default:
        return sizeof(const char *);
    }
}

/* Marks the bytes of a field. Returns what is wrong with it, or NULL. */
static const char *take_field(const cli_command *c, char *taken, size_t offset, size_t size)
{
    if (offset + size > c->settings_size)
        return "lies outside the settings";
    for (size_t i = 0; i < size; i++)
        if (taken[offset + i]++)
            return "shares its field with another";
    return NULL;
}

static const char *name_fault(const char *name)
{
    if (!name || !*name)
        return "has no name";
    return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] ? "has an odd name" : NULL;
}

static const char *help_fault(const char *help)
{
    if (!help || !*help)
        return "has no help";
    size_t size = strlen(help);
    bool point = help[size - 1] == '.' && (size < 3 || strcmp(help + size - 3, "...") != 0);
    return point ? "has help that ends with a point" : NULL;
}

static const char *choice_fault(const cli_option *o)
{
    if ((o->kind == CLI_CHOICE) != (o->choices != NULL))
        return "has choices and is none, or the other way round";
    for (const char *const *choice = o->choices; o->def && choice && *choice; choice++)
        if (strcmp(*choice, o->def) == 0)
            return NULL;
    return o->choices && o->def ? "has a default that is no choice" : NULL;
}

static const char *kind_fault(const cli_option *o)
{
    if ((o->kind == CLI_FLAG) != (o->arg == NULL))
        return "is a flag with an argument, or no flag without one";
    if (o->kind == CLI_FLAG && o->def)
        return "is a flag with a default";
    if (o->kind == CLI_INTEGER ? o->min >= o->max : o->min || o->max)
        return "has odd limits";
    if (o->kind == CLI_INTEGER && o->def) {
        long long value = strtoll(o->def, NULL, 10);
        if (value < o->min || value > o->max)
            return "has a default outside its limits";
    }
    return choice_fault(o);
}

static const char *option_fault(const cli_command *c, const cli_option *o, char *taken)
{
    const char *fault = name_fault(o->name);
    fault = fault ? fault : help_fault(o->help);
    fault = fault ? fault : kind_fault(o);
    fault = fault ? fault : take_field(c, taken, o->offset, field_size(o->kind));
    for (const cli_option *before = c->options; !fault && before < o; before++)
        if (strcmp(before->name, o->name) == 0 || (o->letter && before->letter == o->letter))
            fault = "has the name or letter of another";
    return fault;
}

static const char *operand_fault(const cli_command *c, const cli_operand *o, char *taken)
{
    size_t size = o->count >= CLI_MANY ? sizeof(cli_words) : field_size(o->kind);
    const char *fault = name_fault(o->name);
    fault = fault ? fault : help_fault(o->help);
    fault = fault ? fault : take_field(c, taken, o->offset, size);
    if (!fault && o > c->operands && o[-1].count != CLI_ONE && o->count == CLI_ONE)
        fault = "is wanted after one that may be missing";
    return fault;
}

/* A hole ends a table early, and leaves fields of the settings to nobody. */
static bool has_hole(const cli_command *c, const char *taken)
{
    static const char NONE[sizeof(int64_t)] = {0};
    for (size_t at = 0; at + sizeof NONE <= c->settings_size; at += sizeof NONE)
        if (memcmp(taken + at, NONE, sizeof NONE) == 0)
            return true;
    return false;
}

/* What is wrong with a command's tables; "" when they are sound. */
static void check_command(const cli_command *c, char said[200])
{
    char taken[1024] = {0};
    said[0] = 0;
    if (c->settings_size > sizeof taken)
        snprintf(said, 200, "%s: more settings than this test can mark", c->name);
    for (const cli_operand *o = c->operands; !said[0] && o && o->name; o++) {
        const char *fault = operand_fault(c, o, taken);
        if (fault)
            snprintf(said, 200, "%s %s %s", c->name, o->name, fault);
    }
    for (const cli_option *o = c->options; !said[0] && o && o->name; o++) {
        const char *fault = option_fault(c, o, taken);
        if (fault)
            snprintf(said, 200, "%s --%s %s", c->name, o->name, fault);
    }
    if (!said[0] && has_hole(c, taken))
        snprintf(said, 200, "%s has settings that no option fills: a hole in its table?", c->name);
}

static void every_table_is_sound(void **state)
{
    (void)state;
    size_t count = 0;
    char said[200];
    for (const cli_command *const *c = cli_commands; *c; c++, count++) {
        check_command(*c, said);
        if (said[0])
            fail_msg("%s", said);
        assert_null(name_fault((*c)->name));
        assert_null(help_fault((*c)->doc));
        assert_non_null((*c)->run);
        for (const cli_command *const *other = cli_commands; other < c; other++)
            assert_string_not_equal((*other)->name, (*c)->name);
    }
    assert_true(count > 20);
}

static void every_default_is_parsed(void **state)
{
    (void)state;
    for (const cli_command *const *c = cli_commands; *c; c++) {
        char *words[2] = {"memsweep", NULL};
        msw_err err = {0};
        void *settings = calloc(1, (*c)->settings_size + 1);
        char *input = NULL;
        int rc = cli_parse(*c, 0, words + 1, settings, &input, &err);
        if (rc && strstr(err.text, "--"))
            fail_msg("%s: %s", (*c)->name, err.text);
        free(settings);
    }
}

typedef struct toy {
    const char *text;
    int64_t number;
    bool flag;
} toy;

static void a_planted_fault_is_found(void **state)
{
    (void)state;
#define GOOD                                                                                       \
    {                                                                                              \
        .name = "text", .letter = 't', .kind = CLI_TEXT, .arg = "T", .help = "a text",             \
        .offset = offsetof(toy, text)                                                              \
    }
    static const struct {
        cli_option option;
        const char *said;
    } CASES[] = {
        {{.name = "", .kind = CLI_FLAG, .help = "h", .offset = offsetof(toy, flag)}, "has no name"},
        {{.name = "flag", .kind = CLI_FLAG, .offset = offsetof(toy, flag)}, "has no help"},
        {{.name = "flag",
          .letter = 't',
          .kind = CLI_FLAG,
          .help = "h",
          .offset = offsetof(toy, flag)},
         "name or letter"},
        {{.name = "flag", .kind = CLI_FLAG, .help = "h"}, "shares its field"},
        {{.name = "flag", .kind = CLI_TEXT, .arg = "T", .help = "h", .offset = sizeof(toy) - 4},
         "outside the settings"},
        {{.name = "n",
          .kind = CLI_INTEGER,
          .arg = "N",
          .help = "h",
          .offset = offsetof(toy, number)},
         "odd limits"},
        {{.name = "n",
          .kind = CLI_INTEGER,
          .arg = "N",
          .help = "h",
          .def = "9",
          .max = 5,
          .offset = offsetof(toy, number)},
         "outside its limits"},
        {{.name = "c",
          .kind = CLI_CHOICE,
          .arg = "C",
          .help = "h",
          .offset = offsetof(toy, number)},
         "has choices and is none"},
        {{0}, "a hole in its table"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char said[200];
        cli_option options[] = {GOOD, CASES[i].option, {0}};
        cli_command command = {.name = "toy", .options = options, .settings_size = sizeof(toy)};
        check_command(&command, said);
        if (!strstr(said, CASES[i].said))
            fail_msg("wanted '%s' in '%s'", CASES[i].said, said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_is_sound),
        cmocka_unit_test(every_default_is_parsed),
        cmocka_unit_test(a_planted_fault_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
