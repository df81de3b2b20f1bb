/* SPDX-License-Identifier: MIT */
/* Rules across parameters. */
#include "mech/shared/rules.h"
#include "mech/uvm/config.h"
#include "mech/uvm/learn/record.h"

int uvm_check(const void *config, msw_err *err)
{
    const uvm_config *c = config;
    if (msw_rule_power(c->page_size, "page_size", err))
        return -1;
    if (c->sm_warps % c->schedulers)
        return msw_fail(err, "sm_warps = %lld is not a multiple of schedulers = %lld",
                        (long long)c->sm_warps, (long long)c->schedulers);
    if (msw_rule_power(c->counter_granularity, "counter_granularity", err))
        return -1;
    return c->prefetcher == UVM_LEARNED ? uvm_predictor_check(config, err) : 0;
}
