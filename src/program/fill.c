/* SPDX-License-Identifier: MIT */
/* Placeholders become text: @name@, @name:UNIT@, and @@ for the sign itself. What comes of a value
 * is one word or a part of one, whatever it holds: no shell ever reads it. */
#include "memsweep/program/program.h"

#include "memsweep/base/quote.h"
#include "memsweep/base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *find_pair(const msw_program_set *set, const char *name)
{
    for (size_t i = 0; set && i < set->count; i++)
        if (strcmp(set->pairs[i].name, name) == 0)
            return set->pairs[i].text;
    return NULL;
}

static int add_param(const msw_program_scope *scope, const msw_param *p, const char *unit,
                     msw_text *out, msw_err *err)
{
    double value = msw_param_get(p, scope->config), factor = 1;
    char one[40];
    if (p->kind == MSW_CHOICE && unit)
        return msw_fail(err, "@%s:%s@: a choice has no unit", p->name, unit);
    if (p->kind == MSW_CHOICE) {
        msw_text_add(out, "%s", p->choices[(size_t)value].name);
        return 0;
    }
    if (unit) {
        snprintf(one, sizeof one, "1%s", unit);
        if (msw_units_parse(one, p->unit, &factor, err))
            return msw_fail_prefix(err, "@%s:%s@: ", p->name, unit);
    }
    if (factor == 1 && p->kind != MSW_REAL)
        msw_text_add_whole(out, (int64_t)value);
    else
        msw_text_add_double(out, value / factor);
    return 0;
}

static int add_named(const msw_program_scope *scope, const char *name, const char *unit,
                     msw_text *out, msw_err *err)
{
    const msw_param *p = msw_params_find(scope->program->external->params, name);
    const char *text = find_pair(scope->fidelity, name);
    if (p)
        return add_param(scope, p, unit, out, err);
    text = text ? text : find_pair(scope->workload, name);
    if (!text && strcmp(name, "case") == 0)
        text = scope->workload->name;
    if (text && !unit) {
        msw_text_add(out, "%s", text);
        return 0;
    }
    bool random = scope->program->random;
    if (random && strcmp(name, "seed") == 0)
        msw_text_add_whole(out, (int64_t)scope->seed);
    else if (random && strcmp(name, "replicate") == 0)
        msw_text_add_whole(out, (int64_t)scope->replicate);
    else
        return msw_fail(err, "@%s@ is no parameter, nor a value of fidelity %s or case %s%s", name,
                        scope->fidelity->name, scope->workload->name,
                        strcmp(name, "seed") == 0 ? ": 'random: yes' gives it" : "");
    return 0;
}

int msw_program_fill(const msw_program_scope *scope, const char *text, msw_text *out, msw_err *err)
{
    char name[64];
    for (;;) {
        size_t plain = strcspn(text, "@");
        msw_text_add_bytes(out, text, plain);
        text += plain;
        if (!*text)
            return out->failed ? msw_fail_memory(err) : 0;
        if (text[1] == '@') {
            msw_text_add(out, "@");
            text += 2;
            continue;
        }
        size_t size = strcspn(text + 1, "@");
        if (!text[size + 1] || size >= sizeof name)
            return msw_fail(err, "'%.*s': a placeholder is @name@, and @@ stands for one @",
                            (int)(size < 40 ? size + 1 : 40), text);
        memcpy(name, text + 1, size);
        name[size] = '\0';
        char *unit = strchr(name, ':');
        if (unit)
            *unit++ = '\0';
        MSW_TRY(add_named(scope, name, unit, out, err));
        text += size + 2;
    }
}

/* Whether a word is an option only because of the text that a placeholder stands for. */
static bool is_smuggled(const char *pattern, const char *word)
{
    char *end;
    if (pattern[0] != '@' || word[0] != '-')
        return false;
    strtod(word, &end);
    return *end != '\0';
}

int msw_program_command(const msw_program_scope *scope, msw_text *words, size_t *count,
                        msw_err *err)
{
    const char *const *command =
        scope->fidelity->command ? scope->fidelity->command : scope->program->command;
    for (*count = 0; command[*count]; ++*count) {
        size_t start = words->size;
        MSW_TRY(msw_program_fill(scope, command[*count], words, err));
        if (words->size > start && is_smuggled(command[*count], words->data + start))
            return msw_fail(err, "'%s' would become the option '%s'", command[*count],
                            words->data + start);
        msw_text_add_bytes(words, "", 1);
    }
    return words->failed ? msw_fail_memory(err) : 0;
}

int msw_program_environment(const msw_program *p, msw_text *words, size_t *count, msw_err *err)
{
    *count = 0;
    for (size_t i = 0; i < p->env_count; i++) {
        bool passed = false;
        for (size_t k = 0; k < p->pass_count; k++)
            passed = passed || strcmp(p->pass[k], p->env[i].name) == 0;
        if (passed && getenv(p->env[i].name))
            continue;
        msw_text_add(words, "%s=%s", p->env[i].name, p->env[i].text);
        msw_text_add_bytes(words, "", 1);
        ++*count;
    }
    for (size_t k = 0; k < p->pass_count; k++)
        if (getenv(p->pass[k])) {
            msw_text_add(words, "%s=%s", p->pass[k], getenv(p->pass[k]));
            msw_text_add_bytes(words, "", 1);
            ++*count;
        }
    return words->failed ? msw_fail_memory(err) : 0;
}

/* ---- for people ---- */

static void add_words(const char *before, const char *between, const msw_text *words, size_t count,
                      msw_text *out)
{
    const char *word = msw_text_str(words);
    for (size_t i = 0; i < count; i++, word += strlen(word) + 1) {
        msw_text_add(out, "%s", i ? between : before);
        msw_text_add_shell(out, word);
    }
    msw_text_add(out, count ? "\n" : "");
}

static int add_templates(const msw_program_scope *scope, msw_text *out, msw_err *err)
{
    const msw_program *p = scope->program;
    for (size_t i = 0; i < p->template_count; i++) {
        msw_text_add(out, "file         %s, of %s:\n", p->templates[i].name, p->templates[i].path);
        MSW_TRY(msw_program_fill(scope, p->templates[i].text, out, err));
        if (out->size && out->data[out->size - 1] != '\n')
            msw_text_add(out, "\n");
    }
    return 0;
}

int msw_program_dry(const msw_program_scope *scope, msw_text *out, msw_err *err)
{
    const msw_program *p = scope->program;
    msw_text words = MSW_TEXT_EMPTY;
    size_t count;
    int rc = msw_program_command(scope, &words, &count, err);
    if (rc == 0) {
        add_words("command      ", " ", &words, count, out);
        msw_text_clear(&words);
        rc = msw_program_environment(p, &words, &count, err);
    }
    if (rc == 0)
        add_words("environment  ", " ", &words, count, out);
    for (size_t i = 0; i < p->tool_count && rc == 0; i++)
        msw_text_add(out, "program      %s\n", p->tools[i].path);
    for (size_t i = 0; i < p->file_count && rc == 0; i++)
        msw_text_add(out, "link         %s -> %s\n", p->files[i].name, p->files[i].path);
    if (rc == 0)
        rc = add_templates(scope, out, err);
    msw_text_free(&words);
    return rc;
}

/* ---- for digests ---- */

static void add_list(const char *name, const char *const *words, msw_text *out)
{
    msw_text_add(out, ", %s: [", name);
    for (size_t i = 0; words && words[i]; i++) {
        msw_text_add(out, i ? ", " : "");
        msw_text_add_json(out, words[i]);
    }
    msw_text_add(out, "]");
}

static void add_text(const char *name, const char *text, msw_text *out)
{
    if (!text)
        return;
    msw_text_add(out, ", %s: ", name);
    msw_text_add_json(out, text);
}

static void add_files(const char *name, const msw_program_file *files, size_t count, msw_text *out)
{
    char digest[MSW_DIGEST_TEXT];
    msw_text_add(out, ", %s: {", name);
    for (size_t i = 0; i < count; i++) {
        msw_text_add(out, i ? ", " : "");
        msw_text_add_json(out, files[i].name);
        msw_text_add(out, ": ");
        if (files[i].text)
            msw_digest_text(msw_hash_string(files[i].text), digest);
        msw_text_add_json(out, files[i].text ? digest : files[i].digest);
    }
    msw_text_add(out, "}");
}

static void add_pairs(const char *name, const msw_program_pair *pairs, size_t count, msw_text *out)
{
    msw_text_add(out, ", %s: {", name);
    for (size_t i = 0; i < count; i++) {
        msw_text_add(out, i ? ", " : "");
        msw_text_add_json(out, pairs[i].name);
        msw_text_add(out, ": ");
        msw_text_add_json(out, pairs[i].text);
    }
    msw_text_add(out, "}");
}

static void add_reader(const msw_metric *m, const msw_reader *r, msw_text *out)
{
    msw_text_add(out,
                 "{metric: %s, kind: %d, take: %d, dump: %zu, said: %d, unit: %d, thousands: "
                 "%d, optional: %d, scale: ",
                 m->name, (int)r->kind, (int)r->take, r->dump, r->dump_said, r->with_unit,
                 r->thousands, r->optional);
    msw_text_add_double(out, r->scale);
    add_text("file", r->file, out);
    add_text("at", r->at, out);
    add_text("values", r->values, out);
    add_text("where", r->where_name, out);
    add_text("is", r->where_value, out);
    if (r->sum)
        add_list("sum", r->sum, out);
    msw_text_add(out, "}");
}

static void add_patterns(const char *name, const msw_pattern *list, size_t count, msw_text *out)
{
    msw_text_add(out, ", %s: [", name);
    for (size_t i = 0; i < count; i++) {
        msw_text_add(out, "%s{exit: %d", i ? ", " : "", list[i].exit);
        add_text("file", list[i].file, out);
        add_text("line", list[i].line, out);
        msw_text_add(out, "}");
    }
    msw_text_add(out, "]");
}

void msw_program_print(const msw_program *p, msw_fidelity fidelity, msw_text *out)
{
    const msw_program_set *set = &p->fidelities[fidelity];
    msw_text_add(out, p->by_hand ? "program: {layout: 1, by: hand" : "program: {layout: 1");
    add_list("command", set->command ? set->command : p->command, out);
    add_pairs("values", set->pairs, set->count, out);
    add_files("tools", p->tools, p->tool_count, out);
    add_files("files", p->files, p->file_count, out);
    add_files("templates", p->templates, p->template_count, out);
    add_pairs("env", p->env, p->env_count, out);
    add_patterns("expect", p->expect, p->expect_count, out);
    add_patterns("infeasible", p->infeasible, p->infeasible_count, out);
    add_patterns("failed", p->failed, p->failed_count, out);
    msw_text_add(out, ", random: %d, leftovers: %d, read: [", p->random, p->leftovers);
    for (size_t m = 0; m < p->external->metric_count; m++) {
        msw_text_add(out, m ? ", " : "");
        add_reader(&p->external->metrics[m], &p->readers[m], out);
    }
    msw_text_add(out, "]}\n");
}
