/* SPDX-License-Identifier: MIT */
/* The tile that Gemmini's library takes for a product (tiled_matmul_auto in its gemmini.h), in
 * blocks of the array: a square of outputs that fills the accumulators, half of the scratchpad for
 * either operand; then N, M and K grow in turn as long as all fits. Loops M, N, K. */
#include "mech/camdn/mapper/mapper.h"

#include <math.h>

enum { M, N, K };

static void start_tile(const camdn_product *p, const camdn_array *a, uint64_t *tile)
{
    double parts = a->single ? 1 : 2, m = (double)p->block[M], n = (double)p->block[N];
    double side = floor(sqrt((double)a->accumulator / (parts * (double)a->sum_bytes) / (m * n)));
    uint64_t blocks = side > 1 ? (uint64_t)side : 1;
    double half = (double)a->scratchpad / (2 * parts * (double)a->element_bytes);
    double depth = floor(half / (double)p->block[K] / ((double)blocks * m));
    tile[M] = msw_min_u64(blocks * p->block[M], p->size[M]);
    tile[N] = msw_min_u64(blocks * p->block[N], p->size[N]);
    tile[K] = msw_min_u64((depth > 1 ? (uint64_t)depth : 1) * p->block[K], p->size[K]);
}

/* Takes a block off the longest side. Returns false when there is one block of each. */
static bool shrink(const camdn_product *p, uint64_t *tile)
{
    static const int ORDER[] = {K, M, N};
    for (int i = 0; i < 3; i++) {
        int d = ORDER[i];
        if (tile[d] > p->block[d]) {
            tile[d] = (msw_div_up(tile[d], p->block[d]) - 1) * p->block[d];
            return true;
        }
    }
    return false;
}

static bool grow(const camdn_product *p, const camdn_array *a, uint64_t *tile, int d)
{
    uint64_t before = tile[d];
    tile[d] = msw_min_u64(before + p->block[d], p->size[d]);
    if (tile[d] > before && camdn_fits(p, a, tile))
        return true;
    tile[d] = before;
    return false;
}

bool camdn_gemmini(const camdn_product *p, const camdn_array *a, camdn_step *step)
{
    camdn_way way = {.order = 0};
    double npu = 0;
    start_tile(p, a, way.tile);
    while (!camdn_fits(p, a, way.tile))
        if (!shrink(p, way.tile))
            return false;
    for (bool grown = true; grown;) {
        grown = grow(p, a, way.tile, N);
        grown |= grow(p, a, way.tile, M);
        grown |= grow(p, a, way.tile, K);
    }
    for (int i = 0; i < CAMDN_OPERANDS; i++)
        npu += camdn_use_of(p, &way, i).npu;
    *step = (camdn_step){.dram_bytes = (uint64_t)ceil(npu),
                         .npu_bytes = (uint64_t)ceil(npu),
                         .m = (uint32_t)way.tile[M],
                         .n = (uint32_t)way.tile[N],
                         .k = (uint32_t)way.tile[K]};
    return true;
}
