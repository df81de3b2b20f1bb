/* SPDX-License-Identifier: MIT */
/* Private to workload: names of workloads that end in their batch, like "alexnet/b4". */
#ifndef MSW_WORKLOAD_TEXT_NAME_H
#define MSW_WORKLOAD_TEXT_NAME_H

#include "memsweep/param/param.h"

#include <stdint.h>

enum { MSW_NAME_MAX = 1024 };

/* Splits "alexnet/b4" into its head and batch. Returns the batch, 0 without one, -1 when it is out
 * of the range of the parameter `batch`. */
int64_t msw_name_split(const char *name, const msw_param *batch, char head[MSW_NAME_MAX]);

/* Says that the batch of a name is out of range. Returns -1. */
int msw_name_fail(const char *name, const msw_param *batch, msw_err *err);

#endif
