/* SPDX-License-Identifier: MIT */
/* Expressions over parameters: `where`, `when`, and `fix` by expression. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"
#include "memsweep/base/vec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { EXPR_MAX = 65536 };

static size_t word_size(const char *text)
{
    size_t size = 0;
    while (isalnum((unsigned char)text[size]) || text[size] == '_')
        size++;
    return size;
}

static bool is_word_start(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

/* Turns "npu.batch" into npu_batch where that is a parameter; quoted parts stay as they are. */
static void canonical_names(const msw_schema *schema, char *text)
{
    char quote = 0;
    for (char *c = text; *c; c++) {
        if (quote || *c == '\'' || *c == '"') {
            quote = !quote ? *c : *c == quote ? 0 : quote;
            continue;
        }
        if (!is_word_start(*c))
            continue;
        size_t first = word_size(c);
        if (c[first] == '.' && is_word_start(c[first + 1])) {
            size_t size = first + 1 + word_size(c + first + 1);
            char *name = msw_strdup(c);
            if (name)
                name[size] = '\0';
            if (name && msw_schema_find(schema, name) >= 0)
                c[first] = '_';
            free(name);
            first = size;
        }
        c += first - 1;
    }
}

/* Line breaks and runs of blanks are one blank, so that layout does not change the plan. */
static void squeeze(char *text)
{
    char *out = text, quote = 0;
    for (const char *c = text; *c; c++) {
        if (quote || *c == '\'' || *c == '"')
            quote = !quote ? *c : *c == quote ? 0 : quote;
        else if (isspace((unsigned char)*c)) {
            if (out > text && out[-1] != ' ')
                *out++ = ' ';
            continue;
        }
        *out++ = *c;
    }
    while (out > text && out[-1] == ' ')
        out--;
    *out = '\0';
}

const char *msw_loader_clean(msw_loader *l, const msw_node *at, const char *what, const char *text)
{
    if (strlen(text) > EXPR_MAX) {
        msw_loader_say(l, at, "%s: an expression of more than %d characters", what, EXPR_MAX);
        return NULL;
    }
    char *own = msw_loader_copy(l, text);
    if (!own)
        return NULL;
    squeeze(own);
    canonical_names(&l->plan->schema, own);
    return own;
}

msw_pending *msw_loader_expr(msw_loader *l, const msw_node *at, const char *what, const char *text,
                             int target)
{
    const char *own = msw_loader_clean(l, at, what, text);
    if (!own)
        return NULL;
    if (msw_vec_reserve_in(&l->arena, &l->pending, &l->pending_capacity, l->pending_count + 1,
                           sizeof *l->pending, NULL)) {
        msw_loader_memory(l);
        return NULL;
    }
    msw_pending *pending = &l->pending[l->pending_count++];
    *pending = (msw_pending){.at = at, .what = what, .text = own, .target = target};
    return pending;
}

static void add_condition(msw_loader *l, const msw_node *at, bool several, msw_text *all)
{
    const char *text = msw_loader_word(l, at, "where");
    msw_pending *pending = text ? msw_loader_expr(l, at, "where", text, -1) : NULL;
    if (pending)
        msw_text_add(all, several ? "%s(%s)" : "%s%s", all->size ? " AND " : "", pending->text);
}

static void read_where(msw_loader *l)
{
    const msw_node *where = msw_loader_top(l, "where");
    if (!where)
        return;
    msw_text all = MSW_TEXT_EMPTY;
    if (where->kind == MSW_NODE_LIST)
        for (size_t i = 0; i < where->count; i++)
            add_condition(l, where->items[i], where->count > 1, &all);
    else
        add_condition(l, where, false, &all);
    l->plan->space.where = all.size ? msw_strdup(msw_text_str(&all)) : NULL;
    if (all.failed || (all.size && !l->plan->space.where))
        msw_loader_memory(l);
    msw_text_free(&all);
}

static msw_expr_host *open_host(msw_loader *l)
{
    const msw_schema *schema = &l->plan->schema;
    msw_expr_name *names = msw_arena_zero(&l->arena, schema->count + 1, sizeof *names);
    msw_expr_host *host = NULL;
    msw_err err = {0};
    if (!names) {
        msw_loader_memory(l);
        return NULL;
    }
    for (size_t i = 0; i < schema->count; i++)
        names[i] = (msw_expr_name){schema->params[i]->name, msw_param_type(schema->params[i])};
    if (msw_expr_host_new(names, schema->count, &host, &err))
        msw_loader_fail(l, &err, l->root, "%s", err.text);
    return host;
}

static bool is_computed(const msw_loader *l, int index)
{
    for (size_t i = 0; i < l->pending_count; i++)
        if (l->pending[i].target == index && strcmp(l->pending[i].what, "fix") == 0)
            return true;
    return false;
}

static bool check_used(msw_loader *l, const msw_pending *p, int index)
{
    const char *name = l->plan->schema.params[index]->name;
    bool when = strcmp(p->what, "when") == 0;
    if (l->differs[index])
        msw_loader_say(l, p->at,
                       "%s: '%s' differs between the workloads listed; fix or vary it to use it "
                       "here",
                       p->what, name);
    else if (index == p->target)
        msw_loader_say(l, p->at, "%s of '%s' depends on '%s' itself", p->what, name, name);
    else if (when && is_computed(l, index))
        msw_loader_say(l, p->at, "when: '%s' is fixed by an expression, which is computed later",
                       name);
    else
        return true;
    return false;
}

static bool keep_used(msw_loader *l, const msw_expr *expr, msw_pending *p)
{
    const int *indices;
    p->used_count = msw_expr_used(expr, &indices);
    p->used = msw_arena_zero(&l->arena, p->used_count + 1, sizeof *p->used);
    if (!p->used) {
        msw_loader_memory(l);
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < p->used_count; i++) {
        p->used[i] = indices[i];
        good = check_used(l, p, indices[i]) && good;
    }
    if (p->used_count == 0)
        msw_loader_say(l, p->at, "%s: the expression names no parameter", p->what);
    return good && p->used_count > 0;
}

/* The first word of an expression that names a metric. Returns the metric, or NULL. */
static const msw_metric *find_metric(const msw_loader *l, const char *text)
{
    for (const msw_metric *m = l->plan->mech->metrics; m->name; m++)
        for (const char *c = strstr(text, m->name); c; c = strstr(c + 1, m->name))
            if (word_size(c) == strlen(m->name) && (c == text || word_size(c - 1) <= word_size(c)))
                return m;
    return NULL;
}

static void check(msw_loader *l, msw_expr_host *host, msw_pending *p)
{
    msw_expr *expr = NULL;
    msw_err err = {0};
    const msw_metric *metric = NULL;
    if (msw_expr_new(host, p->text, &expr, &err) && (metric = find_metric(l, p->text)))
        msw_loader_say(l, p->at,
                       "%s: '%s' is a metric, known only after a run; here only parameters are",
                       p->what, metric->name);
    else if (!expr)
        msw_loader_fail(l, &err, p->at, "%s: %s", p->what, err.text);
    else
        p->good = keep_used(l, expr, p);
    msw_expr_free(expr);
}

void msw_step_rules(msw_loader *l)
{
    if (!l->ready)
        return;
    read_where(l);
    if (l->pending_count == 0)
        return;
    msw_expr_host *host = open_host(l);
    for (size_t i = 0; host && i < l->pending_count; i++)
        check(l, host, &l->pending[i]);
    msw_expr_host_free(host);
}
