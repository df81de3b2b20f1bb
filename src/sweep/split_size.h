/* SPDX-License-Identifier: MIT */
/* split_size: what one more of a parameter takes of a budget of bytes, as the mechanism counts. */
#ifndef MSW_SWEEP_SPLIT_SIZE_H
#define MSW_SWEEP_SPLIT_SIZE_H

#include "sweep/loader.h"

typedef struct msw_split_size {
    double least, most;       /* bytes; both 0: the mechanism counts none */
    const msw_param *depends; /* a parameter that is not fixed and changes it, or NULL */
} msw_split_size;

/* Asks the mechanism about parameter `index` of the schema. Returns what it says. */
msw_split_size msw_split_size_of(msw_loader *l, size_t index);

/* The bytes that the parameters of a dealt factor really take, over all its levels. Returns false
 * where the mechanism counts none. */
bool msw_split_takes(msw_loader *l, const msw_factor *factor, double *least, double *most);

#endif
