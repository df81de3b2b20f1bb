/* SPDX-License-Identifier: MIT */
/* Numbers as people read them. */
#include "memsweep/base/text.h"

#include <inttypes.h>
#include <stdio.h>

const char *msw_count_text(uint64_t count, char buffer[32])
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%" PRIu64, count);
    char *to = buffer;
    for (int i = 0; i < size; i++) {
        if (i && (size - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return buffer;
}

const char *msw_rate_text(double per_second, char buffer[32])
{
    if (per_second >= 100 && per_second < 1e15)
        return msw_count_text((uint64_t)(per_second + 0.5), buffer);
    snprintf(buffer, 32, "%.3g", per_second);
    return buffer;
}

const char *msw_duration_text(double seconds, char buffer[32])
{
    if (!(seconds < 1e9))
        snprintf(buffer, 32, "an unknown time");
    else if (seconds < 1)
        snprintf(buffer, 32, "%.2g s", seconds);
    else if (seconds < 60)
        snprintf(buffer, 32, "%.1f s", seconds);
    else if (seconds < 3600)
        snprintf(buffer, 32, "%d min %d s", (int)seconds / 60, (int)seconds % 60);
    else if (seconds < 172800)
        snprintf(buffer, 32, "%d h %d min", (int)seconds / 3600, (int)seconds % 3600 / 60);
    else
        snprintf(buffer, 32, "%.1f days", seconds / 86400);
    return buffer;
}
