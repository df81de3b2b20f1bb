/* SPDX-License-Identifier: MIT */
/* Private to mpu: one launch run without time, on some cores: parts of profile.c. */
#ifndef MSW_MECH_MPU_CLOSED_REPLAY_H
#define MSW_MECH_MPU_CLOSED_REPLAY_H

#include "mech/mpu/closed/profile.h"
#include "mech/mpu/count/walk.h"

/* Open rows of all banks, in the order of the accesses. */
typedef struct mpu_rows {
    const mpu_config *config;
    uint32_t *open; /* [bank * row_buffers] row + 1; for lru by recency */
    uint64_t banks;
    uint32_t row_bits;
} mpu_rows;

int mpu_rows_init(mpu_rows *rows, const mpu_map *map, msw_arena *arena, msw_err *err);

/* Accesses a location; adds a hit, a closed row or a conflict to `totals`. Returns whether its row
 * was open. */
bool mpu_rows_use(mpu_rows *rows, const mpu_location *at, double *totals);

/* Runs launch `stage` on some cores and fills means of one CTA into `out`. Returns 0, or -1. */
int mpu_replay(const mpu_config *config, const msw_simt_product *product, const mpu_kernel *kernel,
               uint32_t stage, const msw_simt_memory *memory, mpu_profile_class *out, msw_err *err);

/* Multiplies all counts of a class that represent one CTA. */
void mpu_class_scale(mpu_profile_class *out, double by);

/* Runs CTAs of all cores for who works how much, what all accesses are, and who is asked for what,
 * and fills that. `out` has the counts of instructions and rows of mpu_replay, which are scaled to
 * all CTAs. Returns 0, or -1. */
int mpu_census(const mpu_config *config, const mpu_kernel *kernel, const mpu_map *map,
               const msw_simt_code *code, msw_arena *arena, mpu_profile_class *out, msw_err *err);

/* Counts the most CTAs that a core gets: dealt out in turn, or, with dispatch: owner, counted over
 * some at equal distances. Returns 0, or -1. */
int mpu_most_ctas(const mpu_config *config, const mpu_map *map, const msw_simt_code *code,
                  msw_arena *arena, double *most, msw_err *err);

#endif
