/* SPDX-License-Identifier: MIT */
/* Private to uvm: what the warps of a program do to memory, extracted once and replayed under any
 * policy.
 *
 * A warp is a body and the first address of each of its access sites. A body is a string of
 * records: an access, a barrier or the end, each with the instructions issued since the record
 * before, as one number of a table (the site) and, where the address does not go on as it did, the
 * difference. Bodies hold differences of addresses only, so warps that do the same elsewhere share
 * one. Where warps and CTAs follow each other at regular distances their heads are zeros, too. */
#ifndef MSW_MECH_UVM_STREAM_H
#define MSW_MECH_UVM_STREAM_H

#include "memsweep/mech/mechanism.h"
#include "memsweep/workload/pages.h"
#include "memsweep/workload/simt.h"

enum { UVM_LINE_SHIFT = 7, UVM_LINES = 64 }; /* lines of one access of a warp, at most */

/* Intervals of `span` bytes, at `offset` from the address of the access and every `stride` on. */
typedef struct uvm_piece {
    int64_t offset, stride;
    uint32_t count, span;
} uvm_piece;

/* Where the lanes of an access lie: pieces in order of the lanes. */
typedef struct uvm_shape {
    uint32_t first, count; /* pieces */
    uint32_t mixed;        /* lines may come again: they must be compared */
    uint32_t lanes;
} uvm_shape;

typedef enum uvm_record { UVM_LOAD, UVM_STORE, UVM_ATOMIC, UVM_BARRIER, UVM_END } uvm_record;

enum { UVM_OPEN = 32 }; /* accesses of a warp that a record may wait for */

/* What a record says but for its address. */
typedef struct uvm_site {
    uint32_t kind;    /* uvm_record */
    uint32_t slot;    /* of an access: which instruction of the kernel */
    uint32_t shape;   /* of an access */
    uint32_t before;  /* instructions issued before the first that waits for a load */
    uint32_t after;   /* the rest, the record's own included */
    uint32_t wait;    /* which loads: bit d is the last access but d; 0: none */
    uint32_t threads; /* instructions of threads in both */
    uint32_t unused;
} uvm_site;

/* A kernel's tables: all its launches share them. */
typedef struct uvm_kernel {
    const uvm_site *sites;
    const unsigned char *bytes; /* bodies, one after the other */
    const uint64_t *bodies;     /* where each begins */
    uint32_t site_count, body_count, slots;
    uint32_t registers; /* of a thread, 32 bits each, as many as are live at once */
    uint64_t byte_count;
} uvm_kernel;

typedef struct uvm_launch {
    const uvm_kernel *kernel;
    uint64_t ctas;
    uint32_t warps; /* of a CTA */
    uint32_t threads;
    uint32_t held;              /* CTAs of an SM at once, at most; 0: what it has room for */
    uint64_t shared;            /* bytes of a CTA */
    const unsigned char *heads; /* of all warps, in order of CTAs */
    uint64_t head_bytes;
} uvm_launch;

typedef struct uvm_stage {
    msw_simt_stage_kind kind;
    const uvm_launch *launch;
    uint64_t address, bytes; /* of what the host touches */
} uvm_stage;

typedef struct uvm_stream {
    const uvm_stage *stages;
    size_t stage_count;
    const uvm_shape *shapes;
    const uvm_piece *pieces;
    uint32_t shape_count, piece_count, slots_most, warps_most;
    uint64_t instructions; /* of warps */
    uint64_t threads;      /* of threads */
    uint64_t accesses;     /* of warps to global memory */
    uint64_t lines;
    uint64_t warps, bytes; /* bytes: of the stream itself */
} uvm_stream;

/* Builds the stream of a program (an artifact). Returns 0, or -1 with `err`. */
int uvm_build_stream(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err);

/* Extracts it. Returns it, or NULL with `err`. */
const uvm_stream *uvm_extract(const msw_simt_product *program, msw_arena *arena, msw_err *err);

/* The stream of a page trace. Returns it, or NULL with `err`. */
const uvm_stream *uvm_stream_of_pages(const msw_page_trace *trace, msw_arena *arena, msw_err *err);

/* Number of the kernel of a launch, in order of their first launches. Returns it. */
uint16_t uvm_kernel_number(const uvm_stream *stream, size_t stage);

/* ---- reading ---- */

/* The heads of a launch, from its first CTA on. An address is expected as far from that of the same
 * warp in the CTA before as the last head's of its slot was. */
typedef struct uvm_heads {
    const uvm_launch *launch;
    const unsigned char *at;
    uint64_t *last;  /* [warp][slot] in the CTA before */
    uint64_t *moved; /* [slot] */
    uint64_t body;   /* of the warp before */
} uvm_heads;

/* One warp on its way. */
typedef struct uvm_reader {
    const unsigned char *at;
    uint64_t *address; /* [slot] of the last access */
    uint64_t *step;    /* [slot] from the last but one to the last */
} uvm_reader;

/* Returns the bytes of memory that the heads of a stream's launches need. */
size_t uvm_heads_bytes(const uvm_stream *stream);

/* Goes to the first CTA of a launch, in memory of uvm_heads_bytes. */
void uvm_heads_start(uvm_heads *heads, const uvm_launch *launch, void *memory);

/* Reads the heads of the next CTA: readers of its warps, whose arrays are there. */
void uvm_heads_next(uvm_heads *heads, uvm_reader *readers);

/* Reads a record. Returns its site, with the address of an access. */
const uvm_site *uvm_read(uvm_reader *reader, const uvm_kernel *kernel, uint64_t *address);

/* Lists the lines of an access, in order of the lanes: numbers of 128 bytes. Returns how many. */
uint32_t uvm_lines(const uvm_stream *stream, const uvm_site *site, uint64_t address,
                   uint64_t *lines);

/* The same for a shape whose lines may come again. */
uint32_t uvm_lines_compared(const uvm_stream *stream, const uvm_shape *shape, uint64_t address,
                            uint64_t *lines);

#endif
