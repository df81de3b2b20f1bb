/* SPDX-License-Identifier: MIT */
/* What is counted of the units under way. */
#include "mech/htmmu/machine/machine.h"

#include <string.h>

void htmmu_clear_slot(htmmu_slot *slot)
{
    slot->wait = slot->wait_accepted = slot->wait_max = slot->open = 0;
    if (slot->first < slot->after)
        memset(slot->waits + slot->first, 0,
               (size_t)(slot->after - slot->first) * sizeof *slot->waits);
    slot->first = MSW_HISTOGRAM_BUCKETS;
    slot->after = 0;
}

void htmmu_enter_unit(htmmu_machine *m, uint64_t unit)
{
    htmmu_slot *slot = htmmu_slot_of(m, unit);
    m->unit = unit;
    htmmu_clear_slot(slot);
    slot->before = m->counts;
    slot->before.walker = m->walker.stats;
    slot->before.memory = m->memory.stats;
    m->next_unit = m->stream->units[unit + 1];
}
