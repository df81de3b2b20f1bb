/* SPDX-License-Identifier: MIT */
/* Are the slopes of every layer those of its function, and the same bits on every CPU? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/net.h"
#include "sim/learn/layer.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 7 };

static const msw_net_shape SMALL = {.kind = MSW_NET_TRANSFORMER,
                                    .tokens = 6,
                                    .features = 2,
                                    .values = {5, 3},
                                    .widths = {5, 3},
                                    .layers = 1,
                                    .heads = 2,
                                    .feed = 9,
                                    .attention = MSW_NET_FULL,
                                    .rounds = 4,
                                    .buckets = 4,
                                    .far = 0.9,
                                    .near = 0.1,
                                    .hidden = 7,
                                    .classes = 4,
                                    .seed = 3};

/* The class is the first feature of the second token, modulo the classes. */
static uint32_t fetch(const void *source, uint64_t sample, uint32_t *tokens)
{
    const msw_net_shape *shape = source;
    msw_rng rng;
    msw_rng_init(&rng, 77, sample);
    for (uint32_t i = 0; i < shape->tokens * shape->features; i++)
        tokens[i] = (uint32_t)msw_rng_below(&rng, shape->values[i % shape->features]);
    return tokens[shape->features] % shape->classes;
}

/* All samples in one chunk. */
static learn_pass *one_chunk(msw_net *net)
{
    learn_pass *p = &net->chunks[0];
    const msw_net_shape *shape = &net->shape;
    p->count = SAMPLES;
    for (uint32_t i = 0; i < SAMPLES; i++)
        p->labels[i] = fetch(shape, i, p->tokens + i * shape->tokens * shape->features);
    return p;
}

static double loss_of(msw_net *net)
{
    learn_pass *p = one_chunk(net);
    learn_use_weights(net, msw_net_alone);
    p->loss = 0;
    learn_forward(p);
    learn_loss(p, SAMPLES);
    return p->loss / SAMPLES;
}

/* A step may meet a kink or a jump (ReLU, hashes): one side of one step has to agree. */
static bool agrees(msw_net *net, size_t at, double slope)
{
    float was = net->weights[at];
    double here = loss_of(net);
    for (float step = 8e-3f; step > 4e-4f; step /= 2) {
        net->weights[at] = was + step;
        double up = (loss_of(net) - here) / (double)step;
        net->weights[at] = was - step;
        double down = (here - loss_of(net)) / (double)step, tried[] = {(up + down) / 2, up, down};
        net->weights[at] = was;
        for (int i = 0; i < 3; i++)
            if (fabs(slope - tried[i]) <= 3e-4 + 0.01 * fabs(tried[i]))
                return true;
    }
    return false;
}

/* The weights of a matrix with the largest slopes. */
static void check_matrix(msw_net *net, const learn_matrix *m, const float *slopes)
{
    for (size_t tries = 0; tries < 3; tries++) {
        size_t at = m->at;
        for (size_t i = m->at; i < m->at + m->rows * m->columns; i++)
            if ((i - m->at) % 3 == tries && fabsf(slopes[i]) > fabsf(slopes[at]))
                at = i;
        if (!agrees(net, at, (double)slopes[at]))
            fail_msg("matrix %zu at %zu: no difference is the slope %g",
                     (size_t)(m - net->matrices), at - m->at, (double)slopes[at]);
    }
}

static void check_slopes_with(msw_net_shape shape, double drop)
{
    msw_arena arena = {0};
    msw_err err = {0};
    msw_net *net = msw_net_new(&shape, SAMPLES * MSW_NET_CHUNKS, &arena, &err);
    assert_non_null(net);
    float *slopes = calloc(net->weight_count, sizeof *slopes);
    learn_pass *p = one_chunk(net);
    p->slopes = slopes;
    p->drop = drop;
    learn_forward(p);
    learn_loss(p, SAMPLES);
    learn_backward(p);
    for (size_t m = 0; m < net->matrix_count; m++)
        check_matrix(net, &net->matrices[m], slopes);
    free(slopes);
    msw_arena_free(&arena);
}

static void check_slopes(msw_net_shape shape)
{
    check_slopes_with(shape, 0);
}

/* Of what dropout leaves. */
static void slopes_under_dropout(void **state)
{
    (void)state;
    for (int kind = MSW_NET_TRANSFORMER; kind <= MSW_NET_CNN; kind++) {
        msw_net_shape s = SMALL;
        s.kind = (msw_net_kind)kind;
        check_slopes_with(s, 0.3);
    }
}

static void slopes_are_differences(void **state)
{
    (void)state;
    msw_net_shape s = SMALL;
    check_slopes(s); /* embedding, attention, norm, feed-forward, head */
    s.shared = true;
    s.pooled = true;
    s.layers = 2;
    s.heads = 1;
    check_slopes(s);
    for (int kind = MSW_NET_DENSE; kind <= MSW_NET_CNN; kind++) {
        s = SMALL;
        s.kind = (msw_net_kind)kind;
        check_slopes(s);
    }
}

static void slopes_of_hashed_attention(void **state)
{
    (void)state;
    for (int kind = MSW_NET_LSH; kind <= MSW_NET_HLSH; kind++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            msw_net_shape s = SMALL;
            s.attention = (msw_net_attention)kind;
            s.shared = true;
            s.near = 0.3;
            s.far = 0.8;
            s.seed = seed;
            check_slopes(s);
        }
}

/* ---- products ---- */

static void products_are_loops(void **state)
{
    (void)state;
    static const size_t SIZES[][3] = {{1, 1, 1}, {5, 3, 7}, {4, 16, 16}, {9, 300, 17}, {40, 5, 33}};
    float a[9 * 300], b[300 * 33], c[2][40 * 33];
    const learn_loops *ways[] = {&learn_loops_base, learn_loops_avx2(), learn_loops_avx512()};
    msw_rng rng;
    msw_rng_init(&rng, 5, 0);
    for (size_t i = 0; i < sizeof a / sizeof *a; i++)
        a[i] = (float)msw_rng_normal(&rng);
    for (size_t i = 0; i < sizeof b / sizeof *b; i++)
        b[i] = (float)msw_rng_normal(&rng);
    for (size_t n = 0; n < 3 * sizeof SIZES / sizeof *SIZES; n++) {
        size_t rows = SIZES[n / 3][0], terms = SIZES[n / 3][1], columns = SIZES[n / 3][2];
        learn_product p = {.rows = rows,
                           .columns = columns,
                           .terms = terms,
                           .a = a,
                           .a_row = n % 3 == 1 ? 1 : terms,
                           .a_term = n % 3 == 1 ? rows : 1,
                           .b = b,
                           .b_term = columns,
                           .c_row = columns,
                           .add = n % 3 == 1,
                           .start = n % 3 == 2 ? a : NULL};
        for (size_t i = 0; i < sizeof *c / sizeof **c; i++)
            c[0][i] = 1;
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++) {
                float sum = p.add ? 1 : p.start ? a[j] : 0;
                for (size_t k = 0; k < terms; k++)
                    sum += a[i * p.a_row + k * p.a_term] * b[k * columns + j];
                c[0][i * columns + j] = sum;
            }
        p.c = c[1];
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
            for (size_t i = 0; i < rows * columns; i++)
                c[1][i] = 1;
            if (!ways[way])
                continue;
            ways[way]->multiply(&p);
            assert_memory_equal(c[0], c[1], rows * columns * sizeof(float));
        }
    }
}

/* ---- dropout ---- */

/* The share that is said, the mean kept, other numbers in another batch, none when asked. */
static void dropout_leaves_a_share_out(void **state)
{
    (void)state;
    msw_arena arena = {0};
    msw_err err = {0};
    msw_net *net = msw_net_new(&SMALL, 64, &arena, &err);
    assert_non_null(net);
    learn_pass *p = &net->chunks[0];
    size_t count = net->layers[0].out, zeros = 0, moved = 0;
    float *x = calloc(2 * count, sizeof *x);
    p->count = 1;
    p->drop = 0.25;
    for (net->batches = 0; net->batches < 200; net->batches++) {
        for (size_t i = 0; i < 2 * count; i++)
            x[i] = 3;
        learn_drop(p, 0, x);
        net->batches += 1000;
        learn_drop(p, 0, x + count);
        net->batches -= 1000;
        for (size_t i = 0; i < count; i++) {
            assert_true(x[i] == 0 || x[i] == 4);
            zeros += x[i] == 0;
            moved += x[i] != x[count + i];
        }
    }
    assert_true(fabs((double)zeros / (200.0 * (double)count) - 0.25) < 0.02);
    assert_true(fabs((double)moved / (200.0 * (double)count) - 0.375) < 0.02);
    learn_drop(p, net->layer_count - 1, x); /* scores stay */
    free(x);
    msw_arena_free(&arena);
}

/* ---- loops ---- */

enum { LONGEST = 70 };

/* What a way makes of numbers, one result behind the other. */
static void make_all(const learn_loops *l, size_t width, const float *given, float made[8][LONGEST])
{
    learn_step step = {0.01F, 10, 1000};
    for (int i = 0; i < 8; i++)
        memcpy(made[i], given, LONGEST * sizeof *given);
    made[7][0] = l->bend(width, false, made[0]);
    made[7][1] = l->bend(width, true, made[1]);
    l->keep(width, given, made[2]);
    made[7][2] = l->clamp(width, made[3]);
    l->round(width, 0.3F, made[3]);
    l->add(width, given, made[4]);
    l->quantise(width, 0.2F, given, made[5]);
    made[7][3] = l->largest(width, given);
    float mean[LONGEST] = {0}, square[LONGEST] = {0};
    l->move(&step, width, made[3], mean, square, made[6]);
}

/* Vectors of any width give the bits of plain loops, whatever the numbers are. */
static void loops_are_the_same(void **state)
{
    (void)state;
    static const float SPECIAL[] = {0, -0.0F, 9, -9, INFINITY, -INFINITY, NAN, 1e-40F};
    const learn_loops *ways[] = {&learn_loops_base, learn_loops_avx2(), learn_loops_avx512()};
    float given[LONGEST], made[2][8][LONGEST];
    msw_rng rng;
    msw_rng_init(&rng, 7, 0);
    for (size_t i = 0; i < LONGEST; i++)
        given[i] = i % 9 == 8 ? SPECIAL[i / 9 % 8] : (float)(3 * msw_rng_normal(&rng));
    for (size_t width = 0; width <= LONGEST; width++) {
        make_all(ways[0], width, given, made[0]);
        for (size_t way = 1; way < sizeof ways / sizeof *ways; way++) {
            if (!ways[way])
                continue;
            make_all(ways[way], width, given, made[1]);
            for (int i = 0; i < 8; i++)
                for (size_t j = 0; j < LONGEST; j++)
                    assert_true(memcmp(&made[0][i][j], &made[1][i][j], sizeof(float)) == 0 ||
                                (isnan(made[0][i][j]) && isnan(made[1][i][j])));
        }
        float most = 0;
        for (size_t j = 0; j < width; j++)
            most = fabsf(given[j]) > most ? fabsf(given[j]) : most;
        assert_true(made[0][7][3] == most);
        assert_true(made[0][7][1] <= 8 && made[0][7][1] <= made[0][7][0]);
    }
}

/* ---- rounding ---- */

static void activations_are_rounded_by_token(void **state)
{
    (void)state;
    static const float GIVEN[2][3] = {{-14, 0.4F, 3.5F}, {0.7F, -0.06F, 0.31F}};
    static const float CLAMPED[2][3] = {{-8, 0.4F, 3.5F}, {0.7F, -0.06F, 0.31F}};
    static const float WHOLE[2][3] = {{-8, 0, 4}, {1, 0, 0}};
    static const float SCALED[2][3] = {{-7, 0, 3}, {7, -1, 3}}; /* of 8 / 7 and of 0.1 */
    for (int numbers = MSW_NET_FLOAT; numbers <= MSW_NET_INTEGERS; numbers++)
        for (size_t t = 0; t < 2; t++) {
            float x[4] = {GIVEN[t][0], GIVEN[t][1], GIVEN[t][2], 99}, unit = t ? 0.1F : 8.0F / 7;
            learn_round(&learn_loops_base, (msw_net_numbers)numbers, 1, 3, x);
            for (size_t j = 0; j < 3; j++) {
                float wanted[] = {GIVEN[t][j], CLAMPED[t][j], SCALED[t][j] * unit, WHOLE[t][j]};
                assert_float_equal(x[j], wanted[numbers], 1e-6);
            }
            assert_float_equal(x[3], 99, 0);
        }
    float nothing[2] = {0, 0};
    learn_round(&learn_loops_base, MSW_NET_SCALED, 1, 2, nothing);
    assert_float_equal(nothing[0] + nothing[1], 0, 0);
}

/* ---- learning ---- */

/* From the last to the first. */
static void backwards(const void *self, size_t n, void (*fn)(void *context, size_t i),
                      void *context)
{
    (void)self;
    while (n-- > 0)
        fn(context, n);
}

static double train(msw_net *net, uint32_t batches, msw_net_each each)
{
    uint64_t samples[64];
    msw_net_training how = {.batch = 64, .rate = 0.01};
    double loss = 0;
    for (uint32_t b = 0; b < batches; b++) {
        for (uint32_t i = 0; i < 64; i++)
            samples[i] = (net->batches * 64 + i) % 512;
        loss = msw_net_learn(net, &how, samples, 64, fetch, &net->shape, each);
    }
    return loss;
}

static void learns_what_can_be_learned(void **state)
{
    (void)state;
    static const msw_net_numbers NUMBERS[] = {MSW_NET_FLOAT, MSW_NET_SCALED, MSW_NET_SCALED};
    for (size_t i = 0; i < 3; i++) {
        msw_arena arena = {0};
        msw_err err = {0};
        msw_net_shape shape = SMALL;
        shape.numbers = NUMBERS[i];
        shape.activations = i == 2 ? MSW_NET_SCALED : MSW_NET_FLOAT;
        msw_net *net = msw_net_new(&shape, 64, &arena, &err);
        double first = train(net, 1, msw_net_alone), last = train(net, 80, msw_net_alone);
        assert_true(first > 1 && last < 0.4 * first);
        uint64_t sample = 600;
        msw_net_answer answer;
        msw_net_ask(net, &sample, 1, fetch, &shape, msw_net_alone, &answer);
        assert_int_equal(answer.best[0], answer.label);
        assert_int_equal(answer.best[4], UINT32_MAX);
        msw_arena_free(&arena);
    }
}

static void same_weights(const msw_net *a, const msw_net *b)
{
    assert_memory_equal(a->weights, b->weights, a->weight_count * sizeof *a->weights);
}

/* Any order of chunks, any CPU, and going on from what was kept. */
static void same_bits(void **state)
{
    (void)state;
    msw_net *net[4];
    msw_arena arena = {0};
    msw_err err = {0};
    msw_text bytes = {0};
    msw_net_shape shape = SMALL;
    shape.attention = MSW_NET_HLSH;
    shape.activations = MSW_NET_SCALED;
    for (int i = 0; i < 4; i++)
        net[i] = msw_net_new(&shape, 64, &arena, &err);
    net[2]->loops = &learn_loops_base;
    train(net[0], 6, msw_net_alone);
    train(net[1], 6, (msw_net_each){backwards, NULL});
    train(net[2], 3, msw_net_alone);
    msw_net_flatten(net[2], true, &bytes);
    train(net[2], 3, msw_net_alone);
    assert_int_equal(msw_net_unflatten(net[3], true, bytes.data, bytes.size, &err), 0);
    train(net[3], 3, msw_net_alone);
    for (int i = 1; i < 4; i++)
        same_weights(net[0], net[i]);
    assert_int_equal(msw_net_unflatten(net[3], true, bytes.data, bytes.size - 8, &err), -1);
    assert_int_equal(msw_net_unflatten(net[3], false, bytes.data, bytes.size, &err), -1);
    msw_text_free(&bytes);
    msw_arena_free(&arena);
}

/* ---- counts ---- */

static void counts_of_the_revised_predictor(void **state)
{
    (void)state;
    static const struct {
        uint32_t classes;
        double parameters_kb, tolerance, activations_mb;
    } TABLE[] = {{24, 17.5, 0.625, 4.30},   {356, 77.5, 0.625, 4.34}, {4155, 770, 5, 4.83},
                 {102, 31.25, 0.625, 4.31}, {190, 47.5, 0.625, 4.32}, {346, 76.25, 0.625, 4.34},
                 {1303, 250, 5, 4.46},      {86, 28.75, 0.625, 4.31}, {134, 37.5, 0.625, 4.31}};
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        msw_net_shape s = {.tokens = 30,
                           .features = 2,
                           .values = {TABLE[i].classes + 1, 10},
                           .widths = {4, 8},
                           .layers = 1,
                           .heads = 1,
                           .feed = 1024,
                           .attention = MSW_NET_HLSH,
                           .shared = true,
                           .rounds = 8,
                           .buckets = 8,
                           .classes = TABLE[i].classes};
        msw_net_size size;
        msw_err err = {0};
        assert_ok(msw_net_measure(&s, &size, &err), err);
        assert_int_equal(size.weights, 26128 + 80 + 4 + 365 * TABLE[i].classes);
        assert_int_equal(size.outputs, 33600 + TABLE[i].classes);
        assert_true(fabs((double)size.weights / 2000 - TABLE[i].parameters_kb) <=
                    TABLE[i].tolerance);
        assert_true(fabs((double)size.outputs * 128e-6 - TABLE[i].activations_mb) <=
                    0.01 * TABLE[i].activations_mb);
        assert_int_equal(size.dots, 900);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_are_differences),
        cmocka_unit_test(slopes_under_dropout),
        cmocka_unit_test(slopes_of_hashed_attention),
        cmocka_unit_test(products_are_loops),
        cmocka_unit_test(loops_are_the_same),
        cmocka_unit_test(dropout_leaves_a_share_out),
        cmocka_unit_test(activations_are_rounded_by_token),
        cmocka_unit_test(learns_what_can_be_learned),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(counts_of_the_revised_predictor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
