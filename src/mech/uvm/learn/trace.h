/* Private to uvm: page walks in an order that no policy changes.
 *
 * CTAs run in waves of as many as fit, each warp does a record in its turn: the order of the closed
 * form. A walk is a page that the TLB of its SM does not hold; what is filled in a turn is there
 * from the next turn on, so that warps which miss together walk each. TLBs forget nothing. */
#ifndef MSW_MECH_UVM_TRACE_H
#define MSW_MECH_UVM_TRACE_H

#include "mech/uvm/config.h"
#include "mech/uvm/pages/layout.h"
#include "mech/uvm/stream/stream.h"

typedef struct uvm_walked {
    uint32_t page, cta, at; /* at: thousands (1024) of instructions of threads so far */
    uint32_t chunk;
    uint16_t launch, pc; /* pc: which access of which kernel */
    uint8_t sm, warp;    /* warp: of the SM */
    uint8_t hit;         /* some SM had touched the page */
    uint8_t program;     /* of a corpus */
} uvm_walked;

typedef struct uvm_trace {
    const uvm_walked *rows;
    size_t count;
    uint32_t end; /* `at` of the last row and 1 */
} uvm_trace;

/* What a trace is made of. */
typedef struct uvm_traced {
    const uvm_config *config;
    const uvm_stream *stream;
    const uvm_layout *layout;
    size_t most; /* walks; later ones are left out */
} uvm_traced;

/* Returns the trace, or NULL with `err`. */
const uvm_trace *uvm_trace_of(const uvm_traced *of, msw_arena *arena, msw_err *err);

#endif
