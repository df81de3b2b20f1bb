/* SPDX-License-Identifier: MIT */
/* What messages call a factor. */
#include "analysis/surrogate/surrogate.h"

#include <stdio.h>

const char *surrogate_name(const msw_pce *pce, unsigned factor, char text[80])
{
    if (pce->names[factor])
        snprintf(text, 80, "'%s'", pce->names[factor]);
    else
        snprintf(text, 80, "factor %u", factor);
    return text;
}
