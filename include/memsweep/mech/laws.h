/* SPDX-License-Identifier: MIT */
/* laws: what mechanisms declare to hold between configs (msw_law); tests/support tries them. */
#ifndef MEMSWEEP_MECH_LAWS_H
#define MEMSWEEP_MECH_LAWS_H

#include "memsweep/mech/mechanism.h"

/* Checks the laws of a record, but for their expressions. Returns 0, or -1 with the first that is
 * not sound. */
int msw_laws_check(const msw_mech *mech, msw_err *err);

#endif
