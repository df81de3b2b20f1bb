/* SPDX-License-Identifier: MIT */
/* Private to run: answers of points to which others are equal (msw_alike), shared by all threads.
 * Of very many the older ones give way. */
#ifndef MSW_RUN_ANSWERS_H
#define MSW_RUN_ANSWERS_H

#include "memsweep/mech/engine.h"

typedef struct msw_answers msw_answers;

/* Makes room for those of up to so many points. Returns NULL without memory. */
msw_answers *msw_answers_new(uint64_t points, size_t metrics);
void msw_answers_free(msw_answers *answers);

/* Copies the answer with this key, metrics included. Returns whether there is one. */
bool msw_answers_find(msw_answers *answers, msw_digest key, msw_answer *out);

/* Keeps a copy. */
void msw_answers_keep(msw_answers *answers, msw_digest key, const msw_answer *answer);

#endif
