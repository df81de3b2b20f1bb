/* SPDX-License-Identifier: MIT */
/* units: numbers written with a unit, read into the unit a parameter declares.
 *
 * Declared units are: "" (a pure number), "B" (bytes), "ns" (time), "cycles", "GHz", "GB/s", "%",
 * and free words such as "requests", which accept no suffix. */
#ifndef MEMSWEEP_BASE_UNITS_H
#define MEMSWEEP_BASE_UNITS_H

#include "memsweep/base/err.h"

/* Reads "64KiB", "2 us", "50%", "1e3" into the declared unit (a bare number is taken as already
 * in it; "50%" for a pure number is 0.5). Returns 0, or -1 with what was found and allowed. */
int msw_units_parse(const char *text, const char *unit, double *value, msw_err *err);

/* Prints a value in a readable multiple of its unit ("64 KiB", "1.5 us") into `buffer`.
 * Returns `buffer`. */
const char *msw_units_print(double value, const char *unit, char buffer[48]);

#endif
