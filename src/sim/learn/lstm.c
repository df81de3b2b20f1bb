/* SPDX-License-Identifier: MIT */
/* Long short-term memory over the tokens; its last state goes on.
 *   (i, f, g, o) = x Wx + b + h Wh;  c = s(f) c + s(i) tanh(g);  h = s(o) tanh(c),  s(x) = 1 / (1 +
 * e^-x) Kept, by token: the four gates as they act, c, and tanh(c). */
#include "sim/learn/layer.h"

#include "memsweep/base/math.h"

#include <string.h>

typedef struct step {
    float *gates, *cell, *bent, *state; /* [sequence] */
} step;

static step step_of(const learn_layer *l, const learn_pass *p, float *kept, size_t t)
{
    size_t h = l->made;
    step s = {.gates = kept + t * p->most * 7 * h};
    s.cell = s.gates + p->most * 4 * h;
    s.bent = s.cell + p->most * h;
    s.state = s.bent + p->most * h;
    return s;
}

static float sigmoid(float x)
{
    return (float)(1 / (1 + msw_math_exp(-(double)x)));
}

/* Gates in the order input, forget, candidate, output. They stay in `kept` after they have acted:
 * the way back needs them. */
static void open_gates(const learn_layer *l, size_t count, const step *s, const step *before)
{
    size_t h = l->made;
    for (size_t n = 0; n < count; n++)
        for (size_t j = 0; j < h; j++) {
            float *g = s->gates + n * 4 * h + j, old = before ? before->cell[n * h + j] : 0;
            g[0] = sigmoid(g[0]);
            g[h] = sigmoid(g[h]);
            g[2 * h] = (float)msw_math_tanh((double)g[2 * h]);
            g[3 * h] = sigmoid(g[3 * h]);
            s->cell[n * h + j] = g[h] * old + g[0] * g[2 * h];
            s->bent[n * h + j] = (float)msw_math_tanh((double)s->cell[n * h + j]);
            s->state[n * h + j] = g[3 * h] * s->bent[n * h + j];
        }
}

void learn_lstm(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept)
{
    size_t h = l->made, four = 4 * h, wh = l->weights + (l->width + 1) * four;
    const float *bias = p->weights + l->weights + l->width * four;
    step before = {0};
    for (size_t t = 0; t < l->rows; t++) {
        step s = step_of(l, p, kept, t);
        for (size_t n = 0; n < p->count; n++)
            memcpy(s.gates + n * four, bias, four * sizeof *bias);
        learn_product product = {.rows = p->count,
                                 .columns = four,
                                 .terms = l->width,
                                 .a = x + t * l->width,
                                 .a_row = l->rows * l->width,
                                 .a_term = 1,
                                 .b = p->weights + l->weights,
                                 .b_term = four,
                                 .c = s.gates,
                                 .c_row = four,
                                 .add = true,
                                 NULL};
        p->net->loops->multiply(&product);
        product.terms = h;
        product.a = before.state;
        product.a_row = h;
        product.b = p->weights + wh;
        if (t)
            p->net->loops->multiply(&product);
        open_gates(l, p->count, &s, t ? &before : NULL);
        before = s;
    }
    memcpy(y, before.state, p->count * h * sizeof *y);
}

/* Slopes of the gates before they act, in their place; those of state and cell move on. */
static void close_gates(const learn_layer *l, size_t count, const step *s, const step *before,
                        const float *dh, float *dc)
{
    size_t h = l->made;
    for (size_t n = 0; n < count; n++)
        for (size_t j = 0; j < h; j++) {
            float *gates = s->gates + n * 4 * h + j, bent = s->bent[n * h + j];
            float i = gates[0], f = gates[h], g = gates[2 * h], o = gates[3 * h];
            float old = before ? before->cell[n * h + j] : 0;
            float d = dc[n * h + j] + dh[n * h + j] * o * (1 - bent * bent);
            gates[0] = d * g * i * (1 - i);
            gates[h] = d * old * f * (1 - f);
            gates[2 * h] = d * i * (1 - g * g);
            gates[3 * h] = dh[n * h + j] * bent * o * (1 - o);
            dc[n * h + j] = d * f;
        }
}

/* One token's part in the slopes of weights, of its input and of the state before. */
static void step_back(const learn_layer *l, learn_pass *p, const float *x, size_t t, const step *s,
                      const step *before, float *dx, float *dh)
{
    size_t h = l->made, four = 4 * h, wh = (l->width + 1) * four, row = l->rows * l->width;
    float *slopes = p->slopes + l->weights;
    learn_product weights = {l->width, four, p->count, x + t * l->width,
                             1,        row,  s->gates, four,
                             slopes,   four, true,     NULL};
    p->net->loops->multiply(&weights);
    for (size_t n = 0; n < p->count; n++)
        for (size_t j = 0; j < four; j++)
            slopes[l->width * four + j] += s->gates[n * four + j];
    learn_product input = {
        p->count, l->width,          four, s->gates, four, 1, p->turned + l->weights,
        l->width, dx + t * l->width, row,  false,    NULL};
    p->net->loops->multiply(&input);
    if (!before)
        return;
    learn_product state = {h,        four, p->count,    before->state, 1,    h,
                           s->gates, four, slopes + wh, four,          true, NULL};
    p->net->loops->multiply(&state);
    learn_product back = {p->count, h,  four, s->gates, four, 1, p->turned + l->weights + wh,
                          h,        dh, h,    false,    NULL};
    p->net->loops->multiply(&back);
}

void learn_lstm_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                     float *kept, const float *dy, float *dx)
{
    size_t h = l->made;
    float *dh = p->scratch, *dc = p->scratch + p->most * h;
    (void)y;
    memcpy(dh, dy, p->count * h * sizeof *dh);
    memset(dc, 0, p->count * h * sizeof *dc);
    for (size_t t = l->rows; t-- > 0;) {
        step s = step_of(l, p, kept, t), before = t ? step_of(l, p, kept, t - 1) : (step){0};
        close_gates(l, p->count, &s, t ? &before : NULL, dh, dc);
        step_back(l, p, x, t, &s, t ? &before : NULL, dx, dh);
    }
}
