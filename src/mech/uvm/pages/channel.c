/* SPDX-License-Identifier: MIT */
/* The link between host and device: its artifact, and transfers, which follow each other in one
 * direction without a gap while any waits. A transfer of s bytes takes the time of the curve, or
 * s over the bandwidth; the handling of a fault, charged serially, takes its own time and moves
 * nothing. */
#include "mech/uvm/pages/pager.h"

#include "mech/uvm/model.h"

#include "memsweep/sim/link_curve.h"

int uvm_channel_init(uvm_channel *channel, uint64_t most, msw_arena *arena)
{
    uint64_t room = msw_bits_power(most + 1);
    *channel = (uvm_channel){.mask = room - 1, .until = UINT64_MAX};
    channel->moves = msw_arena_take(arena, room * sizeof *channel->moves);
    return channel->moves ? 0 : -1;
}

/* Returns the ticks that a transfer takes. */
static uint64_t uvm_pager_ticks(const uvm_pager *p, uint64_t bytes)
{
    const uvm_config *c = p->config;
    if (p->curve)
        return msw_link_curve_ticks(p->curve, bytes);
    double cycles = (double)bytes * c->clock_ghz / c->link_bandwidth;
    return (uint64_t)(cycles * (1 << MSW_CURVE_TICK_BITS) + 0.5);
}

static int add_detail(const uvm_pager *p, const uvm_channel *channel, const uvm_move *move,
                      uint64_t start, uint64_t ticks)
{
    if (!p->task || !p->task->details)
        return 0;
    double row[] = {
        (double)(start >> MSW_CURVE_TICK_BITS),
        move->cause == UVM_FAULT_WORK ? 0 : (double)move->count * (double)p->config->page_size,
        channel == &p->out, (double)move->cause, (double)ticks / (1 << MSW_CURVE_TICK_BITS)};
    return msw_detail_add(p->task, UVM_DETAIL_LINK, row, p->err);
}

int uvm_channel_begin(uvm_pager *p, uvm_channel *channel, uint64_t earliest)
{
    const uvm_move *move = &channel->moves[channel->head & channel->mask];
    uint64_t bytes = (uint64_t)move->count << p->layout->shift;
    uint64_t ticks = p->fault_cycles << MSW_CURVE_TICK_BITS;
    uint64_t from = msw_max_u64(channel->free, earliest);
    if (channel == &p->in)
        from = msw_max_u64(from, p->memory.remote_free);
    if (move->cause != UVM_FAULT_WORK) {
        ticks = uvm_pager_ticks(p, bytes);
        channel->busy += ticks;
        channel->bytes += bytes;
        channel->transfers++;
    }
    channel->free = from + ticks;
    channel->until = (channel->free + (1 << MSW_CURVE_TICK_BITS) - 1) >> MSW_CURVE_TICK_BITS;
    channel->until += move->cause == UVM_FAULT_WORK ? 0 : (uint64_t)p->config->link_cycles;
    return add_detail(p, channel, move, from, ticks);
}

int uvm_channel_put(uvm_pager *p, uvm_channel *channel, uvm_move move)
{
    if (channel->tail - channel->head > channel->mask)
        return msw_fail_kind(p->err, MSW_ERR_INTERNAL, "uvm: more transfers than pages");
    channel->moves[channel->tail++ & channel->mask] = move;
    return 0;
}

int uvm_channel_send(uvm_pager *p, uvm_channel *channel, uint64_t now, uvm_move move)
{
    if (uvm_channel_put(p, channel, move))
        return -1;
    return channel->until == UINT64_MAX ? uvm_channel_begin(p, channel, now << MSW_CURVE_TICK_BITS)
                                        : 0;
}

uvm_move uvm_channel_take(uvm_channel *channel)
{
    channel->until = UINT64_MAX;
    return channel->moves[channel->head++ & channel->mask];
}

/* The curve of the link, NULL for a fixed bandwidth. */
int uvm_build_link(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                   msw_err *err)
{
    const uvm_config *c = task->config;
    (void)extra;
    *root = NULL;
    if (c->link == UVM_FIXED)
        return 0;
    static const char *const NAMES[] = {"pcie3_x16", "pcie4_x16", "pcie5_x16"};
    const msw_named_curve *named = msw_link_curve_find(NAMES[c->link], err);
    msw_link_curve *curve = msw_arena_take(arena, sizeof *curve);
    if (!curve)
        return msw_fail_memory(err);
    if (!named || msw_link_curve_init(curve, named->points, named->count, c->clock_ghz, err))
        return -1;
    *root = curve;
    return 0;
}
