/* SPDX-License-Identifier: MIT */
/* Attention with its residual: y = x + softmax(q k^T / sqrt(d)) v Wo + bo, heads side by side; q, k
 * and v are linear in x; shared: q is k. Hashed kinds compare tokens by their buckets (HLSH:
 * Algorithm 1 of the paper).
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

#include <math.h>
#include <string.h>

/* What becomes of a token in hashed attention. */
typedef enum learn_role { LEARN_NORMAL, LEARN_FAR, LEARN_LIKE } learn_role;

typedef struct learn_roles {
    uint8_t role[MSW_NET_TOKENS];
    uint32_t base;                    /* the row that those alike share */
    uint8_t code[MSW_NET_TOKENS][64]; /* [token][round] */
} learn_roles;

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

/* Hashes the rows of a head: `x` with `step` numbers from row to row. */
static void learn_hash(const learn_layer *l, const msw_net *net, const float *x, size_t step,
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

/* What a layer keeps: a block of [sequence][token][width] each, then the weights of tokens. */
typedef struct memory {
    float *q, *k, *v, *mixed, *shares;
    size_t tokens, width, head; /* of a head: its width */
} memory;

static memory memory_of(const learn_layer *l, const learn_pass *p, float *kept)
{
    size_t block = p->most * l->rows * l->width;
    bool shared = p->net->shape.shared;
    memory m = {.q = kept, .k = shared ? kept : kept + block};
    m.v = m.k + block;
    m.mixed = m.v + block;
    m.shares = m.mixed + block;
    m.tokens = l->rows;
    m.width = l->width;
    m.head = l->width / p->net->shape.heads;
    return m;
}

static size_t square(const learn_layer *l)
{
    return l->width * (l->width + 1);
}

static void turn_rows(const float *x, size_t step, size_t rows, size_t width, float *turned)
{
    for (size_t t = 0; t < rows; t++)
        for (size_t j = 0; j < width; j++)
            turned[j * rows + t] = x[t * step + j];
}

/* c = a b^T over the rows of a head. */
static void dots(const learn_pass *p, const memory *m, const float *a, const float *b, float *c)
{
    turn_rows(b, m->width, m->tokens, m->head, p->scratch);
    p->net->loops->multiply(&(learn_product){.rows = m->tokens,
                                             .columns = m->tokens,
                                             .terms = m->head,
                                             .a = a,
                                             .a_row = m->width,
                                             .a_term = 1,
                                             .b = p->scratch,
                                             .b_term = m->tokens,
                                             .c = c,
                                             .c_row = m->tokens});
}

/* c += a b (or a^T b) with a [token][token] and rows of a head. */
static void mix(const learn_pass *p, const memory *m, const float *a, bool turned, const float *b,
                float *c)
{
    p->net->loops->multiply(&(learn_product){.rows = m->tokens,
                                             .columns = m->head,
                                             .terms = m->tokens,
                                             .a = a,
                                             .a_row = turned ? 1 : m->tokens,
                                             .a_term = turned ? m->tokens : 1,
                                             .b = b,
                                             .b_term = m->width,
                                             .c = c,
                                             .c_row = m->width,
                                             .add = true});
}

/* ---- hashed kinds ---- */

static bool meet(const learn_roles *r, uint32_t rounds, size_t i, size_t j)
{
    for (uint32_t n = 0; n < rounds; n++)
        if (r->code[i][n] == r->code[j][n])
            return true;
    return i == j;
}

/* Scores that LSH leaves out can never win. */
static double leave_buckets(const msw_net_shape *shape, const learn_roles *r, size_t tokens,
                            float *scores)
{
    double left = 0;
    for (size_t i = 0; i < tokens; i++)
        for (size_t j = 0; j < tokens; j++) {
            if (meet(r, shape->rounds, i, j))
                left++;
            else
                scores[i * tokens + j] = -INFINITY;
        }
    return left;
}

/* Rows and columns of zeroed tokens, and rows that others share. */
static double leave_zeroed(const msw_net_shape *shape, const learn_roles *r, size_t tokens,
                           float *scores)
{
    size_t normal = 0;
    for (size_t i = 0; i < tokens; i++)
        normal += r->role[i] == LEARN_NORMAL;
    float zeroed = shape->attention == MSW_NET_HLSH && normal ? -INFINITY : 0;
    for (size_t i = 0; i < tokens; i++)
        for (size_t j = 0; j < tokens; j++) {
            if (r->role[j] != LEARN_NORMAL)
                scores[i * tokens + j] = zeroed;
            else if (r->role[i] != LEARN_NORMAL)
                scores[i * tokens + j] = 0;
        }
    for (size_t i = 0; i < tokens; i++)
        if (r->role[i] == LEARN_LIKE)
            memcpy(scores + i * tokens, scores + r->base * tokens, tokens * sizeof *scores);
    return (double)(normal * normal);
}

/* Returns the dot products that are left. */
static double leave_out(const learn_layer *l, const learn_pass *p, const memory *m, const float *q,
                        uint32_t head, float *scores)
{
    const msw_net_shape *shape = &p->net->shape;
    learn_roles roles;
    if (shape->attention == MSW_NET_FULL)
        return (double)(m->tokens * m->tokens);
    learn_hash(l, p->net, q, m->width, head, &roles);
    return shape->attention == MSW_NET_LSH ? leave_buckets(shape, &roles, m->tokens, scores)
                                           : leave_zeroed(shape, &roles, m->tokens, scores);
}

/* ---- forward ---- */

static void soften(float *scores, size_t count)
{
    float most = scores[0], sum = 0;
    for (size_t j = 1; j < count; j++)
        most = scores[j] > most ? scores[j] : most;
    for (size_t j = 0; j < count; j++) {
        scores[j] = (float)msw_math_exp((double)(scores[j] - most));
        sum += scores[j];
    }
    for (size_t j = 0; j < count; j++)
        scores[j] /= sum;
}

/* The share of a row's weight in its largest tenth. */
static double largest_tenth(const float *row, size_t count)
{
    float sorted[MSW_NET_TOKENS];
    double sum = 0;
    size_t most = (count + 9) / 10;
    memcpy(sorted, row, count * sizeof *row);
    for (size_t n = 0; n < most; n++) {
        size_t best = n;
        for (size_t j = n + 1; j < count; j++)
            best = sorted[j] > sorted[best] ? j : best;
        float swap = sorted[n];
        sorted[n] = sorted[best];
        sorted[best] = swap;
        sum += (double)sorted[n];
    }
    return sum;
}

/* softmax(q k' / sqrt(head)) v for one head of one sequence; hashed attention leaves pairs out
 * before the softmax. */
static void attend_head(const learn_layer *l, learn_pass *p, const memory *m, size_t sequence,
                        uint32_t head)
{
    size_t at = sequence * m->tokens * m->width + head * m->head, cells = m->tokens * m->tokens;
    float *shares = m->shares + (sequence * p->net->shape.heads + head) * cells;
    float scale = 1 / sqrtf((float)m->head);
    dots(p, m, m->q + at, m->k + at, shares);
    for (size_t i = 0; i < cells; i++)
        shares[i] *= scale;
    double left = leave_out(l, p, m, m->q + at, head, shares);
    for (size_t i = 0; i < m->tokens; i++)
        soften(shares + i * m->tokens, m->tokens);
    mix(p, m, shares, false, m->v + at, m->mixed + at);
    if (!p->watch)
        return;
    p->dots += left;
    for (size_t i = 0; i < m->tokens; i++)
        p->largest += largest_tenth(shares + i * m->tokens, m->tokens) /
                      (double)(m->tokens * p->net->shape.heads * p->net->shape.layers);
}

void learn_attend(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept)
{
    memory m = memory_of(l, p, kept);
    size_t rows = p->count * l->rows, at = l->weights;
    learn_apply(p, rows, x, m.width, at, m.width, m.q);
    if (m.k != m.q)
        learn_apply(p, rows, x, m.width, at += square(l), m.width, m.k);
    learn_apply(p, rows, x, m.width, at += square(l), m.width, m.v);
    memset(m.mixed, 0, rows * m.width * sizeof *m.mixed);
    for (size_t s = 0; s < p->count; s++)
        for (uint32_t head = 0; head < p->net->shape.heads; head++)
            attend_head(l, p, &m, s, head);
    learn_apply(p, rows, m.mixed, m.width, at + square(l), m.width, y);
    for (size_t i = 0; i < rows * m.width; i++)
        y[i] += x[i];
}

/* ---- backward ---- */

typedef struct head_slopes {
    float *q, *k, *v, *mixed;
} head_slopes;

/* Scores that were set, not computed, lead nowhere; rows that were shared lead to their base. */
static void leave_out_back(const learn_roles *r, size_t tokens, float *slopes)
{
    float *base = slopes + r->base * tokens;
    for (size_t i = 0; i < tokens; i++) {
        float *row = slopes + i * tokens;
        for (size_t j = 0; j < tokens; j++) {
            if (r->role[i] == LEARN_LIKE && r->role[j] == LEARN_NORMAL)
                base[j] += row[j];
            if (r->role[i] != LEARN_NORMAL || r->role[j] != LEARN_NORMAL)
                row[j] = 0;
        }
    }
}

static void attend_head_back(const learn_layer *l, learn_pass *p, const memory *m,
                             const head_slopes *d, size_t sequence, uint32_t head)
{
    const msw_net_shape *shape = &p->net->shape;
    size_t at = sequence * m->tokens * m->width + head * m->head, cells = m->tokens * m->tokens;
    const float *shares = m->shares + (sequence * shape->heads + head) * cells;
    float *scores = p->scratch + m->tokens * m->width; /* behind what `dots` turns */
    float scale = 1 / sqrtf((float)m->head);
    dots(p, m, d->mixed + at, m->v + at, scores);
    mix(p, m, shares, true, d->mixed + at, d->v + at);
    for (size_t i = 0; i < m->tokens; i++) {
        float along = 0, *row = scores + i * m->tokens;
        for (size_t j = 0; j < m->tokens; j++)
            along += row[j] * shares[i * m->tokens + j];
        for (size_t j = 0; j < m->tokens; j++)
            row[j] = (row[j] - along) * shares[i * m->tokens + j] * scale;
    }
    if (shape->attention == MSW_NET_HLSH || shape->attention == MSW_NET_HLSH_PRINTED) {
        learn_roles roles;
        learn_hash(l, p->net, m->q + at, m->width, head, &roles);
        leave_out_back(&roles, m->tokens, scores);
    }
    mix(p, m, scores, false, m->k + at, d->q + at);
    mix(p, m, scores, true, m->q + at, d->k + at);
}

void learn_attend_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                       float *kept, const float *dy, float *dx)
{
    memory m = memory_of(l, p, kept);
    size_t rows = p->count * l->rows, block = rows * m.width, at = l->weights;
    float *free = p->scratch + l->rows * l->width + l->rows * l->rows;
    head_slopes d = {.q = free, .k = m.k == m.q ? free : free + block};
    d.v = d.k + block;
    d.mixed = d.v + block;
    (void)y;
    memset(free, 0, (size_t)(d.mixed - free) * sizeof *free);
    size_t keys = at + (m.k == m.q ? 0 : square(l)), values = keys + square(l);
    learn_apply_back(p, rows, m.mixed, m.width, values + square(l), m.width, dy, d.mixed, false);
    for (size_t s = 0; s < p->count; s++)
        for (uint32_t head = 0; head < p->net->shape.heads; head++)
            attend_head_back(l, p, &m, &d, s, head);
    memcpy(dx, dy, block * sizeof *dx);
    learn_apply_back(p, rows, x, m.width, at, m.width, d.q, dx, true);
    if (m.k != m.q)
        learn_apply_back(p, rows, x, m.width, keys, m.width, d.k, dx, true);
    learn_apply_back(p, rows, x, m.width, values, m.width, d.v, dx, true);
}
