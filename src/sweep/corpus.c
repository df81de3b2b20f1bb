/* SPDX-License-Identifier: MIT */
/* The corpus: workloads that artifacts are built from, in addition to those that points run on. */
#include "sweep/loader.h"

#include "memsweep/mech/engine.h"

#include <stdlib.h>

static const char *const KEYS[] = {"workload", NULL};

static msw_workload_list of_corpus(msw_loader *l)
{
    return (msw_workload_list){&l->plan->corpus, &l->plan->corpus_count};
}

/* `{workload: NAME, <setting>: <value>, ...}`: settings of the front end, for this entry alone. The
 * same workload may come again with other settings. */
static bool add_with_settings(msw_loader *l, const msw_node *at)
{
    const msw_node *name = msw_node_get(at, "workload");
    msw_workload *one = NULL;
    size_t count = 0, before = l->plan->corpus_count;
    msw_workload_list alone = {&one, &count}, list = of_corpus(l);
    if (!name) {
        msw_loader_say(l, at, "corpus: write a name, or {workload: <name>, <setting>: <value>}");
        return false;
    }
    bool good = msw_loader_add_workload(l, name, &alone);
    for (size_t i = 0; i < count; i++) {
        msw_loader_table(l, at, one[i].frontend->params, one[i].config, one[i].frontend->name,
                         KEYS);
        msw_loader_append_workload(l, at, &one[i], &list);
    }
    free(one);
    return good && l->plan->corpus_count == before + count;
}

static bool add_entry(msw_loader *l, const msw_node *at)
{
    msw_workload_list list = of_corpus(l);
    return at->kind == MSW_NODE_MAP ? add_with_settings(l, at)
                                    : msw_loader_add_workload(l, at, &list);
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
    for (size_t w = 0; w < plan->corpus_count; w++) {
        const msw_workload *load = &plan->corpus[w];
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
        good = add_entry(l, node);
    else if (msw_loader_is(l, node, MSW_NODE_LIST, "corpus"))
        for (size_t i = 0; i < node->count; i++)
            good = add_entry(l, node->items[i]) && good;
    for (size_t w = 0; good && w < l->plan->corpus_count; w++)
        check_content(l, node, &l->plan->corpus[w]);
    l->plan->corpus_digest = digest_of(l->plan);
}
