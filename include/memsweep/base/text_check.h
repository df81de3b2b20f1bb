/* SPDX-License-Identifier: MIT */
/* text_check: whether a text that was put together is whole, for who is about to use it. */
#ifndef MEMSWEEP_BASE_TEXT_CHECK_H
#define MEMSWEEP_BASE_TEXT_CHECK_H

#include "memsweep/base/err.h"
#include "memsweep/base/text.h"

/* Says whether all of it is there. Returns 0, or -1 when memory ran out on the way. */
int msw_text_check(const msw_text *text, msw_err *err);

#endif
