/* SPDX-License-Identifier: MIT */
#include "accesses.h"

uint32_t accesses_bytes(const msw_accesses *a, uint64_t i)
{
    return a->bytes ? a->bytes[i] : a->request_bytes;
}

static const char *regions_fault(const msw_accesses *a)
{
    uint64_t end = a->base_address;
    for (uint64_t r = 0; r < a->region_count; r++) {
        const msw_region *region = &a->regions[r];
        if (!region->name || region->address < end || region->bytes == 0)
            return "regions that overlap or are out of order";
        if (region->rows && region->rows * region->row_bytes != region->bytes)
            return "a region that is not made of its rows";
        end = region->address + region->bytes;
    }
    return end > a->base_address + a->footprint_bytes ? "a region outside the footprint" : NULL;
}

static const char *batches_fault(const msw_accesses *a)
{
    if (a->batch_count == 0 || (a->batches && a->batches[0] != 0) ||
        (!a->batches && a->batch_count != 1))
        return "batches that do not start at the first request";
    for (uint64_t b = 1; a->batches && b < a->batch_count; b++)
        if (a->batches[b] <= a->batches[b - 1] || a->batches[b] >= a->count)
            return "an empty batch";
    return NULL;
}

const char *accesses_fault(const msw_product *product)
{
    const msw_accesses *a = product->data;
    uint64_t bytes = 0;
    if (a->count == 0 || product->summary.accesses != a->count)
        return "the summary counts other requests";
    for (uint64_t i = 0; i < a->count; i++) {
        uint64_t address = a->addresses[i], size = accesses_bytes(a, i);
        bytes += size;
        if (size == 0 || address < a->base_address ||
            address + size > a->base_address + a->footprint_bytes)
            return "a request outside the footprint";
        if (a->writes && a->writes[i] > 1)
            return "a request that neither reads nor writes";
        if (a->cycles && i && a->cycles[i] < a->cycles[i - 1])
            return "cycles that go back";
        if (a->streams ? a->streams[i] >= a->stream_count : a->stream_count != 1)
            return "a stream that is not counted";
    }
    if (bytes != product->summary.bytes)
        return "the summary has other bytes";
    const char *fault = batches_fault(a);
    return fault ? fault : a->regions ? regions_fault(a) : NULL;
}

msw_digest accesses_digest(const msw_accesses *a)
{
    msw_digest d = msw_hash_bytes(a->addresses, a->count * sizeof *a->addresses);
    if (a->bytes)
        d = msw_hash_pair(d, msw_hash_bytes(a->bytes, a->count * sizeof *a->bytes));
    if (a->writes)
        d = msw_hash_pair(d, msw_hash_bytes(a->writes, a->count));
    if (a->cycles)
        d = msw_hash_pair(d, msw_hash_bytes(a->cycles, a->count * sizeof *a->cycles));
    if (a->streams)
        d = msw_hash_pair(d, msw_hash_bytes(a->streams, a->count * sizeof *a->streams));
    return d;
}
