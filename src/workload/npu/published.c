/* SPDX-License-Identifier: MIT */
/* The configuration (config.json) that publishers ship with a decoder: layers, heads, sizes,
 * experts, windows. The same thing has several names there; which of them count, and what a kind of
 * model does apart from its sizes, is in tables here. */
#include "workload/npu/parts.h"

#include "memsweep/base/json.h"

#include <string.h>

enum { SIZE_MAX_HERE = 1 << 24, HEADS_MAX = 65536, LAYERS_MAX = 1024, EXPERTS_MAX = 65536 };

typedef struct source {
    const char *file;
    const msw_json *top;
    msw_arena *arena;
    msw_err *err;
} source;

/* ---- kinds of models ---- */

/* What a `model_type` says that no size does; what a member of the file may say otherwise is in
 * read_others. */
typedef struct family {
    const char *name;
    bool plain;      /* no gate in the feed-forward, which is 4 x hidden where nothing is said */
    unsigned window; /* in which layers the window is: see WINDOW_... */
    unsigned norms;  /* of a layer */
    unsigned has;    /* see below */
} family;

enum { WINDOW_ALL, WINDOW_EVEN, WINDOW_NOT_SIXTH, WINDOW_NONE };

static const family FAMILIES[] = {
    {"llama", false, WINDOW_ALL, 2, 0},
    {"mistral", false, WINDOW_ALL, 2, 0},
    {"ministral", false, WINDOW_ALL, 2, 0},
    {"mixtral", false, WINDOW_ALL, 2, 0},
    {"qwen2", false, WINDOW_ALL, 2, QKV_BIAS},
    {"qwen2_moe", false, WINDOW_ALL, 2, QKV_BIAS},
    {"qwen3", false, WINDOW_ALL, 2, HEAD_NORMS},
    {"qwen3_moe", false, WINDOW_ALL, 2, HEAD_NORMS},
    {"gemma", false, WINDOW_NONE, 2, TIED},
    {"gemma2", false, WINDOW_EVEN, 4, TIED},
    {"gemma3_text", false, WINDOW_NOT_SIXTH, 4, TIED | HEAD_NORMS},
    {"deepseek", false, WINDOW_NONE, 2, 0},
    {"deepseek_v2", false, WINDOW_NONE, 2, 0},
    {"deepseek_v3", false, WINDOW_NONE, 2, ROUTER_SHIFT},
    {"kimi_k2", false, WINDOW_NONE, 2, ROUTER_SHIFT},
    {"olmo", false, WINDOW_NONE, 0, NO_LAST_NORM},
    {"olmo2", false, WINDOW_NONE, 2, WIDE_NORMS},
    {"olmoe", false, WINDOW_NONE, 2, WIDE_NORMS},
    {"phi3", false, WINDOW_ALL, 2, 0},
    {"granite", false, WINDOW_NONE, 2, 0},
    {"cohere", false, WINDOW_NONE, 1, TIED},
    {"internlm2", false, WINDOW_NONE, 2, 0},
    {"stablelm", false, WINDOW_NONE, 2, NORM_BIAS},
    {"smollm3", false, WINDOW_NONE, 2, TIED},
    {"glm4", false, WINDOW_NONE, 4, 0},
    {"gpt_oss", false, WINDOW_ALL, 2, QKV_BIAS | O_BIAS | SINKS | EXPERT_BIAS},
    {"gpt2", true, WINDOW_NONE, 2, TIED | NORM_BIAS | ALL_BIASES | POSITIONS},
    {"gpt_neox", true, WINDOW_NONE, 2, NORM_BIAS | ALL_BIASES},
    {"gptj", true, WINDOW_NONE, 1, NORM_BIAS | FORWARD_BIAS | HEAD_BIAS},
    {"gpt_bigcode", true, WINDOW_NONE, 2, TIED | NORM_BIAS | ALL_BIASES | POSITIONS},
    {"opt", true, WINDOW_NONE, 2, TIED | NORM_BIAS | ALL_BIASES | POSITIONS},
    {"bloom", true, WINDOW_NONE, 2, TIED | NORM_BIAS | ALL_BIASES | FIRST_NORM},
    {"falcon", true, WINDOW_NONE, 2, TIED | NORM_BIAS},
    {"phi", true, WINDOW_NONE, 1, NORM_BIAS | ALL_BIASES | HEAD_BIAS},
    {"starcoder2", true, WINDOW_ALL, 2, TIED | NORM_BIAS | ALL_BIASES},
};

static int fail_value(const source *s, const msw_json *at, const char *found, const char *allowed)
{
    return msw_fail(s->err, "%s:%zu:%zu: %s: found %s, allowed: %s", s->file, at->line, at->column,
                    at->key ? at->key : "the configuration", found, allowed);
}

static const char *shown(const msw_json *value)
{
    static const char *const KINDS[] = {
        [MSW_JSON_NULL] = "null",       [MSW_JSON_FALSE] = "false", [MSW_JSON_TRUE] = "true",
        [MSW_JSON_NUMBER] = "",         [MSW_JSON_STRING] = "",     [MSW_JSON_LIST] = "a list",
        [MSW_JSON_OBJECT] = "an object"};
    return value->text ? value->text : KINDS[value->kind];
}

static const family *find_family(const source *s)
{
    const msw_json *type = msw_json_find(s->top, "model_type");
    if (!type || type->kind != MSW_JSON_STRING) {
        msw_fail(s->err, "%s:%zu:%zu: there is no model_type that says what kind of model this is",
                 s->file, s->top->line, s->top->column);
        return NULL;
    }
    for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++)
        if (strcmp(FAMILIES[i].name, type->text) == 0)
            return &FAMILIES[i];
    fail_value(s, type, shown(type),
               "decoders with one kind of attention, as llama, qwen3_moe, gpt2, opt (docs/models/"
               "npu.md, 'Published decoders'); one that is made like these may be called so");
    return NULL;
}

/* ---- values ---- */

/* The first of several names, ended by NULL, that is there and not null. */
static const msw_json *find_any(const source *s, const char *const *names)
{
    for (; *names; names++) {
        const msw_json *found = msw_json_find(s->top, *names);
        if (found && found->kind != MSW_JSON_NULL)
            return found;
    }
    return NULL;
}

/* What the class of a model has where published files leave it out. */
static int take_default(const source *s, const char *name, uint64_t *size)
{
    static const struct {
        const char *type, *name;
        uint64_t size;
    } DEFAULTS[] = {
        {"gpt2", "n_positions", 1024},
        {"gpt_bigcode", "n_positions", 1024},
        {"opt", "n_positions", 2048},
        {"gemma3_text", "vocab_size", 262208},
        {"gemma3_text", "num_attention_heads", 8},
        {"gemma3_text", "num_key_value_heads", 4},
        {"gemma3_text", "head_dim", 256},
    };
    const msw_json *type = msw_json_find(s->top, "model_type");
    for (size_t i = 0; i < sizeof DEFAULTS / sizeof *DEFAULTS; i++)
        if (type && type->text && strcmp(DEFAULTS[i].type, type->text) == 0 &&
            strcmp(DEFAULTS[i].name, name) == 0) {
            *size = DEFAULTS[i].size;
            return 1;
        }
    return 0;
}

/* Returns 1, 0 when none of the names is there, or -1. */
static int read_size(const source *s, const char *const *names, uint64_t most, uint64_t *size)
{
    const msw_json *found = find_any(s, names);
    if (!found)
        return take_default(s, names[0], size);
    if (msw_json_whole(found, size) && *size <= most)
        return 1;
    return msw_fail(s->err, "%s:%zu:%zu: %s: found %s, allowed: whole numbers up to %llu", s->file,
                    found->line, found->column, found->key, shown(found), (unsigned long long)most);
}

static int need_size(const source *s, const char *const *names, uint64_t most, uint64_t *size)
{
    int rc = read_size(s, names, most, size);
    if (rc > 0 && *size > 0)
        return 0;
    if (rc > 0)
        return fail_value(s, find_any(s, names), "0", "at least 1");
    return rc ? -1
              : msw_fail(s->err, "%s:%zu:%zu: there is no %s", s->file, s->top->line,
                         s->top->column, names[0]);
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

static bool is_true(const source *s, const char *name)
{
    const msw_json *found = msw_json_find(s->top, name);
    return found && found->kind == MSW_JSON_TRUE;
}

static bool is_false(const source *s, const char *name)
{
    const msw_json *found = msw_json_find(s->top, name);
    return found && found->kind == MSW_JSON_FALSE;
}

/* ---- parts ---- */

static int read_heads(const source *s, msw_decoder *d)
{
    if (need_size(s, NAMES("num_attention_heads", "n_head", "n_heads"), HEADS_MAX, &d->heads))
        return -1;
    d->kv_heads =
        is_true(s, "multi_query") && !is_true(s, "new_decoder_architecture") ? 1 : d->heads;
    if (d->kv_heads == d->heads &&
        read_size(s, NAMES("num_key_value_heads", "num_kv_heads"), d->heads, &d->kv_heads) < 0)
        return -1;
    if (!d->kv_heads || d->heads % d->kv_heads)
        return msw_fail(s->err, "%s:%zu:%zu: %llu heads cannot share %llu heads of keys and values",
                        s->file, s->top->line, s->top->column, (unsigned long long)d->heads,
                        (unsigned long long)d->kv_heads);
    int rc = read_size(s, NAMES("head_dim"), HEADS_MAX, &d->head);
    if (rc == 0 && d->hidden % d->heads)
        return msw_fail(s->err,
                        "%s:%zu:%zu: there is no head_dim, and %llu heads do not divide a hidden "
                        "size of %llu",
                        s->file, s->top->line, s->top->column, (unsigned long long)d->heads,
                        (unsigned long long)d->hidden);
    if (rc > 0 && !d->head)
        return fail_value(s, find_any(s, NAMES("head_dim")), "0", "at least 1");
    d->head = rc ? d->head : d->hidden / d->heads;
    return rc < 0 ? -1 : 0;
}

static int read_latent(const source *s, msw_decoder *d)
{
    int rc = read_size(s, NAMES("kv_lora_rank"), SIZE_MAX_HERE, &d->latent);
    if (rc <= 0 || !d->latent)
        return rc < 0 ? -1 : 0;
    MSW_TRY(need_size(s, NAMES("qk_rope_head_dim"), HEADS_MAX, &d->turned));
    MSW_TRY(need_size(s, NAMES("qk_nope_head_dim"), HEADS_MAX, &d->plain_query));
    MSW_TRY(need_size(s, NAMES("v_head_dim"), HEADS_MAX, &d->value_head));
    return read_size(s, NAMES("q_lora_rank"), SIZE_MAX_HERE, &d->query_latent) < 0 ? -1 : 0;
}

static int read_feed_forward(const source *s, const family *f, msw_decoder *d)
{
    static const char *const INNER[] = {"intermediate_size", "ffn_dim", "n_inner",
                                        "ffn_hidden_size", NULL};
    d->plain = f->plain;
    if (f->plain && !find_any(s, INNER))
        d->inner = 4 * d->hidden;
    else if (need_size(s, INNER, SIZE_MAX_HERE, &d->inner))
        return -1;
    return 0;
}

static int read_experts(const source *s, msw_decoder *d)
{
    const msw_json *many =
        find_any(s, NAMES("num_local_experts", "num_experts", "n_routed_experts"));
    if (!many)
        return 0;
    uint64_t shared = 0;
    d->expert_inner = d->inner;
    if (read_size(s, NAMES(many->key), EXPERTS_MAX, &d->experts) < 0)
        return -1;
    if (!d->experts)
        return 0;
    if (need_size(s, NAMES("num_experts_per_tok", "experts_per_token"), d->experts, &d->active) ||
        read_size(s, NAMES("moe_intermediate_size"), SIZE_MAX_HERE, &d->expert_inner) < 0 ||
        read_size(s, NAMES("n_shared_experts"), EXPERTS_MAX, &shared) < 0)
        return -1;
    d->shared = shared * d->expert_inner;
    return read_size(s, NAMES("shared_expert_intermediate_size"), SIZE_MAX_HERE, &d->shared) < 0
               ? -1
               : 0;
}

/* Which layers have experts: as Qwen counts them, or as DeepSeek does. */
static int place_experts(const source *s, const msw_decoder *d, uint8_t *kinds)
{
    uint64_t first = 0, every = 1, step = 1;
    if (!d->experts)
        return 0;
    if (read_size(s, NAMES("first_k_dense_replace"), LAYERS_MAX, &first) < 0 ||
        read_size(s, NAMES("moe_layer_freq"), LAYERS_MAX, &every) < 0 ||
        read_size(s, NAMES("decoder_sparse_step"), LAYERS_MAX, &step) < 0)
        return -1;
    for (uint64_t l = first; l < d->layers; l++)
        if (every && step && l % every == 0 && (l + 1) % step == 0)
            kinds[l] |= MSW_DECODER_EXPERTS;
    const msw_json *dense = msw_json_find(s->top, "mlp_only_layers");
    for (const msw_json *m = dense ? dense->first : NULL; m; m = m->next) {
        uint64_t layer;
        if (!msw_json_whole(m, &layer) || layer >= d->layers)
            return msw_fail(s->err,
                            "%s:%zu:%zu: mlp_only_layers: found %s, allowed: numbers of "
                            "layers, from 0",
                            s->file, m->line, m->column, shown(m));
        kinds[layer] &= (uint8_t)~MSW_DECODER_EXPERTS;
    }
    return 0;
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
        if (text && strcmp(t->text, "sliding_attention") == 0)
            *kinds |= MSW_DECODER_WINDOW;
        else if (!text || strcmp(t->text, "full_attention") != 0)
            return msw_fail(s->err,
                            "%s:%zu:%zu: layer_types: found %s, allowed: full_attention, "
                            "sliding_attention",
                            s->file, t->line, t->column, shown(t));
    }
    return 0;
}

static bool has_window(const family *f, uint64_t every, uint64_t layer)
{
    if (every)
        return (layer + 1) % every != 0;
    return f->window == WINDOW_ALL || (f->window == WINDOW_EVEN && layer % 2 == 0) ||
           (f->window == WINDOW_NOT_SIXTH && (layer + 1) % 6 != 0);
}

/* Which layers attend to a window only. */
static int place_windows(const source *s, const family *f, msw_decoder *d, uint8_t *kinds)
{
    uint64_t from = 0, every = 0;
    const msw_json *types = find_any(s, NAMES("layer_types"));
    if (is_false(s, "use_sliding_window") || !find_any(s, NAMES("sliding_window")))
        return 0;
    if (need_size(s, NAMES("sliding_window"), SIZE_MAX_HERE, &d->window) ||
        read_size(s, NAMES("sliding_window_pattern"), LAYERS_MAX, &every) < 0)
        return -1;
    if (types)
        return place_listed(s, types, d, kinds);
    if (is_true(s, "use_sliding_window") &&
        read_size(s, NAMES("max_window_layers"), LAYERS_MAX, &from) < 0)
        return -1;
    for (uint64_t l = from; l < d->layers; l++)
        kinds[l] |= has_window(f, every, l) ? MSW_DECODER_WINDOW : 0;
    return 0;
}

/* ---- parameters that are not multiplied ---- */

/* Takes what members say in place of the kind's own. */
static unsigned read_has(const source *s, const family *f)
{
    static const struct {
        const char *name;
        unsigned bits;
    } MEMBERS[] = {
        {"tie_word_embeddings", TIED}, {"attention_bias", QKV_BIAS | O_BIAS},
        {"mlp_bias", FORWARD_BIAS},    {"use_bias", ALL_BIASES},
        {"use_qkv_bias", QKV_BIAS},    {"use_qk_norm", WIDE_NORMS},
        {"qk_layernorm", HEAD_NORMS},  {"bias", QKV_BIAS | O_BIAS},
    };
    unsigned has = f->has;
    for (size_t i = 0; i < sizeof MEMBERS / sizeof *MEMBERS; i++)
        if (is_true(s, MEMBERS[i].name))
            has |= MEMBERS[i].bits;
        else if (is_false(s, MEMBERS[i].name))
            has &= ~MEMBERS[i].bits;
    if (strcmp(f->name, "falcon") == 0 && is_true(s, "bias"))
        has |= FORWARD_BIAS;
    if (strcmp(f->name, "glm4") == 0 && is_true(s, "attention_bias"))
        has &= ~(unsigned)O_BIAS;
    return has;
}

/* Of parallel attention and feed-forward there is one norm, where the file has not two. */
static unsigned norms_of(const source *s, const family *f)
{
    bool falcon = strcmp(f->name, "falcon") == 0;
    bool parallel = falcon
                        ? !is_false(s, "parallel_attn") && !is_true(s, "new_decoder_architecture")
                        : is_true(s, "use_parallel_residual") && strcmp(f->name, "stablelm") == 0;
    return parallel ? 1 : f->norms;
}

static int read_positions(const source *s, const msw_decoder *d, const family *f, uint64_t *size)
{
    uint64_t positions = 0;
    if (need_size(s, NAMES("n_positions", "max_position_embeddings", "n_ctx"), SIZE_MAX_HERE,
                  &positions))
        return -1;
    *size += (positions + (strcmp(f->name, "opt") == 0 ? 2 : 0)) * d->hidden;
    return 0;
}

static int read_others(const source *s, const family *f, msw_decoder *d)
{
    unsigned has = read_has(s, f);
    if (d->shared && find_any(s, NAMES("shared_expert_intermediate_size")))
        has |= SHARED_GATE;
    d->others = 0;
    if (has & POSITIONS && read_positions(s, d, f, &d->others))
        return -1;
    msw_decoder_add_others(d, has, norms_of(s, f));
    return 0;
}

/* ---- quantised files ---- */

/* How many bits a weight has in a file that is quantised. What is not known has none, and is told
 * by its name where a width is needed. */
static int read_quantization(const source *s, const msw_json *top, msw_decoder *d)
{
    const msw_json *q = msw_json_find(top, "quantization_config");
    const msw_json *in = q ? q : msw_json_find(s->top, "quantization_config");
    const msw_json *method = in ? msw_json_find(in, "quant_method") : NULL;
    if (!in || in->kind == MSW_JSON_NULL)
        return 0;
    if (in->kind != MSW_JSON_OBJECT || !method || method->kind != MSW_JSON_STRING)
        return fail_value(s, in, shown(in), "an object with a quant_method");
    source inner = {s->file, in, s->arena, s->err};
    d->file_method = method->text;
    if (read_size(&inner, NAMES("bits", "w_bit"), 64, &d->file_bits) < 0)
        return -1;
    if (strcmp(method->text, "mxfp4") == 0 || is_true(&inner, "load_in_4bit"))
        d->file_bits = 4;
    else if (strcmp(method->text, "fp8") == 0 || is_true(&inner, "load_in_8bit"))
        d->file_bits = 8;
    return 0;
}

/* What would be left out in silence. */
static int refuse_others(const source *s)
{
    static const struct {
        const char *name, *what;
    } OTHERS[] = {
        {"is_encoder_decoder", "a model with an encoder, which is not modelled"},
        {"attn_layer_period", "layers without attention, which are not modelled"},
        {"layers_block_type", "layers without attention, which are not modelled"},
    };
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        const msw_json *found = find_any(s, NAMES(OTHERS[i].name));
        if (found && found->kind != MSW_JSON_FALSE)
            return msw_fail(s->err, "%s:%zu:%zu: %s: %s", s->file, found->line, found->column,
                            OTHERS[i].name, OTHERS[i].what);
    }
    return 0;
}

static int read_shape(const source *s, msw_decoder *d)
{
    const family *f = find_family(s);
    if (!f || refuse_others(s) ||
        need_size(s, NAMES("num_hidden_layers", "n_layer", "num_layers", "n_layers"), LAYERS_MAX,
                  &d->layers) ||
        need_size(s, NAMES("hidden_size", "n_embd", "d_model"), SIZE_MAX_HERE, &d->hidden) ||
        need_size(s, NAMES("vocab_size"), SIZE_MAX_HERE, &d->words) || read_heads(s, d) ||
        read_latent(s, d) || read_feed_forward(s, f, d) || read_experts(s, d))
        return -1;
    uint8_t *kinds = msw_arena_zero(s->arena, d->layers, 1);
    if (!kinds)
        return msw_fail_memory(s->err);
    d->kinds = kinds;
    MSW_TRY(place_experts(s, d, kinds));
    MSW_TRY(place_windows(s, f, d, kinds));
    MSW_TRY(read_others(s, f, d));
    return 0;
}

const msw_decoder *msw_npu_read_decoder(const char *file, const char *bytes, size_t size,
                                        msw_arena *arena, msw_err *err)
{
    const msw_json *top = msw_json_read(file, bytes, size, arena, err);
    msw_decoder *d = msw_arena_zero(arena, 1, sizeof *d);
    if (!top)
        return NULL;
    if (!d) {
        msw_fail_memory(err);
        return NULL;
    }
    if (top->kind != MSW_JSON_OBJECT) {
        msw_fail(err, "%s:%zu:%zu: found %s, allowed: an object, as in a config.json", file,
                 top->line, top->column, shown(top));
        return NULL;
    }
    /* models of text and pictures keep the decoder's sizes in a part of their own */
    const msw_json *text = msw_json_find(top, "text_config");
    source s = {file, text && text->kind == MSW_JSON_OBJECT ? text : top, arena, err};
    return read_shape(&s, d) || read_quantization(&s, top, d) ? NULL : d;
}
