/* SPDX-License-Identifier: MIT */
/* What the layers of a published decoder have: experts, and windows of attention. */
#include "workload/npu/decoder/published.h"

#include <string.h>

int msw_published_experts_of(const source *s, msw_decoder *d)
{
    const msw_json *many =
        msw_published_any(s, NAMES("num_local_experts", "num_experts", "n_routed_experts"));
    if (!many)
        return 0;
    uint64_t shared = 0;
    d->expert_inner = d->inner;
    if (msw_published_size(s, NAMES(many->key), EXPERTS_MAX, &d->experts) < 0)
        return -1;
    if (!d->experts)
        return 0;
    if (msw_published_need(s, NAMES("num_experts_per_tok", "experts_per_token"), d->experts,
                           &d->active) ||
        msw_published_size(s, NAMES("moe_intermediate_size"), SIZE_MAX_HERE, &d->expert_inner) <
            0 ||
        msw_published_size(s, NAMES("n_shared_experts"), EXPERTS_MAX, &shared) < 0)
        return -1;
    if (msw_published_any(s, NAMES("intermediate_size_mlp"))) {
        MSW_TRY(msw_published_need(s, NAMES("intermediate_size"), SIZE_MAX_HERE, &d->expert_inner));
        shared = 1;
    }
    d->shared = shared * d->expert_inner;
    return msw_published_size(s, NAMES("shared_expert_intermediate_size"), SIZE_MAX_HERE,
                              &d->shared) < 0
               ? -1
               : 0;
}

/* Marks, or unmarks, the layers of a list. */
static int mark_experts(const source *s, const char *name, bool experts, const msw_decoder *d,
                        uint8_t *kinds)
{
    const msw_json *list = msw_json_find(s->top, name);
    for (const msw_json *m = list ? list->first : NULL; m; m = m->next) {
        uint64_t layer;
        if (!msw_json_whole(m, &layer) || layer >= d->layers)
            return msw_fail(s->err, "%s:%zu:%zu: %s: found %s, allowed: numbers of layers, from 0",
                            s->file, m->line, m->column, name, msw_published_shown(m));
        kinds[layer] &= (uint8_t)~MSW_DECODER_EXPERTS;
        kinds[layer] |= experts ? MSW_DECODER_EXPERTS : 0;
    }
    return 0;
}

/* Which layers have experts: as Qwen and Llama count them, as DeepSeek does, or as Jamba does. */
int msw_published_mark_experts(const source *s, const msw_decoder *d, uint8_t *kinds)
{
    uint64_t first = 0, every = 1, step = 1, period = 1, offset = 0;
    if (!d->experts)
        return 0;
    const msw_json *listed = msw_published_any(s, NAMES("moe_layers"));
    if (listed && listed->first)
        return mark_experts(s, "moe_layers", true, d, kinds);
    if (msw_published_size(s, NAMES("first_k_dense_replace"), LAYERS_MAX, &first) < 0 ||
        msw_published_size(s, NAMES("moe_layer_freq"), LAYERS_MAX, &every) < 0 ||
        msw_published_size(s, NAMES("decoder_sparse_step", "interleave_moe_layer_step"), LAYERS_MAX,
                           &step) < 0 ||
        msw_published_size(s, NAMES("expert_layer_period"), LAYERS_MAX, &period) < 0 ||
        msw_published_size(s, NAMES("expert_layer_offset"), LAYERS_MAX, &offset) < 0)
        return -1;
    for (uint64_t l = first; l < d->layers; l++)
        if (every && step && l % every == 0 && (l + 1) % step == 0 &&
            (!period || l % period == offset))
            kinds[l] |= MSW_DECODER_EXPERTS;
    return mark_experts(s, "mlp_only_layers", false, d, kinds);
}

static int place_listed(const source *s, const msw_json *types, const msw_decoder *d,
                        uint8_t *kinds)
{
    if (types->kind != MSW_JSON_LIST || types->count != d->layers)
        return msw_fail(s->err,
                        "%s:%zu:%zu: layer_types: found %zu entries, allowed: one for each "
                        "of %llu layers",
                        s->file, types->line, types->column, types->count,
                        (unsigned long long)d->layers);
    for (const msw_json *t = types->first; t; t = t->next, kinds++) {
        bool text = t->kind == MSW_JSON_STRING;
        if (text && (strcmp(t->text, "sliding_attention") == 0 ||
                     strcmp(t->text, "chunked_attention") == 0))
            *kinds |= MSW_DECODER_WINDOW;
        else if (!text || strcmp(t->text, "full_attention") != 0)
            return msw_fail(s->err,
                            "%s:%zu:%zu: layer_types: found %s, allowed: full_attention, "
                            "sliding_attention, chunked_attention",
                            s->file, t->line, t->column, msw_published_shown(t));
    }
    return 0;
}

static bool has_window(const family *f, uint64_t every, uint64_t layer)
{
    if (every)
        return (layer + 1) % every != 0;
    return f->window == WINDOW_ALL || (f->window == WINDOW_EVEN && layer % 2 == 0) ||
           (f->window == WINDOW_NOT_SIXTH && (layer + 1) % 6 != 0) ||
           (f->window == WINDOW_NOT_FOURTH && (layer + 1) % 4 != 0);
}

/* Which layers attend to a window only. */
int msw_published_mark_windows(const source *s, const family *f, msw_decoder *d, uint8_t *kinds)
{
    static const char *const SPANS[] = {"sliding_window", "attention_chunk_size", NULL};
    uint64_t from = 0, every = 0;
    const msw_json *types = msw_published_any(s, NAMES("layer_types"));
    if (msw_published_false(s, "use_sliding_window") || !msw_published_any(s, SPANS))
        return 0;
    if (msw_published_need(s, SPANS, SIZE_MAX_HERE, &d->window) ||
        msw_published_size(s, NAMES("sliding_window_pattern", "no_rope_layer_interval"), LAYERS_MAX,
                           &every) < 0)
        return -1;
    if (types)
        return place_listed(s, types, d, kinds);
    if (msw_published_true(s, "use_sliding_window") &&
        msw_published_size(s, NAMES("max_window_layers"), LAYERS_MAX, &from) < 0)
        return -1;
    for (uint64_t l = from; l < d->layers; l++)
        kinds[l] |= has_window(f, every, l) ? MSW_DECODER_WINDOW : 0;
    return 0;
}
