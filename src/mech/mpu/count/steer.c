/* SPDX-License-Identifier: MIT */
#include "mech/mpu/count/steer.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/search.h"
#include "memsweep/workload/simt/flow.h"

int mpu_steer_start(mpu_steer *steer, const msw_simt_kernel *kernel, msw_arena *arena, msw_err *err)
{
    *steer = (mpu_steer){.kernel = kernel};
    steer->slice = msw_simt_slice_of(kernel, NULL, arena, err);
    return steer->slice ? 0 : -1;
}

static uint64_t bit_of(const msw_simt_product *product, uint64_t address)
{
    size_t after;
    MSW_SEARCH(after, 0, product->array_count, product->arrays[after].address <= address);
    return after ? UINT64_C(1) << (after - 1) % MPU_STEER_ARRAYS : 0;
}

void mpu_steer_see(mpu_steer *steer, const msw_simt_product *product, const msw_simt_step *step)
{
    uint32_t number = step->first + step->count - 1;
    const msw_simt_insn *insn = &steer->kernel->insns[number];
    bool reads = insn->def_count && steer->slice[number];
    if (step->space != MSW_SIMT_GLOBAL || (!reads && !insn->is_store))
        return;
    for (uint32_t i = 0; i < step->line_count; i++) {
        uint64_t bit = bit_of(product, step->lines[i].address);
        steer->read |= reads ? bit : 0;
        steer->written |= insn->is_store ? bit : 0;
    }
}

/* A launch that is alone in its group ran on all that others wrote before it. */
static bool is_unseen(const mpu_groups *groups, uint32_t of, uint32_t by)
{
    return of == by || groups->list[by].launches > 1;
}

mpu_steered mpu_steer_find(const msw_simt_product *product, const mpu_groups *groups,
                           const mpu_steer *steers)
{
    for (uint32_t by = 0; by < groups->count; by++)
        for (uint32_t of = 0; of < groups->count; of++) {
            uint64_t both = steers[by].read & steers[of].written;
            if (both && is_unseen(groups, of, by))
                return (mpu_steered){steers[by].kernel, steers[of].kernel,
                                     &product->arrays[msw_bits_lowest(both)]};
        }
    return (mpu_steered){0};
}
