/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum word { HELP, LIST, QUICK, JSON, ONLY, SET, REPEAT, TIMEOUT, SOURCE } word;

static const struct {
    const char *name, *value, *about;
} WORDS[] = {
    [HELP] = {"--help", NULL, "this text"},
    [LIST] = {"--list", NULL, "the sections, their questions and settings"},
    [QUICK] = {"--quick", NULL, "small sizes and short measurements"},
    [JSON] = {"--json", "[FILE]", "the same for programs: into FILE, or printed instead"},
    [ONLY] = {"--only", "GLOB", "sections of these names alone; may be given several times"},
    [SET] = {"--set", "NAME=NUMBER", "a setting of the sections that have it"},
    [REPEAT] = {"--repeat", "N", "repetitions of every section, one after the other (5)"},
    [TIMEOUT] = {"--timeout", "SECONDS", "processor time of one section (300)"},
    [SOURCE] = {"--source", "FOLDER", "where the source is, whose workloads are read"},
};
enum { WORD_COUNT = sizeof WORDS / sizeof *WORDS };

void bench_help(FILE *out)
{
    fprintf(out,
            "usage: memsweep-bench [OPTION...]\n\n"
            "Measures how fast memsweep is, in processor time. docs/internals/bench.md says what\n"
            "each section asks and how two commits are compared.\n\n");
    for (int w = 0; w < WORD_COUNT; w++)
        fprintf(out, "  %-10s %-12s %s\n", WORDS[w].name, WORDS[w].value ? WORDS[w].value : "",
                WORDS[w].about);
    fprintf(out, "\nExit code: 0, 1 some section failed, 2 wrong words, 3 trouble with files.\n");
}

void bench_show_list(const bench_list *list, FILE *out)
{
    for (size_t s = 0; s < list->count; s++) {
        const bench_section *section = &list->sections[s];
        fprintf(out, "%-24s %s\n", section->name, section->asks);
        for (int i = 0; i < BENCH_SETTINGS && section->settings[i].name; i++)
            fprintf(out, "%-24s   --set %s=%g: %s\n", "", section->settings[i].name,
                    section->settings[i].usual, section->settings[i].about);
    }
}

static bool names_setting(const char *set, const char *name)
{
    size_t size = strlen(name);
    return strncmp(set, name, size) == 0 && set[size] == '=';
}

double bench_setting_value(const bench_options *options, const bench_setting *setting)
{
    for (size_t i = options->set_count; i-- > 0;)
        if (names_setting(options->sets[i], setting->name))
            return strtod(strchr(options->sets[i], '=') + 1, NULL);
    return options->quick ? setting->quick : setting->usual;
}

static int complain(const char *what, const char *text, const char *near)
{
    fprintf(stderr, "memsweep-bench: %s%s", what, text);
    if (near)
        fprintf(stderr, "; did you mean %s?", near);
    fprintf(stderr, "\n");
    return -1;
}

static int number_of(const char *option, const char *text, double low, double high, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (end != text && !*end && *out >= low && *out <= high)
        return 0;
    fprintf(stderr, "memsweep-bench: %s %s: a number from %g to %g is allowed\n", option, text, low,
            high);
    return -1;
}

static int find_word(const char *text)
{
    const char *names[WORD_COUNT + 1] = {0};
    for (int w = 0; w < WORD_COUNT; w++) {
        names[w] = WORDS[w].name;
        if (strcmp(text, WORDS[w].name) == 0)
            return w;
    }
    const char *near = msw_nearest(text, names, sizeof *names);
    return complain("no option is named ", text, near ? near : "--help");
}

/* A word with its value. Returns 0, or -1 after a message. */
static int take(bench_options *o, int w, const char *value)
{
    double number;
    switch ((word)w) {
    case HELP:
        o->help = true;
        return 0;
    case LIST:
        o->list = true;
        return 0;
    case QUICK:
        o->quick = true;
        return 0;
    case JSON:
        o->json = true;
        o->json_file = value;
        return 0;
    case SOURCE:
        o->source = value;
        return 0;
    case TIMEOUT:
        return number_of("--timeout", value, 0.1, 1e6, &o->timeout);
    case REPEAT:
        if (number_of("--repeat", value, 1, 1000, &number))
            return -1;
        o->repeat = (int)number;
        return number == o->repeat ? 0 : complain("--repeat takes a whole number, not ", value, 0);
    case ONLY:
        if (o->only_count == BENCH_SETS)
            return complain("too many times ", "--only", NULL);
        o->only[o->only_count++] = value;
        return 0;
    case SET:
        if (o->set_count == BENCH_SETS)
            return complain("too many times ", "--set", NULL);
        o->sets[o->set_count++] = value;
        return 0;
    }
    return -1;
}

/* A pattern must choose something. */
static int check_only(const bench_options *o, const bench_list *list)
{
    for (size_t i = 0; i < o->only_count; i++) {
        size_t hits = 0;
        const char **names = calloc(list->count + 1, sizeof *names);
        for (size_t s = 0; names && s < list->count; s++) {
            names[s] = list->sections[s].name;
            hits += fnmatch(o->only[i], names[s], 0) == 0;
        }
        const char *near = names && !hits ? msw_nearest(o->only[i], names, sizeof *names) : NULL;
        free(names);
        if (!hits)
            return complain("--only: no section is named ", o->only[i],
                            near ? near : "what --list names");
    }
    return 0;
}

static const char *setting_at(const bench_list *list, size_t i)
{
    const bench_section *section = &list->sections[i / BENCH_SETTINGS];
    for (size_t k = 0; k <= i % BENCH_SETTINGS; k++)
        if (!section->settings[k].name)
            return NULL;
    return section->settings[i % BENCH_SETTINGS].name;
}

static int check_set(const char *set, const bench_list *list)
{
    const char *value = strchr(set, '=');
    const char **names = calloc(list->count * BENCH_SETTINGS + 1, sizeof *names);
    char wrong[64];
    size_t count = 0;
    bool found = false;
    for (size_t i = 0; names && i < list->count * BENCH_SETTINGS; i++) {
        const char *name = setting_at(list, i);
        if (name)
            names[count++] = name;
        found = found || (name && names_setting(set, name));
    }
    snprintf(wrong, sizeof wrong, "%.*s", (int)strcspn(set, "="), set);
    const char *near = names && !found ? msw_nearest(wrong, names, sizeof *names) : NULL;
    free(names);
    if (!value || !value[1])
        return complain("--set takes NAME=NUMBER, not ", set, NULL);
    if (!found)
        return complain("--set: no section has the setting ", wrong,
                        near ? near : "what --list names");
    char *end;
    double number = strtod(value + 1, &end);
    if (*end || !(number >= 1 && number <= 1e12))
        return complain("--set takes a number from 1 to 1e12, not ", set, NULL);
    return 0;
}

int bench_parse(bench_options *o, const bench_list *list, int argc, char **argv)
{
    *o = (bench_options){.repeat = 5, .timeout = 300};
    for (int i = 1; i < argc; i++) {
        int w = find_word(argv[i]);
        const char *value = NULL;
        if (w < 0)
            return -1;
        if (WORDS[w].value && i + 1 < argc && (w != JSON || argv[i + 1][0] != '-'))
            value = argv[++i];
        if (WORDS[w].value && w != JSON && !value)
            return complain(argv[i], " needs a value: ", WORDS[w].value);
        if (take(o, w, value))
            return -1;
    }
    for (size_t i = 0; i < o->set_count; i++)
        if (check_set(o->sets[i], list))
            return -1;
    return check_only(o, list);
}
