/* SPDX-License-Identifier: MIT */
/* Private to neummu: the steps in which the page streams are made. */
#ifndef MSW_MECH_NEUMMU_STREAM_PARTS_H
#define MSW_MECH_NEUMMU_STREAM_PARTS_H

#include "mech/neummu/stream.h"

#include "memsweep/workload/npu.h"

/* The tensors of a product, those that share memory as one, in order of addresses. */
typedef struct neummu_extents {
    msw_npu_tensor *list;
    uint64_t count;
} neummu_extents;

/* Finds them. Returns 0, or -1. */
int neummu_extents_find(neummu_extents *extents, const msw_npu_product *product, msw_arena *arena,
                        msw_err *err);

/* Returns whether one of them holds all from `address` to `end`. */
bool neummu_extents_hold(const neummu_extents *extents, uint64_t address, uint64_t end);

/* Finds the rows that segments cover. Returns 0, or -1. */
int neummu_extents_of_rows(neummu_extents *extents, const msw_npu_segment *segments, uint32_t count,
                           msw_arena *arena, msw_err *err);

/* Returns whether an address lies inside one; `until` becomes where that ends. */
bool neummu_extents_at(const neummu_extents *extents, uint64_t address, uint64_t *until);

/* Returns how many tiles a stream has: those of the product, and where outputs are forwarded the
 * first tiles of layers that are repeated a second time: there another tile comes before them. */
uint64_t neummu_tile_count(const msw_npu_product *product, const neummu_config *config);

/* Cuts the segments of all tiles of a product into visits. Returns 0, or -1. */
int neummu_cut(const msw_npu_product *product, const neummu_config *config, msw_arena *arena,
               neummu_tile *tiles, msw_err *err);

/* Fills in the traffic of all steps and the distinct pages of tiles. Returns 0, or -1. */
int neummu_profile(const msw_npu_product *product, neummu_stream *stream, neummu_tile *tiles,
                   neummu_step *steps, msw_arena *arena, msw_err *err);

/* Sorts the steps into strata. Returns 0, or -1. */
int neummu_make_strata(const msw_npu_product *product, msw_arena *arena, neummu_stream *stream,
                       msw_err *err);

#endif
