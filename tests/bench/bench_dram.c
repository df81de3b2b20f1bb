/* How fast is the memory? Million requests per second of the streams that are also run on public
 * simulators, and the ratio to a calibration loop (dependent 64-bit multiplications), which says
 * more than seconds when machines differ. */
#include "bench.h"

#include "memsweep/sim/dram.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 2000000, REPEATS = 3 };

static uint64_t draw(uint64_t *x)
{
    *x ^= *x >> 12;
    *x ^= *x << 25;
    *x ^= *x >> 27;
    return *x * 2685821657736338717u;
}

static double rate(const msw_dram_config *config, const msw_dram_stream *stream,
                   msw_dram_stats *total, uint64_t *end)
{
    double best = 0;
    void *memory = aligned_alloc(64, (msw_dram_bytes(config) + 63) & ~(size_t)63);
    for (int i = 0; i < REPEATS && memory; i++) {
        msw_dram *dram = msw_dram_init(memory, config, NULL);
        double start = bench_seconds();
        *end = msw_dram_replay(dram, stream, 0);
        double now = stream->count / (bench_seconds() - start) * 1e-6;
        best = now > best ? now : best;
        *total = (msw_dram_stats){0};
        for (uint32_t c = 0; c < config->channels; c++)
            msw_dram_stats_sum(total, msw_dram_channel_stats(dram, c));
    }
    free(memory);
    return best;
}

static void show(const char *preset, const char *name, const msw_dram_stream *stream,
                 double calibration)
{
    const msw_dram_config *config = msw_dram_preset_find(preset, NULL);
    msw_dram_stats total;
    uint64_t end;
    double r = rate(config, stream, &total, &end);
    msw_dram_rates rates = msw_dram_rates_of(&total, config, config->channels);
    printf(
        "%-10s %-12s W=%-3u %8.2f M/s %8.5f of calibration  hit %.4f  %8.3f GB/s  latency %.1f\n",
        preset, name, stream->window, r, r / calibration, rates.hit_rate, rates.bandwidth_gbs,
        rates.read_latency);
}

int main(int argc, char **argv)
{
    static const char *const PRESETS[] = {"mpu_nbu", "hbm2", "ddr4_3200"};
    uint64_t *sequential = malloc(COUNT * sizeof *sequential);
    uint64_t *random = malloc(COUNT * sizeof *random);
    uint8_t *is_write = malloc(COUNT);
    if (!sequential || !random || !is_write)
        return 1;
    uint64_t x = 88172645463325252u;
    double calibration = bench_multiply();
    for (unsigned p = 0; p < 3; p++) {
        if (argc > 1 && strcmp(argv[1], PRESETS[p]))
            continue;
        uint64_t burst = msw_dram_preset_find(PRESETS[p], NULL)->burst_bytes;
        for (size_t i = 0; i < COUNT; i++) {
            sequential[i] = i * burst;
            random[i] = (draw(&x) >> 16) % ((64u << 20) / burst) * burst;
            is_write[i] = i % 3 == 2;
        }
        msw_dram_stream s = {.address = sequential, .count = COUNT, .bytes = (uint32_t)burst};
        for (s.window = 1; s.window <= 32; s.window += 31) {
            s.address = sequential;
            show(PRESETS[p], "seq", &s, calibration);
            s.address = random;
            show(PRESETS[p], "rand", &s, calibration);
        }
        s.window = 32;
        s.is_write = is_write;
        show(PRESETS[p], "randw", &s, calibration);
        s.address = sequential;
        show(PRESETS[p], "seqw", &s, calibration);
    }
    free(sequential);
    free(random);
    free(is_write);
    return 0;
}
