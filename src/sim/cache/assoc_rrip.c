/* SPDX-License-Identifier: MIT */
/* Re-reference interval prediction (Jaleel et al. 2010) and set duelling (Qureshi et al. 2007):
 * docs/models/sim-assoc.md. Predictions are bytes in words of 8, so that a set of up to 8 ways is
 * searched and aged by a few instructions on one word, without branches. */
#include "sim/cache/assoc_parts.h"

enum { LEADERS = 32, LONG_EVERY = 32, BITS = 2, PSEL_BITS = 10 };
enum { FOLLOWS, LEADS_SRRIP, LEADS_BRRIP };

int msw_assoc_rrip_check(const msw_assoc_config *config, msw_err *err)
{
    const msw_rrip *rrip = &config->rrip;
    if (rrip->bits > 7)
        return msw_fail(err, "predictions of %u bits: must be from 1 to 7", rrip->bits);
    if (rrip->psel_bits > 30)
        return msw_fail(err, "a counter of %u bits chooses between policies: from 1 to 30",
                        rrip->psel_bits);
    if (config->policy != MSW_POLICY_DRRIP)
        return 0;
    if (config->sets < 2)
        return msw_fail(err, "set duelling (DRRIP) needs at least 2 sets: take SRRIP or BRRIP");
    if (rrip->leaders > config->sets / 2)
        return msw_fail(err, "%u sets lead for each of two policies, but there are %u sets",
                        rrip->leaders, config->sets);
    return 0;
}

/* Which sets lead: see the page. */
static void choose_leaders(msw_assoc *assoc)
{
    uint32_t leaders = assoc->rrip.leaders, group = assoc->sets / leaders;
    for (uint32_t i = 0; i < leaders; i++) {
        uint32_t a = i % group, b = group - 1 - a;
        b = a == b ? (a + 1) % group : b;
        assoc->leads[i * group + a] = LEADS_SRRIP;
        assoc->leads[i * group + b] = LEADS_BRRIP;
    }
}

void msw_assoc_rrip_init(msw_assoc *assoc)
{
    msw_rrip *rrip = &assoc->rrip;
    uint32_t quarter = (uint32_t)msw_max_u64(assoc->sets / 4, 1);
    rrip->bits = rrip->bits ? rrip->bits : BITS;
    rrip->psel_bits = rrip->psel_bits ? rrip->psel_bits : PSEL_BITS;
    rrip->long_every = rrip->long_every ? rrip->long_every : LONG_EVERY;
    rrip->leaders = rrip->leaders ? rrip->leaders : (uint32_t)msw_min_u64(quarter, LEADERS);
    assoc->psel_half = 1u << (rrip->psel_bits - 1);
    assoc->psel = assoc->psel_half - 1;
    assoc->lanes = MSW_ASSOC_BYTES >> 8 * (8 * assoc->words - assoc->ways);
    if (assoc->leads)
        choose_leaders(assoc);
}

/* 1 in the byte of every way of a word of 8 that may be replaced. */
static uint64_t candidates(const msw_assoc *assoc, uint32_t word, const uint64_t *ways)
{
    uint64_t present = word + 1 == assoc->words ? assoc->lanes : MSW_ASSOC_BYTES;
    return ways ? present & msw_assoc_spread(ways[word / 8] >> word % 8 * 8 & 255) : present;
}

/* Narrows candidates down to those with the largest prediction, bit by bit. */
static uint64_t farthest(uint64_t predictions, uint64_t bytes, unsigned bits, uint32_t *largest)
{
    *largest = 0;
    for (unsigned bit = bits; bit-- > 0;) {
        uint64_t with = predictions >> bit & bytes;
        bytes = with ? with : bytes;
        *largest |= (uint32_t)(with != 0) << bit;
    }
    return bytes;
}

static uint32_t narrow_victim(msw_assoc *assoc, uint64_t *predictions, const uint64_t *ways)
{
    uint64_t bytes = candidates(assoc, 0, ways);
    uint32_t largest, limit = (1u << assoc->rrip.bits) - 1;
    uint64_t found = farthest(*predictions, bytes, assoc->rrip.bits, &largest);
    *predictions += bytes * (limit - largest);
    return msw_bits_lowest(found) / 8;
}

static void age(const msw_assoc *assoc, uint64_t *predictions, const uint64_t *ways, uint32_t by)
{
    for (uint32_t word = 0; by && word < assoc->words; word++)
        predictions[word] += candidates(assoc, word, ways) * by;
}

uint32_t msw_assoc_rrip_victim(msw_assoc *assoc, uint32_t set, const uint64_t *ways)
{
    uint64_t *predictions = assoc->state + (size_t)set * assoc->words;
    uint32_t limit = (1u << assoc->rrip.bits) - 1, way = MSW_ASSOC_NONE, most = 0;
    if (assoc->words == 1)
        return narrow_victim(assoc, predictions, ways);
    for (uint32_t word = 0; word < assoc->words; word++) {
        uint64_t bytes = candidates(assoc, word, ways);
        uint32_t largest;
        uint64_t found = farthest(predictions[word], bytes, assoc->rrip.bits, &largest);
        if (!bytes || (way != MSW_ASSOC_NONE && largest <= most))
            continue;
        way = 8 * word + msw_bits_lowest(found) / 8;
        most = largest;
        if (most == limit)
            return way;
    }
    age(assoc, predictions, ways, limit - most);
    return way;
}

static void set_prediction(msw_assoc *assoc, uint32_t set, uint32_t way, uint64_t value)
{
    uint64_t *word = assoc->state + (size_t)set * assoc->words + way / 8;
    *word = (*word & ~((uint64_t)255 << way % 8 * 8)) | value << way % 8 * 8;
}

void msw_assoc_rrip_nearer(msw_assoc *assoc, uint32_t set, uint32_t way)
{
    uint64_t value = assoc->state[(size_t)set * assoc->words + way / 8] >> way % 8 * 8 & 255;
    set_prediction(assoc, set, way, value ? value - 1 : 0);
}

/* Counts a fill of a set that leads. Returns whether the set inserts as BRRIP does. */
static bool duel(msw_assoc *assoc, uint32_t set)
{
    uint8_t role = assoc->leads[set];
    if (role == LEADS_SRRIP)
        assoc->psel += assoc->psel < 2 * assoc->psel_half - 1;
    else if (role == LEADS_BRRIP)
        assoc->psel -= assoc->psel > 0;
    return role == LEADS_BRRIP || (role == FOLLOWS && assoc->psel >= assoc->psel_half);
}

static bool bimodal_is_long(msw_assoc *assoc)
{
    uint32_t every = assoc->rrip.long_every;
    if (assoc->rrip.long_random)
        return (uint64_t)msw_rng_u32(&assoc->rng) * every >> 32 == 0;
    assoc->since_long = assoc->since_long + 1 < every ? assoc->since_long + 1 : 0;
    return assoc->since_long == 0;
}

/* The prediction of a new line. */
static uint64_t predicted(msw_assoc *assoc, uint32_t set, msw_insert insert)
{
    uint64_t limit = ((uint64_t)1 << assoc->rrip.bits) - 1;
    bool bimodal = assoc->policy == MSW_POLICY_BRRIP;
    if (assoc->leads)
        bimodal = duel(assoc, set);
    if (insert == MSW_INSERT_POLICY)
        return limit - (!bimodal || bimodal_is_long(assoc));
    if (insert == MSW_INSERT_NEAR)
        return 0;
    return insert == MSW_INSERT_LONG ? limit - 1 : limit;
}

void msw_assoc_rrip_predict(msw_assoc *assoc, uint32_t set, uint32_t way, msw_insert insert)
{
    set_prediction(assoc, set, way, predicted(assoc, set, insert));
}

uint32_t msw_assoc_rrip_replace(msw_assoc *assoc, uint32_t set, msw_insert insert)
{
    uint32_t largest, limit = (1u << assoc->rrip.bits) - 1;
    uint64_t predictions = assoc->state[set];
    uint64_t found = farthest(predictions, assoc->lanes, assoc->rrip.bits, &largest);
    uint64_t byte = 255 * (found & (~found + 1)); /* of the lowest way */
    predictions += assoc->lanes * (limit - largest);
    assoc->state[set] =
        (predictions & ~byte) | (byte & predicted(assoc, set, insert) * MSW_ASSOC_BYTES);
    return msw_bits_lowest(byte) / 8;
}
