/* SPDX-License-Identifier: MIT */
#include "mech/shared/rules.h"

#include <stdio.h>

int msw_rule_power(int64_t value, const char *name, msw_err *err)
{
    if (value & (value - 1))
        return msw_fail(err, "%s = %lld is not a power of two", name, (long long)value);
    return 0;
}

int msw_rule_sets(int64_t entries, const char *entries_name, int64_t ways, const char *ways_name,
                  msw_err *err)
{
    if (ways && entries > ways && entries % ways)
        return msw_fail(err, "%s = %lld is not a multiple of %s = %lld", entries_name,
                        (long long)entries, ways_name, (long long)ways);
    return 0;
}

int msw_rule_ways(int64_t entries, int64_t ways, const char *name, msw_err *err)
{
    char entries_name[64], ways_name[64];
    if (msw_rule_sets(entries, "", ways, "", NULL) == 0)
        return 0; /* names are made for a message only */
    snprintf(entries_name, sizeof entries_name, "%s_entries", name);
    snprintf(ways_name, sizeof ways_name, "%s_ways", name);
    return msw_rule_sets(entries, entries_name, ways, ways_name, err);
}

int msw_rule_tree(bool tree, const char *policy, int64_t entries, int64_t ways, const char *what,
                  msw_err *err)
{
    int64_t set = msw_ways_of(entries, ways);
    if (tree && entries && set & (set - 1))
        return msw_fail(err, "%lld ways of %s are not a power of two, as %s = tree needs",
                        (long long)set, what, policy);
    return 0;
}
