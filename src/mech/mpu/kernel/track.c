/* SPDX-License-Identifier: MIT */
/* Tracks the registers of a warp: the register track table (section IV-B1: three steps). */
#include "mech/mpu/kernel/kernel.h"

#include <string.h>

uint32_t mpu_track_words(const msw_simt_kernel *kernel)
{
    return kernel->reg_count / 64 + 1;
}

void mpu_track_start(const msw_simt_kernel *kernel, mpu_track *track)
{
    size_t bytes = mpu_track_words(kernel) * sizeof *track->near_valid;
    memset(track->near_valid, 0xff, bytes);
    memset(track->far_valid, 0xff, bytes);
}

uint32_t mpu_move_bytes(const msw_simt_reg *reg)
{
    return reg->bytes == 8 ? 2 * MPU_REG_BYTES : reg->bytes ? MPU_REG_BYTES : MPU_LANES / 8;
}

static bool has_copy(const uint64_t *set, uint32_t reg)
{
    return set[reg / 64] >> reg % 64 & 1;
}

static void set_copy(uint64_t *set, uint32_t reg, bool valid)
{
    uint64_t bit = (uint64_t)1 << reg % 64;
    set[reg / 64] = valid ? set[reg / 64] | bit : set[reg / 64] & ~bit;
}

/* Step 1: near when every source has a near copy. */
static mpu_side side_by_table(const mpu_config *config, const msw_simt_insn *insn,
                              const mpu_track *track)
{
    if (config->immediates_far && (insn->has_immediate || insn->reads_special))
        return MPU_FAR;
    for (uint32_t u = 0; u < insn->use_count; u++)
        if (!has_copy(track->near_valid, insn->uses[u]))
            return MPU_FAR;
    return MPU_NEAR;
}

/* Steps 2 and 3 for one source. */
static void bring_source(mpu_track *track, uint32_t reg, mpu_side side, mpu_issue *out)
{
    bool near = side == MPU_NEAR;
    uint64_t *set = near ? track->near_valid : track->far_valid;
    if (has_copy(set, reg))
        return;
    set_copy(set, reg, true);
    if (out->move_count < MPU_MOVES) {
        out->moves[out->move_count].reg = reg;
        out->moves[out->move_count++].to_near = near;
    }
}

static void write_to(mpu_track *track, uint32_t reg, mpu_side side)
{
    set_copy(track->near_valid, reg, side != MPU_FAR);
    set_copy(track->far_valid, reg, side != MPU_NEAR);
}

/* An instruction that is executed on each side reads and writes there: a register that only such
 * instructions write never moves. */
static void bring_twice(const msw_simt_insn *insn, mpu_track *track, mpu_issue *out)
{
    for (uint32_t u = 0; u < insn->use_count; u++) {
        bring_source(track, insn->uses[u], MPU_NEAR, out);
        bring_source(track, insn->uses[u], MPU_FAR, out);
    }
    for (uint32_t d = 0; d < insn->def_count; d++)
        write_to(track, insn->defs[d], MPU_BOTH);
}

static void bring_sources(const msw_simt_insn *insn, const mpu_insn *own, mpu_track *track,
                          mpu_issue *out)
{
    bool apart = own->address_side != MPU_UNKNOWN;
    mpu_side values = apart ? (mpu_side)own->value_side : out->side;
    if (insn->guard != MSW_SIMT_NONE)
        bring_source(track, insn->guard, own->guard_side ? (mpu_side)own->guard_side : out->side,
                     out);
    if (apart) {
        for (uint32_t u = 0; u < insn->address_count; u++)
            bring_source(track, insn->address_uses[u], (mpu_side)own->address_side, out);
        for (uint32_t u = 0; u < insn->value_count; u++)
            bring_source(track, insn->value_uses[u], values, out);
    } else {
        for (uint32_t u = 0; u < insn->use_count; u++)
            if (insn->uses[u] != insn->guard)
                bring_source(track, insn->uses[u], values, out);
    }
    for (uint32_t d = 0; d < insn->def_count; d++)
        write_to(track, insn->defs[d], values);
}

void mpu_track_issue(const mpu_config *config, const mpu_kernel *kernel, uint32_t insn,
                     mpu_track *track, mpu_issue *out)
{
    const msw_simt_insn *now = &kernel->kernel->insns[insn];
    const mpu_insn *own = &kernel->insns[insn];
    out->move_count = 0;
    out->side =
        own->decision == MPU_BY_TABLE ? side_by_table(config, now, track) : (mpu_side)own->side;
    if (mpu_runs_twice(own))
        out->side = MPU_NEAR;
    out->offloaded = config->pipeline == MPU_PIPELINE_HYBRID && out->side == MPU_NEAR;
    if (mpu_runs_twice(own))
        bring_twice(now, track, out);
    else
        bring_sources(now, own, track, out);
}
