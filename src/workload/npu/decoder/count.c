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

void msw_decoder_add_others(msw_decoder *d, unsigned has, unsigned norms)
{
    uint64_t norm = d->hidden * (has & NORM_BIAS ? 2 : 1);
    uint64_t values = has & WIDE_NORMS ? d->heads + d->kv_heads : has & HEAD_NORMS ? 2 : 0;
    uint64_t attention = d->head * values + (has & SINKS ? d->heads : 0) + d->latent +
                         d->query_latent; /* latents have norms, too */
    uint64_t expert = (d->plain ? 1 : 2) * d->expert_inner + d->hidden;
    d->tied = has & TIED;
    d->others += (has & NO_LAST_NORM ? 0 : norm) + (has & FIRST_NORM ? norm : 0) +
                 (has & HEAD_BIAS ? d->words : 0);
    for (uint64_t l = 0; l < d->layers; l++) {
        bool experts = d->kinds[l] & MSW_DECODER_EXPERTS;
        d->others += norms * norm + (has_state(d, l) ? d->mixer.others : attention);
        d->others += biases_of(d, has, experts) + (experts && has & SHARED_GATE ? d->hidden : 0);
        d->idle_others += has & EXPERT_BIAS && experts ? (d->experts - d->active) * expert : 0;
    }
}

msw_decoder_parameters msw_decoder_count(const msw_decoder *d)
{
    uint64_t parts = d->plain ? 2 : 3, values = d->head * (2 * d->heads + 2 * d->kv_heads);
    uint64_t attention = d->hidden * (values + (d->gated_attention ? d->head * d->heads : 0));
    if (d->latent) {
        uint64_t query = d->heads * (d->plain_query + d->turned);
        attention = d->query_latent ? d->query_latent * (d->hidden + query) : d->hidden * query;
        attention += d->hidden * (d->latent + d->turned + d->heads * d->value_head) +
                     d->latent * d->heads * (d->plain_query + d->value_head);
    }
    uint64_t expert = parts * d->hidden * d->expert_inner, table = d->words * d->hidden;
    msw_decoder_parameters p = {.multiplied = d->encoder ? d->hidden * d->pooled : table};
    uint64_t idle = 0;
    for (uint64_t l = 0; l < d->layers; l++) {
        bool experts = d->kinds && d->kinds[l] & MSW_DECODER_EXPERTS;
        p.multiplied += has_state(d, l) ? mixer_weights(d) : attention;
        p.multiplied += experts ? d->hidden * (d->experts + parts * d->shared) + d->active * expert
                                : parts * d->hidden * d->inner;
        idle += experts ? (d->experts - d->active) * expert : 0;
    }
    p.all = p.multiplied + idle + d->others + (d->tied ? 0 : table);
    p.active = p.all - idle - d->idle_others;
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
