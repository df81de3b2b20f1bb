/* What faults bring is asked for, chunk by chunk. */
#include "mech/uvm/pages/pager.h"

int uvm_pager_serve(uvm_pager *p, uint64_t now, const uint64_t *pages, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t chunk = p->layout->chunk_of[pages[i]];
        uvm_set wanted = {{0}};
        if (p->where[pages[i]] != UVM_ON_HOST)
            continue;
        for (size_t k = i; k < count; k++) {
            uint64_t at = pages[k] - p->layout->chunks[chunk].first;
            if (p->layout->chunk_of[pages[k]] == chunk && p->where[pages[k]] == UVM_ON_HOST) {
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
