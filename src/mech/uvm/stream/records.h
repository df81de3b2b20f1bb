/* Private to uvm: reading a record where every step counts. */
#ifndef MSW_MECH_UVM_RECORDS_H
#define MSW_MECH_UVM_RECORDS_H

#include "mech/uvm/stream/bytes.h"
#include "mech/uvm/stream/stream.h"

/* As uvm_read. */
static inline const uvm_site *uvm_next_record(uvm_reader *reader, const uvm_kernel *kernel,
                                              uint64_t *address)
{
    const unsigned char *at = reader->at;
    uint64_t word = uvm_get(&at);
    const uvm_site *site = &kernel->sites[word >> 1];
    if (site->kind < UVM_BARRIER) {
        uint64_t step = reader->step[site->slot];
        if (word & 1) {
            step += uvm_unfold(uvm_get(&at));
            reader->step[site->slot] = step;
        }
        *address = reader->address[site->slot] += step;
    }
    reader->at = at;
    return site;
}

#endif
