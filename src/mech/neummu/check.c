/* SPDX-License-Identifier: MIT */
/* Rules across the parameters of the MMU. */
#include "mech/neummu/config.h"
#include "mech/shared/rules.h"

static int check_tree(const neummu_config *c, int64_t entries, int64_t ways, const char *name,
                      msw_err *err)
{
    return msw_rule_tree(c->tlb_policy == MSW_POLICY_TREE, "tlb_policy", entries, ways, name, err);
}

static int check_walks(const neummu_config *c, msw_err *err)
{
    if (c->walk_cycles && neummu_times_accesses(c))
        return msw_fail(err,
                        "walk_cycles = %lld is a whole walk: with walk_memory = shared or "
                        "table_lines its accesses are timed one by one; set it to 0",
                        (long long)c->walk_cycles);
    return msw_rule_sets(c->table_lines, "table_lines", c->table_line_ways, "table_line_ways", err);
}

int neummu_check(const void *config, msw_err *err)
{
    const neummu_config *c = config;
    if (msw_rule_power(c->page_size, "page_size", err) ||
        msw_rule_power(c->large_page_size, "large_page_size", err) ||
        msw_rule_power(c->dma_bytes, "dma_bytes", err) ||
        msw_rule_ways(c->tlb_entries, c->tlb_ways, "tlb", err) ||
        msw_rule_ways(c->tlb2_entries, c->tlb2_ways, "tlb2", err) ||
        check_tree(c, c->tlb_entries, c->tlb_ways, "the TLB", err) ||
        check_tree(c, c->tlb2_entries, c->tlb2_ways, "tlb2", err))
        return -1;
    if (check_walks(c, err))
        return -1;
    if (c->large_page_size && c->large_page_size <= c->page_size)
        return msw_fail(err, "large_page_size = %lld is not above page_size = %lld",
                        (long long)c->large_page_size, (long long)c->page_size);
    if (c->large_page_size && c->tlb_prefetch == NEUMMU_PREFETCH_NEXT_PAGE)
        return msw_fail(err, "tlb_prefetch = next_page knows pages of one size: set "
                             "large_page_size to 0, or tlb_prefetch to tile");
    if (c->path_cache == NEUMMU_PATH_UNIFIED)
        return msw_rule_ways(c->path_entries, c->path_ways, "path", err);
    return 0;
}
