/* SPDX-License-Identifier: MIT */
/* Hashing of tokens, and what HLSH makes of it (Algorithm 1 of the paper).
 *
 * Angular hashing: with a random matrix R, the bucket of a row x is the largest of (x R, -x R). The
 * distance of two rows is the number of rounds in which their buckets differ. The score of a row is
 * the geometric mean of its distances to half of the rows, which are drawn once for a head. At
 * `far` x rounds or above, a row is zeroed in Q and K; at `near` x rounds or below, the first row
 * is the base and the others are zeroed and given its row of products.
 *
 * As printed a drawn row is compared with itself, too, so that its mean is 0; mended it is not, and
 * the mean is exp(mean log(d + 1)) - 1. */
#include "sim/learn/layer.h"

#include "memsweep/base/math.h"

#include <string.h>

/* The largest of (x, -x). */
static uint8_t bucket(const float *x, uint32_t half)
{
    float largest = 0;
    uint32_t best = 0;
    for (uint32_t b = 0; b < half; b++)
        if (x[b] > largest || -x[b] > largest) {
            best = x[b] > 0 ? b : half + b;
            largest = x[b] > 0 ? x[b] : -x[b];
        }
    return (uint8_t)best;
}

/* As many rounds at once as their products have room. */
static void make_codes(const learn_layer *l, const msw_net *net, const float *x, size_t step,
                       uint32_t head, learn_roles *roles)
{
    enum { ROOM = 64 };
    const msw_net_shape *shape = &net->shape;
    float made[MSW_NET_TOKENS * ROOM];
    size_t width = l->width / shape->heads, half = shape->buckets / 2, all = shape->rounds * half;
    const float *rotations = l->constant + head * width * all;
    memset(roles->code, 0, sizeof roles->code);
    for (size_t first = 0, some = ROOM / half; first < shape->rounds; first += some) {
        size_t rounds = shape->rounds - first < some ? shape->rounds - first : some;
        net->loops->multiply(&(learn_product){.rows = l->rows,
                                              .columns = rounds * half,
                                              .terms = width,
                                              .a = x,
                                              .a_row = step,
                                              .a_term = 1,
                                              .b = rotations + first * half,
                                              .b_term = all,
                                              .c = made,
                                              .c_row = ROOM});
        for (size_t t = 0; t < l->rows; t++)
            for (size_t r = 0; r < rounds; r++)
                roles->code[t][first + r] = bucket(made + t * ROOM + r * half, (uint32_t)half);
    }
}

/* Bytes that differ, eight at once; those beyond the rounds are 0. */
static uint32_t distance(const learn_roles *roles, uint32_t rounds, size_t i, size_t j)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu, one = 0x0101010101010101u;
    uint32_t sum = 0;
    for (uint32_t r = 0; r < rounds; r += 8) {
        uint64_t a, b;
        memcpy(&a, &roles->code[i][r], sizeof a);
        memcpy(&b, &roles->code[j][r], sizeof b);
        uint64_t differ = a ^ b;
        differ = ((((differ & low) + low) | differ) >> 7) & one;
        sum += (uint32_t)(differ * one >> 56);
    }
    return sum;
}

static double score(const learn_layer *l, const msw_net *net, const learn_roles *roles,
                    const uint32_t *drawn, size_t token)
{
    const msw_net_shape *shape = &net->shape;
    bool printed = shape->attention == MSW_NET_HLSH_PRINTED;
    double sum = 0, count = 0;
    for (size_t n = 0; n < l->rows / 2; n++) {
        if (!printed && drawn[n] == token)
            continue;
        uint32_t d = distance(roles, shape->rounds, token, drawn[n]);
        if (printed && d == 0)
            return 0;
        sum += net->logs[printed ? d : d + 1];
        count++;
    }
    return count > 0 ? msw_math_exp(sum / count) - (printed ? 0 : 1) : 0;
}

void learn_hash(const learn_layer *l, const msw_net *net, const float *x, size_t step,
                uint32_t head, learn_roles *roles)
{
    const msw_net_shape *shape = &net->shape;
    bool based = false;
    roles->base = 0;
    make_codes(l, net, x, step, head, roles);
    for (size_t t = 0; t < l->rows; t++) {
        roles->role[t] = LEARN_NORMAL;
        if (shape->attention == MSW_NET_LSH)
            continue;
        double mean = score(l, net, roles, l->drawn + head * (l->rows / 2), t);
        if (mean >= shape->far * shape->rounds) {
            roles->role[t] = LEARN_FAR;
        } else if (mean <= shape->near * shape->rounds) {
            if (based)
                roles->role[t] = LEARN_LIKE;
            else
                roles->base = (uint32_t)t;
            based = true;
        }
    }
}
