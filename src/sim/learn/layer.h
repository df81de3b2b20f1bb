/* SPDX-License-Identifier: MIT */
/* Private to learn: layers, and what goes through them.
 *
 * A layer makes `out` numbers of `in` for every sequence, forward; backward it makes the slopes of
 * its input of those of its output and adds the slopes of its weights. Matrices are
 * [input][output], row by row; `turned` holds each of them transposed, at the same offset. */
#ifndef MSW_SIM_LEARN_LAYER_H
#define MSW_SIM_LEARN_LAYER_H

#include "memsweep/sim/net.h"
#include "sim/learn/product.h"

/* As many as the largest network has, which has 8 encoder layers (shape.c): each attends, feeds and
 * norms twice, with 4 and 2 matrices and their biases and 2 rows a norm; before them the features,
 * behind them the mean token and the scores. */
enum { LEARN_LAYERS = 8 * 4 + 3, LEARN_MATRICES = 8 * 16 + MSW_NET_FEATURES + 2 };
enum { LEARN_FEED_TILE = 40, LEARN_FEED_GAP = 16 };

typedef struct learn_layer learn_layer;

/* Some sequences of a batch: a worker's memory. */
typedef struct learn_pass {
    const msw_net *net;
    const float *weights, *turned; /* as used: quantised */
    float *slopes;                 /* of the weights; NULL: forward only */
    size_t count, most;            /* sequences */
    uint32_t *tokens;              /* [sequence][token][feature] */
    uint32_t *labels;
    float *values[LEARN_LAYERS + 1]; /* [layer]: its input; the last: scores of the classes */
    float *kept[LEARN_LAYERS];       /* [layer]: from forward to backward */
    float *errors[2];                /* slopes of an input and an output */
    float *scratch;
    double drop;    /* dropout; 0: none */
    uint64_t first; /* of the batch: number of the first sequence */
    double loss, dots, largest, watched;
    bool watch;
} learn_pass;

typedef void (*learn_fn)(const learn_layer *l, learn_pass *p, const float *x, float *y,
                         float *kept);
typedef void (*learn_back_fn)(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                              float *kept, const float *dy, float *dx);

struct learn_layer {
    learn_fn forward;
    learn_back_fn backward;
    size_t in, out; /* numbers of a sequence */
    size_t rows;    /* of a sequence; in and out are `rows` rows of width and made */
    size_t width, made;
    size_t weights;        /* where they begin */
    size_t kept;           /* numbers of a sequence */
    size_t scratch;        /* numbers of a pass */
    bool bent;             /* ReLU */
    bool drops;            /* dropout takes numbers of its output */
    uint32_t number;       /* of the encoder layer */
    const float *constant; /* positions, rotations */
    const uint32_t *drawn; /* tokens that others are compared with */
};

/* Weights that belong together: a matrix, or a row of numbers (rows 1). */
typedef struct learn_matrix {
    size_t at, rows, columns;
    double spread; /* of the first weights: uniform within it; negative: normal; 0: `start` */
    float start;
} learn_matrix;

struct msw_net {
    msw_net_shape shape;
    learn_layer layers[LEARN_LAYERS];
    size_t layer_count;
    learn_matrix matrices[LEARN_MATRICES];
    size_t matrix_count;
    size_t weight_count, width;
    uint32_t batch;
    float *weights, *used, *turned, *mean, *square; /* Adam's moments */
    float *slopes;                                  /* [chunk][weight] */
    learn_pass chunks[MSW_NET_CHUNKS];
    uint64_t batches;
    double decay[2]; /* powers of Adam's two */
    const learn_loops *loops;
    msw_net_watched watched;
    bool watch;
    double logs[MSW_NET_TOKENS + 2]; /* of distances of hashed rows */
};

/* Fills layers and matrices. Returns 0, or -1. */
int learn_lay_out(msw_net *net, msw_net_size *size, msw_err *err);

/* Quantises and turns the weights. */
void learn_use_weights(msw_net *net, msw_net_each each);

/* Constants of layers. Returns 0, or -1. */
int learn_make_constants(msw_net *net, msw_arena *arena, msw_err *err);

/* y = x W + b over `rows` rows. */
static inline void learn_apply(const learn_pass *p, size_t rows, const float *x, size_t in,
                               size_t weights, size_t out, float *y)
{
    p->net->loops->multiply(&(learn_product){.rows = rows,
                                             .columns = out,
                                             .terms = in,
                                             .a = x,
                                             .a_row = in,
                                             .a_term = 1,
                                             .b = p->weights + weights,
                                             .b_term = out,
                                             .c = y,
                                             .c_row = out,
                                             .start = p->weights + weights + in * out});
}

/* The slopes of W and b, and (dx not NULL) of x: set, or added to. */
void learn_apply_back(learn_pass *p, size_t rows, const float *x, size_t in, size_t weights,
                      size_t out, const float *dy, float *dx, bool add);

/* The kinds of layers. */
void learn_embed(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept);
void learn_embed_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                      float *kept, const float *dy, float *dx);
void learn_linear(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept);
void learn_linear_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                       float *kept, const float *dy, float *dx);
void learn_norm(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept);
void learn_norm_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                     float *kept, const float *dy, float *dx);
void learn_feed(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept);
void learn_feed_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                     float *kept, const float *dy, float *dx);
void learn_attend(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept);
void learn_attend_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                       float *kept, const float *dy, float *dx);
void learn_pool(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept);
void learn_pool_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                     float *kept, const float *dy, float *dx);
void learn_lstm(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept);
void learn_lstm_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                     float *kept, const float *dy, float *dx);
void learn_convolve(const learn_layer *l, learn_pass *p, const float *x, float *y, float *kept);
void learn_convolve_back(const learn_layer *l, learn_pass *p, const float *x, const float *y,
                         float *kept, const float *dy, float *dx);

/* Rounds rows of activations in place. */
void learn_round(const learn_loops *loops, msw_net_numbers numbers, size_t rows, size_t width,
                 float *x);

/* Drops out some of what a layer made, or of its slopes. No model calls, but tests do: learn_drop.
 */
void learn_drop(const learn_pass *p, size_t layer, float *x);

/* Go through all layers. */
void learn_forward(learn_pass *p);
void learn_backward(learn_pass *p);

/* Loss of the scores; they become their slopes, over `batch` sequences. */
void learn_loss(learn_pass *p, uint32_t batch);

#endif
