/* SPDX-License-Identifier: MIT */
/* The packed part of a page: as many columns as its size leaves room for. */
#include "memsweep/report/report.h"

/* What the JSON, which is written last, may take. */
enum { RESERVE = 600000 };

static size_t room(const msw_report *r)
{
    size_t others = r->figures.size + r->script.size + r->worker.size + r->style.size +
                    r->page.size + r->library_text.size + RESERVE;
    return others < MSW_REPORT_BYTES ? MSW_REPORT_BYTES - others : 0;
}

/* Workloads follow one another in a plan, each with the same designs: then a part represents all.
 */
static size_t find_period(const msw_report *r, const uint16_t *codes)
{
    size_t parts = r->plot.workloads, period = parts ? r->shown / parts : 0;
    if (parts < 2 || period * parts != r->shown)
        return r->shown;
    for (size_t i = period; i < r->shown; i++)
        if (codes[i] != codes[i - period])
            return r->shown;
    return period;
}

static int pack_column(msw_report *r, msw_report_column *column)
{
    size_t before = r->body.size;
    msw_err *err = r->plot.err;
    msw_coder *p = &column->coder;
    if (column->left_out)
        return 0;
    if (!p->text && !p->steps &&
        msw_code_doubles(p->levels, p->level_count, &r->body, &column->levels, err))
        return -1;
    column->period = find_period(r, column->codes);
    if (msw_code_codes(column->codes, column->period, &r->body, &column->packed, err))
        return -1;
    if (r->body.size > room(r)) {
        r->body.size = before;
        column->left_out = "does not fit";
    }
    return 0;
}

int msw_report_body(msw_report *r)
{
    for (size_t c = 0; c < r->column_count; c++)
        if (pack_column(r, &r->columns[c]))
            return -1;
    return 0;
}
