/* SPDX-License-Identifier: MIT */
/* dram_analytic: the closed form of one channel.
 *
 * Symbols: c bursts per visit of a row, k streams per bank, W window, B banks, R row buffers per
 * bank, r share of reads, Q entries of the write queue at the start of a drain, b writes of a
 * drain. Times in cycles, named as in msw_dram_timing.
 *
 * Hits. Streams that share a row buffer: q = 1 + (k - 1) / R; of the v requests of a side that wait
 * (W reads; Q writes or fewer) w = v / B * q / k, at least one, wait for one buffer. FR-FCFS serves
 * what waits for the open row, and of the requests that enter meanwhile one in q is for it too: n =
 * (q + w - 1) / (q - 1), with CLOSE_LAST at most the hit cap. Others break a visit z = min((c - 1)
 * / n, max(0, c / n - 1/2)) times: the first where the length of a service is geometric, as for w =
 * 1, where hit = (1 - 1/c) R / (R + k - 1) is known; the second where it is n. Of the visits that
 * read and write, 1 - r^c - (1 - r)^c, those that another visit of the bank comes between open
 * their row twice: y of them, with V = (W - 1 + min(Q, W (1 - r) / r)) / (c B R) such visits under
 * way, y = 1 - exp(-V), of a single stream min(1, V^2). hit = 1 - (1 + both (1 - 1/c) y + z) / c.
 *
 * Periods of a burst. An opening serves m = 1 / (1 - hit) bursts in T = max(rc, rcd + (m - 1) ccd_l
 * + e + rp), where e is rtp after reads and cwl + bl + wr after writes.
 *   bus      max(bl, ccd_s, ccd_l / groups in use, commands), commands 1 + 2 (1 - hit) + x on one
 *            command bus, max(1, 2 (1 - hit) + x) on two, x the share that must select a buffer
 *   banks    T / (m U), U row buffers busy
 *   ACT      max(rrd_s, faw / 4) / m per rank
 *   latency  (controller + cl + bl + (1 - hit) (rcd + [conflict] rp)) / W
 * Of B banks that requests choose at random U = B W / (W + (B - 1) s) are busy, s = (1 + 1/W) / 2
 * (deterministic service; s = 1 is the exponential case); a single stream that the map deals to n
 * rows by turns, each in another group, keeps min(B, n + (W - n) / c) busy, n at most W. Random
 * traffic meets its limits by turns where the window is small: the periods are joined by the p-th
 * root of the sum of their p-th powers, p = 3 + W / 4; a single stream has the largest.
 *
 * Drains. Where no read waits the writes go, so that a round of W reads ends with the W (1 - r) / r
 * writes that came with it: b is that number, at least 1 and at most Q - write_low. A drain costs
 * cl + bl + rtw + bl + wtr_l on the bus, less what the bus is idle while the reads of a small
 * window are under way: it comes on top, (1 - r) / b times per burst.
 *
 * All is lengthened by the share of time taken by refresh, (rfc + rp + rtp + rcd) / refi. Latency
 * is Little's law. */
#include "memsweep/sim/dram_analytic.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"

#include <math.h>
#include <string.h>

static double banks_of(const msw_dram_config *c)
{
    return (double)c->ranks * c->groups * c->banks;
}

/* Openings per burst of a visit. Writes of a row wait while reads go; when other visits reach its
 * bank meanwhile, a visit that has both opens its row twice. */
static double openings(const msw_dram_config *c, const msw_dram_load *load)
{
    double r = load->read_share, visit = load->visit, w = load->window;
    double both = 1 - msw_math_pow(r, visit) - msw_math_pow(1 - r, visit);
    double queued = r > 0 ? fmin(c->write_high, w * (1 - r) / r) : 0;
    double visits = (w - 1 + queued) / (visit * banks_of(c) * c->buffers);
    double other =
        load->streams_per_bank > 0 ? 1 - msw_math_exp(-visits) : fmin(1, visits * visits);
    return (1 + both * (1 - 1 / visit) * other) / visit;
}

/* Posted writes leave the window at once: the reads fill it. */
static double in_flight(const msw_dram_config *c, const msw_dram_load *load)
{
    bool posted = c->posted_writes && load->read_share > 0;
    return posted ? load->window / load->read_share : load->window;
}

/* Times that another stream closes the row of a visit, where `waiting` requests wait. */
static double breaks(const msw_dram_config *c, const msw_dram_load *load, double waiting)
{
    double sharing = 1 + (load->streams_per_bank - 1) / c->buffers, visit = load->visit;
    double own = fmax(1, waiting / banks_of(c) * sharing / load->streams_per_bank);
    double served = (sharing + own - 1) / (sharing - 1);
    if (c->hit_cap && c->closing == MSW_DRAM_CLOSE_LAST)
        served = fmin(served, fmax(c->hit_cap, 1));
    return fmin((visit - 1) / served, fmax(0, visit / served - 0.5));
}

static double hit_rate(const msw_dram_config *c, const msw_dram_load *load)
{
    double r = load->read_share, broken = 0;
    if (c->page == MSW_DRAM_CLOSED_PAGE)
        return 0;
    if (load->streams_per_bank > 1)
        broken = r * breaks(c, load, load->window) +
                 (1 - r) * breaks(c, load, fmin(c->write_high, load->window));
    return fmax(0, 1 - openings(c, load) - broken / load->visit);
}

static double mean_gap(const msw_dram_load *load, double read, double write)
{
    return load->read_share * read + (1 - load->read_share) * write;
}

/* Visits of a single stream that W requests reach into. */
static double visits_of(const msw_dram_form *form, const msw_dram_load *load, double w)
{
    double rows = fmin(form->rows_at_once, w);
    return rows + (w - rows) / load->visit;
}

static double busy_buffers(const msw_dram_form *form, const msw_dram_load *load)
{
    const msw_dram_config *c = form->config;
    double banks = banks_of(c) * c->buffers, w = in_flight(c, load);
    if (load->streams_per_bank <= 0)
        return fmin(banks, visits_of(form, load, w));
    return banks * w / (w + (banks - 1) * (1 + 1 / w) / 2);
}

/* A single stream goes from bank to bank in the order of the map. */
static double busy_groups(const msw_dram_form *form, const msw_dram_load *load, double busy)
{
    const msw_dram_config *c = form->config;
    double visits = visits_of(form, load, load->window);
    bool over_banks_first = load->streams_per_bank <= 0 && form->banks_first;
    return fmin(c->groups, over_banks_first ? 1 + (visits - 1) / c->banks : fmax(1, busy));
}

/* Row buffers of a bank that streams use by turns must be selected. */
static double select_share(const msw_dram_config *c, const msw_dram_load *load, double hit)
{
    double used = fmin(c->buffers, fmax(1, load->streams_per_bank));
    return c->t.sel && c->buffers > 1 ? fmax(1 - hit, 1 - 1 / used) : 0;
}

static double bus_period(const msw_dram_form *form, const msw_dram_load *load, double hit,
                         double busy)
{
    const msw_dram_config *c = form->config;
    const msw_dram_timing *t = &c->t;
    double rows = 2 * (1 - hit) + select_share(c, load, hit);
    double commands = c->command_buses == 1 ? 1 + rows : fmax(1, rows);
    double data = fmax(fmax(t->bl, t->ccd_s), t->ccd_l / busy_groups(form, load, busy));
    return fmax(data, commands);
}

/* Cycles per burst for turning the bus round, as far as no read is waited for anyway. */
static double drain_period(const msw_dram_config *c, const msw_dram_load *load, double burst)
{
    const msw_dram_timing *t = &c->t;
    double r = load->read_share, w = load->window, most = c->write_high - c->write_low;
    double turn = (double)t->cl + t->bl + t->rtw + t->bl + t->wtr_l - 2 * burst;
    double to_write = (double)t->cl + t->bl + t->rtw - t->cwl;
    double idle = fmax(0, (double)c->controller + t->cl + t->bl - w * burst);
    if (r <= 0 || r >= 1)
        return 0;
    double drain = fmin(most, fmax(1, w * (1 - r) / r));
    return (1 - r) / drain * fmax(0, turn - fmin(idle, to_write));
}

static double bank_period(const msw_dram_config *c, const msw_dram_load *load, double served,
                          double busy)
{
    const msw_dram_timing *t = &c->t;
    double end = mean_gap(load, t->rtp, t->cwl + t->bl + t->wr) + t->rp;
    double row = fmax(t->rc, t->rcd + (served - 1) * t->ccd_l + end);
    return row / (served * busy);
}

/* A single stream waits for its misses as a whole: of the W requests of a round min(1, W/c/s) wait.
 */
static double latency_period(const msw_dram_form *form, const msw_dram_load *load, double hit)
{
    const msw_dram_config *c = form->config;
    const msw_dram_timing *t = &c->t;
    double round = load->window / fmin(form->rows_at_once, load->window);
    double conflict = c->page == MSW_DRAM_OPEN_PAGE ? t->rp : 0;
    double missing = load->streams_per_bank > 0 ? 1 - hit : fmin(1, round * (1 - hit));
    double miss = missing * (t->rcd + conflict);
    double reads = c->controller + t->cl + t->bl + miss;
    double writes = c->controller + (c->posted_writes ? 0 : t->cwl + t->bl + miss);
    return fmax(1, mean_gap(load, reads, writes) / load->window);
}

/* Two limits that are met by turns: the larger for a large power. */
static double join(double a, double b, double power)
{
    double most = fmax(a, b), least = fmin(a, b);
    return most * msw_math_pow(1 + msw_math_pow(least / most, power), 1 / power);
}

/* Deterministic traffic is as slow as its slowest part. Random traffic meets several limits by
 * turns; waiting for banks is part of the latency already as far as requests miss. */
static double combine(const msw_dram_config *c, const double period[4], const msw_dram_load *load,
                      double hit)
{
    double banks = period[MSW_DRAM_BOUND_BANKS], latency = period[MSW_DRAM_BOUND_LATENCY];
    double most = fmax(banks, latency), least = fmin(banks, latency), w = load->window;
    double bus = period[MSW_DRAM_BOUND_BUS], act = period[MSW_DRAM_BOUND_ACT];
    if (load->streams_per_bank <= 0)
        return fmax(most, fmax(bus, act));
    double shared = join(bus, act, fmin(3 + w / 4, 32));
    double power = fmin(3 + w / (8 * banks_of(c)), 32);
    return join(shared, join(most, hit * least, power), power);
}

/* Where the first bursts of a channel lie: another group each, by turns, or a row after the other.
 */
msw_dram_form msw_dram_form_of(const msw_dram_config *c)
{
    const char *group = strstr(c->map, "bg"), *bank = strstr(c->map, "bank");
    msw_dram_form form = {c, 1, group && bank && group < bank};
    msw_dram_map map;
    msw_err err;
    if (msw_dram_map_init(&map, c, &err))
        return form;
    uint64_t seen = 0;
    for (uint64_t i = 0; msw_bits_count(seen) < c->groups; i++) {
        msw_dram_location at = msw_dram_locate(&map, i * c->burst_bytes);
        uint64_t bit = (uint64_t)1 << (at.bank / c->banks % c->groups);
        if (at.channel)
            continue;
        if (seen & bit)
            break;
        seen |= bit;
    }
    form.rows_at_once = msw_bits_count(seen);
    return form;
}

msw_dram_estimate msw_dram_estimate_load(const msw_dram_form *form, const msw_dram_load *load)
{
    const msw_dram_config *c = form->config;
    const msw_dram_timing *t = &c->t;
    double hit = hit_rate(c, load), served = 1 / (1 - hit), busy = busy_buffers(form, load);
    /* Cycles per burst that each of four limits allows; the head of the file says how they combine.
     * */
    double period[] = {
        [MSW_DRAM_BOUND_BUS] = bus_period(form, load, hit, busy),
        [MSW_DRAM_BOUND_BANKS] = bank_period(c, load, served, busy),
        [MSW_DRAM_BOUND_ACT] = fmax(t->rrd_s, t->faw / 4.0) / (served * c->ranks),
        [MSW_DRAM_BOUND_LATENCY] = latency_period(form, load, hit),
    };
    msw_dram_limit bound = MSW_DRAM_BOUND_BUS;
    for (msw_dram_limit i = MSW_DRAM_BOUND_BUS; i <= MSW_DRAM_BOUND_LATENCY; i++)
        bound = period[i] > period[bound] ? i : bound;
    double refresh = t->refi ? (double)(t->rfc + t->rp + t->rtp + t->rcd) / t->refi : 0;
    double drains = drain_period(c, load, period[MSW_DRAM_BOUND_BUS]);
    double rate = (1 - refresh) / (combine(c, period, load, hit) + drains);
    return (msw_dram_estimate){
        .hit_rate = hit,
        .bursts_per_cycle = rate,
        .bandwidth_gbs = rate * c->burst_bytes * 1000 / c->clock_ps,
        .read_latency = in_flight(c, load) / rate,
        .bound_by = bound,
    };
}
