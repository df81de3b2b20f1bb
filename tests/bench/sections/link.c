/* SPDX-License-Identifier: MIT */
/* How fast are links with curves, links that masters share, and meshes? Transfers
 * (or hops) a second. */
#include "section.h"

#include "memsweep/base/rng.h"
#include "memsweep/sim/link.h"
#include "memsweep/sim/mesh.h"

#include <stdlib.h>

enum { SIZES = 4096 };

static void use(bench *b, uint64_t sum)
{
    if (sum == 1)
        bench_fail(b, "nothing was moved");
}

static uint64_t *random_sizes(bench *b)
{
    uint64_t *sizes = bench_memory(b, SIZES * sizeof *sizes);
    msw_rng rng;
    msw_rng_init(&rng, 1, 0);
    for (int i = 0; i < SIZES; i++)
        sizes[i] = 1 + (msw_rng_below(&rng, 1 << 21) >> msw_rng_below(&rng, 15));
    return sizes;
}

static void bench_curve(bench *b, const uint64_t *sizes)
{
    int transfers = (int)bench_set(b, "transfers");
    uint64_t sink = 0;
    msw_err err;
    msw_link link;
    msw_link_curve *curve = bench_memory(b, sizeof *curve);
    const msw_named_curve *pcie = msw_link_curve_find("pcie3_x16", &err);
    if (!pcie)
        bench_fail(b, "%s", err.text);
    bench_check(b, msw_link_curve_init(curve, pcie->points, pcie->count, 1.481, &err), &err);
    double start = bench_seconds();
    for (int i = 0; i < transfers; i++)
        sink += msw_link_curve_ticks(curve, sizes[i % SIZES]);
    bench_rate(b, transfers, bench_seconds() - start, "curve: look-ups, random sizes");
    msw_link_config config = {.curves = {curve, curve}, .priorities = 1};
    bench_check(b, msw_link_init(&link, &config, NULL, &err), &err);
    msw_link_series series = {.count = 1};
    start = bench_seconds();
    for (int i = 0; i < transfers; i++) {
        series.bytes = sizes[i % SIZES];
        series.time = i;
        sink += msw_link_reserve(&link, &series);
    }
    bench_rate(b, transfers, bench_seconds() - start, "link with a curve: single transfers");
    use(b, sink);
    free(curve);
}

static void bench_masters(bench *b, const uint64_t *sizes, uint32_t masters)
{
    int transfers = (int)bench_set(b, "transfers");
    msw_err err;
    msw_link link;
    msw_link_config config = {
        .bytes = 16, .cycles = 1, .priorities = 1, .masters = masters, .queue = 64};
    for (uint32_t m = 0; m < masters; m++)
        config.weights[m] = 1 + m;
    void *memory = bench_memory(b, msw_link_bytes(&config));
    bench_check(b, msw_link_init(&link, &config, memory, &err), &err);
    msw_transfer transfer = {0}, taken;
    double start = bench_seconds();
    for (int i = 0; i < transfers; i++) {
        transfer.bytes = sizes[i % SIZES] & 0xfff;
        transfer.master = (uint8_t)(i % (int)masters);
        while (!msw_link_send(&link, &transfer)) {
            uint64_t next = msw_link_next(&link);
            msw_link_take(&link, next, &taken);
            transfer.time = next;
        }
    }
    bench_rate(b, transfers, bench_seconds() - start, "link of %u masters: sent and taken",
               masters);
    use(b, transfer.time);
    free(memory);
}

static void bench_mesh(bench *b)
{
    uint64_t most = (uint64_t)bench_set(b, "transfers");
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
    msw_mesh *mesh = msw_mesh_init(bench_memory(b, msw_mesh_bytes(&config)), &config, &err);
    msw_mesh_packet packet = {.bytes = 64}, taken;
    msw_rng rng;
    msw_rng_init(&rng, 2, 0);
    uint64_t hops = 0;
    double start = bench_seconds();
    while (hops < most) {
        packet.from = (uint16_t)msw_rng_below(&rng, 128);
        packet.to = (uint16_t)msw_rng_below(&rng, 128);
        int dx = packet.from % 16 - packet.to % 16, dy = packet.from / 16 - packet.to / 16;
        hops += (uint64_t)(2 + abs(dx) + abs(dy));
        while (!msw_mesh_send(mesh, &packet)) {
            msw_mesh_take(mesh, UINT64_MAX, &taken);
            packet.time = taken.time;
        }
    }
    bench_rate(b, (double)hops, bench_seconds() - start, "mesh of 16 x 8: hops");
    use(b, packet.time);
    free(mesh);
}

void section_links(bench *b)
{
    uint64_t *sizes = random_sizes(b);
    bench_curve(b, sizes);
    bench_masters(b, sizes, 1);
    bench_masters(b, sizes, 2);
    bench_masters(b, sizes, 8);
    bench_mesh(b);
    free(sizes);
}
