/* SPDX-License-Identifier: MIT */
/* What a network is once it is cut: layers with their sizes, and how many pages it takes. */
#include "workload/npu/parts.h"

#include "memsweep/base/text.h"

#include <inttypes.h>
#include <stdio.h>

/* A table that is longer shows its first and last layers. */
enum { SHOWN_MAX = 40, SHOWN_LAST = 8, NAME_SHOWN = 24 };

/* What the tiles of a layer move, all repetitions. */
typedef struct moved {
    uint64_t loads[3], stores, segments;
} moved;

static moved moved_by(const msw_npu_product *p, const msw_npu_layer *l)
{
    moved m = {{0}, 0, 0};
    for (uint32_t t = l->first_tile; t < l->first_tile + l->tile_count; t++) {
        const msw_npu_tile *tile = &p->tiles[t];
        for (uint32_t s = tile->load_first; s < tile->load_first + tile->load_count; s++)
            m.loads[p->segments[s].operand] +=
                p->segments[s].rows * p->segments[s].row_bytes * l->repeat;
        m.stores += tile->store_bytes * l->repeat;
        m.segments += ((uint64_t)tile->load_count + tile->store_count) * l->repeat;
    }
    return m;
}

static const char *mega(uint64_t bytes, char text[16])
{
    snprintf(text, 16, "%.3f", (double)bytes / 1e6);
    return text;
}

static void add_layer(const msw_npu_product *p, const msw_npu_layer *l, msw_text *out)
{
    moved m = moved_by(p, l);
    char a[5][16], name[NAME_SHOWN + 1];
    msw_text_fit(name, sizeof name, l->name);
    msw_text_add(
        out, "  %-*s %6" PRIu64 " %8" PRIu64 " %10s %10s %10s %10s %10s %9" PRIu64 "\n", NAME_SHOWN,
        name, l->repeat, l->tile_count * l->repeat, l->macs ? mega(l->macs * l->repeat, a[0]) : "-",
        mega(l->tensors[MSW_NPU_WEIGHT].bytes, a[1]), mega(m.loads[MSW_NPU_ACTIVATION], a[2]),
        mega(m.loads[MSW_NPU_WEIGHT], a[3]), mega(m.stores, a[4]), m.segments);
}

static void add_layers(const msw_npu_product *p, msw_text *out)
{
    uint64_t head = p->layer_count > SHOWN_MAX ? SHOWN_MAX - SHOWN_LAST : p->layer_count;
    msw_text_add(out, "\nLayers (millions of multiplications; MB of weights as they lie in memory, "
                      "and of what tiles move)\n");
    msw_text_add(out, "  %-*s %6s %8s %10s %10s %10s %10s %10s %9s\n", NAME_SHOWN, "layer", "steps",
                 "tiles", "MACs", "weights", "load act.", "load wgt.", "store", "segments");
    for (uint64_t i = 0; i < head; i++)
        add_layer(p, &p->layers[i], out);
    if (head == p->layer_count)
        return;
    msw_text_add(out, "  ... %" PRIu64 " more\n", p->layer_count - head - SHOWN_LAST);
    for (uint64_t i = p->layer_count - SHOWN_LAST; i < p->layer_count; i++)
        add_layer(p, &p->layers[i], out);
}

/* Pages of this many bytes that its tensors lie on: they follow each other, so all of the range. */
static uint64_t pages_of(const msw_npu_product *p, uint64_t bytes)
{
    return msw_div_up(p->footprint_bytes, bytes);
}

static void add_totals(const msw_npu_product *p, msw_text *out)
{
    char count[4][32];
    uint64_t bytes = p->load_bytes + p->store_bytes;
    msw_text_add(out, "\nIn all\n  %" PRIu64 " layer%s, %s tiles", p->layer_count,
                 p->layer_count == 1 ? "" : "s", msw_count_text(p->tiles_run, count[0]));
    if (p->macs)
        msw_text_add(out, ", %s multiplications: %.1f for each byte moved",
                     msw_count_text(p->macs, count[1]),
                     (double)p->macs / (double)msw_max_u64(bytes, 1));
    msw_text_add(out, "\n  footprint %.3f MB: %s pages of 4 KiB, %s of 64 KiB, %s of 2 MiB\n",
                 (double)p->footprint_bytes / 1e6, msw_count_text(pages_of(p, 4096), count[0]),
                 msw_count_text(pages_of(p, 65536), count[1]),
                 msw_count_text(pages_of(p, 2 << 20), count[2]));
    msw_text_add(out, "  moves %.3f MB in, %.3f MB out: each byte of the footprint %.2f times\n",
                 (double)p->load_bytes / 1e6, (double)p->store_bytes / 1e6,
                 (double)bytes / (double)msw_max_u64(p->footprint_bytes, 1));
    if (p->compute_cycles)
        msw_text_add(out, "  computes %s cycles: %.2f bytes a cycle where memory hinders nothing\n",
                     msw_count_text(p->compute_cycles, count[3]),
                     (double)bytes / (double)p->compute_cycles);
}

/* Nodes of a model that were passed over. */
static void add_skipped(const msw_npu_network *network, msw_text *out)
{
    if (network && network->skipped)
        msw_text_add(
            out, "  %" PRIu64 " node%s passed over: the operator is not known (the first: %s)\n",
            network->skipped, network->skipped == 1 ? "" : "s", network->first_skipped);
}

int msw_npu_describe(const void *content, const void *config, msw_text *out, msw_err *err)
{
    msw_arena arena = {0};
    msw_product product;
    int rc = msw_npu_build(content, config, 0, &arena, &product, err);
    if (rc == 0) {
        add_layers(product.data, out);
        add_totals(product.data, out);
        add_skipped(content, out);
    }
    msw_arena_free(&arena);
    return rc;
}
