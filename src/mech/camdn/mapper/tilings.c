/* SPDX-License-Identifier: MIT */
/* Lists the ways of a product as staircases: steps of rising cache and falling memory traffic. All
 * ways are the smallest tile of each number of tiles, in blocks of the array, along each dimension;
 * all orders; all that may stay. Traffic sees a tile's size only through the number of tiles, and a
 * smaller tile needs no more room: no other tile can be better. With `tiling: odd` sizes are of any
 * number of elements that leaves the array's cycles as they are.
 *
 * Gemmini's library takes one tile for a product (tiled_matmul_auto in its gemmini.h), in blocks of
 * the array: a square of outputs that fills the accumulators, half of the scratchpad for either
 * operand; then N, M and K grow in turn as long as all fits. Loops M, N, K. */
#include "mech/camdn/mapper/mapper.h"

#include "memsweep/base/search.h"
#include "memsweep/base/vec.h"

#include <math.h>
#include <string.h>

/* ---- staircases ---- */

/* Of steps that move and hold the same, the one that requests less of the cache is better. */
static bool is_no_better(const camdn_step *old, const camdn_step *step)
{
    if (old->dram_bytes != step->dram_bytes)
        return old->dram_bytes < step->dram_bytes;
    return old->cache_bytes < step->cache_bytes || old->npu_bytes <= step->npu_bytes;
}

static bool has_room(camdn_stair_list *list)
{
    if (list->count < list->room)
        return true;
    msw_err err = {0};
    list->failed |= msw_vec_reserve_in(list->arena, &list->steps, &list->room, list->count + 1,
                                       sizeof *list->steps, &err) != 0;
    return !list->failed;
}

void camdn_stairs_add(camdn_stair_list *list, const camdn_step *step)
{
    size_t at;
    MSW_SEARCH(at, 0, list->count, list->steps[at].cache_bytes <= step->cache_bytes);
    size_t end = at;
    if ((at > 0 && is_no_better(&list->steps[at - 1], step)) || !has_room(list))
        return;
    if (at > 0 && list->steps[at - 1].cache_bytes == step->cache_bytes)
        at--;
    while (end < list->count && list->steps[end].dram_bytes >= step->dram_bytes)
        end++;
    size_t rest = list->count - end;
    memmove(&list->steps[at + 1], &list->steps[end], rest * sizeof *list->steps);
    list->steps[at] = *step;
    list->count = at + 1 + rest;
}

/* ---- all ways ---- */

size_t camdn_tile_sizes(uint64_t size, uint64_t block, uint64_t *sizes)
{
    uint64_t blocks = msw_div_up(size, block), tiles = blocks;
    for (size_t count = 0;; count++) {
        uint64_t each = msw_div_up(blocks, tiles);
        if (sizes)
            sizes[count] = msw_min_u64(each * block, size);
        tiles = msw_div_up(blocks, each);
        if (tiles == 1)
            return count + 1;
        tiles--;
    }
}

static uint64_t blocks_of(uint64_t size, uint64_t block, uint64_t tile)
{
    uint64_t rest = size % tile;
    return size / tile * msw_div_up(tile, block) + msw_div_up(rest, block);
}

size_t camdn_odd_sizes(uint64_t size, uint64_t block, bool streams, uint64_t *sizes)
{
    size_t count = 0;
    for (uint64_t tile = 1, last = 0; tile <= size; tile++) {
        uint64_t tiles = msw_div_up(size, tile);
        bool is_free =
            streams ? tile >= block : blocks_of(size, block, tile) == msw_div_up(size, block);
        if (tiles == last || !is_free)
            continue;
        last = tiles;
        if (sizes)
            sizes[count] = tile;
        count++;
    }
    return count;
}

enum { M, N, K };

/* The dimension that streams through the array, by dataflow. */
static const int STREAMS[] = {[MSW_NPU_WEIGHT_STATIONARY] = M,
                              [MSW_NPU_OUTPUT_STATIONARY] = K,
                              [MSW_NPU_INPUT_STATIONARY] = N};

static size_t sizes_of(const camdn_product *p, const camdn_array *array, int d, uint64_t *sizes)
{
    if (array->tiling == CAMDN_TILING_ODD)
        return camdn_odd_sizes(p->size[d], p->block[d], STREAMS[array->dataflow] == d, sizes);
    return camdn_tile_sizes(p->size[d], p->block[d], sizes);
}

/* Choices of an operand with the cache under one tile and order: none twice. */
typedef struct choices {
    camdn_use use[CAMDN_STAYS];
    uint8_t stay[CAMDN_STAYS];
    int count;
} choices;

typedef struct walk {
    const camdn_product *product;
    const camdn_array *array;
    unsigned helds;
    camdn_stair_list *lists;
    camdn_way way;
    choices of[CAMDN_OPERANDS];
    uint64_t points;
} walk;

static void add_choice(walk *w, int operand)
{
    choices *c = &w->of[operand];
    c->count = 0;
    for (int s = 0; s < CAMDN_STAYS; s++) {
        w->way.stay[operand] = (uint8_t)s;
        camdn_use use = camdn_use_of(w->product, &w->way, operand);
        bool known = false;
        for (int i = 0; i < c->count; i++)
            known |= c->use[i].dram <= use.dram && c->use[i].cache <= use.cache;
        if (known)
            continue;
        c->stay[c->count] = (uint8_t)s;
        c->use[c->count++] = use;
    }
}

static void add_step(walk *w, unsigned held, const int *at)
{
    double cache = 0, dram = 0, npu = 0;
    for (int i = 0; i < CAMDN_OPERANDS; i++) {
        const camdn_use *use = &w->of[i].use[at[i]];
        npu += use->npu;
        dram += held >> i & 1 ? 0 : use->dram;
        cache += held >> i & 1 ? 0 : use->cache;
    }
    const camdn_way *way = &w->way;
    camdn_step step = {
        .cache_bytes = (uint64_t)ceil(cache),
        .dram_bytes = (uint64_t)ceil(dram),
        .npu_bytes = (uint64_t)ceil(npu),
        .m = (uint32_t)way->tile[0],
        .n = (uint32_t)way->tile[1],
        .k = (uint32_t)way->tile[2],
        .order = way->order,
        .stay = {w->of[0].stay[at[0]], w->of[1].stay[at[1]], w->of[2].stay[at[2]]},
    };
    camdn_stairs_add(&w->lists[held], &step);
    w->points++;
}

/* Held operands have one choice: it is not theirs. */
static void add_choices(walk *w, unsigned held)
{
    int count[CAMDN_OPERANDS], at[CAMDN_OPERANDS];
    for (int i = 0; i < CAMDN_OPERANDS; i++)
        count[i] = held >> i & 1 ? 1 : w->of[i].count;
    for (at[0] = 0; at[0] < count[0]; at[0]++)
        for (at[1] = 0; at[1] < count[1]; at[1]++)
            for (at[2] = 0; at[2] < count[2]; at[2]++)
                add_step(w, held, at);
}

static void add_tile(walk *w)
{
    if (!camdn_fits(w->product, w->array, w->way.tile))
        return;
    for (w->way.order = 0; w->way.order < 6; w->way.order++) {
        for (int i = 0; i < CAMDN_OPERANDS; i++)
            add_choice(w, i);
        for (unsigned held = 0; held < CAMDN_HELD; held++)
            if (w->helds >> held & 1)
                add_choices(w, held);
    }
}

int camdn_enumerate(const camdn_product *p, const camdn_array *array, unsigned helds,
                    camdn_stair_list *lists, msw_arena *scratch, uint64_t *points)
{
    uint64_t *sizes[3];
    size_t count[3];
    for (int i = 0; i < 3; i++) {
        count[i] = sizes_of(p, array, i, NULL);
        sizes[i] = msw_arena_take(scratch, count[i] * sizeof *sizes[i]);
        if (!sizes[i])
            return -1;
        sizes_of(p, array, i, sizes[i]);
    }
    walk w = {.product = p, .array = array, .helds = helds, .lists = lists};
    for (size_t m = 0; m < count[0]; m++)
        for (size_t n = 0; n < count[1]; n++)
            for (size_t k = 0; k < count[2]; k++) {
                w.way.tile[0] = sizes[0][m];
                w.way.tile[1] = sizes[1][n];
                w.way.tile[2] = sizes[2][k];
                add_tile(&w);
            }
    *points += w.points;
    for (unsigned held = 0; held < CAMDN_HELD; held++)
        if (lists[held].failed)
            return -1;
    return 0;
}

/* ---- Gemmini's rule ---- */

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
static bool shrink_tile(const camdn_product *p, uint64_t *tile)
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

static bool widen_tile(const camdn_product *p, const camdn_array *a, uint64_t *tile, int d)
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
        if (!shrink_tile(p, way.tile))
            return false;
    for (bool grown = true; grown;) {
        grown = widen_tile(p, a, way.tile, N);
        grown |= widen_tile(p, a, way.tile, M);
        grown |= widen_tile(p, a, way.tile, K);
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
