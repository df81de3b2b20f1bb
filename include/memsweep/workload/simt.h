/* SPDX-License-Identifier: MIT */
/* simt: the front end that runs kernels compiled to PTX.
 *
 * A workload is two files: a declarative one (.simt: arrays with initial values, launches,
 * synchronisations) and the PTX that `nvcc -ptx` made. The product is what the two say; whoever
 * simulates makes a device memory from its arrays (simt/device.h) and runs its launches one after
 * the other (simt/machine.h). docs/models/simt.md defines the format. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_H
#define MEMSWEEP_WORKLOAD_SIMT_H

#include "memsweep/workload/simt/device.h"
#include "memsweep/workload/simt/machine.h"
#include "memsweep/workload/workload.h"

typedef struct msw_simt_config {
    int64_t alignment;
} msw_simt_config;

typedef enum msw_simt_stage_kind {
    MSW_SIMT_STAGE_LAUNCH,
    MSW_SIMT_STAGE_SYNC,       /* the host waits for the device */
    MSW_SIMT_STAGE_HOST_READ,  /* the host reads elements of an array */
    MSW_SIMT_STAGE_HOST_WRITE, /* the host writes elements, where `values` is NULL what they are */
} msw_simt_stage_kind;

/* What the host does next. */
typedef struct msw_simt_stage {
    msw_simt_stage_kind kind;
    uint32_t line; /* of the workload file */
    /* launch */
    const msw_simt_kernel *kernel;
    uint32_t grid[3], block[3], dynamic_shared_bytes;
    const unsigned char *params;
    const uint8_t *needed; /* [instruction]: the slice of the program in this kernel */
    bool builds;           /* stores what a later launch takes addresses or predicates from */
    /* host */
    const msw_simt_array *array;
    uint64_t first, count; /* elements */
    msw_simt_values *values;
    const void *context; /* of `values` */
} msw_simt_stage;

/* Product (MSW_PRODUCT_PROGRAM). */
typedef struct msw_simt_product {
    const char *title;
    const msw_simt_program *program;
    const msw_simt_array *arrays; /* by address; the module's own variables are the last ones */
    size_t array_count;
    const uint64_t *variable_addresses; /* of the program's variables */
    const msw_simt_stage *stages;
    size_t stage_count, launch_count;
    uint64_t cta_count; /* of all launches */
    uint64_t footprint_bytes;
} msw_simt_product;

/* Makes a launch of a stage of kind MSW_SIMT_STAGE_LAUNCH, ready for msw_simt_decode. Returns it.
 */
msw_simt_launch msw_simt_stage_launch(const msw_simt_product *product, const msw_simt_stage *stage,
                                      const msw_simt_memory *memory, msw_simt_mode mode);

/* Writes what the host writes in a stage of any kind. Returns 0, or -1. */
int msw_simt_stage_write(const msw_simt_stage *stage, const msw_simt_memory *memory, msw_err *err);

/* Writes what the host writes between the launch before and stage `stage` of the product. Returns
 * 0, or -1. */
int msw_simt_host_before(const msw_simt_product *product, const msw_simt_stage *stage,
                         const msw_simt_memory *memory, msw_err *err);

/* Runs the program in values and prints what it leaves in an array ("y", "y[3]", "y[0 .. 9]"), an
 * index and a value per line. Returns 0, or -1. */
int msw_simt_print_values(const msw_simt_product *product, const char *array, msw_text *out,
                          msw_err *err);

extern const msw_frontend msw_frontend_simt;

#endif
