/* SPDX-License-Identifier: MIT */
/* Private to explore/seek: proposals by a model of the costs. */
#ifndef MSW_EXPLORE_SEEK_MODEL_H
#define MSW_EXPLORE_SEEK_MODEL_H

#include "explore/seek/seek.h"

/* Fits a process to each cost. `works`: there is one of each. Returns 0, or -1. */
int seek_model_fit(msw_seeker *s, bool *works, msw_err *err);

/* Adds those of the pool that are expected to extend the front most. Returns 0, or -1. */
int seek_model_add(msw_seeker *s, uint64_t wanted, msw_err *err);

void seek_model_free(seek_model *model);

#endif
