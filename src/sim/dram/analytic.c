/* dram_analytic: closed form of one channel.
 *
 * Symbols: c bursts per visit of a row, k streams per bank, W window, B banks, R row buffers per
 * bank, r share of reads. Times in cycles, named as in msw_dram_timing.
 *
 * Streams that share a row buffer: q = 1 + (k - 1) / R; of the window w = W / B * q / k requests
 * (at least one) wait for one buffer. FR-FCFS serves what waits for the open row, and of the
 * requests that enter meanwhile one in q is for it too: n = (q + w - 1) / (q - 1) per opening, or
 * the hit cap. hit = (1 - 1/c) (1 - 1/n) which for w = 1 is the known (1 - 1/c) R / (R + k - 1). An
 * opening serves m = 1 / (1 - hit) bursts in T = max(rc, rcd + (m - 1) ccd_l + e + rp), where e is
 * rtp after reads and cwl + bl + wr after writes. The period of a burst is the largest of bus
 * max(bl, ccd_s, ccd_l / groups in use) + (1 - r) / (high - low) turn banks    T / (m U), U row
 * buffers busy ACT      max(rrd_s, faw / 4) / m per rank latency  (front + cl + bl + (1 - hit) (rcd
 * + [conflict] rp)) / W lengthened by the share of time taken by refresh, (rfc + rp + rtp + rcd) /
 * refi. Of B banks that requests choose at random U = B W / (W + (B - 1) s) are busy, s = (1 + 1/W)
 * / 2 (deterministic service; s = 1 is the exponential case); a single stream keeps min(B, 1 + (W -
 * 1) / c) busy. Latency is Little's law. */
#include "memsweep/sim/dram_analytic.h"

#include "memsweep/base/math.h"

#include <math.h>

/* Openings per burst of a visit. Reads and writes of a row are served at different times where a
 * queue lies between them, so that a visit that has both opens its row twice. */
static double openings(const msw_dram_load *load)
{
    double r = load->read_share, c = load->run;
    double both = 1 - msw_math_pow(r, c) - msw_math_pow(1 - r, c);
    return (1 + both * (1 - 1 / load->window)) / c;
}

/* Posted writes leave the window at once: the reads fill it. */
static double in_flight(const msw_dram_config *c, const msw_dram_load *load)
{
    bool posted = c->posted_writes && load->read_share > 0;
    return posted ? load->window / load->read_share : load->window;
}

static double hit_rate(const msw_dram_config *c, const msw_dram_load *load)
{
    double in_row = fmax(0, 1 - openings(load));
    if (c->page == MSW_DRAM_CLOSED_PAGE)
        return 0;
    if (load->streams_per_bank <= 1)
        return in_row;
    double banks = (double)c->ranks * c->groups * c->banks;
    double sharing = 1 + (load->streams_per_bank - 1) / c->buffers;
    double waiting = fmax(1, in_flight(c, load) / banks * sharing / load->streams_per_bank);
    double served = (sharing + waiting - 1) / (sharing - 1);
    if (c->hit_cap)
        served = fmin(served, fmax(c->hit_cap, 1));
    return in_row * (1 - 1 / served);
}

static double mean_gap(const msw_dram_load *load, double read, double write)
{
    return load->read_share * read + (1 - load->read_share) * write;
}

static double busy_buffers(const msw_dram_config *c, const msw_dram_load *load)
{
    double banks = (double)c->ranks * c->groups * c->banks * c->buffers, w = in_flight(c, load);
    if (load->streams_per_bank <= 0)
        return fmin(banks, 1 + (w - 1) / load->run);
    return banks * w / (w + (banks - 1) * (1 + 1 / w) / 2);
}

static double bus_period(const msw_dram_config *c, const msw_dram_load *load, double busy)
{
    const msw_dram_timing *t = &c->t;
    double groups = fmin(c->groups, fmax(1, busy));
    double burst = fmax(fmax(t->bl, t->ccd_s), t->ccd_l / groups);
    double turn = (double)t->cl + t->bl + t->rtw - t->cwl + t->cwl + t->bl + t->wtr_l;
    double batch = c->write_high - c->write_low;
    return burst + (1 - load->read_share) / batch * fmax(0, turn - 2 * burst);
}

static double bank_period(const msw_dram_config *c, const msw_dram_load *load, double served,
                          double busy)
{
    const msw_dram_timing *t = &c->t;
    double end = mean_gap(load, t->rtp, t->cwl + t->bl + t->wr) + t->rp;
    double row = fmax(t->rc, t->rcd + (served - 1) * t->ccd_l + end);
    return row / (served * busy);
}

/* A single stream waits for its misses as a whole: of the W requests of a round min(1, W/c) miss.
 */
static double latency_period(const msw_dram_config *c, const msw_dram_load *load, double hit)
{
    const msw_dram_timing *t = &c->t;
    double conflict = c->page == MSW_DRAM_OPEN_PAGE ? t->rp : 0;
    double missing = load->streams_per_bank > 0 ? 1 - hit : fmin(1, load->window * (1 - hit));
    double miss = missing * (t->rcd + conflict);
    double reads = c->front + t->cl + t->bl + miss;
    double writes = c->front + (c->posted_writes ? 0 : t->cwl + t->bl + miss);
    return fmax(1, mean_gap(load, reads, writes) / load->window);
}

/* Deterministic traffic is as slow as its slowest part. Random traffic meets several limits by
 * turns; waiting for banks is part of the latency already as far as requests miss. */
static double combine(const double period[4], const msw_dram_load *load, double hit)
{
    double banks = period[MSW_DRAM_BOUND_BANKS], latency = period[MSW_DRAM_BOUND_LATENCY];
    double most = fmax(banks, latency), least = fmin(banks, latency);
    double bus = period[MSW_DRAM_BOUND_BUS], act = period[MSW_DRAM_BOUND_ACT];
    if (load->streams_per_bank <= 0)
        return fmax(most, fmax(bus, act));
    return msw_math_cbrt(msw_math_pow(most, 3) + msw_math_pow(hit * least, 3) +
                         msw_math_pow(bus, 3) + msw_math_pow(act, 3));
}

msw_dram_estimate msw_dram_estimate_load(const msw_dram_config *c, const msw_dram_load *load)
{
    const msw_dram_timing *t = &c->t;
    double hit = hit_rate(c, load), served = 1 / (1 - hit), busy = busy_buffers(c, load);
    double period[] = {
        [MSW_DRAM_BOUND_BUS] = bus_period(c, load, busy),
        [MSW_DRAM_BOUND_BANKS] = bank_period(c, load, served, busy),
        [MSW_DRAM_BOUND_ACT] = fmax(t->rrd_s, t->faw / 4.0) / (served * c->ranks),
        [MSW_DRAM_BOUND_LATENCY] = latency_period(c, load, hit),
    };
    msw_dram_limit bound = MSW_DRAM_BOUND_BUS;
    for (msw_dram_limit i = MSW_DRAM_BOUND_BUS; i <= MSW_DRAM_BOUND_LATENCY; i++)
        bound = period[i] > period[bound] ? i : bound;
    double refresh = t->refi ? (double)(t->rfc + t->rp + t->rtp + t->rcd) / t->refi : 0;
    double rate = (1 - refresh) / combine(period, load, hit);
    return (msw_dram_estimate){
        .hit_rate = hit,
        .bursts_per_cycle = rate,
        .bandwidth_gbs = rate * c->burst_bytes * 1000 / c->clock_ps,
        .read_latency = in_flight(c, load) / rate,
        .bound_by = bound,
    };
}
