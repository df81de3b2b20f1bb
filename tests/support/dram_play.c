/* SPDX-License-Identifier: MIT */
#include "dram_play.h"

#include "testing.h"

#include <stdlib.h>

static dram_played play(const msw_dram_config *config, const msw_dram_stream *stream,
                        msw_dram_command *trace, size_t capacity, size_t *traced)
{
    msw_err err;
    dram_played p = {.cycles = 0};
    void *memory = aligned_alloc(64, msw_dram_bytes(config));
    msw_dram *dram = msw_dram_init(memory, config, &err);
    assert_non_null(dram);
    if (traced)
        msw_dram_trace(dram, trace, capacity);
    p.cycles = msw_dram_replay(dram, stream, 0);
    for (uint32_t i = 0; i < config->channels; i++)
        msw_dram_stats_sum(&p.stats, msw_dram_channel_stats(dram, i));
    p.rates = msw_dram_rates_of(&p.stats, config, config->channels);
    if (traced)
        *traced = msw_dram_traced(dram);
    free(memory);
    return p;
}

dram_played dram_play(const msw_dram_config *config, const msw_dram_stream *stream)
{
    return play(config, stream, NULL, 0, NULL);
}

dram_played dram_play_traced(const msw_dram_config *config, const msw_dram_stream *stream,
                             msw_dram_command *trace, size_t capacity, size_t *traced)
{
    return play(config, stream, trace, capacity, traced);
}
