/* Private to `plan`: what a run will take, found by evaluating a few points. */
#ifndef MEMSWEEP_CLI_ESTIMATE_H
#define MEMSWEEP_CLI_ESTIMATE_H

#include "memsweep/sweep.h"

typedef struct cli_estimate {
    uint64_t tried;           /* points evaluated */
    uint64_t failed, timeout; /* of them */
    double point_seconds;     /* mean work per point; a lower bound when some timed out */
    double memory_bytes;      /* of a run */
    double file_bytes;        /* of its rows */
    double write_seconds;     /* for storing them, beside the evaluation */
} cli_estimate;

/* Evaluates points spread over the plan for about `seconds`. Returns 0, or -1. */
int cli_estimate_plan(const msw_plan *plan, double seconds, cli_estimate *estimate, msw_err *err);

#endif
