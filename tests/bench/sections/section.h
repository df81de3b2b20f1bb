/* SPDX-License-Identifier: MIT */
/* What every section includes: its own declaration is made from the list. */
#ifndef MEMSWEEP_TESTS_SECTION_H
#define MEMSWEEP_TESTS_SECTION_H

#include "../harness/bench.h"

#define SECTION(function, ...) void section_##function(bench *b);
#include "list.h"
#undef SECTION

/* Of every mechanism; its context is the record. */
void section_mechanism(bench *b);

#endif
