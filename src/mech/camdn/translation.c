/* SPDX-License-Identifier: MIT */
/* The stage that translates addresses of NPUs, as a config describes it, and what of it cannot be.
 */
#include "mech/camdn/model.h"
#include "mech/neummu/config.h"

#include "mech/shared/rules.h"

void camdn_stage_of(const camdn_config *c, msw_translate_config *stage)
{
    const camdn_translation *t = &c->translation;
    uint32_t npus = (uint32_t)camdn_running(c);
    neummu_config own = {.page_size = t->page,
                         .tlb_entries = t->tlb_entries,
                         .tlb_ways = t->tlb_ways,
                         .tlb_cycles = t->tlb_cycles,
                         .tlb2_entries = t->tlb2_entries,
                         .tlb2_ways = t->tlb2_ways,
                         .tlb2_cycles = t->tlb2_cycles,
                         .tlb_policy = t->tlb_policy,
                         .ptw_count = t->walkers,
                         .walk_level_cycles = t->level_cycles,
                         .walk_cycles = t->walk_cycles,
                         .table_levels = 4,
                         .scoreboard = t->scoreboard,
                         .prmb_slots = t->slots,
                         .slots_full = t->slots_full,
                         .reprobe = 1,
                         .walk_queue = t->queue,
                         .return_cycles = t->return_cycles,
                         .path_cache = t->path_cache,
                         .path_entries = t->path_entries,
                         .issue_width = t->width,
                         .walk_memory = t->memory != CAMDN_WALKS_FIXED};
    stage->mmu = neummu_mmu_config(&own);
    stage->reads = neummu_read_config(&own);
    stage->mmu.claims = t->fill == CAMDN_FILL_CLAIMS;
    stage->mmu.l1.banks = t->kind == CAMDN_TRANSLATE_WALKERS ? npus : 1;
    if (t->share == CAMDN_WALKERS_POOL || t->kind == CAMDN_TRANSLATE_PRIVATE)
        return;
    bool parts = t->share == CAMDN_WALKERS_PARTS;
    msw_walker_config *walker = &stage->mmu.walker;
    walker->owners = npus;
    walker->first_owns = (uint32_t)t->first;
    walker->least = parts ? UINT32_MAX : (uint32_t)t->least;
    walker->most = parts ? 0 : (uint32_t)t->most;
}

static int check_stage(const camdn_config *c, msw_err *err)
{
    const camdn_translation *t = &c->translation;
    bool owned = t->share != CAMDN_WALKERS_POOL && t->kind != CAMDN_TRANSLATE_PRIVATE;
    int64_t npus = camdn_running(c), others = t->first ? npus - 1 : npus;
    if (msw_rule_power(t->page, "page_size", err) ||
        msw_rule_ways(t->tlb_entries, t->tlb_ways, "tlb", err) ||
        msw_rule_ways(t->tlb2_entries, t->tlb2_ways, "tlb2", err) ||
        msw_rule_tree(t->tlb_policy == MSW_POLICY_TREE, "tlb_policy", t->tlb_entries, t->tlb_ways,
                      "the TLB", err) ||
        msw_rule_tree(t->tlb_policy == MSW_POLICY_TREE && t->tlb2_entries, "tlb_policy",
                      t->tlb2_entries, t->tlb2_ways, "the second TLB", err))
        return -1;
    if (owned && (t->queue == 0 || t->memory != CAMDN_WALKS_FIXED))
        return msw_fail(err, "walker_share: parts and stealing are booked; allowed with "
                             "walk_memory fixed and walk_queue 1 or more");
    if (owned && t->walkers < t->first + others)
        return msw_fail(err, "ptw_count %lld, walker_first %lld: each of %lld NPUs needs a walker",
                        (long long)t->walkers, (long long)t->first, (long long)npus);
    if (t->fill == CAMDN_FILL_CLAIMS && t->memory != CAMDN_WALKS_FIXED)
        return msw_fail(err, "tlb_fill claims: allowed with walk_memory fixed");
    if (t->memory == CAMDN_WALKS_CACHE && t->walk_ways > c->ways)
        return msw_fail(err, "walk_ways %lld of %lld", (long long)t->walk_ways, (long long)c->ways);
    if (t->lines == CAMDN_AT_MISS && c->control != CAMDN_PAGED)
        return msw_fail(err, "translate at_miss: a cache with tags holds physical addresses; "
                             "allowed with cache_control pages");
    return 0;
}

static int check_parts(const camdn_config *c, msw_err *err)
{
    if (c->control == CAMDN_PAGED || c->bandwidth <= 0 || camdn_channels(c) % c->tenants ||
        c->slices % c->tenants)
        return msw_fail(err,
                        "channels_share parts: %lld tenants, %lld channels, %lld slices; allowed "
                        "with cache_control tags and as many of both for each tenant",
                        (long long)c->tenants, (long long)camdn_channels(c), (long long)c->slices);
    if (c->translation.kind > CAMDN_TRANSLATE_IDEAL && c->translation.memory != CAMDN_WALKS_FIXED)
        return msw_fail(err, "channels_share parts: walks have no part; allowed with walk_memory "
                             "fixed");
    return 0;
}

int camdn_check_lists(const msw_task *task, msw_err *err)
{
    const camdn_config *c = task->config;
    const msw_graph_product *mix = task->product->data;
    for (uint32_t i = 0; i < mix->count; i++)
        if (mix->networks[i].list && (c->control == CAMDN_PAGED || c->npu_policy != CAMDN_GANG_ONE))
            return msw_fail_kind(err, MSW_ERR_UNFIT,
                                 "network '%s' is a tile list: allowed with cache_control tags, "
                                 "npu_policy one",
                                 mix->networks[i].name);
    return 0;
}

int camdn_check_translation(const camdn_config *c, msw_err *err)
{
    if (c->channels_share == CAMDN_CHANNELS_PARTS && check_parts(c, err))
        return -1;
    return c->translation.kind > CAMDN_TRANSLATE_IDEAL ? check_stage(c, err) : 0;
}
