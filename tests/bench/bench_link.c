/* How fast are links with curves, links that masters share, and meshes? Prints million transfers
 * (or hops) a second; asserts nothing. */
#include "bench.h"

#include "memsweep/base/rng.h"
#include "memsweep/sim/link.h"
#include "memsweep/sim/mesh.h"

#include <stdio.h>
#include <stdlib.h>

enum { TRANSFERS = 4000000, SIZES = 4096, HOPS = 3000000 };

static uint64_t sink;

static void report(const char *name, double count, double seconds)
{
    printf("%-44s %8.2f M/s\n", name, count / seconds / 1e6);
}

static uint64_t *random_sizes(void)
{
    uint64_t *sizes = malloc(SIZES * sizeof *sizes);
    msw_rng rng;
    msw_rng_init(&rng, 1, 0);
    for (int i = 0; i < SIZES; i++)
        sizes[i] = 1 + (msw_rng_below(&rng, 1 << 21) >> msw_rng_below(&rng, 15));
    return sizes;
}

static void bench_curve(const uint64_t *sizes)
{
    msw_err err;
    msw_link link;
    msw_link_curve *curve = malloc(sizeof *curve);
    const msw_named_curve *pcie = msw_link_curve_find("pcie3_x16", &err);
    if (!pcie || msw_link_curve_init(curve, pcie->points, pcie->count, 1.481, &err))
        exit(1);
    double start = bench_seconds();
    for (int i = 0; i < TRANSFERS; i++)
        sink += msw_link_curve_ticks(curve, sizes[i % SIZES]);
    report("curve: look-ups, random sizes", TRANSFERS, bench_seconds() - start);
    msw_link_config config = {.curves = {curve, curve}, .priorities = 1};
    if (msw_link_init(&link, &config, NULL, &err))
        exit(1);
    msw_link_series series = {.count = 1};
    start = bench_seconds();
    for (int i = 0; i < TRANSFERS; i++) {
        series.bytes = sizes[i % SIZES];
        series.time = i;
        sink += msw_link_reserve(&link, &series);
    }
    report("link with a curve: single transfers", TRANSFERS, bench_seconds() - start);
    free(curve);
}

static void bench_masters(const uint64_t *sizes, uint32_t masters)
{
    msw_err err;
    msw_link link;
    msw_link_config config = {
        .bytes = 16, .cycles = 1, .priorities = 1, .masters = masters, .queue = 64};
    for (uint32_t m = 0; m < masters; m++)
        config.weights[m] = 1 + m;
    void *memory = malloc(msw_link_bytes(&config));
    if (msw_link_init(&link, &config, memory, &err))
        exit(1);
    msw_transfer transfer = {0}, taken;
    double start = bench_seconds();
    for (int i = 0; i < TRANSFERS; i++) {
        transfer.bytes = sizes[i % SIZES] & 0xfff;
        transfer.master = (uint8_t)(i % (int)masters);
        while (!msw_link_send(&link, &transfer)) {
            uint64_t next = msw_link_next(&link);
            msw_link_take(&link, next, &taken);
            transfer.time = next;
        }
    }
    double seconds = bench_seconds() - start;
    char name[64];
    snprintf(name, sizeof name, "link of %u masters: sent and taken", masters);
    report(name, TRANSFERS, seconds);
    sink += transfer.time;
    free(memory);
}

static void bench_mesh(void)
{
    msw_err err;
    msw_mesh_config config = {.width = 16,
                              .height = 8,
                              .link_bytes = 32,
                              .hop_cycles = 2,
                              .port_bytes = 32,
                              .port_cycles = 1,
                              .tile_width = 4,
                              .tile_height = 4,
                              .far_bytes = 16,
                              .far_hop = 10,
                              .packets = 1024};
    msw_mesh *mesh =
        msw_mesh_init(aligned_alloc(64, (msw_mesh_bytes(&config) + 63) / 64 * 64), &config, &err);
    msw_mesh_packet packet = {.bytes = 64}, taken;
    msw_rng rng;
    msw_rng_init(&rng, 2, 0);
    uint64_t hops = 0;
    double start = bench_seconds();
    while (hops < HOPS) {
        packet.from = (uint16_t)msw_rng_below(&rng, 128);
        packet.to = (uint16_t)msw_rng_below(&rng, 128);
        int dx = packet.from % 16 - packet.to % 16, dy = packet.from / 16 - packet.to / 16;
        hops += (uint64_t)(2 + abs(dx) + abs(dy));
        while (!msw_mesh_send(mesh, &packet)) {
            msw_mesh_take(mesh, UINT64_MAX, &taken);
            packet.time = taken.time;
        }
    }
    report("mesh of 16 x 8: hops", (double)hops, bench_seconds() - start);
    sink += packet.time;
    free(mesh);
}

int main(void)
{
    uint64_t *sizes = random_sizes();
    bench_curve(sizes);
    bench_masters(sizes, 1);
    bench_masters(sizes, 2);
    bench_masters(sizes, 8);
    bench_mesh();
    free(sizes);
    return sink == 1;
}
