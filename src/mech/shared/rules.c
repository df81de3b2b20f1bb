#include "mech/shared/rules.h"

int msw_rule_power(int64_t value, const char *name, msw_err *err)
{
    if (value & (value - 1))
        return msw_fail(err, "%s = %lld is not a power of two", name, (long long)value);
    return 0;
}

int msw_rule_ways(int64_t entries, int64_t ways, const char *name, msw_err *err)
{
    if (ways && entries > ways && entries % ways)
        return msw_fail(err, "%s_entries = %lld is not a multiple of %s_ways = %lld", name,
                        (long long)entries, name, (long long)ways);
    return 0;
}
