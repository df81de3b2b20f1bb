/* SPDX-License-Identifier: MIT */
#include "workload/text/name.h"

#include "memsweep/base/text.h"

#include <string.h>

int64_t msw_name_split(const char *name, const msw_param *batch, char head[MSW_NAME_MAX])
{
    msw_text_fit(head, MSW_NAME_MAX, name);
    char *slash = strrchr(head, '/');
    size_t digits = slash && slash[1] == 'b' ? strspn(slash + 2, "0123456789") : 0;
    if (digits == 0 || slash[2 + digits])
        return 0;
    int64_t value = 0;
    for (const char *c = slash + 2; *c && value <= INT32_MAX; c++)
        value = value * 10 + (*c - '0');
    *slash = '\0';
    return value >= (int64_t)batch->min && value <= (int64_t)batch->max ? value : -1;
}

int msw_name_fail(const char *name, const msw_param *batch, msw_err *err)
{
    return msw_fail(err, "workload '%s': found batch %s, allowed: b%.0f .. b%.0f", name,
                    strrchr(name, '/') + 1, batch->min, batch->max);
}
