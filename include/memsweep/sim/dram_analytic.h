/* SPDX-License-Identifier: MIT */
/* dram_analytic: closed form of one channel of the bank-timing model.
 *
 * Traffic is a mixture of streams. A stream reads or writes `visit` bursts of a row one after the
 * other, then goes on in another row; a single stream visits so many rows at once as the address
 * map deals neighbouring bursts to. Equations, symbols and the tolerance that the tests assert:
 * docs/models/sim-dram.md. */
#ifndef MEMSWEEP_SIM_DRAM_ANALYTIC_H
#define MEMSWEEP_SIM_DRAM_ANALYTIC_H

#include "memsweep/sim/dram.h"

typedef struct msw_dram_load {
    double visit;            /* bursts of a row used per visit, at least 1 */
    double streams_per_bank; /* streams that stay in their bank; each request comes from any of
                                them; 0: one stream that visits the banks in turn */
    double read_share;       /* of requests, 0 to 1 */
    double window;           /* requests in flight per channel, at least 1 */
} msw_dram_load;

/* What limits the bandwidth. */
typedef enum msw_dram_limit {
    MSW_DRAM_BOUND_BUS,     /* data bus, turn-rounds included */
    MSW_DRAM_BOUND_BANKS,   /* row cycles of the banks */
    MSW_DRAM_BOUND_ACT,     /* tFAW and tRRD */
    MSW_DRAM_BOUND_LATENCY, /* window over latency */
} msw_dram_limit;

typedef struct msw_dram_estimate {
    double hit_rate;
    double bursts_per_cycle; /* of one channel */
    double bandwidth_gbs;    /* of one channel */
    double read_latency;     /* cycles; mean under a closed loop with the load's window */
    msw_dram_limit bound_by;
} msw_dram_estimate;

/* A configuration and what its address map says of a single stream; made once for many estimates.
 */
typedef struct msw_dram_form {
    const msw_dram_config *config;
    double rows_at_once; /* rows, in as many bank groups, that bursts go to by turns */
    bool banks_first;    /* row by row it visits all banks of a group before the next group */
} msw_dram_form;

/* `config` must have passed msw_dram_check, and stay. Returns the form of one of its channels. */
msw_dram_form msw_dram_form_of(const msw_dram_config *config);

/* Returns the estimate for a load of the form's channel. */
msw_dram_estimate msw_dram_estimate_load(const msw_dram_form *form, const msw_dram_load *load);

#endif
