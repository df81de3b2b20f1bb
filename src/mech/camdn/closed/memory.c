/* SPDX-License-Identifier: MIT */
/* What a memory with banks carries where the streams of all tenants meet: README.md, "Closed form".
 * A DMA asks for one operand after the other, so that a tenant is one stream. */
#include "mech/camdn/closed/traffic.h"

#include <math.h>

void camdn_memory_open(const camdn_config *c, camdn_memory_form *memory)
{
    memory->config = c;
    if (c->memory != CAMDN_MEMORY_BANKS)
        return;
    memory->dram = camdn_banks_of(c, memory->map);
    memory->form = msw_dram_form_of(&memory->dram);
}

camdn_memory_rates camdn_memory_with(const camdn_memory_form *memory, double read, double written)
{
    const camdn_config *c = memory->config;
    double peak = camdn_memory_rate(c);
    if (c->memory != CAMDN_MEMORY_BANKS || read + written <= 0)
        return (camdn_memory_rates){.rate = peak};
    const msw_dram_config *d = &memory->dram;
    double running = (double)camdn_running(c), colours = (double)c->colours;
    double banks = (double)(d->ranks * d->groups * d->banks);
    msw_dram_load load = {.visit = d->columns,
                          .streams_per_bank = fmax(1, running / colours) / (banks / colours),
                          .read_share = read / (read + written),
                          .window = fmax(1, running * (double)c->requests / (double)c->channels)};
    msw_dram_estimate e = msw_dram_estimate_load(&memory->form, &load);
    double rate = e.bandwidth_gbs * (double)c->channels / c->frequency;
    return (camdn_memory_rates){.rate = fmin(peak, rate), .hit_rate = e.hit_rate};
}

int camdn_memory_tell(const msw_task *task, const camdn_memory_form *memory, double read,
                      double written, msw_err *err)
{
    const camdn_config *c = memory->config;
    camdn_memory_rates rates = camdn_memory_with(memory, read, written);
    if (c->memory != CAMDN_MEMORY_BANKS || read + written <= 0)
        return 0;
    double burst = (double)memory->dram.burst_bytes * (double)c->channels;
    double all = (read + written) / burst, hits = all * rates.hit_rate;
    for (int64_t i = 0; i < c->channels; i++) {
        double row[] = {(double)i, read / burst, written / burst,        hits,
                        0,         all - hits,   all * memory->dram.t.bl};
        if (msw_detail_add(task, CAMDN_DETAIL_BANKS, row, err))
            return -1;
    }
    return 0;
}
