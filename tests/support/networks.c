/* SPDX-License-Identifier: MIT */
#include "networks.h"

#include "source.h"

int network_load(network *n, const char *name)
{
    char file[256], path[1024], *bytes = NULL;
    size_t size = 0;
    *n = (network){.workload = {.frontend = &msw_frontend_npu}};
    if (msw_workload_resolve(name, &n->config, file, sizeof file, &n->err) != &msw_frontend_npu)
        return -1;
    snprintf(path, sizeof path, "%s/%s", source_folder(), file);
    if (*file && msw_read_file(path, &bytes, &size, &n->err))
        return -1;
    int rc = msw_workload_load(&n->workload, file, bytes, size, &n->err);
    free(bytes);
    return rc;
}

int network_text(network *n, const char *text)
{
    *n = (network){.workload = {.frontend = &msw_frontend_npu}};
    msw_params_defaults(msw_frontend_npu.params, &n->config);
    return msw_workload_load(&n->workload, "net.csv", text, strlen(text), &n->err);
}

int network_build(network *n)
{
    msw_arena_reset(&n->arena);
    int rc =
        msw_frontend_npu.build(n->workload.content, &n->config, 0, &n->arena, &n->product, &n->err);
    n->p = rc ? NULL : n->product.data;
    return rc;
}

void network_close(network *n)
{
    msw_arena_free(&n->arena);
    msw_workload_free(&n->workload);
}

/* One past the last byte of a segment. */
static uint64_t segment_end(const msw_npu_segment *s)
{
    return s->address + (s->rows - 1) * s->stride + s->row_bytes;
}

const char *network_fault(const msw_npu_product *p)
{
    uint64_t next_tile = 0, next_segment = 0;
    for (uint64_t l = 0; l < p->layer_count; l++) {
        const msw_npu_layer *layer = &p->layers[l];
        if (layer->first_tile != next_tile || layer->tile_count == 0 || layer->repeat == 0)
            return "layers do not follow each other";
        next_tile += layer->tile_count;
        for (uint32_t i = 0; i < layer->tile_count; i++) {
            const msw_npu_tile *t = &p->tiles[layer->first_tile + i];
            uint64_t load = 0, store = 0;
            if (t->layer != l || t->load_first != next_segment ||
                t->store_first != t->load_first + t->load_count)
                return "tiles do not follow each other";
            next_segment = t->store_first + t->store_count;
            for (uint64_t s = t->load_first; s < next_segment; s++) {
                const msw_npu_segment *g = &p->segments[s];
                const msw_npu_tensor *where = &layer->tensors[g->operand];
                bool output = g->operand == MSW_NPU_OUTPUT;
                if (g->rows == 0 || g->row_bytes == 0 || g->stride < g->row_bytes)
                    return "an empty or overlapping segment";
                if (g->address < where->address || segment_end(g) > where->address + where->bytes)
                    return "a segment outside its tensor";
                if (output != (s >= t->store_first))
                    return "an output among the loads, or the other way round";
                *(output ? &store : &load) += g->rows * g->row_bytes;
            }
            if (load != t->load_bytes || store != t->store_bytes)
                return "bytes of a tile are not those of its segments";
            if ((t->tile_class == MSW_NPU_FIRST) != (i == 0))
                return "a first tile that is not first";
        }
    }
    return next_tile != p->tile_count || next_segment != p->segment_count
               ? "entries that belong to no layer"
               : NULL;
}
