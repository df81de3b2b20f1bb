/* SPDX-License-Identifier: MIT */
/* What all formats share: an access is checked and kept, a field refused. */
#include "workload/pages/parts.h"

#include <inttypes.h>

static bool find_pc(msw_pages_content *c, uint64_t pc, uint16_t *number)
{
    uint32_t i = c->count ? c->accesses[c->count - 1].pc : 0; /* often the one before */
    if (i >= c->pc_count || c->pcs[i] != pc)
        for (i = 0; i < c->pc_count && c->pcs[i] != pc; i++)
            ;
    if (i == MSW_PAGES_PCS)
        return false;
    if (i == c->pc_count)
        c->pcs[c->pc_count++] = pc;
    *number = (uint16_t)i;
    return true;
}

const char *msw_pages_add(msw_pages_content *c, const msw_pages_row *row, int *column)
{
    uint16_t pc = 0;
    *column = 1;
    if (row->sm >= MSW_PAGES_SMS)
        return "an SM from 0 to 255";
    *column = 2;
    if (row->warp >= MSW_PAGES_WARPS)
        return "a warp of an SM from 0 to 63";
    *column = 0;
    if (row->time < c->times[row->sm][row->warp])
        return "times of a warp that never go back";
    *column = 4;
    if (row->page >> 40)
        return "a page below 2^40";
    *column = 5;
    if (row->write > 1)
        return "r, w, 0 or 1";
    *column = 3;
    if (!find_pc(c, row->pc, &pc))
        return "1024 different instructions";
    c->times[row->sm][row->warp] = row->time;
    c->accesses[c->count++] = (msw_page_access){.page = row->page,
                                                .sm = (uint16_t)row->sm,
                                                .warp = (uint16_t)row->warp,
                                                .pc = pc,
                                                .write = (uint16_t)row->write};
    c->sms = row->sm >= c->sms ? (uint32_t)row->sm + 1 : c->sms;
    c->warps = row->warp >= c->warps ? (uint32_t)row->warp + 1 : c->warps;
    return NULL;
}

int msw_pages_refuse(const msw_pages_content *c, const msw_lines *lines, msw_line line,
                     msw_field field, const char *allowed, msw_err *err)
{
    return msw_fail(err, "%s:%" PRIu64 ":%zu: found '%.*s', allowed: %s", c->file, lines->line,
                    (size_t)(field.text - line.text) + 1, (int)(field.size < 24 ? field.size : 24),
                    field.text, allowed);
}
