/* SPDX-License-Identifier: MIT */
/* Requests the pages that faults bring, chunk by chunk. */
#include "mech/uvm/pages/later.h"
#include "mech/uvm/pages/pager.h"

/* Notes faults that are not served now. */
static void refuse(uvm_pager *p, uint64_t now, const uint64_t *pages, size_t count)
{
    for (size_t i = 0; i < count && p->thrash; i++)
        if (p->where[pages[i]] == UVM_ON_HOST)
            uvm_thrash_refuse(p, pages[i], now);
}

/* Whether a page is still to be asked for. */
static bool is_open(const uvm_pager *p, uint64_t page)
{
    return p->where[page] == UVM_ON_HOST && !(p->thrash && uvm_thrash_refused(p, page));
}

int uvm_pager_serve(uvm_pager *p, uint64_t now, const uint64_t *pages, size_t count)
{
    refuse(p, now, pages, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t chunk = p->layout->chunk_of[pages[i]];
        uvm_set wanted = {{0}};
        if (!is_open(p, pages[i]))
            continue;
        for (size_t k = i; k < count; k++) {
            uint64_t at = pages[k] - p->layout->chunks[chunk].first;
            if (p->layout->chunk_of[pages[k]] == chunk && is_open(p, pages[k])) {
                wanted.words[at / 64] |= (uint64_t)1 << at % 64;
                p->flags[pages[k]] |= UVM_FAULTED;
            }
        }
        if (p->config->prefetch_when_full || !p->memory.short_once)
            uvm_policy(p, chunk, &wanted);
        if (uvm_pager_ask(p, now, chunk, &wanted))
            return -1;
        if (uvm_policy_next(p, chunk, &wanted) && uvm_pager_ask(p, now, chunk + 1, &wanted))
            return -1;
    }
    return uvm_memory_room(p, now, p->memory.queued);
}
