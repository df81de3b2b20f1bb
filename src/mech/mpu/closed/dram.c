/* SPDX-License-Identifier: MIT */
/* Near-bank units without order: README.md, "Closed form".
 *
 *   bus  = blocks (t_ccd / groups + t_ccd_short (1 - 1 / groups))    cycles of the data bus
 *   open = misses / banks (max(v + row, t_ras + t_rp) - v) / row_buffers,  v = bus banks / misses
 *   ACTs = misses max(t_rrd, t_faw / 4)
 *   U    = max(bus + open + turns, ACTs) / (1 - (t_rfc + t_rp) / t_refi)
 *
 *   blocks  of data; misses  of them that open a row; turns  cycles between reads and writes
 *
 * Source: the commands' times as JEDEC names them. Known value: no row opened (misses = 0), one
 * bank group, no turns, no refresh: U = blocks t_ccd. */
#include "mech/mpu/closed/dram.h"
#include "memsweep/base/bits.h"

#include <math.h>

static double burst(const mpu_config *c)
{
    return (double)msw_min_i64(c->t_ccd, c->t_ccd_short);
}

double mpu_update_cycles(const mpu_config *c)
{
    return (double)(c->t_cl + c->t_cwl + c->t_wtr) + 2 * burst(c) + 1;
}

double mpu_merged_share(const mpu_config *c, const mpu_profile_class *k)
{
    double stores = k->totals[MPU_STORES], atomics = k->totals[MPU_ATOMICS];
    if (c->store_update)
        return 1;
    return stores + atomics > 0 ? atomics / (stores + atomics) : 0;
}

/* Blocks follow each other on the bus; those in other bank groups sooner. */
static double bus_cycles(const mpu_config *c, const mpu_asked *a)
{
    double blocks = a->blocks[0] + a->blocks[1], lines = a->lines[0] + a->lines[1];
    double groups = (double)c->bank_groups, own = (double)c->t_ccd;
    double other = (double)c->t_ccd_short > burst(c) ? (double)c->t_ccd_short : burst(c);
    if (c->bank_buses == MPU_BUSES_OWN)
        return lines * own * fmin(fmax(blocks / fmax(lines, 1e-9), 1) / (double)c->banks, 1);
    return blocks * (own / groups + other * (1 - 1 / groups));
}

/* Behind each line that is updated the bus turns round; else between reads and the writes that were
 * gathered. */
static double turn_rounds(const mpu_config *c, const mpu_asked *a, double merged, double together)
{
    double plain = 0;
    if (a->lines[0] > 0)
        plain = ((double)(c->t_cl + c->t_wtr) + 2 * burst(c)) / fmax(together, 1);
    return a->lines[1] * (merged * mpu_update_cycles(c) + (1 - merged) * plain);
}

/* What of the openings of rows nothing hides. All banks of a line open their rows together; other
 * buffers of a bank serve meanwhile, where rows are opened ahead. */
static double open_cycles(const mpu_config *c, const mpu_asked *a, double bus)
{
    double open = a->misses / (double)c->banks, blocks = a->blocks[0] + a->blocks[1];
    double writes = blocks > 0 ? a->blocks[1] / blocks : 0;
    if (open <= 0)
        return 0;
    double per_visit = bus / open;
    double row = (double)(c->t_rp + c->t_rcd) + (1 - writes) * (double)c->t_rtp +
                 writes * (double)(c->t_cwl + c->t_wr);
    double cycle = fmax(per_visit + row, (double)(c->t_ras + c->t_rp));
    return open * (cycle - per_visit) / (double)c->row_buffers;
}

/* Rows that a unit may open at most: all banks share these limits, but where each has its own bus.
 */
static double act_cycles(const mpu_config *c, const mpu_asked *a)
{
    double apart = fmax((double)c->t_rrd, (double)c->t_faw / 4);
    return a->misses * apart / (c->bank_buses == MPU_BUSES_OWN ? (double)c->banks : 1);
}

double mpu_unit_cycles(const mpu_config *c, const mpu_asked *a, double merged, double together)
{
    double bus = bus_cycles(c, a), lost = 0;
    double busy = bus + open_cycles(c, a, bus) + turn_rounds(c, a, merged, together);
    if (c->t_refi)
        lost = (double)(c->t_rfc + c->t_rp) / (double)c->t_refi;
    return fmax(busy, act_cycles(c, a)) / (1 - lost);
}

mpu_asked mpu_unit_mean(const mpu_config *c, const mpu_profile_class *k)
{
    const double *t = k->totals;
    double units = (double)c->subcores, blocks = t[MPU_READS] + t[MPU_WRITES];
    double lines = t[MPU_LOCAL_LINES] + t[MPU_REMOTE_LINES];
    double per_block = blocks > 0 ? lines / blocks : 0;
    mpu_asked a = {.misses = (t[MPU_ROW_CLOSED] + t[MPU_ROW_CONFLICTS]) / units,
                   .blocks = {t[MPU_READS] / units, t[MPU_WRITES] / units}};
    for (int w = 0; w < 2; w++)
        a.lines[w] = a.blocks[w] * per_block;
    return a;
}
