/* SPDX-License-Identifier: MIT */
/* Any bytes are a page trace or are refused; whatever is read lies in its runs. The first byte
 * chooses the format. */
#include "streams.h"

#include "memsweep/workload/pages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const msw_page_trace *t)
{
    for (uint64_t i = 0; i < t->count; i++) {
        const msw_page_access *a = &t->accesses[i];
        const msw_page_run *last = &t->runs[t->run_count - 1];
        uint64_t end = last->offset + last->pages * t->page_bytes;
        if (a->sm >= t->sms || a->warp >= t->warps || a->pc >= t->pcs || a->write > 1 ||
            msw_page_offset(t, a->page) >= end)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const FILES[] = {"t.pages", "t.pagebin", "t.pages.gz", "t.uvmsmart"};
    stream s;
    if (size < 1)
        return 0;
    if (stream_bytes(&s, FILES[data[0] % 4], (const char *)data + 1, size - 1) == 0 &&
        stream_build(&s, 0) == 0)
        check(s.product.data);
    stream_close(&s);
    return 0;
}
