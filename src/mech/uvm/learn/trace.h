/* SPDX-License-Identifier: MIT */
/* Private to uvm: page walks of a program that predictors learn from, in one order for all
 * policies.
 *
 * Warps in turn (trace.c): CTAs run in waves of as many as fit, each warp does a record in its
 * turn: the order of the closed form. A walk is a page that the TLB of its SM does not hold; what
 * is filled in a turn is there from the next turn on, so that warps which miss together walk each.
 * TLBs forget nothing.
 *
 * In order of time (timed.c): walks as they end in the machine of the record's defaults, which
 * brings pages as the tree does, or one by one. */
#ifndef MSW_MECH_UVM_TRACE_H
#define MSW_MECH_UVM_TRACE_H

#include "mech/uvm/config.h"
#include "mech/uvm/pages/layout.h"
#include "mech/uvm/stream/stream.h"

#include "memsweep/mech/mechanism.h"

typedef struct uvm_walked {
    uint32_t page, cta, at; /* at: thousands (1024) of instructions of threads so far */
    uint32_t chunk;
    uint16_t launch, pc; /* pc: which access of which kernel */
    uint8_t sm, warp;    /* warp: of the SM */
    uint8_t hit;         /* some SM had touched the page; in order of time: it is here */
    uint8_t first;       /* nobody had walked for the page */
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
    size_t most;          /* walks; later ones are left out */
    const msw_task *task; /* of the point */
} uvm_traced;

/* Rows as they come. */
typedef struct uvm_rows {
    uvm_walked *list;
    size_t count, room;
    uint8_t *met; /* [page] */
} uvm_rows;

/* Appends a row and marks whether it is the first of its page. Returns 0, or -1. */
int uvm_rows_add(uvm_rows *rows, uvm_walked row, msw_arena *arena);

/* What is kept of a walk that a machine reports. Returns it. */
struct uvm_event;
uvm_walked uvm_walked_of(const uvm_layout *layout, const struct uvm_event *event);

/* timed.c: fills `rows` with the walks of a machine. Returns 0, or -1. */
int uvm_timed_rows(const uvm_traced *of, uvm_rows *rows, msw_arena *work, msw_err *err);

/* Returns the trace, or NULL with `err`. */
const uvm_trace *uvm_trace_of(const uvm_traced *of, msw_arena *arena, msw_err *err);

#endif
