/* One line after the other: port, slice, cache, channel. Each is a server in the order of the
 * calls. A group of lines leaves an NPU together, when the group so many before it is there.
 *
 *   at the slice   ts = slice(port(t)) + cache_cycles
 *   read           done = hit ? ts : channel(ts) + memory_cycles
 *   write          done = ts: it is posted; whole lines, so that a miss reads nothing
 *   written back   channel(ts), which nobody waits for
 *
 * With pages it is known beforehand what hits, and lines that follow one another are one access of
 * their page. A run takes the lines whose first byte lies in it: cuts of a tensor share none. */
#include "mech/camdn/machine/system.h"

/* Lines that start before an address. */
static uint64_t lines_before(const camdn_system *s, uint64_t address)
{
    return (address + ((uint64_t)1 << s->line_shift) - 1) >> s->line_shift;
}

void camdn_npu_open_row(const camdn_system *s, camdn_npu *n)
{
    uint64_t start = n->run.address + n->row * n->run.stride;
    n->line = lines_before(s, start);
    n->lines = lines_before(s, start + n->run.bytes) - n->line;
    if (n->run.rows > 1)
        n->old = n->row < n->run.old ? n->lines : 0;
    else
        n->old = lines_before(s, start + n->run.old) - n->line;
}

/* Moves to the next line of the phase. Returns false when it has no more. */
static bool seek(const camdn_system *s, camdn_npu *n)
{
    while (n->lines == 0) {
        if (n->run.bytes > 0 && n->row + 1 < n->run.rows) {
            n->row++;
            camdn_npu_open_row(s, n);
            continue;
        }
        if (camdn_gang_again(n)) {
            camdn_npu_open_row(s, n);
            continue;
        }
        if (n->phase != CAMDN_LOADS || !camdn_walk_load(&n->walk, n->part, &n->run))
            return false;
        if (s->plans)
            camdn_source_load(n, n->part, &n->run);
        camdn_gang_run(s, n, n->part);
        n->part++;
        n->row = 0;
        if (n->run.bytes > 0)
            camdn_npu_open_row(s, n);
    }
    return true;
}

/* The rest of a division by a power of two mostly. */
static uint64_t rest_of(uint64_t line, uint64_t mask, int64_t count)
{
    return mask || count == 1 ? line & mask : line % (uint64_t)count;
}

/* When a line is there; with banks that is not known yet, and it is so only when it is. */
static uint64_t ask_memory(camdn_system *s, uint32_t tenant, uint64_t line, uint64_t time,
                           bool write)
{
    if (s->banks.dram) {
        camdn_banks_ask(s, tenant, line, time, write);
        return time;
    }
    msw_dram_server *channel = &s->channels[rest_of(line, s->channel_mask, s->config->channels)];
    return msw_dram_server_take(channel, time, (uint64_t)s->config->line);
}

/* ---- with tags ---- */

static uint64_t ask(camdn_system *s, uint32_t tenant, camdn_npu *n, uint64_t line, uint64_t time)
{
    bool write = n->phase != CAMDN_LOADS;
    uint64_t address = line << s->line_shift, bytes = (uint64_t)s->config->line;
    uint64_t at = msw_dram_server_take(&n->port, time, n->gang.port_line);
    at = msw_dram_server_take(&s->slices[rest_of(line, s->slice_mask, s->config->slices)], at,
                              bytes);
    msw_cache_request request = {.address = address,
                                 .requester = tenant,
                                 .write = write,
                                 .bypass = s->config->bypass && n->run.once};
    msw_cache_answer answer = msw_cache_ask(&s->cache.general, &request);
    if (s->next_deal)
        camdn_utility_add(s, tenant, line);
    n->now.requests++;
    n->now.hits += answer.hit;
    if (answer.writeback) {
        ask_memory(s, tenant, answer.victim >> s->line_shift, at, true);
        n->now.writes++;
    }
    if (answer.hit || (write && answer.filled))
        return at;
    uint64_t there = ask_memory(s, tenant, line, at, write);
    n->now.writes += write;
    n->now.reads += !write;
    n->arrived_memory = write ? n->arrived_memory : msw_max_u64(n->arrived_memory, there);
    return write ? at : there;
}

static uint32_t ask_tagged(camdn_system *s, uint32_t tenant, camdn_npu *n, uint32_t most,
                           uint64_t *last)
{
    (void)most;
    *last = msw_max_u64(*last, ask(s, tenant, n, n->line, n->time));
    return 1;
}

/* ---- with pages ---- */

/* Line of its view in which the present line lies. Rows of a cut tensor lie behind one another. */
static uint64_t view_line(const camdn_npu *n)
{
    const camdn_run *r = &n->run;
    uint64_t at = n->line - r->view.base;
    if (r->rows > 1) {
        uint64_t each = r->bytes / n->memory.line + 1, row = r->address / r->stride + n->row;
        at = row * each + n->line % each;
    }
    return r->view.first + (at < r->view.lines ? at : at % r->view.lines);
}

/* Fills, reads or writes lines of one page. Returns how many; `slice` becomes that of the first. */
static uint32_t use_page(camdn_system *s, uint32_t tenant, const camdn_npu *n, uint32_t most,
                         bool old, uint32_t *slice)
{
    uint64_t at = view_line(n), moved;
    uint32_t each = n->ptable.page_lines, line = (uint32_t)(at & (each - 1));
    uint32_t end = n->run.view.first + n->run.view.lines;
    uint32_t count = (uint32_t)msw_min_u64(most, msw_min_u64(each - line, end - at));
    msw_page_use use = {.owner = tenant,
                        .page = n->ptable.page[n->run.view.pages[at >> s->page_shift]],
                        .line = line,
                        .count = count,
                        .operation = MSW_PAGE_WRITE};
    *slice = (uint32_t)rest_of(line, s->slice_mask, s->config->slices);
    if (n->phase == CAMDN_LOADS) {
        use.operation = MSW_PAGE_FILL;
        s->failed |= !old && msw_page_operate(&s->cache, &use, &moved, s->err);
        use.operation = MSW_PAGE_READ;
    }
    s->failed |= msw_page_operate(&s->cache, &use, &moved, s->err) != 0;
    return count;
}

static uint32_t next_of(uint32_t at, int64_t count)
{
    return at + 1 == (uint32_t)count ? 0 : at + 1;
}

/* `count` lines in a row, all of which lie in the cache or all of which do not; `twice`: they are
 * kept in between. Returns when the last one is there. */
static uint64_t move_lines(camdn_system *s, uint32_t tenant, uint32_t count, uint32_t slice,
                           bool memory, bool twice)
{
    camdn_npu *n = &s->npus[tenant];
    const camdn_config *c = s->config;
    uint64_t bytes = (uint64_t)c->line, last = 0, there = 0;
    uint32_t channel = (uint32_t)rest_of(n->line, s->channel_mask, c->channels);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = msw_dram_server_take(&n->port, n->time, n->gang.port_line);
        at = msw_dram_server_take(&s->slices[slice], at, twice ? 2 * bytes : bytes);
        last = msw_max_u64(last, at);
        if (memory && s->banks.dram) {
            camdn_banks_ask(s, tenant, n->line + i, at, n->phase != CAMDN_LOADS);
        } else if (memory) {
            there = msw_dram_server_take(&s->channels[channel], at, bytes);
            last = n->phase == CAMDN_LOADS ? msw_max_u64(last, there) : last;
        }
        slice = next_of(slice, c->slices);
        channel = next_of(channel, c->channels);
    }
    if (memory && n->phase == CAMDN_LOADS)
        n->arrived_memory = msw_max_u64(n->arrived_memory, last);
    return last;
}

static uint32_t ask_paged(camdn_system *s, uint32_t tenant, camdn_npu *n, uint32_t most,
                          uint64_t *last)
{
    bool old = n->old > 0, paged = n->run.view.pages, load = n->phase == CAMDN_LOADS;
    uint64_t left = load && old ? n->old : n->lines;
    uint32_t count = (uint32_t)msw_min_u64(most, left);
    uint32_t slice = (uint32_t)rest_of(n->line, s->slice_mask, s->config->slices);
    if (paged)
        count = use_page(s, tenant, n, count, old, &slice);
    bool memory = !paged || (load && !old);
    uint64_t at = move_lines(s, tenant, count, slice, memory, !paged && !s->config->bypass);
    n->now.requests += count;
    n->now.hits += memory ? 0 : count;
    n->now.reads += memory && load ? count : 0;
    n->now.writes += memory && !load ? count : 0;
    n->old -= load && old ? count : 0;
    *last = msw_max_u64(*last, at);
    return count;
}

uint32_t camdn_npu_issue(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    uint32_t burst = (uint32_t)s->config->burst, count = 0, took;
    uint64_t last = 0;
    for (; count < burst && seek(s, n); count += took, n->line += took, n->lines -= took)
        took = s->plans ? ask_paged(s, tenant, n, burst - count, &last)
                        : ask_tagged(s, tenant, n, burst - count, &last);
    if (count == 0)
        return 0;
    s->events += count;
    n->arrived = msw_max_u64(n->arrived, last);
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
