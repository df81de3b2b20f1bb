/* SPDX-License-Identifier: MIT */
/* Is the closed form near the cycle model on tile lists whose like no statement names: joins, Zipf
 * distributions, strides, graphs and phases, over the whole space? Where translations are asked for
 * far ahead each drawn step asked for all of it again: 37 times the cycles, 11 times the time of
 * full. */
#include "any_workload.h"
#include "testing.h"

#include "mech/neummu/config.h"
#include "mech/neummu/model.h"

#include <math.h>
#include <unistd.h>

#define AREA ((uint64_t)1 << 25)
#define BASE ((uint64_t)1 << 33)

enum { LISTS = 5, TILES = 500, CONFIGS = 10, SEED = 61 };

typedef struct list {
    FILE *file;
    msw_rng rng;
    int tile, loads;
} list;

/* `rows` pieces of so many bytes, `stride` apart; the first of a tile says what it computes. */
static void piece(list *l, const char *operand, uint64_t base, int rows, int bytes, uint64_t stride)
{
    uint64_t computes = 10 + msw_rng_below(&l->rng, 2000);
    fprintf(l->file, "l%d,%d,%s,%llu,%d,%d,%llu,", l->tile * 8 / TILES, l->tile, operand,
            (unsigned long long)(BASE + base), rows, bytes,
            (unsigned long long)(rows > 1 ? stride : (uint64_t)bytes));
    if (l->loads++ == 0)
        fprintf(l->file, "%llu,%s\n", (unsigned long long)computes,
                l->tile == 0      ? "off"
                : l->tile % 5 < 4 ? "on"
                                  : "weights");
    else
        fprintf(l->file, ",\n");
}

/* Rows in order, buckets anywhere. */
static void join(list *l)
{
    piece(l, "activation", (uint64_t)l->tile * 16384, 1, 16384, 0);
    for (uint64_t i = msw_rng_below(&l->rng, 30) + 8; i-- > 0;)
        piece(l, "weight", 8 * AREA + any_scatter((uint64_t)l->tile * 40 + i, 1 << 16) * 512, 1,
              256, 0);
    piece(l, "output", 64 * AREA + (uint64_t)l->tile * 8192, 1, 8192, 0);
}

static void skewed(list *l)
{
    for (int i = 0; i < 12; i++)
        piece(l, "weight", any_scatter(any_zipf(&l->rng, 0.9, 4e5), 1 << 18) * 2048,
              1 + (int)msw_rng_below(&l->rng, 8), 1024, 1 << 20);
    piece(l, "activation", 60 * AREA + (uint64_t)l->tile % 7 * 4096, 1, 4096, 0);
}

static void strides(list *l)
{
    static const uint64_t STRIDES[] = {4160, 65600, 262208, 131136, 8192};
    uint64_t array = (uint64_t)l->tile / 7 % 5, turn = (uint64_t)l->tile % 7;
    piece(l, "activation", 8 * AREA * array + turn * 64 * STRIDES[array], 64, 512, STRIDES[array]);
    piece(l, "weight", 100 * AREA + (uint64_t)l->tile * 32768, 1, 32768, 0);
}

static void graph(list *l)
{
    piece(l, "activation", (uint64_t)l->tile * 4096, 1, 4096, 0);
    for (int i = 0; i < 24; i++)
        piece(l, "weight", 16 * AREA + any_scatter(any_zipf(&l->rng, 0.7, 3e6), 1 << 20) * 128, 1,
              128, 0);
    piece(l, "output", 50 * AREA + any_scatter((uint64_t)l->tile, 1 << 20) * 64, 1, 64, 0);
}

static void phases(list *l)
{
    int phase = l->tile * 6 / TILES % 3;
    if (phase == 0)
        piece(l, "weight", (uint64_t)l->tile * 262144, 1, 262144, 0);
    for (int i = 0; phase == 1 && i < 8; i++)
        piece(l, "weight", 32 * AREA + any_scatter((uint64_t)(l->tile * 8 + i), 1 << 16) * 1024, 1,
              1024, 0);
    if (phase == 2) {
        piece(l, "activation", (uint64_t)l->tile % 9 * 65536, 128, 256, 512);
        piece(l, "output", 90 * AREA + (uint64_t)l->tile * 16384, 1, 16384, 0);
    }
}

/* Opens neummu on a list of that kind. */
static void open_list(direct *d, int kind)
{
    static void (*const MAKE[])(list *) = {join, skewed, strides, graph, phases};
    char path[] = "/tmp/any-tiles-XXXXXX.csv";
    msw_err err = {0};
    list l = {.file = fdopen(mkstemps(path, 4), "w")};
    assert_non_null(l.file);
    msw_rng_init(&l.rng, SEED, (uint64_t)kind);
    fprintf(l.file, "layer,tile,operand,base,rows,row_bytes,stride,compute_cycles,overlap\n");
    for (; l.tile < TILES; l.tile++) {
        l.loads = 0;
        MAKE[kind](&l);
    }
    assert_int_equal(fclose(l.file), 0);
    assert_ok(direct_open(d, msw_mech_find("neummu"), path, &err), err);
    unlink(path);
}

static double cycles_of(direct *d, msw_fidelity fidelity)
{
    direct_run(d, fidelity, 1);
    return d->answer.status == MSW_OK ? d->metrics[NEUMMU_CYCLES] : NAN;
}

static void any_tiles_are_answered_as_in_the_cycle_model(void **state)
{
    double errors[CONFIGS];
    direct d[LISTS];
    size_t count = 0;
    (void)state;
    for (int kind = 0; kind < LISTS; kind++)
        open_list(&d[kind], kind);
    for (uint64_t draw = 0; count < CONFIGS; draw++) {
        direct *own = &d[draw % LISTS];
        double error = any_error(own, NEUMMU_CYCLES, SEED, draw);
        if (!isnan(error))
            errors[count++] = error;
        direct_drop_artifacts(own);
    }
    for (int kind = 0; kind < LISTS; kind++)
        direct_close(&d[kind]);
    any_print(errors, CONFIGS);
    assert_true(errors[CONFIGS / 2] < 0.01);
    assert_true(errors[CONFIGS * 9 / 10] < 0.1);
    assert_true(errors[CONFIGS - 1] < 0.4);
}

static void what_was_asked_for_once_is_not_asked_for_again(void **state)
{
    static const struct {
        const char *name;
        double value;
    } SET[] = {{"page_size", 4096},
               {"tlb_entries", 131072},
               {"tlb_policy", 1},
               {"ptw_count", 4096},
               {"walk_level_cycles", 3703},
               {"walk_memory", NEUMMU_WALKS_SHARED},
               {"bandwidth", 4},
               {"tlb_prefetch", NEUMMU_PREFETCH_NEXT_PAGE},
               {"outstanding", 2},
               {"tlb_prefetch_depth", 65536}};
    direct d;
    (void)state;
    open_list(&d, 1);
    for (size_t i = 0; i < sizeof SET / sizeof *SET; i++)
        direct_set(&d, SET[i].name, SET[i].value);
    double closed = cycles_of(&d, MSW_ANALYTIC), full = cycles_of(&d, MSW_FULL);
    printf("%g cycles, full %g\n", closed, full);
    assert_relative(closed, full, 0.1);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_tiles_are_answered_as_in_the_cycle_model),
        cmocka_unit_test(what_was_asked_for_once_is_not_asked_for_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
