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

static uint8_t bucket(const float *x, size_t width, const float *rotation, uint32_t half)
{
    float largest = 0;
    uint32_t best = 0;
    for (uint32_t b = 0; b < half; b++) {
        float sum = 0;
        for (size_t j = 0; j < width; j++)
            sum += x[j] * rotation[j * half + b];
        if (sum > largest || -sum > largest) {
            best = sum > 0 ? b : half + b;
            largest = sum > 0 ? sum : -sum;
        }
    }
    return (uint8_t)best;
}

static void make_codes(const learn_layer *l, const msw_net_shape *shape, const float *x,
                       size_t step, uint32_t head, learn_roles *roles)
{
    size_t width = l->width / shape->heads, half = shape->buckets / 2, size = width * half;
    const float *rotations = l->constant + head * shape->rounds * size;
    for (size_t t = 0; t < l->rows; t++)
        for (uint32_t r = 0; r < shape->rounds; r++)
            roles->code[t][r] = bucket(x + t * step, width, rotations + r * size, (uint32_t)half);
}

static uint32_t distance(const learn_roles *roles, uint32_t rounds, size_t i, size_t j)
{
    uint32_t sum = 0;
    for (uint32_t r = 0; r < rounds; r++)
        sum += roles->code[i][r] != roles->code[j][r];
    return sum;
}

static double score(const learn_layer *l, const msw_net_shape *shape, const learn_roles *roles,
                    const uint32_t *drawn, size_t token)
{
    bool printed = shape->attention == MSW_NET_HLSH_PRINTED;
    double sum = 0, count = 0;
    for (size_t n = 0; n < l->rows / 2; n++) {
        if (!printed && drawn[n] == token)
            continue;
        double d = distance(roles, shape->rounds, token, drawn[n]);
        if (printed && d == 0)
            return 0;
        sum += msw_math_log(printed ? d : d + 1);
        count++;
    }
    return count > 0 ? msw_math_exp(sum / count) - (printed ? 0 : 1) : 0;
}

void learn_hash(const learn_layer *l, const msw_net_shape *shape, const float *x, size_t step,
                uint32_t head, learn_roles *roles)
{
    bool based = false;
    roles->base = 0;
    make_codes(l, shape, x, step, head, roles);
    for (size_t t = 0; t < l->rows; t++) {
        roles->role[t] = LEARN_NORMAL;
        if (shape->attention == MSW_NET_LSH)
            continue;
        double mean = score(l, shape, roles, l->drawn + head * (l->rows / 2), t);
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
