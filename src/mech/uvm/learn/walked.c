/* SPDX-License-Identifier: MIT */
/* Rows of a trace, as walks become them. */
#include "mech/uvm/learn/trace.h"
#include "mech/uvm/pages/predict.h"
#include "mech/uvm/stream/bytes.h"

enum { PCS = 64 }; /* of a kernel */

int uvm_rows_add(uvm_rows *rows, uvm_walked row, msw_arena *arena)
{
    void *list = rows->list;
    if (uvm_grow(&list, rows->count, &rows->room, 1, sizeof *rows->list, arena))
        return -1;
    rows->list = list;
    row.first = !rows->met[row.page];
    rows->met[row.page] = 1;
    rows->list[rows->count++] = row;
    return 0;
}

uvm_walked uvm_walked_of(const uvm_layout *layout, const uvm_event *e)
{
    return (uvm_walked){.page = (uint32_t)e->page,
                        .cta = (uint32_t)e->cta,
                        .at = e->at,
                        .chunk = layout->chunk_of[e->page],
                        .launch = e->launch,
                        .pc = (uint16_t)(e->kernel * PCS + e->pc % PCS),
                        .sm = (uint8_t)e->sm,
                        .warp = (uint8_t)e->warp,
                        .hit = e->hit};
}
