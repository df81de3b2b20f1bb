/* What follows from configuration and networks alone. Areas are those of the paper's table III (45
 * nm, square micrometres), each scaled with what it grows with: scratchpad and data with bytes, the
 * array with cells, tags with lines, the page table with entries x bits of an entry (512 x 10). */
#include "mech/camdn/plan/plan.h"

static double entry_bits(const camdn_config *c)
{
    return 1 + (double)msw_bits_width((uint64_t)c->pages - 1); /* number and valid bit */
}

static double table_share(const camdn_config *c)
{
    double scratchpad = 6302e3 * (double)c->scratchpad / 262144;
    double array = 1302e3 * (double)(c->array_rows * c->array_cols) / 1024;
    double table = 73e3 * (double)c->pages * entry_bits(c) / (512 * 10);
    return table / (scratchpad + array + table + 228e3);
}

static double nec_share(const camdn_config *c)
{
    double bytes = (double)c->cache / (double)c->slices / 2097152;
    double lines = bytes * 64 / (double)c->line, nec = 66e3;
    return nec / (21878e3 * bytes + 2398e3 * lines + nec + 334e3);
}

void camdn_derive(const msw_task *task, double *metrics)
{
    const camdn_plans *plans = task->artifacts[1];
    metrics[CAMDN_USED_ONCE] = plans->used_once;
    metrics[CAMDN_BEYOND_1MIB] = plans->beyond_1mib;
    metrics[CAMDN_BEYOND_2MIB] = plans->beyond_2mib;
    metrics[CAMDN_TABLE_SHARE] = table_share(task->config);
    metrics[CAMDN_NEC_SHARE] = nec_share(task->config);
}

double camdn_sram_bits(const void *config)
{
    const camdn_config *c = config;
    double table = (double)(c->tenants * c->pages) * entry_bits(c);
    return c->control == CAMDN_PAGED ? table : 0;
}
