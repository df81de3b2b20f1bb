/* SPDX-License-Identifier: MIT */
/* All ways of a product: the smallest tile of each number of tiles, in blocks of the array, along
 * each dimension; all orders; all that may stay. Traffic sees a tile's size only through the number
 * of tiles, and a smaller tile needs no more room: no other tile can be better. */
#include "mech/camdn/mapper/mapper.h"

#include <math.h>

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

/* What an operand may do with the cache under one tile and order: none twice. */
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

static void choose(walk *w, int operand)
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

static void add(walk *w, unsigned held, const int *at)
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
                add(w, held, at);
}

static void add_tile(walk *w)
{
    if (!camdn_fits(w->product, w->array, w->way.tile))
        return;
    for (w->way.order = 0; w->way.order < 6; w->way.order++) {
        for (int i = 0; i < CAMDN_OPERANDS; i++)
            choose(w, i);
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
        count[i] = camdn_tile_sizes(p->size[i], p->block[i], NULL);
        sizes[i] = msw_arena_take(scratch, count[i] * sizeof *sizes[i]);
        if (!sizes[i])
            return -1;
        camdn_tile_sizes(p->size[i], p->block[i], sizes[i]);
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
