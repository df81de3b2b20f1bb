/* Rules across the parameters of the MMU. */
#include "mech/neummu/config.h"

static int check_power(int64_t value, const char *name, msw_err *err)
{
    if (value & (value - 1))
        return msw_fail(err, "%s = %lld is not a power of two", name, (long long)value);
    return 0;
}

static int check_ways(int64_t entries, int64_t ways, const char *name, msw_err *err)
{
    if (ways && entries > ways && entries % ways)
        return msw_fail(err, "%s_entries = %lld is not a multiple of %s_ways = %lld", name,
                        (long long)entries, name, (long long)ways);
    return 0;
}

int neummu_check(const void *config, msw_err *err)
{
    const neummu_config *c = config;
    if (check_power(c->page_size, "page_size", err) ||
        check_power(c->large_page_size, "large_page_size", err) ||
        check_power(c->dma_bytes, "dma_bytes", err) ||
        check_ways(c->tlb_entries, c->tlb_ways, "tlb", err) ||
        check_ways(c->tlb2_entries, c->tlb2_ways, "tlb2", err))
        return -1;
    if (c->large_page_size && c->large_page_size <= c->page_size)
        return msw_fail(err, "large_page_size = %lld is not above page_size = %lld",
                        (long long)c->large_page_size, (long long)c->page_size);
    if (c->path_cache == NEUMMU_PATH_UNIFIED)
        return check_ways(c->path_entries, c->path_ways, "path", err);
    return 0;
}
