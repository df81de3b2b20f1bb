/* SPDX-License-Identifier: MIT */
/* Does the mapper find what trying everything finds, and do whole networks move what published
 * arithmetic says? */
#include "streams.h"
#include "testing.h"

#include "mech/camdn/plan/plan.h"

#include "memsweep/base/rng.h"
#include "memsweep/workload/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An NPU of the paper: 32 x 32, 256 KiB, 64 KiB of accumulators. */
static const camdn_array PAPER = {.arrays = 1,
                                  .rows = 32,
                                  .cols = 32,
                                  .dataflow = MSW_NPU_WEIGHT_STATIONARY,
                                  .scratchpad = 256 << 10,
                                  .accumulator = 64 << 10,
                                  .element_bytes = 2,
                                  .sum_bytes = 4,
                                  .depthwise = CAMDN_DEPTHWISE_PACKED,
                                  .lanes = 32};

static void test_tile_sizes_are_the_smallest_of_each_number(void **state)
{
    (void)state;
    uint64_t sizes[64];
    assert_int_equal(camdn_tile_sizes(10, 1, sizes), 6);
    const uint64_t known[] = {1, 2, 3, 4, 5, 10}; /* 10, 5, 4, 3, 2 tiles and 1 */
    assert_memory_equal(sizes, known, sizeof known);
    for (uint64_t size = 1; size < 200; size++)
        for (uint64_t block = 1; block <= size && block < 9; block++) {
            size_t count = camdn_tile_sizes(size, block, sizes), i = 0;
            for (uint64_t t = 1, last = UINT64_MAX; t <= msw_div_up(size, block); t++) {
                uint64_t tiles = msw_div_up(msw_div_up(size, block), t);
                if (tiles == last)
                    continue;
                assert_true(i < count);
                assert_int_equal(sizes[i++], t * block < size ? t * block : size);
                last = tiles;
            }
            assert_int_equal(i, count);
        }
}

/* One operand's bytes and reads by walking the loops, tile by tile: what is in the buffer is not
 * moved again, sums that come back are read and written. */
static double walked_npu(const camdn_product *p, const camdn_array *a, const camdn_way *way,
                         int operand)
{
    static const int HAS[3][2] = {{0, 2}, {1, 2}, {0, 1}};
    uint64_t turns[3], at[3], now[3] = {0};
    double moved = 0, size = p->bytes[operand];
    static uint8_t seen[1 << 12];
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < 3; i++)
        turns[i] = msw_div_up(p->size[i], way->tile[i]);
    const uint8_t *order = camdn_orders[way->order];
    int first = HAS[operand][0], second = HAS[operand][1];
    double tile = size / (double)(turns[first] * turns[second]);
    uint64_t last = UINT64_MAX;
    for (now[0] = 0; now[0] < turns[order[0]]; now[0]++)
        for (now[1] = 0; now[1] < turns[order[1]]; now[1]++)
            for (now[2] = 0; now[2] < turns[order[2]]; now[2]++) {
                for (int i = 0; i < 3; i++)
                    at[order[i]] = now[i];
                uint64_t number = at[first] * turns[second] + at[second];
                if (number == last)
                    continue;
                last = number;
                if (operand != CAMDN_C)
                    moved += tile;
                else if (seen[number])
                    moved += 2 * tile * (double)a->sum_bytes / (double)a->element_bytes;
                else
                    moved += tile;
                seen[number] = 1;
            }
    return moved * (double)p->instances;
}

static camdn_product matrix(uint64_t m, uint64_t n, uint64_t k, uint64_t block)
{
    return (camdn_product){
        .bytes = {2. * (double)(m * k), 2. * (double)(n * k), 2. * (double)(m * n)},
        .size = {m, n, k},
        .block = {msw_min_u64(block, m), msw_min_u64(block, n), msw_min_u64(block, k)},
        .instances = 1,
        .sums_share = 2,
        .steps = 1};
}

static void test_what_moves_is_what_a_walk_of_the_loops_moves(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        msw_rng rng;
        msw_rng_init(&rng, seed, 0);
        uint64_t size[3];
        for (int i = 0; i < 3; i++)
            size[i] = 1 + msw_rng_below(&rng, 12);
        camdn_product p = matrix(size[0], size[1], size[2], 1);
        camdn_way way = {.order = (uint8_t)msw_rng_below(&rng, 6)};
        for (int i = 0; i < 3; i++)
            way.tile[i] = 1 + msw_rng_below(&rng, size[i]);
        for (int o = 0; o < CAMDN_OPERANDS; o++)
            assert_true(fabs(camdn_use_of(&p, &way, o).npu - walked_npu(&p, &PAPER, &way, o)) <
                        1e-6);
    }
}

/* Cycles of the array along a dimension, tile by tile; of weights that stay, M streams. */
static uint64_t array_cycles(const camdn_product *p, int d, uint64_t tile)
{
    uint64_t cycles = 0;
    for (uint64_t at = 0; at < p->size[d]; at += tile)
        cycles += msw_div_up(msw_min_u64(tile, p->size[d] - at), p->block[d]);
    return cycles;
}

static bool costs_cycles(const camdn_product *p, const uint64_t *tile)
{
    for (int d = 1; d < 3; d++)
        if (array_cycles(p, d, tile[d]) > array_cycles(p, d, p->size[d]))
            return true;
    return tile[0] < p->block[0];
}

/* All tiles of whole blocks, not only the smallest of each number; or of any size. */
static void brute_force(const camdn_product *p, const camdn_array *array, unsigned held,
                        camdn_stair_list *list)
{
    uint64_t most[3], t[3], unit[3];
    for (int i = 0; i < 3; i++) {
        unit[i] = array->tiling == CAMDN_TILING_ODD ? 1 : p->block[i];
        most[i] = msw_div_up(p->size[i], unit[i]);
    }
    for (t[0] = 1; t[0] <= most[0]; t[0]++)
        for (t[1] = 1; t[1] <= most[1]; t[1]++)
            for (t[2] = 1; t[2] <= most[2]; t[2]++)
                for (int choice = 0; choice < 6 * 27; choice++) {
                    camdn_way way = {.order = (uint8_t)(choice / 27),
                                     .stay = {(uint8_t)(choice % 3), (uint8_t)(choice / 3 % 3),
                                              (uint8_t)(choice / 9 % 3)}};
                    double cache = 0, dram = 0, npu = 0;
                    for (int i = 0; i < 3; i++)
                        way.tile[i] = msw_min_u64(t[i] * unit[i], p->size[i]);
                    if (!camdn_fits(p, array, way.tile) || costs_cycles(p, way.tile))
                        continue;
                    for (int i = 0; i < 3; i++) {
                        camdn_use use = camdn_use_of(p, &way, i);
                        npu += use.npu;
                        dram += held >> i & 1 ? 0 : use.dram;
                        cache += held >> i & 1 ? 0 : use.cache;
                    }
                    camdn_step step = {.cache_bytes = (uint64_t)ceil(cache),
                                       .dram_bytes = (uint64_t)ceil(dram),
                                       .npu_bytes = (uint64_t)ceil(npu)};
                    camdn_stairs_add(list, &step);
                }
}

static void same_stairs(const camdn_product *p, const camdn_array *array)
{
    msw_arena arena = {0};
    camdn_stair_list lists[CAMDN_HELD] = {{0}};
    uint64_t points = 0;
    for (unsigned held = 0; held < CAMDN_HELD; held++)
        lists[held].arena = &arena;
    assert_int_equal(camdn_enumerate(p, array, 0xff, lists, &arena, &points), 0);
    for (unsigned held = 0; held < CAMDN_HELD; held++) {
        camdn_stair_list all = {.arena = &arena};
        brute_force(p, array, held, &all);
        assert_int_equal(all.count, lists[held].count);
        for (size_t i = 0; i < all.count; i++) {
            assert_int_equal(all.steps[i].cache_bytes, lists[held].steps[i].cache_bytes);
            assert_int_equal(all.steps[i].dram_bytes, lists[held].steps[i].dram_bytes);
            assert_true(lists[held].steps[i].npu_bytes >= all.steps[i].npu_bytes);
        }
    }
    msw_arena_free(&arena);
}

static void try_products(uint64_t seeds, uint64_t most, camdn_tiling tiling)
{
    for (uint64_t seed = 0; seed < seeds; seed++) {
        msw_rng rng;
        msw_rng_init(&rng, 1000 + seed, 0);
        camdn_array array = PAPER;
        camdn_product p = matrix(1 + msw_rng_below(&rng, most), 1 + msw_rng_below(&rng, most),
                                 1 + msw_rng_below(&rng, most), 4);
        array.tiling = tiling;
        array.scratchpad = 64 << msw_rng_below(&rng, 7);
        array.accumulator = 64 << msw_rng_below(&rng, 7);
        array.single = (int64_t)msw_rng_below(&rng, 2);
        p.instances = 1 + msw_rng_below(&rng, 3);
        p.steps = msw_rng_below(&rng, 2) ? p.instances : 1;
        if (msw_rng_below(&rng, 2)) { /* an image of 3 x 3 windows */
            p.out_cols = p.in_cols = 1 + msw_rng_below(&rng, p.size[0]);
            p.out_rows = p.in_rows = msw_div_up(p.size[0], p.out_cols);
            p.kernel_rows = p.kernel_cols = 3, p.stride_rows = p.stride_cols = 1;
        }
        same_stairs(&p, &array);
    }
}

static void test_brute_force_finds_no_better_way(void **state)
{
    (void)state;
    try_products(60, 40, CAMDN_TILING_BEST);
}

static void test_brute_force_finds_no_better_odd_tiles(void **state)
{
    (void)state;
    try_products(30, 14, CAMDN_TILING_ODD);
}

/* A convolution of size x size pixels, stride 1, two bytes. */
static camdn_product convolution(uint64_t size, uint64_t in, uint64_t out, uint64_t kernel)
{
    camdn_product p = matrix(size * size, out, in * kernel * kernel, 32);
    p.bytes[CAMDN_A] = 2. * (double)(size * size * in);
    p.in_rows = p.in_cols = p.out_rows = p.out_cols = size;
    p.kernel_rows = p.kernel_cols = kernel, p.stride_rows = p.stride_cols = 1;
    return p;
}

static double uncached(const camdn_product *p, camdn_tiling tiling)
{
    msw_arena arena = {0};
    camdn_stair_list lists[CAMDN_HELD] = {{.arena = &arena}};
    camdn_array array = PAPER;
    uint64_t points = 0;
    array.tiling = tiling;
    assert_int_equal(camdn_enumerate(p, &array, 1, lists, &arena, &points), 0);
    double bytes = (double)lists[0].steps[0].dram_bytes;
    msw_arena_free(&arena);
    return bytes;
}

/* By a program of its own that tries every size (Python): 3.32 to 2.74 MB; tiles of 96 x 32 x 1600
 * and 196 x 28 x 1600. */
static void test_odd_tiles_of_a_convolution_move_less(void **state)
{
    (void)state;
    camdn_product p = convolution(28, 128, 112, 5);
    assert_true(fabs(uncached(&p, CAMDN_TILING_BEST) / 1e6 - 3.32) < 0.005);
    assert_true(fabs(uncached(&p, CAMDN_TILING_ODD) / 1e6 - 2.74) < 0.005);
}

static void check_stairs(const camdn_table *table)
{
    const camdn_step *all = camdn_steps(table);
    for (uint32_t i = 0; i < table->op_count; i++)
        for (unsigned held = 0; held < CAMDN_HELD; held++) {
            camdn_stairs s = camdn_layers(table)[i].stairs[held];
            const camdn_step *steps = all + s.first;
            assert_true(s.first + s.count <= table->step_count);
            for (uint32_t j = 0; j < s.count; j++) {
                assert_true(steps[j].npu_bytes >= steps[j].dram_bytes || steps[j].stay[0]);
                assert_true(j == 0 || (steps[j].cache_bytes > steps[j - 1].cache_bytes &&
                                       steps[j].dram_bytes < steps[j - 1].dram_bytes));
            }
            assert_true(s.count == 0 || steps[0].cache_bytes == 0);
        }
}

static const uint64_t HELD[] = {0, 128 << 10, 256 << 10, 768 << 10, 2048 << 10};
enum { HELDS = sizeof HELD / sizeof *HELD };

/* The eight networks with so much cache per layer, in GB. */
static void sum_networks(int64_t element_bytes, double *sums, double *compulsory)
{
    stream s;
    msw_arena kept = {0}, scratch = {0};
    msw_err err = {0};
    camdn_array array = PAPER;
    assert_ok(stream_named(&s, "mix/camdn8"), s.err);
    ((msw_mix_config *)&s.config)->element_bytes = array.element_bytes = element_bytes;
    assert_ok(stream_build(&s, 1), s.err);
    const msw_graph_product *p = s.product.data;
    *compulsory = 0;
    for (uint32_t n = 0; n < p->count; n++) {
        const camdn_table *table = camdn_map(&p->networks[n], &array, &kept, &scratch, &err);
        assert_ok(table ? 0 : -1, err);
        check_stairs(table);
        *compulsory += msw_graph_total(&p->networks[n]).layerwise / 1e9;
        for (uint32_t i = 0; i < table->op_count; i++)
            for (int h = 0; h < HELDS; h++)
                sums[h] += (double)camdn_step_within(table, i, 0, HELD[h])->dram_bytes / 1e9;
        if (getenv("MEMSWEEP_SHOW"))
            printf("%s: %llu ways, %u steps\n", p->networks[n].name,
                   (unsigned long long)table->points, table->step_count);
        msw_arena_reset(&scratch);
    }
    msw_arena_free(&kept);
    msw_arena_free(&scratch);
    stream_close(&s);
}

static void test_networks_of_the_paper(void **state)
{
    (void)state;
    double sums[HELDS] = {0}, compulsory;
    sum_networks(2, sums, &compulsory);
    if (getenv("MEMSWEEP_SHOW"))
        for (int h = 0; h < HELDS; h++)
            printf("%llu KiB: %.3f GB of %.3f\n", (unsigned long long)HELD[h] >> 10, sums[h],
                   compulsory);
    for (int h = 1; h < HELDS; h++)
        assert_true(sums[h] < sums[h - 1]);
    /* Another program, with whole operands or blocks alone, found 3.00 GB without cache. */
    assert_true(sums[0] < 3.00 && sums[0] > 0.95 * 3.00);
    assert_true(fabs(sums[HELDS - 1] / compulsory - 1) < 0.001);
}

typedef struct mapped {
    stream s;
    msw_arena kept, scratch;
    const msw_graph_network *net;
} mapped;

static void open_mapped(mapped *m, const char *name, uint32_t network)
{
    *m = (mapped){0};
    assert_ok(stream_named(&m->s, name), m->s.err);
    assert_ok(stream_build(&m->s, 1), m->s.err);
    m->net = &((const msw_graph_product *)m->s.product.data)->networks[network];
}

static void close_mapped(mapped *m)
{
    msw_arena_free(&m->kept);
    msw_arena_free(&m->scratch);
    stream_close(&m->s);
}

static void test_a_small_scratchpad_halves_the_blocks_until_nothing_fits(void **state)
{
    (void)state;
    mapped m;
    msw_err err = {0};
    camdn_array small = PAPER;
    open_mapped(&m, "mix:ncf", 0);
    small.scratchpad = 512;
    const camdn_table *table = camdn_map(m.net, &small, &m.kept, &m.scratch, &err);
    assert_ok(table ? 0 : -1, err);
    small.scratchpad = 4;
    assert_null(camdn_map(m.net, &small, &m.kept, &m.scratch, &err));
    assert_non_null(strstr(err.text, "network 'ncf', operator '"));
    assert_non_null(strstr(err.text, "no tile fits a scratchpad of 4 bytes"));
    close_mapped(&m);
}

static void test_depthwise_layers_take_what_their_mapping_says(void **state)
{
    (void)state;
    msw_graph_op op = {
        .kind = MSW_GRAPH_DEPTHWISE, .m = 3136, .n = 1, .k = 9, .count = 96, .seq = 1};
    camdn_array array = PAPER;
    array.depthwise = CAMDN_DEPTHWISE_ONE;
    assert_int_equal(camdn_cycles_of(&op, &array), 96 * 3136);
    array.depthwise = CAMDN_DEPTHWISE_PACKED; /* three of 9 rows below each other */
    assert_int_equal(camdn_cycles_of(&op, &array), 32 * 3136);
    array.depthwise = CAMDN_DEPTHWISE_VECTOR;
    assert_int_equal(camdn_cycles_of(&op, &array), 3 * 3136 * 9);
}

/* Of 8 folds, each of 100 rows, two arrays have 4 and three have 3 at most. */
static void test_arrays_take_folds_in_turn(void **state)
{
    (void)state;
    static const int64_t DATAFLOWS[] = {MSW_NPU_WEIGHT_STATIONARY, MSW_NPU_INPUT_STATIONARY,
                                        MSW_NPU_OUTPUT_STATIONARY};
    static const uint64_t SIZES[][3] = {{100, 64, 128}, {64, 100, 128}, {64, 128, 100}};
    for (int i = 0; i < 3; i++) {
        msw_graph_op op = {.kind = MSW_GRAPH_MATRIX, .count = 1, .seq = 1};
        camdn_array array = PAPER;
        op.m = SIZES[i][0], op.n = SIZES[i][1], op.k = SIZES[i][2];
        array.dataflow = DATAFLOWS[i];
        uint64_t one = camdn_cycles_of(&op, &array);
        array.arrays = 2;
        assert_int_equal(one - camdn_cycles_of(&op, &array), 400);
        array.arrays = 3;
        assert_int_equal(one - camdn_cycles_of(&op, &array), 500);
    }
    msw_graph_op op = {
        .kind = MSW_GRAPH_DEPTHWISE, .m = 3136, .n = 1, .k = 9, .count = 96, .seq = 1};
    camdn_array array = PAPER;
    array.arrays = 2;
    assert_int_equal(camdn_cycles_of(&op, &array), 16 * 3136);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tile_sizes_are_the_smallest_of_each_number),
        cmocka_unit_test(test_what_moves_is_what_a_walk_of_the_loops_moves),
        cmocka_unit_test(test_brute_force_finds_no_better_way),
        cmocka_unit_test(test_brute_force_finds_no_better_odd_tiles),
        cmocka_unit_test(test_odd_tiles_of_a_convolution_move_less),
        cmocka_unit_test(test_networks_of_the_paper),
        cmocka_unit_test(test_a_small_scratchpad_halves_the_blocks_until_nothing_fits),
        cmocka_unit_test(test_depthwise_layers_take_what_their_mapping_says),
        cmocka_unit_test(test_arrays_take_folds_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
