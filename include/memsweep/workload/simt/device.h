/* SPDX-License-Identifier: MIT */
/* device: the global memory that a program runs on, made of arrays.
 *
 * An array is a function of the index until it is written: what is read is computed, and a page is
 * allocated at the first write to it, so an array of gigabytes that is only read takes no memory.
 * One device memory belongs to one run of a program and to one thread; the arrays it is made from
 * are immutable and shared. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_DEVICE_H
#define MEMSWEEP_WORKLOAD_SIMT_DEVICE_H

#include "memsweep/base/arena.h"
#include "memsweep/workload/simt/memory.h"
#include "memsweep/workload/simt/program.h"

/* Computes the initial values of elements first .. first + count - 1, at most
 * MSW_SIMT_COMPUTED_BYTES of them, into `out`. */
typedef void msw_simt_values(const void *context, uint64_t first, uint64_t count, void *out);

/* One allocation. */
typedef struct msw_simt_array {
    const char *name;
    msw_simt_type type;       /* u8 .. s64, f16, f32 or f64 */
    uint32_t element_bytes;   /* 1, 2, 4 or 8 */
    bool managed;             /* migrates between host and device; else it stays on the device */
    uint64_t address;         /* a multiple of MSW_SIMT_ALIGNMENT */
    uint64_t count;           /* elements */
    uint64_t bytes;           /* of all elements */
    msw_simt_values *initial; /* NULL: zeroes */
    const void *context;      /* of `initial` */
    bool dropped;             /* slices do not compute what is stored here */
} msw_simt_array;

enum {
    MSW_SIMT_ALIGNMENT = 256,
    MSW_SIMT_PAGE_BYTES = 16384,   /* allocated at once */
    MSW_SIMT_COMPUTED_BYTES = 1024 /* computed at once */
};

/* The lowest address of an array, and where the last one ends. */
#define MSW_SIMT_BASE_ADDRESS UINT64_C(0x200000000)
#define MSW_SIMT_END_ADDRESS  (UINT64_C(1) << 46)

typedef struct msw_simt_device msw_simt_device;

/* Makes the memory of a run. `arrays` are in order of address and do not overlap; they outlive the
 * memory. At most `most_bytes` of pages are allocated. It has an arena of its own: pages come while
 * others take and release theirs. Returns it, or NULL with `err`. */
msw_simt_device *msw_simt_device_new(const msw_simt_array *arrays, size_t count,
                                     uint64_t most_bytes, msw_err *err);

/* The same, but everything is taken from `arena`: nothing is to be freed, and what others take from
 * it must not be released while the memory lives. */
msw_simt_device *msw_simt_device_in(msw_arena *arena, const msw_simt_array *arrays, size_t count,
                                    uint64_t most_bytes, msw_err *err);

/* Makes a memory over another one in the arena: it has what that one has until it is written
 * itself, and never writes through. `under` outlives it. Returns it, or NULL with `err`. */
msw_simt_device *msw_simt_device_over(msw_arena *arena, const msw_simt_device *under,
                                      uint64_t most_bytes, msw_err *err);

/* From now on only slices run on it: to read an array that is `dropped` is an error. */
void msw_simt_device_slices(msw_simt_device *device);

/* Frees the memory that msw_simt_device_new made; NULL is fine. */
void msw_simt_device_free(msw_simt_device *device);

/* Returns what an interpreter asks of it. */
const msw_simt_memory *msw_simt_device_memory(msw_simt_device *device);

/* Forgets all that was written: every array has its initial values again. Spans end. */
void msw_simt_device_reset(msw_simt_device *device);

/* Returns the array that holds an address, or NULL. */
const msw_simt_array *msw_simt_device_find(const msw_simt_device *device, uint64_t address);

/* Returns the bytes of the pages that are allocated. */
uint64_t msw_simt_device_written(const msw_simt_device *device);

#endif
