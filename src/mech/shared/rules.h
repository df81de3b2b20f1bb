/* SPDX-License-Identifier: MIT */
/* Private to mech: rules across parameters, and readings of them, that mechanisms share. */
#ifndef MSW_MECH_SHARED_RULES_H
#define MSW_MECH_SHARED_RULES_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns the ways of a structure of this many entries: all of them when `ways` is 0. */
static inline int64_t msw_ways_of(int64_t entries, int64_t ways)
{
    return ways && ways < entries ? ways : entries;
}

/* Checks that the parameter `name` is a power of two, or 0. Returns 0, or -1. */
int msw_rule_power(int64_t value, const char *name, msw_err *err);

/* Checks that entries fall into whole sets; `name`, as in l1_entries and l1_ways. Returns 0, or -1.
 */
int msw_rule_ways(int64_t entries, int64_t ways, const char *name, msw_err *err);

/* The same where entries and ways are parameters of other names. Returns 0, or -1. */
int msw_rule_sets(int64_t entries, const char *entries_name, int64_t ways, const char *ways_name,
                  msw_err *err);

/* Checks that the sets of `what` have a power of two of ways where the parameter `policy` is
 * `tree`. Returns 0, or -1. */
int msw_rule_tree(bool tree, const char *policy, int64_t entries, int64_t ways, const char *what,
                  msw_err *err);

#endif
