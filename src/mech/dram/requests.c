/* SPDX-License-Identifier: MIT */
/* Requests of a product in order: of a trace as they stand, of tiles the runs of their segments,
 * loads of a tile before its stores, layers as often as they repeat. */
#include "mech/dram/dram.h"

#include "memsweep/workload/accesses.h"
#include "memsweep/workload/npu.h"

static bool next_access(dram_reader *r, dram_request *request)
{
    const msw_accesses *a = r->product->data;
    if (r->next == a->count)
        return false;
    uint64_t i = r->next++;
    *request = (dram_request){a->addresses[i], a->bytes ? a->bytes[i] : a->request_bytes,
                              a->cycles ? a->cycles[i] : 0, a->writes && a->writes[i]};
    return true;
}

/* Moves on to where a segment has a row left. Returns whether there is one. */
static const msw_npu_segment *find_segment(dram_reader *r)
{
    const msw_npu_product *p = r->product->data;
    while (r->layer < p->layer_count) {
        const msw_npu_layer *layer = &p->layers[r->layer];
        if (r->tile == layer->tile_count) {
            r->tile = 0;
            r->layer += ++r->repeat == layer->repeat;
            r->repeat = r->repeat == layer->repeat ? 0 : r->repeat;
            continue;
        }
        const msw_npu_tile *tile = &p->tiles[layer->first_tile + r->tile];
        uint32_t first = r->storing ? tile->store_first : tile->load_first;
        if (r->segment < (r->storing ? tile->store_count : tile->load_count)) {
            const msw_npu_segment *segment = &p->segments[first + r->segment];
            if (r->row < segment->rows)
                return segment;
            r->row = 0;
            r->segment++;
            continue;
        }
        r->segment = 0;
        r->tile += r->storing;
        r->storing = !r->storing;
    }
    return NULL;
}

bool dram_next_request(dram_reader *r, dram_request *request)
{
    if (r->product->kind == MSW_PRODUCT_ACCESSES)
        return next_access(r, request);
    const msw_npu_segment *segment = find_segment(r);
    if (!segment)
        return false;
    *request = (dram_request){segment->address + r->row++ * segment->stride, segment->row_bytes, 0,
                              segment->operand == MSW_NPU_OUTPUT};
    return true;
}
