/* SPDX-License-Identifier: MIT */
/* Reads a definition: parameters and metrics become the record, the rest says how a run goes. */
#include "program/reading.h"

#include "memsweep/base/units.h"

#include <stdlib.h>
#include <string.h>

static const char *const KEYS[] = {
    "program", "title",      "parameters", "metrics", "command",   "files", "templates", "cases",
    "expect",  "fidelities", "infeasible", "failed",  "version",   "env",   "pass",      "limits",
    "retry",   "keep",       "random",     "cost",    "leftovers", "by",    NULL};

/* ---- parameters ---- */

static int read_choices(msw_reading *r, const msw_node *list, msw_param *p)
{
    const char *const *words;
    size_t count;
    MSW_TRY(msw_reading_list(r, list, "choices", &words, &count));
    msw_choice *choices = msw_external_choices(r->p->external, p, count);
    if (!choices)
        return msw_fail_memory(r->err);
    for (size_t i = 0; i < count; i++)
        choices[i] = (msw_choice){words[i], words[i]};
    return 0;
}

static int parse_value(msw_reading *r, const msw_node *map, const char *key, const msw_param *p,
                       double *value)
{
    msw_err why = {0};
    const msw_node *node = msw_node_get(map, key);
    if (!node)
        return 0;
    if (node->kind != MSW_NODE_SCALAR || msw_param_parse(p, node->text, value, &why))
        return msw_reading_wrong(r, node, "%s: %s: %s", p->name, key,
                                 why.kind ? why.text : "expected one value");
    return 0;
}

static int read_range(msw_reading *r, const msw_node *map, msw_param *p)
{
    if (p->kind == MSW_CHOICE || p->kind == MSW_FLAG) {
        p->max = p->kind == MSW_FLAG;
        return parse_value(r, map, "default", p, &p->def);
    }
    double from, to;
    if (!msw_node_get(map, "from") || !msw_node_get(map, "to"))
        return msw_reading_wrong(r, map, "parameter '%s': 'from' and 'to' are missing", p->name);
    p->min = p->kind == MSW_REAL ? -1e300 : -9007199254740991.0;
    p->max = -p->min;
    if (p->kind == MSW_SIZE)
        p->min = 0;
    MSW_TRY(parse_value(r, map, "from", p, &from));
    MSW_TRY(parse_value(r, map, "to", p, &to));
    if (!(from <= to))
        return msw_reading_wrong(r, map, "parameter '%s': from is above to", p->name);
    p->min = p->def = from;
    p->max = to;
    return parse_value(r, map, "default", p, &p->def);
}

static int read_param(msw_reading *r, const msw_node *name, const msw_node *map, msw_param *p)
{
    static const char *const PARAM_KEYS[] = {"unit",  "kind",    "from", "to",  "default",
                                             "scale", "choices", "acts", "doc", NULL};
    static const char *const NAMES[] = {"integer", "real", "choice", "size", "flag", NULL};
    static const char *const SCALES[] = {"linear", "pow2", "log", NULL};
    const msw_node *choices = msw_node_get(map, "choices");
    int kind = choices ? MSW_CHOICE : MSW_INTEGER, scale = MSW_LINEAR;
    MSW_TRY(msw_reading_text(r, name, &p->name));
    MSW_TRY(msw_reading_keys(r, map, p->name, PARAM_KEYS));
    MSW_TRY(msw_reading_choice(r, map, "kind", NAMES, &kind));
    MSW_TRY(msw_reading_choice(r, map, "scale", SCALES, &scale));
    MSW_TRY(msw_reading_word(r, map, "unit", &p->unit));
    MSW_TRY(msw_reading_word(r, map, "acts", &p->acts));
    MSW_TRY(msw_reading_word(r, map, "doc", &p->doc));
    p->kind = (msw_kind)kind;
    p->scale = (msw_scale)scale;
    p->unit = p->unit ? p->unit : kind == MSW_SIZE ? "B" : "";
    p->doc = p->doc ? p->doc : p->name;
    if (kind == MSW_CHOICE && !choices)
        return msw_reading_wrong(r, map, "parameter '%s': 'choices' is missing", p->name);
    if (choices)
        MSW_TRY(read_choices(r, choices, p));
    return read_range(r, map, p);
}

/* ---- metrics ---- */

static int read_metric(msw_reading *r, const msw_node *name, const msw_node *map, msw_metric *m,
                       msw_reader *reader)
{
    static const char *const METRIC_KEYS[] = {"unit", "goal", "read", "doc", NULL};
    static const char *const TOLD_KEYS[] = {"unit", "goal", "optional", "doc", NULL};
    static const char *const GOALS[] = {"none", "lower", "higher", NULL};
    int goal = 0;
    MSW_TRY(msw_reading_text(r, name, &m->name));
    MSW_TRY(msw_reading_keys(r, map, m->name, r->p->by_hand ? TOLD_KEYS : METRIC_KEYS));
    MSW_TRY(msw_reading_choice(r, map, "goal", GOALS, &goal));
    MSW_TRY(msw_reading_word(r, map, "unit", &m->unit));
    MSW_TRY(msw_reading_word(r, map, "doc", &m->doc));
    m->goal = goal == 1 ? MSW_GOAL_LOWER : goal == 2 ? MSW_GOAL_HIGHER : MSW_GOAL_NONE;
    m->unit = m->unit ? m->unit : "";
    m->doc = m->doc ? m->doc : m->name;
    const msw_node *read = msw_node_get(map, "read");
    *reader = (msw_reader){.scale = 1};
    if (r->p->by_hand)
        return read ? msw_reading_wrong(r, read, "metric '%s': nothing is read of what is told",
                                        m->name)
                    : msw_reading_flag(r, map, "optional", &reader->optional);
    return read ? msw_reading_reader(r, read, reader)
                : msw_reading_wrong(r, map, "metric '%s': 'read' is missing", m->name);
}

static int read_columns(msw_reading *r)
{
    const msw_node *params = msw_node_get(r->root, "parameters");
    const msw_node *metrics = msw_node_get(r->root, "metrics");
    if (!params || !metrics || params->kind != MSW_NODE_MAP || metrics->kind != MSW_NODE_MAP)
        return msw_reading_wrong(r, r->root,
                                 "'parameters' and 'metrics' are mappings that must be "
                                 "there");
    if (metrics->count >= MSW_METRICS_MAX)
        return msw_reading_wrong(r, metrics, "more than %d metrics", MSW_METRICS_MAX - 1);
    msw_external *e = r->p->external = msw_external_new(params->count, metrics->count);
    r->p->readers = msw_reading_room(r, metrics->count, sizeof *r->p->readers);
    if (!e || !r->p->readers)
        return msw_fail_memory(r->err);
    for (size_t i = 0; i < params->count; i++)
        MSW_TRY(read_param(r, params->keys[i], params->items[i], &e->params[i]));
    for (size_t i = 0; i < metrics->count; i++)
        MSW_TRY(
            read_metric(r, metrics->keys[i], metrics->items[i], &e->metrics[i], &r->p->readers[i]));
    return 0;
}

/* ---- fidelities and cases ---- */

static int read_pairs(msw_reading *r, const msw_node *map, msw_program_set *set)
{
    if (map->kind != MSW_NODE_MAP)
        return msw_reading_wrong(r, map, "'%s': expected a mapping of NAME: VALUE", set->name);
    if (!(set->pairs = msw_reading_room(r, map->count, sizeof *set->pairs)))
        return -1;
    for (size_t i = 0; i < map->count; i++) {
        if (strcmp(map->keys[i]->text, "command") == 0) {
            MSW_TRY(msw_reading_list(r, map->items[i], "command", &set->command, NULL));
            continue;
        }
        if (strcmp(map->keys[i]->text, "cost") == 0) {
            MSW_TRY(msw_reading_number(r, map, "cost", "ns", &set->cost_us));
            set->cost_us *= 1e-3;
            continue;
        }
        msw_program_pair *pair = &set->pairs[set->count++];
        MSW_TRY(msw_reading_text(r, map->keys[i], &pair->name));
        MSW_TRY(msw_reading_text(r, map->items[i], &pair->text));
    }
    return 0;
}

static int read_fidelities(msw_reading *r)
{
    static const char *const NAMES[] = {"analytic", "full", NULL};
    const msw_node *map = msw_node_get(r->root, "fidelities");
    double cost = NAN;
    MSW_TRY(msw_reading_number(r, r->root, "cost", "ns", &cost));
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++) {
        const char *name = msw_fidelity_name((msw_fidelity)f);
        r->p->fidelities[f] = (msw_program_set){.name = name, .cost_us = cost * 1e-3};
        r->p->fidelities[f].declared = map ? msw_node_get(map, name) != NULL : f == MSW_FULL;
    }
    if (!map)
        return 0;
    MSW_TRY(msw_reading_keys(r, map, "fidelities", NAMES));
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++)
        if (r->p->fidelities[f].declared)
            MSW_TRY(
                read_pairs(r, msw_node_get(map, r->p->fidelities[f].name), &r->p->fidelities[f]));
    return map->count ? 0 : msw_reading_wrong(r, map, "fidelities: analytic, full, or both");
}

static int read_cases(msw_reading *r)
{
    const msw_node *map = msw_node_get(r->root, "cases");
    if (map && (map->kind != MSW_NODE_MAP || !map->count))
        return msw_reading_wrong(r, map, "cases: expected a mapping of NAME: {PLACEHOLDER: VALUE}");
    r->p->case_count = map ? map->count : 1;
    r->p->cases = msw_reading_room(r, r->p->case_count, sizeof *r->p->cases);
    if (!r->p->cases)
        return -1;
    for (size_t i = 0; map && i < map->count; i++) {
        msw_program_set *set = &r->p->cases[i];
        MSW_TRY(msw_reading_text(r, map->keys[i], &set->name));
        MSW_TRY(read_pairs(r, map->items[i], set));
        if (set->command)
            return msw_reading_wrong(r, map->items[i], "a case has no command of its own");
    }
    if (!map)
        r->p->cases[0].name = r->p->external->name;
    return 0;
}

const msw_program_set *msw_program_case(const msw_program *p, const char *name)
{
    for (size_t i = 0; i < p->case_count; i++)
        if (strcmp(p->cases[i].name, name) == 0)
            return &p->cases[i];
    return NULL;
}

/* ---- the whole ---- */

static int read_name(msw_reading *r)
{
    msw_err why = {0};
    msw_external *e = r->p->external;
    MSW_TRY(msw_reading_word(r, r->root, "program", &e->name));
    MSW_TRY(msw_reading_word(r, r->root, "title", &e->title));
    if (!e->name)
        return msw_reading_wrong(r, r->root, "a definition starts with 'program: <name>'");
    if (strlen(e->name) > MSW_EXTERNAL_NAME || msw_name_check(e->name, &why) ||
        strcmp(e->name, MSW_EXTERNAL_WORD) == 0)
        return msw_reading_wrong(r, msw_node_get(r->root, "program"),
                                 "program '%s': at most %d lower-case letters, digits and '_', and "
                                 "no reserved word",
                                 e->name, MSW_EXTERNAL_NAME);
    e->title = e->title ? e->title : e->name;
    return 0;
}

/* `by: hand`: whoever asks for points evaluates them, and tells. */
static int read_by(msw_reading *r)
{
    static const char *const WORDS[] = {"program", "hand", NULL};
    static const char *const STARTED[] = {"command", "version", "expect", "infeasible", "failed",
                                          "limits",  "retry",   "keep",   NULL};
    int by = 0;
    MSW_TRY(msw_reading_choice(r, r->root, "by", WORDS, &by));
    r->p->by_hand = by == 1;
    for (const char *const *key = STARTED; by && *key; key++)
        if (msw_node_get(r->root, *key))
            return msw_reading_wrong(r, msw_node_get(r->root, *key),
                                     "%s: nothing is started of a definition with 'by: hand'",
                                     *key);
    return 0;
}

static int read_command(msw_reading *r)
{
    const msw_node *command = msw_node_get(r->root, "command");
    const msw_node *version = msw_node_get(r->root, "version");
    if (r->p->by_hand)
        return 0;
    if (command)
        MSW_TRY(msw_reading_list(r, command, "command", &r->p->command, NULL));
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++)
        if (r->p->fidelities[f].declared && !r->p->fidelities[f].command && !command)
            return msw_reading_wrong(r, r->root,
                                     "'command: [...]' is missing, or one in each "
                                     "fidelity");
    return version ? msw_reading_list(r, version, "version", &r->p->version, NULL) : 0;
}

/* Tries all placeholders once, and with them the names. */
static int try_commands(msw_reading *r)
{
    msw_program *p = r->p;
    msw_err why = {0};
    const msw_mech *mech = &p->external->mech;
    void *config = msw_reading_room(r, 1, mech->config_size);
    msw_text text = MSW_TEXT_EMPTY;
    size_t count;
    int rc = config ? 0 : -1;
    if (config)
        msw_params_defaults(mech->params, config);
    for (int f = 0; f < MSW_FIDELITY_COUNT && rc == 0 && !p->by_hand; f++)
        for (size_t c = 0; p->fidelities[f].declared && c < p->case_count && rc == 0; c++) {
            msw_program_scope scope = {p, config, &p->fidelities[f], &p->cases[c], 1, 0};
            rc = msw_program_command(&scope, &text, &count, &why);
            for (size_t i = 0; i < p->template_count && rc == 0; i++)
                rc = msw_program_fill(&scope, p->templates[i].text, &text, &why)
                         ? msw_fail_prefix(&why, "%s: ", p->templates[i].path)
                         : 0;
            for (size_t i = 0; i < p->expect_count && rc == 0; i++)
                rc = msw_program_fill(&scope, p->expect[i].line, &text, &why);
        }
    msw_text_free(&text);
    return rc && config ? msw_reading_wrong(r, r->root, "%s", why.text) : rc;
}

/* Whoever allows a definition has read it, and the templates it fills in. */
static void digest_consent(msw_reading *r, const char *text, size_t size)
{
    msw_digest all = msw_hash_bytes(text, size);
    char *real = realpath(r->p->path, NULL);
    all = msw_hash_pair(all, msw_hash_string(real ? real : r->p->path));
    for (size_t i = 0; i < r->p->template_count; i++)
        all = msw_hash_pair(all, msw_hash_string(r->p->templates[i].text));
    free(real);
    r->p->consent = all;
}

static int read_all(msw_reading *r)
{
    MSW_TRY(msw_reading_keys(r, r->root, "definition", KEYS));
    MSW_TRY(read_by(r));
    MSW_TRY(read_columns(r));
    MSW_TRY(read_name(r));
    msw_err why = {0};
    if (msw_external_finish(r->p->external, &why) ||
        msw_params_check(r->p->external->params, r->p->external->name,
                         r->p->external->mech.config_size, &why))
        return msw_reading_wrong(r, r->root, "%s", why.text);
    MSW_TRY(read_fidelities(r));
    MSW_TRY(read_cases(r));
    MSW_TRY(read_command(r));
    MSW_TRY(msw_reading_environment(r));
    MSW_TRY(msw_reading_files(r));
    MSW_TRY(msw_reading_limits(r));
    MSW_TRY(msw_reading_patterns(r, "expect", &r->p->expect_count, &r->p->expect));
    MSW_TRY(msw_reading_patterns(r, "infeasible", &r->p->infeasible_count, &r->p->infeasible));
    MSW_TRY(msw_reading_patterns(r, "failed", &r->p->failed_count, &r->p->failed));
    r->p->external->mech.random = r->p->random;
    r->p->external->mech.default_workload = r->p->cases[0].name;
    return try_commands(r);
}

/* The first thing that is wrong with the YAML. */
static void listen(void *context, const msw_node *at, bool trouble, const char *text)
{
    msw_err *err = context;
    if (err->kind)
        return;
    msw_fail_kind(err, trouble ? MSW_ERR_IO : MSW_ERR_USAGE, "%s:%d:%d: %s", at->file, at->line,
                  at->column, text);
}

int msw_program_parse(const char *path, const char *text, size_t size,
                      const msw_program_source *source, msw_program **program, msw_err *err)
{
    msw_arena nodes = {0};
    msw_node *root = NULL;
    msw_err own = {0};
    const msw_yaml_listener listener = {listen, &own};
    msw_program *p = calloc(1, sizeof *p);
    if (!p)
        return msw_fail_memory(err);
    size_t length = strlen(path) + 1;
    char *copy = msw_arena_take(&p->arena, length);
    p->path = copy ? memcpy(copy, path, length) : "";
    int rc = msw_yaml_parse(p->path, text, size, &nodes, &listener, &root);
    if (rc == 0 && (!root || root->kind != MSW_NODE_MAP))
        rc = msw_fail(&own, "%s: a definition is a mapping of 'key: value' lines", path);
    msw_reading reading = {p, root, source, &own};
    if (rc == 0)
        rc = read_all(&reading);
    if (rc == 0)
        digest_consent(&reading, text, size);
    msw_arena_free(&nodes);
    if (rc == 0) {
        *program = p;
        return 0;
    }
    msw_program_free(p);
    if (err)
        *err = own;
    return -1;
}

void msw_program_free(msw_program *p)
{
    if (!p)
        return;
    for (size_t m = 0; p->readers && m < p->external->metric_count; m++)
        for (int i = 0; i < 2; i++)
            if (p->readers[m].compiled[i])
                regfree(&p->readers[m].line[i]);
    msw_external_free(p->external);
    msw_arena_free(&p->arena);
    free(p);
}
