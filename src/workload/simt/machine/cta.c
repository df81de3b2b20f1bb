/* SPDX-License-Identifier: MIT */
/* CTAs: their state at the start. */
#include "workload/simt/machine/code.h"

#include <string.h>

/* The special registers of three dimensions come first in the enum, each as x, y, z. */
static uint32_t special_value(const msw_simt_cta *cta, uint32_t warp, uint32_t lane,
                              simt_special special)
{
    const msw_simt_launch *launch = &cta->code->launch;
    if (special <= S_NTID_Z)
        return launch->block[special - S_NTID_X];
    if (special <= S_CTAID_Z)
        return cta->id[special - S_CTAID_X];
    if (special <= S_NCTAID_Z)
        return launch->grid[special - S_NCTAID_X];
    switch (special) {
    case S_LANEID:
        return lane;
    case S_WARPID:
        return warp;
    case S_NWARPID:
        return cta->code->warps;
    case S_LANEMASK_EQ:
        return 1u << lane;
    case S_LANEMASK_LT:
        return (1u << lane) - 1;
    case S_LANEMASK_LE:
        return ((1u << lane) - 1) | 1u << lane;
    case S_LANEMASK_GT:
        return ~(((1u << lane) - 1) | 1u << lane);
    case S_LANEMASK_GE:
        return ~((1u << lane) - 1);
    case S_DYNAMIC_SMEM:
        return launch->dynamic_shared_bytes;
    case S_TOTAL_SMEM:
        return (uint32_t)cta->code->shared_bytes;
    case S_NSMID:
    case S_ONE:
        return 1;
    default:
        return 0;
    }
}

/* Threads of a warp follow each other, x fastest. */
static void start_threads(const msw_simt_cta *cta, uint32_t warp, const simt_special_slot *slot)
{
    const uint32_t *block = cta->code->launch.block;
    unsigned char *at = cta->warps[warp].regs + slot->offset;
    uint32_t thread = warp * MSW_SIMT_LANES;
    uint32_t tid[3] = {thread % block[0], thread / block[0] % block[1],
                       thread / block[0] / block[1]};
    for (uint32_t lane = 0; lane < MSW_SIMT_LANES; lane++) {
        uint64_t value = tid[slot->special - S_TID_X];
        memcpy(at + lane * slot->bytes, &value, slot->bytes);
        if (++tid[0] < block[0])
            continue;
        tid[0] = 0;
        if (++tid[1] < block[1])
            continue;
        tid[1] = 0;
        tid[2]++;
    }
}

static void start_specials(const msw_simt_cta *cta, uint32_t warp)
{
    for (uint32_t i = 0; i < cta->code->special_count; i++) {
        const simt_special_slot *slot = &cta->code->specials[i];
        unsigned char *at = cta->warps[warp].regs + slot->offset;
        bool differs = slot->special == S_LANEID ||
                       (slot->special >= S_LANEMASK_EQ && slot->special <= S_LANEMASK_GT);
        if (slot->special <= S_TID_Z) {
            start_threads(cta, warp, slot);
            continue;
        }
        uint64_t value = special_value(cta, warp, 0, slot->special);
        for (uint32_t lane = 0; lane < MSW_SIMT_LANES; lane++) {
            if (differs)
                value = special_value(cta, warp, lane, slot->special);
            memcpy(at + lane * slot->bytes, &value, slot->bytes);
        }
    }
}

static void start_warp(msw_simt_cta *cta, uint32_t w)
{
    const msw_simt_code *code = cta->code;
    simt_warp *warp = &cta->warps[w];
    uint32_t first = w * MSW_SIMT_LANES, ones = UINT32_MAX;
    uint32_t lanes =
        code->threads - first < MSW_SIMT_LANES ? code->threads - first : MSW_SIMT_LANES;
    uint32_t live = lanes == MSW_SIMT_LANES ? UINT32_MAX : (1u << lanes) - 1;
    warp->regs =
        (unsigned char *)cta + code->reg_offset + (size_t)w * ((code->reg_bytes + 63) / 64 * 64);
    memset(warp->regs, 0, code->reg_bytes);
    memcpy(warp->regs + SIMT_ONES, &ones, sizeof ones);
    warp->depth = 1;
    warp->live = live;
    warp->state = MSW_SIMT_READY;
    warp->issued = 0;
    warp->reduction = NULL;
    warp->frames[0] = (simt_frame){0, MSW_SIMT_NONE, live};
    start_specials(cta, w);
}

msw_simt_cta *msw_simt_cta_start(const msw_simt_code *code, uint64_t number, void *block)
{
    msw_simt_cta *cta = block;
    const uint32_t *grid = code->launch.grid;
    memset(cta, 0, sizeof *cta);
    cta->code = code;
    cta->number = number;
    cta->id[0] = (uint32_t)(number % grid[0]);
    cta->id[1] = (uint32_t)(number / grid[0] % grid[1]);
    cta->id[2] = (uint32_t)(number / grid[0] / grid[1]);
    cta->live_warps = code->warps;
    cta->warps = (simt_warp *)((unsigned char *)block + code->warp_offset);
    cta->shared = (unsigned char *)block + code->shared_offset;
    cta->local = (unsigned char *)block + code->local_offset;
    memset(cta->shared, 0, code->shared_bytes);
    memset(cta->local, 0, code->local_bytes * code->warps * MSW_SIMT_LANES);
    for (uint32_t w = 0; w < code->warps; w++)
        start_warp(cta, w);
    return cta;
}

void msw_simt_cta_count_into(msw_simt_cta *cta, msw_simt_counts *counts)
{
    cta->counts = counts;
}

void msw_simt_counts_finish(const msw_simt_kernel *kernel, msw_simt_counts *counts)
{
    for (uint32_t i = 1; i < kernel->insn_count; i++)
        counts->warps[i] += counts->warps[i - 1];
}

msw_simt_warp_state msw_simt_warp_now(const msw_simt_cta *cta, uint32_t warp)
{
    return (msw_simt_warp_state)cta->warps[warp].state;
}

bool msw_simt_cta_done(const msw_simt_cta *cta)
{
    return cta->live_warps == 0;
}

uint32_t msw_simt_warp_next(const msw_simt_cta *cta, uint32_t warp, uint32_t *mask)
{
    const simt_warp *w = &cta->warps[warp];
    *mask = w->frames[w->depth - 1].mask;
    return w->frames[w->depth - 1].pc;
}
