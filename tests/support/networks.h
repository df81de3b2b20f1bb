/* SPDX-License-Identifier: MIT */
/* Workloads of the npu front end as tests want them: loaded by name from the source tree, or from
 * text, built with a config that the test may change in between. */
#ifndef MEMSWEEP_TESTS_NETWORKS_H
#define MEMSWEEP_TESTS_NETWORKS_H

#include "memsweep/base/text.h"
#include "memsweep/workload/npu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct network {
    msw_workload workload;
    msw_npu_config config;
    msw_arena arena;
    msw_product product;
    const msw_npu_product *p;
    msw_err err;
} network;

/* A workload by name. Returns 0, or -1 with n->err. */
int network_load(network *n, const char *name);

/* A workload from text, as if it were in "net.csv". Returns 0, or -1 with n->err. */
int network_text(network *n, const char *text);

/* Builds with the present config. Returns 0, or -1 with n->err. */
int network_build(network *n);

void network_close(network *n);

/* Checks what is true of every product. Returns NULL, or what is wrong. */
const char *network_fault(const msw_npu_product *p);

#endif
