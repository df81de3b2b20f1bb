/* Pages that a predictor names: one prediction after the other, each for a fault (README.md,
 * "Predictions"). What was predicted for a page is known beforehand; here it takes its time. */
#include "mech/uvm/pages/predicted.h"

#include <string.h>

/* Faults that wait for their prediction: a ring, which grows. */
static int push(uvm_pager *p, uvm_asked asked)
{
    uvm_asking *a = &p->asking;
    if (a->tail - a->head == a->room) {
        uint64_t room = 2 * a->room + 256;
        uvm_asked *ring = msw_arena_take(p->arena, room * sizeof *ring);
        if (!ring)
            return msw_fail_memory(p->err);
        for (uint64_t i = a->head; i < a->tail; i++)
            ring[i % room] = a->ring[i % a->room];
        a->ring = ring;
        a->room = room;
    }
    a->ring[a->tail++ % a->room] = asked;
    return 0;
}

int uvm_pager_ask(uvm_pager *p, uint64_t now, uint64_t page)
{
    uvm_asking *a = &p->asking;
    uint64_t latency = (uint64_t)(p->config->prediction_ns * p->config->clock_ghz + 0.5);
    a->free = msw_max_u64(a->free, now) + latency;
    if (push(p, (uvm_asked){a->free, page}))
        return -1;
    p->predicted_until = a->ring[a->head % a->room].until;
    return 0;
}

bool uvm_pager_answered(uvm_pager *p, uint64_t now, uint64_t *page)
{
    uvm_asking *a = &p->asking;
    if (p->predicted_until > now)
        return false;
    *page = a->ring[a->head++ % a->room].page;
    p->predicted_until = a->head < a->tail ? a->ring[a->head % a->room].until : UINT64_MAX;
    return true;
}

bool uvm_pager_predicted(const uvm_pager *p, uint64_t page, uint32_t *chunk, uvm_set *wanted)
{
    uint64_t target = p->predictions ? p->predictions[page] : UVM_NO_PREDICTION;
    if (target >= p->layout->pages || p->layout->chunk_of[target] == UVM_NO_CHUNK)
        return false;
    *chunk = p->layout->chunk_of[target];
    const uvm_chunk *c = &p->layout->chunks[*chunk];
    uint64_t at = target - c->first, block = p->layout->block_pages;
    uint64_t first = p->config->prediction_brings == UVM_BRINGS_BLOCK ? at / block * block : at;
    uint64_t end = p->config->prediction_brings == UVM_BRINGS_BLOCK ? first + block : at + 1;
    *wanted = (uvm_set){{0}};
    for (uint64_t i = first; i < end && i < c->pages; i++)
        wanted->words[i / 64] |= (uint64_t)1 << i % 64;
    return true;
}
