/* SPDX-License-Identifier: MIT */
/* How fast is the memory? Requests per second of the streams that are also run on public
 * simulators; the bandwidth says that the same was simulated. */
#include "section.h"

#include "memsweep/sim/dram.h"

#include <stdlib.h>

static uint64_t draw(uint64_t *x)
{
    *x ^= *x >> 12;
    *x ^= *x << 25;
    *x ^= *x >> 27;
    return *x * 2685821657736338717u;
}

typedef struct playing {
    const msw_dram_config *config;
    msw_dram_stream stream;
    void *memory;
    msw_dram *dram; /* as it was left */
} playing;

static double play(bench *b, void *context, size_t n)
{
    playing *p = context;
    p->dram = msw_dram_init(p->memory, p->config, NULL);
    p->stream.count = n;
    double start = bench_seconds();
    if (msw_dram_replay(p->dram, &p->stream, 0) == 0)
        bench_fail(b, "the stream took no time");
    return bench_seconds() - start;
}

/* The rate, and what says that the same was simulated. */
static void show(bench *b, playing *p, size_t count, const char *preset, const char *name)
{
    msw_dram_stats total = {0};
    p->memory = bench_memory(b, msw_dram_bytes(p->config));
    double seconds = bench_mean(b, play, p, count);
    for (uint32_t c = 0; c < p->config->channels; c++)
        msw_dram_stats_sum(&total, msw_dram_channel_stats(p->dram, c));
    msw_dram_rates rates = msw_dram_rates_of(&total, p->config, p->config->channels);
    bench_rate(b, (double)count, seconds, "%s %s W=%u", preset, name, p->stream.window);
    bench_fact(b, "GB/s", rates.bandwidth_gbs, "%s %s W=%u bandwidth", preset, name,
               p->stream.window);
    free(p->memory);
}

static void show_preset(bench *b, const char *preset, uint64_t *streams[2], size_t count)
{
    const msw_dram_config *config = msw_dram_preset_find(preset, NULL);
    uint64_t burst = config->burst_bytes, x = 88172645463325252u;
    uint8_t *is_write = bench_memory(b, count);
    for (size_t i = 0; i < count; i++) {
        streams[0][i] = i * burst;
        streams[1][i] = (draw(&x) >> 16) % ((64u << 20) / burst) * burst;
        is_write[i] = i % 3 == 2;
    }
    playing p = {.config = config, .stream = {.bytes = (uint32_t)burst}};
    for (int random = 0; random < 2; random++) {
        p.stream.address = streams[random];
        p.stream.is_write = NULL;
        for (p.stream.window = 1; p.stream.window <= 32; p.stream.window += 31)
            show(b, &p, count, preset, random ? "rand" : "seq");
        p.stream.window = 32;
        p.stream.is_write = is_write;
        show(b, &p, count, preset, random ? "randw" : "seqw");
    }
    free(is_write);
}

void section_dram(bench *b)
{
    static const char *const PRESETS[] = {"mpu_nbu", "hbm2", "ddr4_3200"};
    size_t count = (size_t)bench_set(b, "requests");
    uint64_t *streams[2];
    for (int s = 0; s < 2; s++)
        streams[s] = bench_memory(b, count * sizeof **streams);
    for (unsigned p = 0; p < 3; p++)
        show_preset(b, PRESETS[p], streams, count);
    free(streams[0]);
    free(streams[1]);
}
