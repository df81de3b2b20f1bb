/* SPDX-License-Identifier: MIT */
/* slurm: job scripts from templates. Pure text: nothing is started here. */
#ifndef MEMSWEEP_RUN_SLURM_H
#define MEMSWEEP_RUN_SLURM_H

#include "memsweep/base/text.h"

typedef struct msw_slot {
    const char *key; /* a list ends with NULL */
    const char *value;
} msw_slot;

/* Puts values in place of @KEY@; a line that holds nothing but an empty slot disappears. Returns 0,
 * or -1 when a slot of the template has no value. */
int msw_template_fill(const char *text, const msw_slot *slots, msw_text *out, msw_err *err);

#endif
