#include "memsweep/sim/reuse.h"

#include "sim/block.h"

static uint32_t power_above(uint64_t n)
{
    uint32_t power = 4;
    while (power < n && power < 1u << 31)
        power *= 2;
    return power;
}

static size_t layout(msw_reuse *reuse, uint32_t capacity, void *memory)
{
    uint32_t size = power_above(2 * (uint64_t)capacity);
    msw_memory_block block = {memory, 0};
    *reuse = (msw_reuse){.capacity = capacity, .mask = size - 1, .times = size};
    reuse->keys = msw_memory_block_take(&block, size * sizeof *reuse->keys);
    reuse->last = msw_memory_block_zero(&block, size * sizeof *reuse->last);
    reuse->tree = msw_memory_block_zero(&block, ((size_t)size + 1) * sizeof *reuse->tree);
    reuse->owner = msw_memory_block_zero(&block, size * sizeof *reuse->owner);
    reuse->counts = msw_memory_block_zero(&block, capacity * sizeof *reuse->counts);
    return block.used;
}

size_t msw_reuse_bytes(uint32_t capacity)
{
    msw_reuse reuse;
    return layout(&reuse, capacity, NULL);
}

int msw_reuse_init(msw_reuse *reuse, uint32_t capacity, void *memory, msw_err *err)
{
    if (capacity == 0 || capacity > 1u << 28)
        return msw_fail(err, "reuse profile of %u keys: must be from 1 to 2^28", capacity);
    layout(reuse, capacity, memory);
    return 0;
}

static void tree_add(msw_reuse *reuse, uint32_t time, uint32_t change)
{
    for (uint32_t i = time + 1; i <= reuse->times; i += i & (0 - i))
        reuse->tree[i] += change;
}

/* Keys whose last access was before `time`. */
static uint32_t tree_before(const msw_reuse *reuse, uint32_t time)
{
    uint32_t sum = 0;
    for (uint32_t i = time; i; i -= i & (0 - i))
        sum += reuse->tree[i];
    return sum;
}

/* Out of times: numbers the last accesses anew, 0 up, in their order. */
static void compact(msw_reuse *reuse)
{
    uint32_t kept = 0;
    for (uint32_t time = 0; time < reuse->times; time++) {
        uint32_t owner = reuse->owner[time];
        reuse->owner[time] = 0;
        if (owner) {
            reuse->owner[kept] = owner;
            reuse->last[owner - 1] = ++kept;
        }
    }
    for (uint32_t i = 1; i <= reuse->times; i++) {
        /* Node i sums the times from i - lowest bit to i - 1, of which those below `kept` are 1. */
        uint32_t first = i - (i & (0 - i));
        reuse->tree[i] = first >= kept ? 0 : (i < kept ? i : kept) - first;
    }
    reuse->now = kept;
}

static uint32_t position(const msw_reuse *reuse, uint64_t key)
{
    uint32_t at = (uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & reuse->mask;
    while (reuse->last[at] && reuse->keys[at] != key)
        at = (at + 1) & reuse->mask;
    return at;
}

/* Counts the access and forgets the key's last one. Returns its distance. */
static uint32_t record(msw_reuse *reuse, uint32_t at)
{
    uint32_t time = reuse->last[at] - 1;
    uint32_t distance = reuse->distinct - tree_before(reuse, time) - 1;
    reuse->counts[distance]++;
    tree_add(reuse, time, 0u - 1);
    reuse->owner[time] = 0;
    return distance;
}

int msw_reuse_next(msw_reuse *reuse, uint64_t key, uint32_t *distance, msw_err *err)
{
    uint32_t at = position(reuse, key);
    bool cold = reuse->last[at] == 0;
    if (cold && reuse->distinct == reuse->capacity)
        return msw_fail(err, "more than %u different keys in a reuse profile", reuse->capacity);
    if (reuse->now == reuse->times)
        compact(reuse);
    if (cold) {
        reuse->keys[at] = key;
        reuse->distinct++;
        reuse->cold++;
        *distance = MSW_REUSE_COLD;
    } else {
        *distance = record(reuse, at);
    }
    tree_add(reuse, reuse->now, 1);
    reuse->owner[reuse->now] = at + 1;
    reuse->last[at] = ++reuse->now;
    reuse->accesses++;
    return 0;
}

int msw_reuse_add(msw_reuse *reuse, uint64_t key, msw_err *err)
{
    uint32_t distance;
    return msw_reuse_next(reuse, key, &distance, err);
}

uint64_t msw_reuse_hits(const msw_reuse *reuse, uint32_t lines)
{
    uint64_t hits = 0;
    for (uint32_t d = 0; d < lines && d < reuse->distinct; d++)
        hits += reuse->counts[d];
    return hits;
}

/* One more key in between: with probability p it is in the set. in_set[k] is the probability that
 * exactly k are. Returns the probability that fewer than `ways` are. */
static double add_key(double *in_set, uint32_t ways, double p)
{
    double sum = 0;
    for (uint32_t k = ways; k-- > 0;) {
        in_set[k] = in_set[k] * (1 - p) + (k ? in_set[k - 1] * p : 0);
        sum += in_set[k];
    }
    return sum;
}

double msw_reuse_hit_rate(const msw_reuse *reuse, uint32_t sets, uint32_t ways, double *scratch)
{
    double hits = 0, survives = 1;
    for (uint32_t k = 0; k < ways; k++)
        scratch[k] = k == 0;
    for (uint32_t d = 0; d < reuse->distinct && survives > 1e-12; d++) {
        hits += survives * (double)reuse->counts[d];
        survives = add_key(scratch, ways, 1.0 / sets);
    }
    return reuse->accesses ? hits / (double)reuse->accesses : 0;
}
