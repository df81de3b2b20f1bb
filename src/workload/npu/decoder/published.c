/* SPDX-License-Identifier: MIT */
/* The configuration (config.json) that publishers ship with a decoder: layers, heads, sizes,
 * experts, windows. The same thing has several names there; which of them count, and what a kind of
 * model does apart from its sizes, is in tables here. */
#include "workload/npu/decoder/published.h"

#include <string.h>

/* ---- kinds of models ---- */

/* Words, positions and kinds are normed together; behind the last layer there is no norm. */
enum { TEXT_ENCODER = ENCODER | POOLED | FIRST_NORM | NO_LAST_NORM };

static const family FAMILIES[] = {
    {"llama", false, WINDOW_ALL, 2, 0},
    {"mistral", false, WINDOW_ALL, 2, 0},
    {"ministral", false, WINDOW_ALL, 2, 0},
    {"mixtral", false, WINDOW_ALL, 2, 0},
    {"qwen2", false, WINDOW_ALL, 2, QKV_BIAS},
    {"qwen2_moe", false, WINDOW_ALL, 2, QKV_BIAS},
    {"qwen3", false, WINDOW_ALL, 2, HEAD_NORMS},
    {"qwen3_moe", false, WINDOW_ALL, 2, HEAD_NORMS},
    {"qwen3_next", false, WINDOW_NONE, 2, HEAD_NORMS},
    {"llama4_text", false, WINDOW_NOT_FOURTH, 2, 0},
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
    {"glm4_moe", false, WINDOW_NONE, 2, ROUTER_SHIFT},
    {"jamba", false, WINDOW_NONE, 2, 0},
    {"mamba", false, WINDOW_NONE, 1, TIED},
    {"mamba2", false, WINDOW_NONE, 1, TIED},
    {"gpt_oss", false, WINDOW_ALL, 2, QKV_BIAS | O_BIAS | SINKS | EXPERT_BIAS},
    {"gpt2", true, WINDOW_NONE, 2, TIED | NORM_BIAS | ALL_BIASES | POSITIONS},
    {"gpt_neox", true, WINDOW_NONE, 2, NORM_BIAS | ALL_BIASES},
    {"nemotron", true, WINDOW_NONE, 2, NORM_BIAS},
    {"bert", true, WINDOW_NONE, 2, NORM_BIAS | ALL_BIASES | POSITIONS | TEXT_ENCODER},
    {"roberta", true, WINDOW_NONE, 2, NORM_BIAS | ALL_BIASES | POSITIONS | TEXT_ENCODER},
    {"t5", true, WINDOW_NONE, 2, ENCODER},
    {"gptj", true, WINDOW_NONE, 1, NORM_BIAS | FORWARD_BIAS | HEAD_BIAS},
    {"gpt_bigcode", true, WINDOW_NONE, 2, TIED | NORM_BIAS | ALL_BIASES | POSITIONS},
    {"opt", true, WINDOW_NONE, 2, TIED | NORM_BIAS | ALL_BIASES | POSITIONS},
    {"bloom", true, WINDOW_NONE, 2, TIED | NORM_BIAS | ALL_BIASES | FIRST_NORM},
    {"falcon", true, WINDOW_NONE, 2, TIED | NORM_BIAS},
    {"phi", true, WINDOW_NONE, 1, NORM_BIAS | ALL_BIASES | HEAD_BIAS},
    {"starcoder2", true, WINDOW_ALL, 2, TIED | NORM_BIAS | ALL_BIASES},
};

/* The authors' own files of state spaces have no model_type. Returns a kind, or NULL. */
static const char *bare_name(const source *s)
{
    const msw_json *settings = msw_json_find(s->top, "ssm_cfg");
    const msw_json *layer = settings ? msw_json_find(settings, "layer") : NULL;
    if (!settings || settings->kind != MSW_JSON_OBJECT)
        return NULL;
    return layer && layer->text && strcmp(layer->text, "Mamba2") == 0 ? "mamba2" : "mamba";
}

static const family *find_family(const source *s)
{
    const msw_json *type = msw_json_find(s->top, "model_type");
    const char *name = type && type->kind == MSW_JSON_STRING ? type->text : bare_name(s);
    if (!name) {
        msw_fail(s->err, "%s:%zu:%zu: there is no model_type that says what kind of model this is",
                 s->file, s->top->line, s->top->column);
        return NULL;
    }
    for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++)
        if (strcmp(FAMILIES[i].name, name) == 0)
            return &FAMILIES[i];
    msw_published_fail(
        s, type, msw_published_shown(type),
        "kinds of models as llama, qwen3_moe, gpt2, mamba2, bert (docs/models/npu.md, "
        "'Published decoders'); one that is made like these may be called so");
    return NULL;
}

/* ---- parts ---- */

static int read_heads(const source *s, const family *f, msw_decoder *d)
{
    d->heads = d->kv_heads = d->head = 1;
    if (msw_published_bare(f))
        return 0;
    if (msw_published_need(s, NAMES("num_attention_heads", "n_head", "n_heads", "num_heads"),
                           HEADS_MAX, &d->heads))
        return -1;
    d->kv_heads =
        msw_published_true(s, "multi_query") && !msw_published_true(s, "new_decoder_architecture")
            ? 1
            : d->heads;
    if (d->kv_heads == d->heads &&
        msw_published_size(s, NAMES("num_key_value_heads", "num_kv_heads"), d->heads,
                           &d->kv_heads) < 0)
        return -1;
    if (!d->kv_heads || d->heads % d->kv_heads)
        return msw_fail(s->err, "%s:%zu:%zu: %llu heads cannot share %llu heads of keys and values",
                        s->file, s->top->line, s->top->column, (unsigned long long)d->heads,
                        (unsigned long long)d->kv_heads);
    int rc = msw_published_size(s, NAMES("head_dim", "d_kv"), HEADS_MAX, &d->head);
    if (rc == 0 && d->hidden % d->heads)
        return msw_fail(s->err,
                        "%s:%zu:%zu: there is no head_dim, and %llu heads do not divide a hidden "
                        "size of %llu",
                        s->file, s->top->line, s->top->column, (unsigned long long)d->heads,
                        (unsigned long long)d->hidden);
    if (rc > 0 && !d->head)
        return msw_published_fail(s, msw_published_any(s, NAMES("head_dim")), "0", "at least 1");
    d->head = rc ? d->head : d->hidden / d->heads;
    return rc < 0 ? -1 : 0;
}

static int read_latent(const source *s, msw_decoder *d)
{
    int rc = msw_published_size(s, NAMES("kv_lora_rank"), SIZE_MAX_HERE, &d->latent);
    if (rc <= 0 || !d->latent)
        return rc < 0 ? -1 : 0;
    MSW_TRY(msw_published_need(s, NAMES("qk_rope_head_dim"), HEADS_MAX, &d->turned));
    MSW_TRY(msw_published_need(s, NAMES("qk_nope_head_dim"), HEADS_MAX, &d->plain_query));
    MSW_TRY(msw_published_need(s, NAMES("v_head_dim"), HEADS_MAX, &d->value_head));
    return msw_published_size(s, NAMES("q_lora_rank"), SIZE_MAX_HERE, &d->query_latent) < 0 ? -1
                                                                                            : 0;
}

static int read_feed_forward(const source *s, const family *f, msw_decoder *d)
{
    static const char *const INNER[] = {"intermediate_size_mlp",
                                        "intermediate_size",
                                        "ffn_dim",
                                        "n_inner",
                                        "ffn_hidden_size",
                                        "d_ff",
                                        NULL};
    const msw_json *gate = msw_json_find(s->top, "feed_forward_proj");
    d->plain = f->plain && !(gate && gate->text && strncmp(gate->text, "gated", 5) == 0);
    if (msw_published_bare(f))
        return 0;
    if (f->plain && !msw_published_any(s, INNER))
        d->inner = 4 * d->hidden;
    else if (msw_published_need(s, INNER, SIZE_MAX_HERE, &d->inner))
        return -1;
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
        {"tie_word_embeddings", TIED},
        {"tie_embeddings", TIED},
        {"attention_bias", QKV_BIAS | O_BIAS},
        {"mlp_bias", FORWARD_BIAS},
        {"use_bias", ALL_BIASES},
        {"use_qkv_bias", QKV_BIAS},
        {"use_qk_norm", WIDE_NORMS},
        {"qk_layernorm", HEAD_NORMS},
        {"bias", QKV_BIAS | O_BIAS},
    };
    unsigned has = f->has;
    for (size_t i = 0; i < sizeof MEMBERS / sizeof *MEMBERS; i++)
        if (msw_published_true(s, MEMBERS[i].name))
            has |= MEMBERS[i].bits;
        else if (msw_published_false(s, MEMBERS[i].name))
            has &= ~MEMBERS[i].bits;
    if (strcmp(f->name, "falcon") == 0 && msw_published_true(s, "bias"))
        has |= FORWARD_BIAS;
    if (strncmp(f->name, "glm4", 4) == 0 && msw_published_true(s, "attention_bias"))
        has &= ~(unsigned)O_BIAS;
    if (strcmp(f->name, "llama4_text") == 0) /* its norms have no parameters */
        has &= ~(unsigned)WIDE_NORMS;
    if (strcmp(f->name, "glm4_moe") == 0 && has & WIDE_NORMS)
        has ^= WIDE_NORMS | HEAD_NORMS;
    return has;
}

/* Of parallel attention and feed-forward there is one norm, where the file has not two. */
static unsigned norms_of(const source *s, const family *f)
{
    bool falcon = strcmp(f->name, "falcon") == 0;
    bool parallel =
        falcon ? !msw_published_false(s, "parallel_attn") &&
                     !msw_published_true(s, "new_decoder_architecture")
               : msw_published_true(s, "use_parallel_residual") && strcmp(f->name, "stablelm") == 0;
    return parallel ? 1 : f->norms;
}

static int read_positions(const source *s, const msw_decoder *d, const family *f, uint64_t *size)
{
    uint64_t positions = 0;
    if (msw_published_need(s, NAMES("n_positions", "max_position_embeddings", "n_ctx"),
                           SIZE_MAX_HERE, &positions))
        return -1;
    uint64_t more = strcmp(f->name, "opt") == 0 ? 2 : 0;
    if (f->has & ENCODER && msw_published_size(s, NAMES("type_vocab_size"), HEADS_MAX, &more) < 0)
        return -1;
    *size += (positions + more) * d->hidden;
    return 0;
}

static int read_others(const source *s, const family *f, msw_decoder *d)
{
    unsigned has = read_has(s, f);
    if (d->shared && msw_published_any(s, NAMES("shared_expert_intermediate_size")))
        has |= SHARED_GATE;
    d->encoder = has & ENCODER;
    d->pooled = has & POOLED ? d->hidden : 0;
    d->others = d->pooled;
    if (strcmp(f->name, "t5") == 0) { /* one table of distances, for all layers */
        uint64_t distances = 32;
        if (msw_published_size(s, NAMES("relative_attention_num_buckets"), HEADS_MAX, &distances) <
            0)
            return -1;
        d->others += distances * d->heads;
    }
    has &= d->encoder ? ~(unsigned)TIED : ~0U; /* its table of words is nowhere else */
    if (msw_published_size(s, NAMES("num_nextn_predict_layers"), LAYERS_MAX, &d->ahead) < 0)
        return -1;
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
        return msw_published_fail(s, in, msw_published_shown(in), "an object with a quant_method");
    source inner = {s->file, in, s->arena, s->err};
    d->file_method = method->text;
    if (msw_published_size(&inner, NAMES("bits", "w_bit"), 64, &d->file_bits) < 0)
        return -1;
    if (strcmp(method->text, "mxfp4") == 0 || msw_published_true(&inner, "load_in_4bit"))
        d->file_bits = 4;
    else if (strcmp(method->text, "fp8") == 0 || msw_published_true(&inner, "load_in_8bit"))
        d->file_bits = 8;
    return 0;
}

/* What would be left out in silence. */
static int refuse_others(const source *s, const family *f)
{
    static const struct {
        const char *name, *what;
    } OTHERS[] = {
        {"is_encoder_decoder", "a model with an encoder, which is not modelled"},
        {"layers_block_type", "layers of several kinds, by a list, which is not read"},
        {"attn_layer_idx", "layers of attention among those with a state, which is not read"},
    };
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        const msw_json *found = msw_published_any(s, NAMES(OTHERS[i].name));
        bool empty = found && (found->kind == MSW_JSON_FALSE ||
                               (found->kind == MSW_JSON_LIST && !found->count));
        if (found && !empty && !(f->has & ENCODER))
            return msw_fail(s->err, "%s:%zu:%zu: %s: %s", s->file, found->line, found->column,
                            OTHERS[i].name, OTHERS[i].what);
    }
    return 0;
}

/* Some tables of words are padded. */
static int read_padding(const source *s, msw_decoder *d)
{
    uint64_t multiple = 1;
    if (msw_published_size(s, NAMES("pad_vocab_size_multiple"), SIZE_MAX_HERE, &multiple) < 0)
        return -1;
    d->words = msw_div_up(d->words, msw_max_u64(multiple, 1)) * msw_max_u64(multiple, 1);
    return 0;
}

static int read_shape(const source *s, msw_decoder *d)
{
    const family *f = find_family(s);
    if (!f || refuse_others(s, f) ||
        msw_published_need(s, NAMES("num_hidden_layers", "n_layer", "num_layers", "n_layers"),
                           LAYERS_MAX, &d->layers) ||
        msw_published_need(s, NAMES("hidden_size", "n_embd", "d_model"), SIZE_MAX_HERE,
                           &d->hidden) ||
        msw_published_need(s, NAMES("vocab_size"), SIZE_MAX_HERE, &d->words) ||
        read_heads(s, f, d) || read_latent(s, d) || read_feed_forward(s, f, d) ||
        msw_published_experts_of(s, d))
        return -1;
    uint8_t *kinds = msw_arena_zero(s->arena, d->layers, 1);
    if (!kinds)
        return msw_fail_memory(s->err);
    d->kinds = kinds;
    MSW_TRY(read_padding(s, d));
    MSW_TRY(msw_published_state(s, f, d, kinds));
    MSW_TRY(msw_published_mark_experts(s, d, kinds));
    MSW_TRY(msw_published_mark_windows(s, f, d, kinds));
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
                 top->line, top->column, msw_published_shown(top));
        return NULL;
    }
    /* models of text and pictures keep the decoder's sizes in a part of their own */
    const msw_json *text = msw_json_find(top, "text_config");
    source s = {file, text && text->kind == MSW_JSON_OBJECT ? text : top, arena, err};
    return read_shape(&s, d) || read_quantization(&s, top, d) ? NULL : d;
}
