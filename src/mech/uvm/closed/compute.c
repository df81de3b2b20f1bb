/* SPDX-License-Identifier: MIT */
/* How long a launch computes in the closed form (README.md, "The closed form"):
 *
 *   issue   I / (S K)              I  instructions of warps    S  SMs     K  schedulers
 *   ports   L / S                  L  lines
 *   chains  W (I c + N l) / w      W  waves    c  issue_cycles    N  waits    w  warps
 *
 *   l = tlb_cycles + path_cycles + memory_cycles
 *
 * together their root of squares, which is not below the largest, a bound, nor above the sum. */
#include "mech/uvm/closed/closed.h"
#include "mech/uvm/model.h"

#include <math.h>

/* Cycles between two lines of an SM: the port takes one, the way to the memory or a share of the
 * memory less. */
static double line_cycles(const uvm_config *c, const uvm_launch_order *o)
{
    double own = c->sm_lines > 0 ? 1 / c->sm_lines : 0;
    double share = c->memory_lines > 0 ? (double)o->sms / c->memory_lines : 0;
    return msw_max_f64(1, msw_max_f64(own, share));
}

double uvm_compute_cycles(const uvm_config *c, const uvm_launch_order *o, bool memory, double *warp)
{
    double lines = (double)o->lines / msw_max_f64((double)o->accesses, 1);
    double latency = (double)(c->tlb_cycles + c->path_cycles + c->memory_cycles) +
                     (lines - 1) * line_cycles(c, o);
    double waits =
        (double)(o->waits + o->warps) * latency + (double)o->cold * (double)c->walk_cycles;
    *warp = ((double)o->instructions * (double)c->issue_cycles + (memory ? waits : 0)) /
            (double)o->warps;
    double issue = (double)o->instructions / (double)(o->sms * (uint64_t)c->schedulers);
    double ports = memory ? (double)o->lines / (double)o->sms * line_cycles(c, o) : 0;
    double chains = *warp * (double)o->waves;
    return sqrt(issue * issue + ports * ports + chains * chains);
}

double uvm_walks_again(const uvm_config *c, const uvm_launch_order *o, double pairs)
{
    enum { MANY = 8 }; /* lines of an access */
    double held = (double)(c->tlb_entries * (int64_t)o->sms);
    if (pairs <= held || o->lines < MANY * o->accesses)
        return 0;
    return (double)(o->accesses * o->waves) / (double)o->warps * (double)c->walk_cycles;
}
