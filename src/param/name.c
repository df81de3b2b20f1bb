/* SPDX-License-Identifier: MIT */
#include "memsweep/param/param.h"

#include <string.h>

static bool is_reserved(const char *name)
{
    static const char *const RESERVED[] = {
        /* columns of the store */
        "id", "key", "workload", "fidelity", "seed", "replicate", "version", "run", "status",
        "reason", "bound_by", "units_measured", "units_total", "events", "cost_us", "point",
        "design_index", "row_id", "item",
        /* words with a meaning in expressions that SQL does not count among its keywords;
           KiB, MiB and GiB because SQL does not distinguish upper from lower case */
        "rowid", "oid", "true", "false", "kib", "mib", "gib"};
    for (size_t i = 0; i < sizeof RESERVED / sizeof *RESERVED; i++)
        if (strcmp(name, RESERVED[i]) == 0)
            return true;
    return false;
}

static bool is_spelt_well(const char *name)
{
    return *name >= 'a' && *name <= 'z' &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

int msw_name_check(const char *name, msw_err *err)
{
    if (!is_spelt_well(name))
        return msw_fail(err,
                        "'%s' is no name: a name is a lower-case letter, then lower-case letters, "
                        "digits and underscores",
                        name);
    size_t size = strlen(name);
    if (size >= 3 && strcmp(name + size - 3, "_hw") == 0)
        return msw_fail(err, "'%s' ends in _hw, which is kept for half-widths", name);
    if (is_reserved(name))
        return msw_fail(err, "'%s' is a name memsweep keeps for itself", name);
    if (msw_expr_is_keyword(name))
        return msw_fail(err, "'%s' is an SQL keyword", name);
    return 0;
}
