/* SPDX-License-Identifier: MIT */
/* Moves one line after the other: port, links, slice, cache, channel. Each is a server in the order
 * of the calls. A group of lines leaves an NPU together, when the group so many before it is there.
 *
 *   at the slice   ts = slice(port(t)) + cache_cycles
 *   read           done = hit ? ts : channel(ts) + memory_cycles
 *   write          done = ts: it is posted; whole lines, so that a miss reads nothing
 *   written back   channel(ts), which no NPU waits for
 *
 * With pages it is known beforehand what hits, and lines that follow one another are one access of
 * their page. A run takes the lines whose first byte lies in it: cuts of a tensor share none.
 *
 * Where slices lie apart, a line goes over the links between its NPU and its slice, first along x,
 * then along y, and takes those of its way when it takes its port: README.md, "Links". */
#include "mech/camdn/machine/system.h"

size_t camdn_links_bytes(const camdn_config *c)
{
    return c->mesh_width ? camdn_mesh_nodes(c) * CAMDN_WAYS * sizeof(msw_dram_server) : 0;
}

void camdn_links_start(camdn_system *s, void *memory)
{
    const camdn_config *c = s->config;
    s->servers.links = c->mesh_width ? memory : NULL;
    for (size_t i = 0; s->servers.links && i < camdn_mesh_nodes(c) * CAMDN_WAYS; i++)
        msw_dram_server_init(&s->servers.links[i], (uint64_t)c->hop_cycles, (double)c->link_bytes);
}

uint64_t camdn_links_cross(camdn_system *s, uint32_t tenant, uint32_t slice, bool write,
                           uint64_t time)
{
    const camdn_config *c = s->config;
    uint32_t npu = tenant % s->cores, there = camdn_mesh_slice(c, slice), hops = 0;
    uint32_t at = write ? npu : there, to = write ? there : npu;
    for (uint32_t way; at != to; at = camdn_mesh_next(c, at, way), hops++) {
        way = camdn_mesh_way(c, at, to);
        time =
            msw_dram_server_take(&s->servers.links[at * CAMDN_WAYS + way], time, (uint64_t)c->line);
    }
    return time + (write ? 0 : hops * (uint64_t)c->hop_cycles);
}

/* The rest of a division by a power of two mostly. */
static uint64_t rest_of(uint64_t line, uint64_t mask, int64_t count)
{
    return mask || count == 1 ? line & mask : line % (uint64_t)count;
}

/* The number among all of a line whose tenant has `own` of `count` slices or channels. */
static uint64_t in_part(uint64_t line, uint64_t part, int64_t own, int64_t count)
{
    uint64_t each = (uint64_t)own;
    return line / each * (uint64_t)count + part * each + line % each;
}

static uint64_t part_owner(const camdn_system *s, uint32_t tenant)
{
    return tenant % (uint32_t)s->servers.parts;
}

/* When a line is there; with banks that is not known yet, and it is so only when it is. */
static uint64_t request_memory(camdn_system *s, uint32_t tenant, uint64_t line, uint64_t time,
                               camdn_move move)
{
    if (s->servers.parts)
        line = in_part(line, part_owner(s, tenant), s->servers.channel_count / s->servers.parts,
                       s->servers.channel_count);
    if (s->banks.dram) {
        camdn_banks_push(s, tenant, line, time, move);
        return time;
    }
    msw_dram_server *channel =
        &s->servers.channels[rest_of(line, s->servers.channel_mask, s->servers.channel_count)];
    return msw_dram_server_take(channel, time, (uint64_t)s->config->line);
}

/* ---- with tags ---- */

static uint64_t request_line(camdn_system *s, uint32_t tenant, camdn_npu *n, uint64_t line,
                             uint64_t time)
{
    bool write = n->dma.phase != CAMDN_LOADS, waited = s->config->stores;
    uint64_t bytes = (uint64_t)s->config->line, at_slices = line = camdn_line_of(s, line);
    int64_t own = s->servers.parts ? s->config->slices / s->servers.parts : 0;
    if (own)
        at_slices = in_part(line, part_owner(s, tenant), own, s->config->slices);
    uint64_t address = at_slices << s->servers.line_shift;
    uint64_t at = msw_dram_server_take(&n->port, time, n->dma.at.port_line);
    uint32_t slice = (uint32_t)rest_of(at_slices, s->servers.slice_mask, s->config->slices);
    if (s->servers.links)
        at = camdn_links_cross(s, tenant, slice, write, at);
    at = msw_dram_server_take(&s->servers.slices[slice], at, bytes);
    msw_cache_request request = {.address = address,
                                 .requester = tenant,
                                 .write = write,
                                 .bypass = s->config->bypass && n->dma.at.run.once};
    msw_cache_answer answer = msw_cache_ask(&s->cache.general, &request);
    if (s->next_deal)
        camdn_utility_add(s, tenant, line);
    n->task.now.requests++;
    n->task.now.hits += answer.hit;
    n->task.now.writes += answer.dirtied;
    if (answer.writeback) {
        uint64_t victim = answer.victim >> s->servers.line_shift, all = (uint64_t)s->config->slices;
        victim = own ? victim / all * (uint64_t)own + victim % (uint64_t)own : victim;
        request_memory(s, tenant, victim, at, CAMDN_MOVE_OUT);
    }
    if (answer.hit || (write && answer.filled))
        return at;
    uint64_t there =
        request_memory(s, tenant, line, at, write ? CAMDN_MOVE_STORE : CAMDN_MOVE_READ);
    n->task.now.writes += write;
    n->task.now.reads += !write;
    n->dma.arrived_memory =
        write ? n->dma.arrived_memory : msw_max_u64(n->dma.arrived_memory, there);
    return write && !waited ? at : there;
}

/* A line of every array that the next group looks at is fetched while others have their turn. */
static void fetch_ahead(const camdn_system *s, const camdn_npu *n, uint32_t burst)
{
    if (s->servers.parts || camdn_frames_move(s))
        return;
    uint64_t end = n->dma.at.line + msw_min_u64(burst, n->dma.at.lines);
    for (uint64_t line = n->dma.at.line; line < end; line++)
        msw_cache_prefetch(&s->cache.general, line << s->servers.line_shift);
}

static uint32_t issue_tagged(camdn_system *s, uint32_t tenant, uint32_t burst, uint64_t *last)
{
    camdn_npu *n = &s->npus[tenant];
    uint32_t count = 0;
    for (; count < burst && camdn_npu_seek(s, n, &n->dma.at);
         count++, n->dma.at.line++, n->dma.at.lines--)
        *last = msw_max_u64(*last, request_line(s, tenant, n, n->dma.at.line, n->time));
    fetch_ahead(s, n, burst);
    return count;
}

/* ---- with pages ---- */

/* Line of its view in which the present line lies, and how many lie behind it without a gap, itself
 * included. Rows of a cut tensor lie behind one another, each in a ring of as many lines as a row
 * can take: a line has one place, wherever the row that is read starts. */
static uint64_t view_line(const camdn_npu *n, uint64_t *room)
{
    const camdn_run *r = &n->dma.at.run;
    uint64_t at = n->dma.at.line - r->view.base, ring = UINT64_MAX;
    if (r->rows > 1) {
        uint64_t each = r->bytes / n->task.memory.line + 1,
                 row = r->address / r->stride + n->dma.at.row;
        ring = each - n->dma.at.line % each;
        at = row * each + n->dma.at.line % each;
    }
    at = at < r->view.lines ? at : at % r->view.lines;
    *room = msw_min_u64(ring, r->view.lines - at);
    return r->view.first + at;
}

/* Fills, reads or writes lines of one page, `most` at most. Returns how many; `slice` becomes that
 * of the first. */
static uint32_t use_page(camdn_system *s, uint32_t tenant, const camdn_npu *n, uint64_t most,
                         bool old, uint32_t *slice)
{
    uint64_t room, at = view_line(n, &room), moved;
    uint32_t each = n->ptable.page_lines, line = (uint32_t)(at & (each - 1));
    uint32_t count = (uint32_t)msw_min_u64(most, msw_min_u64(each - line, room));
    msw_page_use use = {.owner = tenant,
                        .page =
                            n->ptable.page[n->dma.at.run.view.pages[at >> s->servers.page_shift]],
                        .line = line,
                        .count = count,
                        .operation = MSW_PAGE_WRITE};
    *slice = (uint32_t)rest_of(line, s->servers.slice_mask, s->config->slices);
    if (n->dma.phase == CAMDN_LOADS) {
        use.operation = MSW_PAGE_FILL;
        s->failed |= !old && msw_page_operate(&s->cache, &use, &moved, s->err);
        use.operation = MSW_PAGE_READ;
    }
    s->failed |= msw_page_operate(&s->cache, &use, &moved, s->err) != 0;
    return count;
}

/* Lines in a row that all lie in one page, or all in memory: what is done with them is known
 * before they move, and no other can change it. */
static void open_extent(camdn_system *s, uint32_t tenant, camdn_npu *n)
{
    camdn_extent *e = &n->dma.extent;
    bool old = n->dma.at.old > 0, paged = n->dma.at.run.view.pages,
         load = n->dma.phase == CAMDN_LOADS;
    uint64_t left = load && old ? n->dma.at.old : n->dma.at.lines;
    e->slice = (uint32_t)rest_of(n->dma.at.line, s->servers.slice_mask, s->config->slices);
    if (camdn_frames_move(s))
        left = msw_min_u64(left, camdn_page_room(s, n->dma.at.line));
    e->channel = (uint32_t)rest_of(camdn_line_of(s, n->dma.at.line), s->servers.channel_mask,
                                   s->servers.channel_count);
    e->left = (uint32_t)msw_min_u64(left, UINT32_MAX);
    if (paged)
        e->left = use_page(s, tenant, n, left, old, &e->slice);
    e->memory = !paged || (load && !old);
    e->hold = s->servers.slice_hold << (!paged && !s->config->bypass);
    n->task.now.requests += e->left;
    *(!e->memory ? &n->task.now.hits : load ? &n->task.now.reads : &n->task.now.writes) += e->left;
    n->dma.at.old -= load && old ? e->left : 0;
}

static uint64_t later_tick(uint64_t free, uint64_t time, uint64_t hold)
{
    return msw_max_u64(free, time << MSW_DRAM_TICK_BITS) + hold;
}

static uint64_t cycle_of(uint64_t tick)
{
    return (tick + (1 << MSW_DRAM_TICK_BITS) - 1) >> MSW_DRAM_TICK_BITS;
}

static uint32_t next_of(uint32_t at, uint32_t count)
{
    return at + 1 == count ? 0 : at + 1;
}

/* Bytes of a line; the NPUs of a gang each take what all load. */
static uint64_t port_hold_of(const camdn_npu *n)
{
    return n->dma.at.port_line * n->port.ticks_per_byte;
}

static uint64_t cross(camdn_system *s, const camdn_npu *n, uint32_t slice, uint64_t time)
{
    return camdn_links_cross(s, (uint32_t)(n - s->npus), slice, n->dma.phase != CAMDN_LOADS, time);
}

/* Moves `count` lines of the extent: what msw_dram_server_take does for each, with what is the same
 * for all taken out. Channels are servers. Returns when the last line is there. */
static inline uint64_t move_lines(camdn_system *s, camdn_npu *n, uint32_t count, bool memory)
{
    msw_dram_server *slices = s->servers.slices, *channels = s->servers.channels;
    uint64_t port = msw_max_u64(n->port.free_tick, n->time << MSW_DRAM_TICK_BITS);
    uint64_t port_hold = port_hold_of(n), hold = n->dma.extent.hold,
             channel_hold = s->servers.channel_hold;
    uint64_t last = 0, far_last = 0, near = slices->latency;
    uint32_t slice = n->dma.extent.slice, channel = n->dma.extent.channel;
    uint32_t slice_count = (uint32_t)s->config->slices,
             count_far = (uint32_t)s->servers.channel_count;
    for (uint32_t i = 0; i < count; i++) {
        port += port_hold;
        uint64_t at = cycle_of(port);
        if (s->servers.links)
            at = cross(s, n, slice, at);
        uint64_t tick = later_tick(slices[slice].free_tick, at, hold);
        slices[slice].free_tick = tick;
        slice = next_of(slice, slice_count);
        last = msw_max_u64(last, tick);
        if (!memory)
            continue;
        tick = later_tick(channels[channel].free_tick, cycle_of(tick) + near, channel_hold);
        channels[channel].free_tick = tick;
        channel = next_of(channel, count_far);
        far_last = msw_max_u64(far_last, tick);
    }
    n->dma.extent.slice = slice;
    n->dma.extent.channel = channel;
    n->port.free_tick = port;
    last = cycle_of(last) + near;
    bool load = n->dma.phase == CAMDN_LOADS;
    if (!memory || (!load && !s->config->stores))
        return last;
    last = msw_max_u64(last, cycle_of(far_last) + channels->latency);
    if (load)
        n->dma.arrived_memory = msw_max_u64(n->dma.arrived_memory, last);
    return last;
}

/* The same to memory with banks: when a line is there is not known yet. */
static uint64_t move_to_banks(camdn_system *s, uint32_t tenant, camdn_npu *n, uint32_t count)
{
    camdn_extent *e = &n->dma.extent;
    uint64_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        msw_dram_server *slice = &s->servers.slices[e->slice];
        n->port.free_tick = later_tick(n->port.free_tick, n->time, port_hold_of(n));
        uint64_t at = cycle_of(n->port.free_tick);
        at = s->servers.links ? cross(s, n, e->slice, at) : at;
        slice->free_tick = later_tick(slice->free_tick, at, e->hold);
        at = cycle_of(slice->free_tick) + slice->latency;
        last = msw_max_u64(last, at);
        camdn_banks_push(s, tenant, camdn_line_of(s, n->dma.at.line + i), at,
                         n->dma.phase != CAMDN_LOADS ? CAMDN_MOVE_STORE : CAMDN_MOVE_READ);
        e->slice = next_of(e->slice, (uint32_t)s->config->slices);
    }
    if (n->dma.phase == CAMDN_LOADS)
        n->dma.arrived_memory = msw_max_u64(n->dma.arrived_memory, last);
    return last;
}

static uint32_t issue_paged(camdn_system *s, uint32_t tenant, uint32_t burst, uint64_t *last)
{
    camdn_npu *n = &s->npus[tenant];
    uint32_t count = 0, took;
    for (; count < burst; count += took) {
        if (n->dma.extent.left == 0 && !camdn_npu_seek(s, n, &n->dma.at))
            break;
        if (n->dma.extent.left == 0)
            open_extent(s, tenant, n);
        took = burst - count < n->dma.extent.left ? burst - count : n->dma.extent.left;
        uint64_t at = !n->dma.extent.memory ? move_lines(s, n, took, false)
                      : s->banks.dram       ? move_to_banks(s, tenant, n, took)
                                            : move_lines(s, n, took, true);
        *last = msw_max_u64(*last, at);
        n->dma.extent.left -= took;
        n->dma.at.line += took;
        n->dma.at.lines -= took;
    }
    return count;
}

uint32_t camdn_npu_issue(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    uint32_t burst = (uint32_t)s->config->burst;
    uint64_t last = 0;
    uint32_t count =
        s->plans ? issue_paged(s, tenant, burst, &last) : issue_tagged(s, tenant, burst, &last);
    if (count == 0)
        return 0;
    s->events += count;
    n->dma.arrived = msw_max_u64(n->dma.arrived, last);
    n->slots[n->slot] = last;
    n->slot = n->slot + 1 == n->gang.slots ? 0 : n->slot + 1;
    if (n->pending[n->slot]) {
        n->held = count;
        camdn_npu_park(n, CAMDN_FOR_SLOT);
        return count;
    }
    n->time = msw_max_u64(n->time, n->slots[n->slot]);
    if (s->config->throttle)
        camdn_throttle_stop(n, count);
    return count;
}

uint64_t camdn_walk_read(camdn_system *s, uint64_t address, uint64_t time, uint32_t walk)
{
    const camdn_config *c = s->config;
    uint64_t line = address >> s->servers.line_shift, bytes = (uint64_t)c->line;
    if (c->translation.memory == CAMDN_WALKS_CACHE) {
        uint32_t slice = (uint32_t)rest_of(line, s->servers.slice_mask, c->slices);
        msw_cache_request request = {.address = address, .requester = (uint32_t)c->tenants};
        time = msw_dram_server_take(&s->servers.slices[slice], time, bytes);
        msw_cache_answer answer = msw_cache_ask(&s->cache.general, &request);
        if (answer.writeback && s->banks.dram)
            camdn_banks_write(s, answer.victim, time);
        else if (answer.writeback)
            request_memory(s, 0, answer.victim >> s->servers.line_shift, time, CAMDN_MOVE_OUT);
        if (answer.hit)
            return time;
    }
    if (s->banks.dram) {
        camdn_banks_read(s, address, time, walk);
        return UINT64_MAX;
    }
    return request_memory(s, 0, line, time, CAMDN_MOVE_READ);
}
