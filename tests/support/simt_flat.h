/* SPDX-License-Identifier: MIT */
/* simt_flat: a flat global memory and one launch, for tests of the SIMT interpreter. */
#ifndef MEMSWEEP_TESTS_SIMT_FLAT_H
#define MEMSWEEP_TESTS_SIMT_FLAT_H

#include "memsweep/workload/simt/flow.h"
#include "memsweep/workload/simt/machine.h"

/* FLAT_BYTES bytes from address FLAT_BASE on. */
enum { FLAT_BASE = 0x10000, FLAT_BYTES = 1 << 20 };

typedef struct flat {
    unsigned char *data;
    bool spans; /* gives direct pointers */
    msw_simt_memory memory;
} flat;

/* Zeroed memory. */
void flat_open(flat *f, bool spans);
void flat_close(flat *f);

/* A program and what its launch needs; free with ptx_close. */
typedef struct ptx {
    msw_arena arena;
    const msw_simt_program *program;
    const msw_simt_kernel *kernel;
    msw_simt_launch launch;
    uint64_t variables[16];
    unsigned char params[256];
    msw_err err;
} ptx;

/* Parses a text and takes its only (or named) kernel. Returns 0, or -1 with p->err. */
int ptx_open(ptx *p, const char *text, const char *entry);
void ptx_close(ptx *p);

/* Runs all CTAs on one SM; `issued` may be NULL. Returns 0, or -1 with p->err. */
int ptx_run(ptx *p, flat *f, const msw_simt_listener *listener, uint64_t *issued);

#endif
