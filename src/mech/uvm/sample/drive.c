/* SPDX-License-Identifier: MIT */
/* The machine, from one unit to the next. */
#include "mech/uvm/sample/sample.h"

#include <string.h>

int uvm_sampler_run(uvm_machine *m, uint64_t goal, bool measures)
{
    uvm_sampler *s = m->sampler;
    s->goal = goal;
    s->measures = measures;
    s->detail = goal == UINT64_MAX ? goal : goal > s->cut.lead ? goal - s->cut.lead : 0;
    memset(s->made, 0, sizeof s->made);
    memset(s->expected, 0, sizeof s->expected);
    s->worked = (uvm_work){0};
    m->progress.paused = false;
    uint16_t kernel = m->grid.kernel;
    if (uvm_machine_run(m))
        return -1;
    if (measures && m->grid.kernel == kernel)
        uvm_add_pace(&s->paces[m->grid.kernel], s->made, &s->worked);
    return 0;
}
