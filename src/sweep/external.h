/* SPDX-License-Identifier: MIT */
/* Private to sweep: the declaration of an external mechanism, read back. */
#ifndef MSW_SWEEP_EXTERNAL_H
#define MSW_SWEEP_EXTERNAL_H

#include "memsweep/sweep/external.h"
#include "sweep/node.h"

/* Whether a mechanism of this name is declared by the text of its sweep. */
bool msw_external_is(const char *mechanism);

/* Reads the declaration out of a canonical text. Returns 0 and the record, or -1 when it is not one
 * or not that of `mechanism`. */
int msw_external_read(const msw_node *root, const char *mechanism, msw_external **external,
                      msw_err *err);

#endif
