/* SPDX-License-Identifier: MIT */
/* Workloads of the front end simt as tests want them: shipped ones by name, or from texts as if
 * they were in two files. */
#ifndef MEMSWEEP_TESTS_PROGRAMS_H
#define MEMSWEEP_TESTS_PROGRAMS_H

#include "memsweep/base/text.h"
#include "memsweep/workload/simt.h"

typedef struct program {
    msw_workload workload;
    msw_simt_config config;
    msw_arena arena;
    msw_product product;
    const msw_simt_product *p;
    msw_err err;
} program;

/* A shipped workload, loaded. Returns 0, or -1 with p->err. */
int program_named(program *p, const char *name);

/* A workload "t.simt" plus `settings` ("/n=3" or ""), from texts. Returns 0, or -1 with p->err. */
int program_text(program *p, const char *settings, const char *text, const char *ptx);

/* The same with files that arrays come from, found by their paths. */
int program_files(program *p, const char *settings, const char *text, const char *ptx,
                  const msw_workload_file *data, size_t count);

/* Builds the product. Returns 0, or -1 with p->err. */
int program_build(program *p);

/* Finds an array of the product. Returns it, or NULL. */
const msw_simt_array *program_array(const program *p, const char *name);

void program_close(program *p);

#endif
