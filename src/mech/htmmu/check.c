/* SPDX-License-Identifier: MIT */
/* Rules across the parameters. */
#include "mech/htmmu/config.h"
#include "mech/shared/rules.h"

#include "memsweep/sim/assoc.h"

static int check_tlb(int64_t pages, int64_t ways, int64_t coalesce, const char *name, msw_err *err)
{
    int64_t entries = pages / coalesce;
    if (pages % coalesce)
        return msw_fail(err, "%lld pages in a bank of %s are not a multiple of %s_coalesce = %lld",
                        (long long)pages, name, name, (long long)coalesce);
    if (ways && entries > ways && entries % ways)
        return msw_fail(err, "%lld entries in a bank of %s are not a multiple of %s_ways = %lld",
                        (long long)entries, name, name, (long long)ways);
    return 0;
}

static int check_tree(const htmmu_config *c, int64_t entries, int64_t ways, const char *name,
                      msw_err *err)
{
    return msw_rule_tree(c->policy == MSW_POLICY_TREE, "policy", entries, ways, name, err);
}

int htmmu_check(const void *config, msw_err *err)
{
    const htmmu_config *c = config;
    if (msw_rule_power(c->page_size, "page_size", err) ||
        msw_rule_power(c->large_page, "large_page", err) ||
        msw_rule_power(c->l1_coalesce, "l1_coalesce", err) ||
        msw_rule_power(c->l2_coalesce, "l2_coalesce", err) ||
        msw_rule_power(c->memory_channels, "memory_channels", err) ||
        msw_rule_power(c->memory_banks, "memory_banks", err))
        return -1;
    if (c->l1_entries % c->streams)
        return msw_fail(err, "l1_entries = %lld is not a multiple of streams = %lld",
                        (long long)c->l1_entries, (long long)c->streams);
    if (c->large_page && c->large_page <= c->page_size)
        return msw_fail(err, "large_page is not larger than page_size");
    if (check_tlb(htmmu_bank_entries(c), c->l1_ways, c->l1_coalesce, "l1", err) ||
        check_tree(c, htmmu_bank_entries(c) / c->l1_coalesce, c->l1_ways, "l1", err))
        return -1;
    if (c->l2_entries && (check_tlb(c->l2_entries, c->l2_ways, c->l2_coalesce, "l2", err) ||
                          check_tree(c, c->l2_entries / c->l2_coalesce, c->l2_ways, "l2", err)))
        return -1;
    if (msw_rule_sets(c->table_lines, "table_lines", c->table_line_ways, "table_line_ways", err))
        return -1;
    if (c->path_cache == HTMMU_PATH_UNIFIED && c->tpc_ways && c->tpc_entries > c->tpc_ways &&
        c->tpc_entries % c->tpc_ways)
        return msw_fail(err, "tpc_entries is not a multiple of tpc_ways");
    return 0;
}
