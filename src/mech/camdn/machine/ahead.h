/* SPDX-License-Identifier: MIT */
/* Private to camdn: runs of lines, places among them, and translations ahead of a DMA. */
#ifndef MSW_MECH_CAMDN_MACHINE_AHEAD_H
#define MSW_MECH_CAMDN_MACHINE_AHEAD_H

#include "memsweep/sim/translate.h"

/* The place of a tensor, or a part of it, in the virtual pages of an NPU: line l in line
 * first + (l - base) mod lines. */
typedef struct camdn_view {
    const uint16_t *pages; /* virtual ones; NULL: it lies in memory alone */
    uint64_t base;
    uint32_t first, lines;
} camdn_view;

/* Lines [first, first + count), `rows` times, `stride` bytes apart, of one operand. */
typedef struct camdn_run {
    uint64_t address, bytes, stride, rows;
    bool once; /* it is not requested again soon: weights that are read once, results */
    /* with pages */
    camdn_view view;
    uint64_t old; /* of what is read, what lies there before: bytes, or rows where there are more */
} camdn_run;

/* A place among the lines of a phase. */
typedef struct camdn_cursor {
    camdn_run run;
    uint64_t row, line, lines, old; /* of the run: row; next line, lines left of it, of these old */
    uint64_t port_line;             /* bytes that a line of it takes of the ports */
    uint32_t part, again;           /* again: so often the run is requested once more */
} camdn_cursor;

/* Lines of one page whose translations come at first, first + gap, ...; UINT64_MAX: that is not
 * known, they wait for the end of a walk. */
typedef struct camdn_asked {
    uint64_t first;
    uint32_t gap, lines, before, next; /* before: requests of the walk; next: in the same row */
} camdn_asked;

/* The translations of a phase, ahead of its DMA. Times are ticks. */
typedef struct camdn_ahead {
    camdn_cursor at;
    uint64_t tick, stalled; /* when the next one is asked for; would have been */
    uint64_t left;          /* lines of the present page that are still to be asked for */
    msw_mmu_answer before;  /* blocked: why */
    camdn_asked *ring;
    uint32_t head, count;
    bool ended, full, blocked;
    uint64_t delay; /* cycles that the DMA has waited for them in this phase */
} camdn_ahead;

/* Stages that translate: one, or one for each NPU. */
typedef struct camdn_translate {
    bool on, ideal, unknown; /* unknown: ends of walks */
    msw_translate *stages;
    uint32_t count, ring, walks; /* ring: of an NPU; walks: of a stage at once */
    uint32_t *waiting;           /* by stage and walk: the first of those that wait for it */
    uint32_t *reads;             /* by stage: of page tables that the memory has */
    uint64_t width;              /* ticks of a cycle */
    uint64_t next, now;          /* ticks: when an NPU asks; of the last thing that happened */
    uint32_t who;                /* it */
    unsigned page_shift, frame_bits;
    uint32_t *frames;     /* by page, from 1 on, 0: not touched yet; behind how many have been */
    uint64_t each, first; /* bytes of memory of a tenant; where it begins */
    uint64_t lookup;      /* ticks that an answer is looked at later, where ends are unknown */
} camdn_translate;

#endif
