/* SPDX-License-Identifier: MIT */
/* The part of a decoder that one of several devices has; how many parameters a decoder has: what
 * its products multiply with, of all experts and of those that a token meets, the table of words
 * where the head is another, and what is not multiplied. */
#include "workload/npu/parts.h"

/* Outputs of the product in front of a state: queries, keys, values, what gates them, steps. */
static uint64_t mixer_weights(const msw_decoder *d)
{
    const msw_mixer *m = &d->mixer;
    uint64_t inner = m->heads * m->value, front = 2 * inner + m->extra;
    if (!m->low)
        front += 2 * m->groups * m->key;
    return d->hidden * (front + inner) + inner * (m->low + m->narrow);
}

static bool has_state(const msw_decoder *d, uint64_t layer)
{
    return d->kinds && d->kinds[layer] & MSW_DECODER_STATE;
}

static uint64_t biases_of(const msw_decoder *d, unsigned has, bool experts)
{
    uint64_t values = d->head * (d->heads + 2 * d->kv_heads);
    uint64_t forward = (d->plain ? 1 : 2) * d->inner + d->hidden;
    uint64_t expert = (d->plain ? 1 : 2) * d->expert_inner + d->hidden;
    return (has & QKV_BIAS ? values : 0) + (has & O_BIAS ? d->hidden : 0) +
           (has & FORWARD_BIAS && !experts ? forward : 0) +
           (has & EXPERT_BIAS && experts ? d->experts * (expert + 1) : 0) +
           (has & ROUTER_SHIFT && experts ? d->experts : 0);
}

/* Values of a layer that nothing is multiplied with in a product. */
static uint64_t layer_others(const msw_decoder *d, uint64_t layer, unsigned has, uint64_t norms)
{
    bool experts = d->kinds[layer] & MSW_DECODER_EXPERTS;
    uint64_t values = has & WIDE_NORMS ? d->heads + d->kv_heads : has & HEAD_NORMS ? 2 : 0;
    uint64_t attention = d->head * values + (has & SINKS ? d->heads : 0) + d->latent +
                         d->query_latent; /* latents have norms, too */
    return norms + (has_state(d, layer) ? d->mixer.others : attention) +
           biases_of(d, has, experts) + (experts && has & SHARED_GATE ? d->hidden : 0);
}

void msw_decoder_add_others(msw_decoder *d, unsigned has, unsigned norms)
{
    enum { AHEAD_NORMS = 3 }; /* of both inputs that are joined, and behind the layer */
    uint64_t norm = d->hidden * (has & NORM_BIAS ? 2 : 1);
    uint64_t expert = (d->plain ? 1 : 2) * d->expert_inner + d->hidden;
    d->tied = has & TIED;
    d->others += (has & NO_LAST_NORM ? 0 : norm) + (has & FIRST_NORM ? norm : 0) +
                 (has & HEAD_BIAS ? d->words : 0);
    d->ahead_others = layer_others(d, d->layers - 1, has, (norms + AHEAD_NORMS) * norm);
    for (uint64_t l = 0; l < d->layers; l++) {
        bool experts = d->kinds[l] & MSW_DECODER_EXPERTS;
        d->others += layer_others(d, l, has, norms * norm);
        d->idle_others += has & EXPERT_BIAS && experts ? (d->experts - d->active) * expert : 0;
    }
}

static uint64_t attention_weights(const msw_decoder *d)
{
    uint64_t values = d->head * (2 * d->heads + 2 * d->kv_heads);
    uint64_t query = d->heads * (d->plain_query + d->turned);
    if (!d->latent)
        return d->hidden * (values + (d->gated_attention ? d->head * d->heads : 0));
    return (d->query_latent ? d->query_latent * (d->hidden + query) : d->hidden * query) +
           d->hidden * (d->latent + d->turned + d->heads * d->value_head) +
           d->latent * d->heads * (d->plain_query + d->value_head);
}

/* Weights of a layer that a token meets; `idle` becomes those of the experts that it does not. */
static uint64_t layer_weights(const msw_decoder *d, uint64_t layer, uint64_t *idle)
{
    bool experts = d->kinds && d->kinds[layer] & MSW_DECODER_EXPERTS;
    uint64_t parts = d->plain ? 2 : 3, expert = parts * d->hidden * d->expert_inner;
    *idle = experts ? (d->experts - d->active) * expert : 0;
    return (has_state(d, layer) ? mixer_weights(d) : attention_weights(d)) +
           (experts ? d->hidden * (d->experts + parts * d->shared) + d->active * expert
                    : parts * d->hidden * d->inner);
}

msw_decoder_parameters msw_decoder_count(const msw_decoder *d)
{
    uint64_t table = d->words * d->hidden, head = d->encoder ? 0 : table, idle, all_idle = 0;
    uint64_t tables = head + (d->tied ? 0 : table);
    msw_decoder_parameters p = {.multiplied = d->encoder ? d->hidden * d->pooled : table};
    for (uint64_t l = 0; l < d->layers; l++) {
        p.multiplied += layer_weights(d, l, &idle);
        all_idle += idle;
    }
    p.all = p.multiplied + all_idle + d->others + (d->tied ? 0 : table);
    p.active = p.all - all_idle - d->idle_others;
    /* what was chosen and what the layer before made are joined by one product */
    uint64_t met = layer_weights(d, d->layers - 1, &idle) + 2 * d->hidden * d->hidden;
    p.layers = p.all - tables + d->ahead * (met + idle + d->ahead_others);
    p.layers_active = p.active - tables + d->ahead * (met + d->ahead_others);
    return p;
}

/* ---- several devices ---- */

int msw_npu_share(const msw_decoder *whole, uint64_t shards, msw_decoder *part, msw_err *err)
{
    *part = *whole;
    if (shards == 1)
        return 0;
    if (whole->mixer.heads)
        return msw_fail(err, "npu_shards %llu: layers with a state are not shared out; allowed: 1",
                        (unsigned long long)shards);
    if (whole->heads % shards || (whole->kv_heads % shards && shards % whole->kv_heads))
        return msw_fail(err,
                        "npu_shards %llu: %llu heads and %llu of keys and values cannot be shared "
                        "out evenly; allowed: divisors of the heads, and of the heads of keys and "
                        "values or multiples of them",
                        (unsigned long long)shards, (unsigned long long)whole->heads,
                        (unsigned long long)whole->kv_heads);
    part->heads = whole->heads / shards;
    part->kv_heads = msw_max_u64(whole->kv_heads / shards, 1);
    part->inner = msw_div_up(whole->inner, shards);
    part->expert_inner = msw_div_up(whole->expert_inner, shards);
    part->shared = msw_div_up(whole->shared, shards);
    part->words = msw_div_up(whole->words, shards);
    return 0;
}
