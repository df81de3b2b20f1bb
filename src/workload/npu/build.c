/* SPDX-License-Identifier: MIT */
/* Builds the product from content and settings: operators get addresses, are cut, and walked.
 * Describes a network that is cut: layers with their sizes, and how many pages it takes. */
#include "workload/npu/parts.h"

#include "memsweep/base/text.h"

#include <inttypes.h>
#include <stdio.h>

static bool has_product(const msw_npu_addresses *p)
{
    return !p->op->vector && p->pass != MSW_NPU_UPDATE;
}

static int cut_all(const msw_npu_run *run, msw_err *err)
{
    for (size_t i = 0; i < run->count; i++) {
        msw_npu_addresses *p = &run->passes[i];
        if (has_product(p) &&
            (p->pass == MSW_NPU_FORWARD ? msw_npu_cut_op : msw_npu_cut_back)(p, err))
            return -1;
    }
    return 0;
}

static int walk_all(const msw_npu_run *run, msw_npu_sink *sink, msw_err *err)
{
    for (size_t i = 0; i < run->count; i++) {
        const msw_npu_addresses *p = &run->passes[i];
        if ((has_product(p) ? msw_npu_walk : msw_npu_walk_stream)(p, sink, err))
            return -1;
    }
    return 0;
}

/* Arrays of the size that the counting pass found. */
static int allocate_product(msw_npu_sink *sink, msw_arena *arena, msw_err *err)
{
    msw_npu_sink filled = {
        .layers = msw_arena_take(arena, sink->layer_count * sizeof *sink->layers),
        .tiles = msw_arena_take(arena, sink->tile_count * sizeof *sink->tiles),
        .segments = msw_arena_take(arena, sink->segment_count * sizeof *sink->segments),
    };
    *sink = filled;
    return filled.layers && filled.tiles && filled.segments ? 0 : msw_fail_memory(err);
}

static int tile_network(const msw_npu_network *network, const msw_npu_config *config,
                        msw_arena *arena, msw_npu_product *product, msw_err *err)
{
    msw_npu_run run;
    msw_npu_sink sink = {0};
    if (msw_npu_address(network, config, arena, &run, err) || cut_all(&run, err) ||
        walk_all(&run, &sink, err))
        return -1;
    if (allocate_product(&sink, arena, err) || walk_all(&run, &sink, err))
        return -1;
    *product = (msw_npu_product){.layers = sink.layers,
                                 .tiles = sink.tiles,
                                 .segments = sink.segments,
                                 .layer_count = sink.layer_count,
                                 .tile_count = sink.tile_count,
                                 .segment_count = sink.segment_count,
                                 .base_address = MSW_NPU_BASE_ADDRESS,
                                 .footprint_bytes = run.end - MSW_NPU_BASE_ADDRESS};
    product->overlaps = config->overlap && config->buffers == MSW_NPU_BUFFERS_DOUBLE;
    product->kept_bytes = (uint64_t)config->spm_activation / 2;
    msw_npu_totals(product);
    return 0;
}

/* The decoder whose operators are made when the settings are known; that without a file is
 * LLaMA-7B. Returns NULL for other content. */
static const msw_decoder *decoder_of(const msw_npu_network *network)
{
    return network ? network->decoder : &msw_decoders[MSW_DECODER_LLM7B];
}

/* A decoder's operators, of the part that one device has. */
static int make_decoder(const msw_decoder *whole, const msw_npu_config *config, msw_arena *arena,
                        msw_npu_network *network, msw_err *err)
{
    uint64_t context = (uint64_t)config->context;
    msw_npu_decoding decoding = {config->phase == MSW_NPU_DECODE ? 1 : context, context,
                                 (uint64_t)config->batch, config->elementwise == MSW_NPU_STORED,
                                 config->training == MSW_NPU_STEP};
    msw_decoder part;
    MSW_TRY(msw_npu_share(whole, (uint64_t)config->shards, &part, err));
    MSW_TRY(msw_npu_decoder(&part, &decoding, arena, network, err));
    return 0;
}

/* What a training step cannot be made of. */
static int check_training(const msw_npu_network *network, const msw_npu_config *config,
                          msw_err *err)
{
    if (config->training != MSW_NPU_STEP)
        return 0;
    if (network && network->listed)
        return msw_fail(err, "npu_training: an explicit tile list is taken as it is; allowed: "
                             "none");
    if (decoder_of(network) && config->phase == MSW_NPU_DECODE)
        return msw_fail(err,
                        "npu_training: decoders are trained on whole sequences; allowed: none, "
                        "or the workload's prefill");
    const msw_decoder *d = decoder_of(network);
    if (d && (d->latent || d->mixer.heads || d->encoder || d->gated_attention))
        return msw_fail(err, "npu_training: steps of %s are not modelled; allowed: none",
                        d->latent    ? "latent attention"
                        : d->encoder ? "encoders"
                                     : "layers with a state");
    if (config->weight_bits != MSW_NPU_BITS_SAME)
        return msw_fail(err,
                        "npu_weight_bits: weights that are trained are as wide as activations; "
                        "allowed: same (npu_state_bytes says how wide the optimizer keeps them)");
    return 0;
}

/* A model may have no product at all. */
static int check_products(const msw_npu_network *network, const msw_npu_config *config,
                          msw_err *err)
{
    bool any = !network || network->listed || network->decoder ||
               (config->elementwise == MSW_NPU_STORED && network->op_count);
    for (size_t i = 0; !any && i < network->op_count; i++)
        any = !network->ops[i].vector;
    return any ? 0
               : msw_fail(err,
                          "none of the network's %zu operators multiplies matrices or images; "
                          "npu_elementwise: stored makes layers of them",
                          network->op_count);
}

/* A file whose weights are quantised says so; how wide they are here is a setting. */
static int check_quantized(const msw_decoder *d, const msw_npu_config *config, msw_err *err)
{
    if (!d || !d->file_method || config->weight_bits != MSW_NPU_BITS_SAME)
        return 0;
    char bits[32] = "4, 8, 16 or 32";
    if (d->file_bits)
        snprintf(bits, sizeof bits, "%" PRIu64, d->file_bits);
    return msw_fail(err,
                    "npu_weight_bits: the file's quantization_config (%s) says how wide weights "
                    "are, and 'same' would have them as wide as activations; allowed: %s",
                    d->file_method, bits);
}

/* Settings that say nothing about this content are not passed over. */
int msw_npu_check(const void *content, const void *settings, msw_err *err)
{
    const msw_npu_network *network = content;
    const msw_npu_config *config = settings;
    msw_decoder part;
    if (network && network->listed && config->batch != 1)
        return msw_fail(err, "npu_batch %lld: an explicit tile list has its own batch; allowed: 1",
                        (long long)config->batch);
    if (network && network->listed && config->elementwise != MSW_NPU_FUSED)
        return msw_fail(err, "npu_elementwise: an explicit tile list has its own operators; "
                             "allowed: fused");
    if (network && network->listed && config->weight_bits != MSW_NPU_BITS_SAME)
        return msw_fail(err, "npu_weight_bits: an explicit tile list has its own bytes; allowed: "
                             "same");
    if (decoder_of(network) && decoder_of(network)->encoder && config->phase == MSW_NPU_DECODE)
        return msw_fail(err, "an encoder makes no tokens one after the other; allowed: the "
                             "workload's prefill");
    if (check_products(network, config, err) || check_training(network, config, err) ||
        check_quantized(decoder_of(network), config, err))
        return -1;
    if (!decoder_of(network))
        return config->shards == 1 ? 0
                                   : msw_fail(err,
                                              "npu_shards %lld: only decoders are shared out; "
                                              "allowed: 1",
                                              (long long)config->shards);
    return msw_npu_share(decoder_of(network), (uint64_t)config->shards, &part, err);
}

static int build_product(const msw_npu_network *network, const msw_npu_config *config,
                         msw_arena *arena, msw_npu_product *product, msw_err *err)
{
    msw_npu_network made;
    if (msw_npu_check(network, config, err))
        return -1;
    if (network && network->listed) {
        *product = *network->listed;
        return 0;
    }
    const msw_decoder *whole = decoder_of(network);
    if (whole) {
        if (make_decoder(whole, config, arena, &made, err))
            return -1;
        network = &made;
    }
    return tile_network(network, config, arena, product, err);
}

int msw_npu_build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                  msw_product *product, msw_err *err)
{
    (void)seed;
    msw_npu_product *p = msw_arena_zero(arena, 1, sizeof *p);
    if (!p)
        return msw_fail_memory(err);
    if (build_product(content, config, arena, p, err))
        return -1;
    uint64_t bytes = p->load_bytes + p->store_bytes;
    *product = (msw_product){
        .kind = MSW_PRODUCT_TILES,
        .data = p,
        .summary = {.units = p->tiles_run,
                    .bytes = bytes,
                    .footprint_bytes = p->footprint_bytes,
                    .write_share = bytes ? (double)p->store_bytes / (double)bytes : 0},
    };
    return 0;
}

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

/* What a token keeps and multiplies in attention or with a state, of all layers. */
typedef struct remembered {
    uint64_t keys, state, products, read; /* elements; multiplications; elements read */
} remembered;

static remembered remember(const msw_decoder *d, uint64_t context)
{
    remembered r = {0};
    uint64_t state = d->mixer.heads * d->mixer.key * d->mixer.value;
    for (uint64_t l = 0; l < d->layers; l++) {
        unsigned kind = d->kinds ? d->kinds[l] : 0;
        uint64_t attended = kind & MSW_DECODER_WINDOW ? msw_min_u64(context, d->window) : context;
        uint64_t kept = d->latent ? d->latent + d->turned : 2 * d->kv_heads * d->head;
        if (kind & MSW_DECODER_STATE) {
            r.state += state;
            r.read += state;
            r.products += state * (d->mixer.corrects ? 3 : 2);
            continue;
        }
        r.keys += kept;
        r.read += attended * kept;
        r.products += attended * d->heads * (d->latent ? 2 * d->latent + d->turned : 2 * d->head);
    }
    return r;
}

/* What people compare decoders by. */
static void add_decoder(const msw_decoder *d, const msw_npu_config *config, msw_text *out)
{
    char count[2][32];
    msw_decoder_parameters p = msw_decoder_count(d);
    remembered r = remember(d, (uint64_t)config->context);
    double bytes = (double)config->element_bytes;
    msw_text_add(out, "\nThe %s\n  %s parameters", d->encoder ? "encoder" : "decoder",
                 msw_count_text(p.all, count[0]));
    if (p.active != p.all)
        msw_text_add(out, ", of which a token meets %s", msw_count_text(p.active, count[1]));
    msw_text_add(out, "\n  without the tables of words");
    if (d->ahead)
        msw_text_add(out, ", with %" PRIu64 " layer%s that predict%s ahead", d->ahead,
                     d->ahead == 1 ? "" : "s", d->ahead == 1 ? "s" : "");
    msw_text_add(out, ": %s", msw_count_text(p.layers, count[0]));
    if (p.layers_active != p.layers)
        msw_text_add(out, " and %s", msw_count_text(p.layers_active, count[1]));
    msw_text_add(out, "\n  %.3f GB of 16 bits, %.3f of 8, %.3f of 4\n", (double)p.all * 2 / 1e9,
                 (double)p.all / 1e9, (double)p.all / 2e9);
    msw_text_add(out, "  a token multiplies %s times, %s of them in attention to %lld tokens%s\n",
                 msw_count_text(p.multiplied + r.products, count[0]),
                 msw_count_text(r.products, count[1]), (long long)config->context,
                 r.state ? " or with a state" : "");
    if (d->encoder)
        return;
    msw_text_add(out,
                 "  keys and values: %s B a token; %.2f multiplications for each byte "
                 "that one token reads\n",
                 msw_count_text(r.keys * (uint64_t)config->element_bytes, count[0]),
                 (double)(p.multiplied + r.products) /
                     ((double)p.multiplied * (double)msw_npu_weight_bits(config) / 8 +
                      (double)r.read * bytes));
    if (r.state)
        msw_text_add(out, "  states: %s B a sequence, whatever its length\n",
                     msw_count_text(r.state * (uint64_t)config->element_bytes, count[0]));
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
    const msw_decoder *d = content ? ((const msw_npu_network *)content)->decoder : NULL;
    msw_npu_config own = *(const msw_npu_config *)config;
    if (d && d->file_method && own.weight_bits == MSW_NPU_BITS_SAME)
        own.weight_bits = d->file_bits == 4 ? MSW_NPU_BITS_4 : MSW_NPU_BITS_8;
    int rc = msw_npu_build(content, &own, 0, &arena, &product, err);
    if (rc == 0) {
        add_layers(product.data, out);
        add_totals(product.data, out);
        add_skipped(content, out);
        if (d)
            add_decoder(d, &own, out);
    }
    msw_arena_free(&arena);
    return rc;
}
