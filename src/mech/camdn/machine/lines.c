/* One line after the other: port, slice, cache, channel. Each is a server in the order of the
 * calls. A group of lines leaves an NPU together, when the group so many before it is there.
 *
 *   at the slice   ts = slice(port(t)) + cache_cycles
 *   read           done = hit ? ts : channel(ts) + memory_cycles
 *   write          done = ts: it is posted; whole lines, so that a miss reads nothing
 *   written back   channel(ts), which nobody waits for
 *
 * A run takes the lines whose first byte lies in it: cuts of a tensor share none. */
#include "mech/camdn/machine/system.h"

/* Prepares the lines of the present row of a run. */
static void open_row(const camdn_system *s, camdn_npu *n)
{
    uint64_t start = n->run.address + n->row * n->run.stride, end = start + n->run.bytes;
    uint64_t round = ((uint64_t)1 << s->line_shift) - 1;
    n->line = (start + round) >> s->line_shift;
    n->lines = ((end + round) >> s->line_shift) - n->line;
}

/* Moves to the next line of the phase. Returns false when it has no more. */
static bool seek(const camdn_system *s, camdn_npu *n)
{
    while (n->lines == 0) {
        if (n->run.bytes > 0 && n->row + 1 < n->run.rows) {
            n->row++;
            open_row(s, n);
            continue;
        }
        if (n->phase != CAMDN_LOADS || !camdn_walk_load(&n->walk, n->part, &n->run))
            return false;
        n->part++;
        n->row = 0;
        if (n->run.bytes > 0)
            open_row(s, n);
    }
    return true;
}

static uint64_t ask_memory(camdn_system *s, uint64_t line, uint64_t time)
{
    msw_dram_server *channel = &s->channels[line % (uint64_t)s->config->channels];
    return msw_dram_server_take(channel, time, (uint64_t)s->config->line);
}

static uint64_t ask(camdn_system *s, uint32_t tenant, camdn_npu *n, uint64_t line, uint64_t time)
{
    bool write = n->phase != CAMDN_LOADS;
    uint64_t address = line << s->line_shift, bytes = (uint64_t)s->config->line;
    uint64_t at = msw_dram_server_take(&n->port, time, bytes);
    at = msw_dram_server_take(&s->slices[msw_cache_slice(&s->cache, address)], at, bytes);
    msw_cache_request request = {.address = address,
                                 .requester = tenant,
                                 .write = write,
                                 .bypass = s->config->bypass && n->run.once};
    msw_cache_answer answer = msw_cache_ask(&s->cache, &request);
    n->now.requests++;
    n->now.hits += answer.hit;
    if (answer.writeback) {
        ask_memory(s, answer.victim >> s->line_shift, at);
        n->now.writes++;
    }
    if (answer.hit || (write && answer.filled))
        return at;
    uint64_t there = ask_memory(s, line, at);
    n->now.writes += write;
    n->now.reads += !write;
    return write ? at : there;
}

uint32_t camdn_npu_issue(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    uint64_t last = 0;
    uint32_t count = 0;
    for (; count < (uint32_t)s->config->burst && seek(s, n); count++, n->line++, n->lines--)
        last = msw_max_u64(last, ask(s, tenant, n, n->line, n->time));
    if (count == 0)
        return 0;
    s->events += count;
    n->arrived = msw_max_u64(n->arrived, last);
    n->slots[n->slot] = last;
    n->slot = n->slot + 1 == s->groups ? 0 : n->slot + 1;
    n->time = msw_max_u64(n->time, n->slots[n->slot]);
    return count;
}
