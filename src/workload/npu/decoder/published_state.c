/* SPDX-License-Identifier: MIT */
/* Layers with a state, of the kinds of models that have them: how large it is, which layers have
 * it, what parameters are beside the products.
 *
 * Sources: Gated DeltaNet arXiv:2412.06464 with the sizes of Qwen3-Next, Mamba arXiv:2312.00752,
 * Mamba-2 arXiv:2405.21060, Jamba arXiv:2403.19887; which products and parameters there are, from
 * src/transformers/models/{qwen3_next,mamba,mamba2,jamba} of github.com/huggingface/transformers.
 */
#include "workload/npu/decoder/published.h"

#include <string.h>

static bool is_named(const family *f, const char *name)
{
    return strcmp(f->name, name) == 0;
}

bool msw_published_bare(const family *f)
{
    return is_named(f, "mamba") || is_named(f, "mamba2");
}

/* A size that has a default. */
static int take(const source *s, const char *const *names, uint64_t otherwise, uint64_t *size)
{
    *size = otherwise;
    int rc = msw_published_size(s, names, SIZE_MAX_HERE, size);
    if (rc > 0 && !*size)
        return msw_published_fail(s, msw_published_any(s, names), "0", "at least 1");
    return rc < 0 ? -1 : 0;
}

/* A short convolution over so many channels, in front of the state. */
static uint64_t short_convolution(uint64_t channels, uint64_t kernel, bool bias)
{
    return channels * (kernel + (bias ? 1 : 0));
}

/* Queries and keys of few heads, values of more; each head of values has a decay and a step. */
static int read_delta(const source *s, msw_mixer *m)
{
    uint64_t kernel;
    MSW_TRY(take(s, NAMES("linear_num_key_heads"), 16, &m->groups));
    MSW_TRY(take(s, NAMES("linear_num_value_heads"), 32, &m->heads));
    MSW_TRY(take(s, NAMES("linear_key_head_dim"), 128, &m->key));
    MSW_TRY(take(s, NAMES("linear_value_head_dim"), 128, &m->value));
    MSW_TRY(take(s, NAMES("linear_conv_kernel_dim"), 4, &kernel));
    m->extra = 2 * m->heads;
    m->chunk = 64;
    m->corrects = true;
    m->others = short_convolution(2 * m->groups * m->key + m->heads * m->value, kernel, false) +
                2 * m->heads + m->value;
    return 0;
}

/* Heads that share their queries and keys in groups, with a norm behind them. */
static int read_mamba2(const source *s, const msw_decoder *d, msw_mixer *m)
{
    uint64_t kernel, expand, inner;
    MSW_TRY(take(s, NAMES("expand"), 2, &expand));
    MSW_TRY(take(s, NAMES("state_size", "d_state"), 128, &m->key));
    MSW_TRY(take(s, NAMES("n_groups", "ngroups"), 1, &m->groups));
    MSW_TRY(take(s, NAMES("head_dim", "headdim"), 64, &m->value));
    MSW_TRY(take(s, NAMES("conv_kernel", "d_conv"), 4, &kernel));
    MSW_TRY(take(s, NAMES("chunk_size"), 256, &m->chunk));
    inner = expand * d->hidden;
    if (inner % m->value)
        return msw_fail(s->err, "%s:%zu:%zu: heads of %llu values do not divide %llu", s->file,
                        s->top->line, s->top->column, (unsigned long long)m->value,
                        (unsigned long long)inner);
    m->heads = m->extra = inner / m->value;
    m->others = short_convolution(inner + 2 * m->groups * m->key, kernel,
                                  !msw_published_false(s, "use_conv_bias")) +
                3 * m->heads + inner;
    if (msw_published_true(s, "use_bias"))
        m->others += 2 * inner + 2 * m->groups * m->key + m->heads + d->hidden;
    return 0;
}

/* Each channel is a head of one value; queries, keys and a narrow step come from the channels. */
static int read_mamba(const source *s, const family *f, const msw_decoder *d, msw_mixer *m)
{
    bool jamba = is_named(f, "jamba");
    const msw_json *rank = msw_published_any(s, NAMES("mamba_dt_rank", "time_step_rank"));
    bool automatic = !rank || rank->kind == MSW_JSON_STRING;
    uint64_t kernel, expand;
    MSW_TRY(take(s, NAMES("mamba_expand", "expand"), 2, &expand));
    MSW_TRY(take(s, NAMES("mamba_d_state", "state_size", "d_state"), 16, &m->key));
    MSW_TRY(take(s, NAMES("mamba_d_conv", "conv_kernel", "d_conv"), 4, &kernel));
    m->narrow = msw_div_up(d->hidden, 16);
    if (!automatic)
        MSW_TRY(take(s, NAMES(rank->key), 1, &m->narrow));
    uint64_t inner = expand * d->hidden;
    m->groups = m->chunk = m->value = 1;
    m->heads = inner;
    m->low = m->narrow + 2 * m->key;
    /* convolution, bias of the step, decays, what passes by; Jamba norms step, query and key */
    m->others = short_convolution(inner, kernel,
                                  !msw_published_false(s, "use_conv_bias") &&
                                      !msw_published_false(s, "mamba_conv_bias")) +
                inner * (m->key + 2) + (jamba ? m->low : 0);
    if (msw_published_true(s, "use_bias") || msw_published_true(s, "mamba_proj_bias"))
        m->others += 2 * inner + d->hidden;
    return 0;
}

/* By a list, or every so many layers have attention. */
static int mark_states(const source *s, uint64_t every, uint64_t at, const msw_decoder *d,
                       uint8_t *kinds)
{
    const msw_json *types = msw_published_any(s, NAMES("layer_types"));
    const msw_json *t = types ? types->first : NULL;
    if (types && types->count != d->layers)
        return msw_fail(s->err,
                        "%s:%zu:%zu: layer_types: found %zu entries, allowed: one for each "
                        "of %llu layers",
                        s->file, types->line, types->column, types->count,
                        (unsigned long long)d->layers);
    for (uint64_t l = 0; l < d->layers; l++, t = t ? t->next : NULL) {
        bool state = every == 0 || l % every != at;
        if (t) {
            state = t->text && strcmp(t->text, "linear_attention") == 0;
            if (!state && (!t->text || strcmp(t->text, "full_attention") != 0))
                return msw_published_fail(s, types, t->text ? t->text : "no name",
                                          "linear_attention, full_attention");
        }
        kinds[l] |= state ? MSW_DECODER_STATE : 0;
    }
    return 0;
}

int msw_published_state(const source *s, const family *f, msw_decoder *d, uint8_t *kinds)
{
    const msw_json *own = msw_json_find(s->top, "ssm_cfg");
    source inside = {s->file, own && own->kind == MSW_JSON_OBJECT ? own : s->top, s->arena, s->err};
    msw_mixer *m = &d->mixer;
    uint64_t every = 0, at = 0;
    if (is_named(f, "qwen3_next")) {
        d->gated_attention = true;
        MSW_TRY(read_delta(s, m));
        MSW_TRY(take(s, NAMES("full_attention_interval"), 4, &every));
        at = every - 1;
    } else if (is_named(f, "jamba")) {
        MSW_TRY(read_mamba(s, f, d, m));
        MSW_TRY(take(s, NAMES("attn_layer_period"), 8, &every));
        at = 4;
        if (msw_published_size(s, NAMES("attn_layer_offset"), LAYERS_MAX, &at) < 0)
            return -1;
    } else if (is_named(f, "mamba2")) {
        MSW_TRY(read_mamba2(&inside, d, m));
    } else if (is_named(f, "mamba")) {
        MSW_TRY(read_mamba(&inside, f, d, m));
    } else {
        return 0;
    }
    if (m->heads % m->groups)
        return msw_fail(s->err, "%s:%zu:%zu: %llu heads of values do not share %llu of keys",
                        s->file, s->top->line, s->top->column, (unsigned long long)m->heads,
                        (unsigned long long)m->groups);
    return mark_states(s, every, at, d, kinds);
}
