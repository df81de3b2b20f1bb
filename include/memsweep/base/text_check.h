/* SPDX-License-Identifier: MIT */
/* text_check: msw_text_check is in text.h. */
#ifndef MEMSWEEP_BASE_TEXT_CHECK_H
#define MEMSWEEP_BASE_TEXT_CHECK_H

#include "memsweep/base/text.h"

#endif
