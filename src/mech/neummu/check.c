/* Rules across the parameters of the MMU. */
#include "mech/neummu/config.h"
#include "mech/shared/rules.h"

int neummu_check(const void *config, msw_err *err)
{
    const neummu_config *c = config;
    if (msw_rule_power(c->page_size, "page_size", err) ||
        msw_rule_power(c->large_page_size, "large_page_size", err) ||
        msw_rule_power(c->dma_bytes, "dma_bytes", err) ||
        msw_rule_ways(c->tlb_entries, c->tlb_ways, "tlb", err) ||
        msw_rule_ways(c->tlb2_entries, c->tlb2_ways, "tlb2", err))
        return -1;
    if (c->large_page_size && c->large_page_size <= c->page_size)
        return msw_fail(err, "large_page_size = %lld is not above page_size = %lld",
                        (long long)c->large_page_size, (long long)c->page_size);
    if (c->path_cache == NEUMMU_PATH_UNIFIED)
        return msw_rule_ways(c->path_entries, c->path_ways, "path", err);
    return 0;
}
