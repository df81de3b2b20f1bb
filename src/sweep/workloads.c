/* SPDX-License-Identifier: MIT */
/* Loads workloads from names, globs and files: those that points run on, and the corpus, from
 * which artifacts are built in addition. */
#include "sweep/loader.h"

#include "memsweep/base/text.h"
#include "memsweep/base/vec.h"
#include "memsweep/mech/engine.h"
#include "memsweep/sweep/content.h"

#include <stdlib.h>
#include <string.h>

/* A list of workloads that grows (workloads.c). Adds what a name, a glob or a file names. Returns
 * whether that went well. */
typedef struct msw_workload_list {
    msw_workload **all;
    size_t *count;
} msw_workload_list;

enum { WORKLOADS_MAX = 4096, FILE_NAME_MAX = 1024 };

static const char *product_name(msw_product_kind kind)
{
    switch (kind) {
    case MSW_PRODUCT_UNITS:
        return "units";
    case MSW_PRODUCT_TILES:
        return "tiles";
    case MSW_PRODUCT_PROGRAM:
        return "programs";
    case MSW_PRODUCT_ACCESSES:
        return "accesses";
    case MSW_PRODUCT_GRAPH:
        return "graphs";
    case MSW_PRODUCT_PAGES:
        return "page traces";
    }
    return "nothing known";
}

static void describe_accepted(unsigned accepts, msw_text *out)
{
    for (unsigned bit = MSW_PRODUCT_UNITS; bit <= MSW_PRODUCT_PAGES; bit <<= 1)
        if (accepts & bit)
            msw_text_add(out, "%s%s", out->size ? ", " : "", product_name((msw_product_kind)bit));
}

static bool accepted(msw_loader *l, const msw_node *at, const char *name,
                     const msw_frontend *frontend)
{
    const msw_mech *mech = l->plan->mech;
    if (!mech || (mech->accepts & (unsigned)frontend->product))
        return true;
    msw_text accepts = MSW_TEXT_EMPTY, families = MSW_TEXT_EMPTY;
    describe_accepted(mech->accepts, &accepts);
    for (size_t i = 0; msw_frontends[i]; i++)
        if (mech->accepts & (unsigned)msw_frontends[i]->product)
            msw_text_add(&families, "%s%s", families.size ? ", " : "", msw_frontends[i]->name);
    msw_loader_say(l, at,
                   "workload '%s' gives %s, but mechanism '%s' works on %s: workloads of %s "
                   "('memsweep list workloads')",
                   name, product_name(frontend->product), mech->name, msw_text_str(&accepts),
                   msw_text_str(&families));
    msw_text_free(&accepts);
    msw_text_free(&families);
    return false;
}

static bool is_listed(const msw_workload_list *list, const char *name)
{
    for (size_t i = 0; i < *list->count; i++)
        if (strcmp((*list->all)[i].name, name) == 0)
            return true;
    return false;
}

static int load_content(msw_loader *l, const msw_node *at, msw_workload *w, const char *file)
{
    msw_err err = {0};
    const char *path = *file ? msw_loader_find(l, at, file) : "";
    if (!path)
        return -1;
    int rc = msw_content_load(l->options, path, w, &err);
    if (rc)
        msw_loader_fail(l, &err, at, "workload '%s': %s", w->name, err.text);
    return rc;
}

static int make(msw_loader *l, const char *name, const msw_frontend *frontend, const void *config,
                msw_workload *w)
{
    *w = (msw_workload){.name = msw_strdup(name), .frontend = frontend};
    w->config = malloc(frontend->config_size + 1);
    if (!w->name || !w->config) {
        msw_loader_memory(l);
        return -1;
    }
    memcpy(w->config, config, frontend->config_size);
    return 0;
}

static void msw_loader_append_workload(msw_loader *l, const msw_node *at, const msw_workload *w,
                                       const msw_workload_list *list)
{
    bool full = *list->count >= WORKLOADS_MAX;
    if (full || msw_vec_extend(list->all, *list->count, sizeof **list->all, NULL)) {
        if (full)
            msw_loader_say(l, at, "more than 4096 workloads");
        else
            msw_loader_memory(l);
        msw_workload gone = *w;
        msw_workload_free(&gone);
        return;
    }
    (*list->all)[(*list->count)++] = *w;
}

/* Adds one workload by its name or file. Returns whether that went well. */
static bool add(msw_loader *l, const msw_node *at, const char *name, const msw_workload_list *list)
{
    union {
        uint64_t align;
        unsigned char bytes[MSW_FRONTEND_CONFIG_MAX];
    } config;
    char file[FILE_NAME_MAX] = "";
    msw_err err = {0};
    const msw_frontend *frontend = msw_workload_resolve(name, &config, file, sizeof file, &err);
    if (!frontend) {
        msw_loader_fail(l, &err, at, "%s", err.text);
        return false;
    }
    msw_workload w;
    if (!accepted(l, at, name, frontend))
        return false;
    if (make(l, name, frontend, &config, &w) || load_content(l, at, &w, file)) {
        msw_workload_free(&w);
        return false;
    }
    msw_loader_append_workload(l, at, &w, list);
    return true;
}

static bool is_glob(const char *name)
{
    return strpbrk(name, "*?[") != NULL;
}

/* Adds the workloads that a glob matches and the mechanism can use; the others are skipped. */
static bool add_matches(msw_loader *l, const msw_node *at, const char *pattern,
                        const msw_workload_list *list)
{
    size_t matched = 0, used = 0;
    for (size_t f = 0; msw_frontends[f]; f++)
        for (size_t n = 0; msw_frontends[f]->names[n]; n++) {
            const char *name = msw_frontends[f]->names[n];
            if (!msw_glob_match(pattern, name))
                continue;
            matched++;
            if (l->plan->mech && !(l->plan->mech->accepts & (unsigned)msw_frontends[f]->product))
                continue;
            used++;
            if (!is_listed(list, name) && !add(l, at, name, list))
                return false;
        }
    if (used == 0)
        msw_loader_say(l, at,
                       matched ? "no workload that '%s' matches suits the mechanism"
                               : "no workload matches '%s'",
                       pattern);
    return used > 0;
}

static bool msw_loader_add_workload(msw_loader *l, const msw_node *at,
                                    const msw_workload_list *list)
{
    const char *name = msw_loader_word(l, at, "workload");
    if (name && is_listed(list, name)) {
        msw_loader_say(l, at, "workload '%s' is listed twice", name);
        return false;
    }
    return name && (is_glob(name) ? add_matches(l, at, name, list) : add(l, at, name, list));
}

static msw_workload_list of_points(msw_loader *l)
{
    return (msw_workload_list){&l->plan->workloads, &l->plan->workload_count};
}

static const char *const KEYS[] = {"workload", NULL};

/* Remembers what an entry sets of its workload, and says so in its name. */
static void note_settings(msw_loader *l, const msw_node *at, size_t number)
{
    msw_workload *w = &l->plan->workloads[number];
    for (size_t i = 0; i < at->count; i++) {
        const msw_param *param = msw_loader_setting(w->frontend->params, at->keys[i]->text);
        if (!param)
            continue;
        char *name = msw_strfmt("%s %s=%s", w->name, param->name, at->items[i]->text);
        if (!name || msw_vec_reserve_in(&l->arena, &l->own, &l->own_room, l->own_count + 1,
                                        sizeof *l->own, NULL)) {
            free(name);
            msw_loader_memory(l);
            return;
        }
        free(w->name);
        w->name = name;
        l->own[l->own_count++] =
            (msw_own_setting){number, param, msw_param_get(param, w->config), at->keys[i]};
    }
}

/* `{workload: NAME, <setting>: <value>, ...}`: settings of the front end, for this entry alone. The
 * same workload may come again with other settings. */
static bool add_with_settings(msw_loader *l, const msw_node *at, const char *what,
                              const msw_workload_list *list)
{
    const msw_node *name = msw_node_get(at, "workload");
    msw_workload *one = NULL;
    size_t count = 0, before = *list->count, errors = l->diagnostics.count;
    msw_workload_list alone = {&one, &count};
    if (!name) {
        msw_loader_say(l, at, "%s: write a name, or {workload: <name>, <setting>: <value>}", what);
        return false;
    }
    bool points = list->all == &l->plan->workloads, good = msw_loader_add_workload(l, name, &alone);
    for (size_t i = 0; i < count; i++) {
        msw_loader_table(l, at, one[i].frontend->params, one[i].config, one[i].frontend->name,
                         KEYS);
        msw_loader_append_workload(l, at, &one[i], list);
        if (points && *list->count > before + i && l->diagnostics.count == errors)
            note_settings(l, at, before + i);
    }
    free(one);
    for (size_t w = before; points && w < *list->count; w++)
        for (size_t i = 0; i < w; i++)
            if (strcmp((*list->all)[i].name, (*list->all)[w].name) == 0) {
                msw_loader_say(l, at, "workload '%s' is listed twice", (*list->all)[w].name);
                return false;
            }
    return good && *list->count == before + count && l->diagnostics.count == errors;
}

static bool add_entry(msw_loader *l, const msw_node *at, const char *what,
                      const msw_workload_list *list)
{
    return at->kind == MSW_NODE_MAP ? add_with_settings(l, at, what, list)
                                    : msw_loader_add_workload(l, at, list);
}

static void add_point_entry(msw_loader *l, const msw_node *at)
{
    msw_workload_list list = of_points(l);
    size_t before = l->plan->workload_count;
    if (!add_entry(l, at, "workloads", &list))
        l->workloads_wrong = true;
    for (size_t w = before; w < l->plan->workload_count; w++)
        l->entry_at[w] = at;
}

static void add_default(msw_loader *l)
{
    const char *name = l->plan->mech ? l->plan->mech->default_workload : NULL;
    msw_workload_list list = of_points(l);
    if (name)
        l->workloads_wrong = !add(l, l->root, name, &list);
    else if (l->plan->mech)
        msw_loader_say(l, l->root, "no workloads: write 'workloads: [<name>, ...]'");
}

/* Parts of the schema follow the registry, whatever the order in the file. */
static void collect_fronts(msw_loader *l)
{
    msw_plan *plan = l->plan;
    size_t count = 0;
    while (msw_frontends[count])
        count++;
    plan->frontends = calloc(count + 1, sizeof *plan->frontends);
    plan->workload_frontend = calloc(plan->workload_count + 1, sizeof *plan->workload_frontend);
    if (!plan->frontends || !plan->workload_frontend) {
        msw_loader_memory(l);
        return;
    }
    for (size_t f = 0; f < count; f++) {
        bool used = false;
        for (size_t w = 0; w < plan->workload_count; w++)
            if (plan->workloads[w].frontend == msw_frontends[f]) {
                plan->workload_frontend[w] = plan->frontend_count;
                used = true;
            }
        if (used)
            plan->frontends[plan->frontend_count++] = msw_frontends[f];
    }
}

void msw_step_workloads(msw_loader *l)
{
    if (l->plan->program) {
        msw_loader_cases(l);
        return;
    }
    const msw_node *node = msw_loader_top(l, "workloads");
    l->entry_at = msw_arena_zero(&l->arena, WORKLOADS_MAX, sizeof *l->entry_at);
    if (!l->entry_at)
        msw_loader_memory(l);
    else if (!node)
        add_default(l);
    else if (node->kind == MSW_NODE_SCALAR)
        add_point_entry(l, node);
    else if (msw_loader_is(l, node, MSW_NODE_LIST, "workloads")) {
        for (size_t i = 0; i < node->count; i++)
            add_point_entry(l, node->items[i]);
        if (node->count == 0)
            msw_loader_say(l, node, "no workloads: the list is empty");
    }
    collect_fronts(l);
}

void msw_step_content(msw_loader *l)
{
    if (!l->ready || l->workloads_wrong)
        return;
    for (size_t w = 0; w < l->plan->workload_count; w++) {
        const msw_workload *load = &l->plan->workloads[w];
        msw_err err = {0};
        if (load->frontend->check && load->frontend->check(load->content, load->config, &err))
            msw_loader_fail(l, &err, l->entry_at[w] ? l->entry_at[w] : l->root, "workload '%s': %s",
                            load->name, err.text);
    }
}

static msw_workload_list of_corpus(msw_loader *l)
{
    return (msw_workload_list){&l->plan->corpus.workloads, &l->plan->corpus.count};
}

static bool add_corpus_entry(msw_loader *l, const msw_node *at)
{
    msw_workload_list list = of_corpus(l);
    return add_entry(l, at, "corpus", &list);
}

static void check_content(msw_loader *l, const msw_node *at, const msw_workload *load)
{
    msw_err err = {0};
    if (load->frontend->check && load->frontend->check(load->content, load->config, &err))
        msw_loader_fail(l, &err, at, "corpus: workload '%s': %s", load->name, err.text);
}

static msw_digest digest_of(const msw_plan *plan)
{
    msw_digest all = {0};
    for (size_t w = 0; w < plan->corpus.count; w++) {
        const msw_workload *load = &plan->corpus.workloads[w];
        uint64_t words[] = {(uint64_t)load->frontend->version,
                            load->frontend->random ? plan->seed : 0};
        all = msw_hash_pair(all, load->digest);
        all = msw_hash_pair(all, msw_hash_bytes(words, sizeof words));
        all = msw_hash_pair(all, msw_hash_bytes(load->config, load->frontend->config_size));
    }
    return all;
}

void msw_step_corpus(msw_loader *l)
{
    const msw_node *node = msw_loader_top(l, "corpus");
    bool good = true;
    if (!node || !l->plan->mech)
        return;
    if (!msw_mech_has_corpus(l->plan->mech)) {
        msw_loader_say(l, msw_loader_key(l, "corpus"),
                       "mechanism '%s' builds nothing from a corpus: leave this key out",
                       l->plan->mech->name);
        return;
    }
    if (node->kind == MSW_NODE_SCALAR)
        good = add_corpus_entry(l, node);
    else if (msw_loader_is(l, node, MSW_NODE_LIST, "corpus"))
        for (size_t i = 0; i < node->count; i++)
            good = add_corpus_entry(l, node->items[i]) && good;
    for (size_t w = 0; good && w < l->plan->corpus.count; w++)
        check_content(l, node, &l->plan->corpus.workloads[w]);
    l->plan->corpus.digest = digest_of(l->plan);
}
