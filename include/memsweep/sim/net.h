/* SPDX-License-Identifier: MIT */
/* net: small networks that class sequences of tokens, trained and asked on the CPU.
 *
 * The same weights come out on any number of threads, compiler and CPU of an architecture: a batch
 * is cut into chunks by number and summed in their order, products sum their terms in order,
 * exponentials are those of base/math. Equations: docs/models/sim-net.md.
 *
 * No model calls, but tests do: msw_net_alone. */
#ifndef MEMSWEEP_SIM_NET_H
#define MEMSWEEP_SIM_NET_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"
#include "memsweep/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSW_NET_FEATURES = 16, MSW_NET_TOKENS = 64, MSW_NET_BEST = 10, MSW_NET_CHUNKS = 16 };

typedef enum msw_net_kind {
    MSW_NET_TRANSFORMER, /* encoder layers */
    MSW_NET_DENSE,       /* one fully connected layer over all tokens */
    MSW_NET_MLP,         /* two hidden layers before it */
    MSW_NET_LSTM,
    MSW_NET_CNN, /* two convolutions over 3 tokens before it */
} msw_net_kind;

typedef enum msw_net_attention {
    MSW_NET_NO_ATTENTION,
    MSW_NET_FULL,
    MSW_NET_LSH,          /* between tokens that share a bucket in some round */
    MSW_NET_HLSH_PRINTED, /* tokens that are far from all are zeroed, similar ones share a row */
    MSW_NET_HLSH,         /* the same, a token not compared with itself, zeroed ones not weighed */
} msw_net_attention;

typedef enum msw_net_numbers {
    MSW_NET_FLOAT,
    MSW_NET_CLAMPED,  /* kept within -8 and 8 */
    MSW_NET_SCALED,   /* clamped, and used as 16 steps of the largest of their matrix or token */
    MSW_NET_INTEGERS, /* clamped, and used as whole numbers from -8 to 7 */
} msw_net_numbers;

typedef struct msw_net_shape {
    msw_net_kind kind;
    uint32_t tokens, features;
    uint32_t values[MSW_NET_FEATURES]; /* of a feature: different ones */
    uint32_t widths[MSW_NET_FEATURES]; /* numbers that one becomes */
    uint32_t layers, heads, feed;
    msw_net_attention attention;
    bool shared;      /* queries are keys, too */
    uint32_t rounds;  /* of hashing */
    uint32_t buckets; /* even */
    double far, near; /* shares of the rounds */
    bool pooled;      /* the mean token is classed, not all side by side */
    uint32_t hidden;  /* width of MLP, LSTM, CNN */
    uint32_t classes;
    msw_net_numbers numbers;     /* weights */
    msw_net_numbers activations; /* outputs of layers, but the scores of the classes */
    uint64_t seed;
} msw_net_shape;

/* How training goes. */
typedef struct msw_net_training {
    uint32_t batch;
    double rate; /* of learning */
    double drop; /* share of the numbers of tokens that a step leaves out; 0: none */
} msw_net_training;

/* What a shape takes, without making it. */
typedef struct msw_net_size {
    uint64_t weights;
    uint64_t outputs;  /* of all layers for one sequence, as torchinfo counts them */
    uint64_t products; /* multiplications of one forward pass with full attention */
    uint64_t dots;     /* dot products of full attention in all layers and heads */
    uint64_t compares; /* of hashes, and multiplications that make them, with HLSH */
} msw_net_size;

/* Where sequences come from: fills tokens[tokens][features] and returns the class. Called from
 * several threads. */
typedef uint32_t (*msw_net_fetch)(const void *source, uint64_t sample, uint32_t *tokens);

/* Calls fn(context, i) for all i below n, in any order; returns when all are done. */
typedef struct msw_net_each {
    void (*call)(const void *self, size_t n, void (*fn)(void *context, size_t i), void *context);
    const void *self;
} msw_net_each;

/* What a network says of one sequence. */
typedef struct msw_net_answer {
    uint32_t label;
    uint32_t best[MSW_NET_BEST]; /* classes, the likeliest first; as many as there are */
} msw_net_answer;

/* Means over what was asked since msw_net_watch. */
typedef struct msw_net_watched {
    double sequences;
    double dots;    /* dot products that attention took */
    double largest; /* share of a token's attention in the largest tenth of its weights */
} msw_net_watched;

typedef struct msw_net msw_net;

/* Counts. Returns 0, or -1 with why the shape cannot be. */
int msw_net_measure(const msw_net_shape *shape, msw_net_size *size, msw_err *err);

/* Makes a network with its first weights, for up to `batch` sequences at once. Returns it, or NULL
 * with `err`. */
msw_net *msw_net_new(const msw_net_shape *shape, uint32_t batch, msw_arena *arena, msw_err *err);

/* Learns from one batch of samples. Returns the mean loss before it. */
double msw_net_learn(msw_net *net, const msw_net_training *how, const uint64_t *samples,
                     uint32_t count, msw_net_fetch fetch, const void *source, msw_net_each each);

/* Answers up to `batch` samples. */
void msw_net_ask(msw_net *net, const uint64_t *samples, uint32_t count, msw_net_fetch fetch,
                 const void *source, msw_net_each each, msw_net_answer *answers);

/* Begins to watch attention, or returns what was seen. */
void msw_net_watch(msw_net *net);
msw_net_watched msw_net_seen(const msw_net *net);

/* Appends weights, and with `moments` all that learning goes on from. */
void msw_net_flatten(const msw_net *net, bool moments, msw_text *bytes);

/* Takes over what flatten appended. Returns 0, or -1 when these are no such bytes. */
int msw_net_unflatten(msw_net *net, bool moments, const char *bytes, size_t size, msw_err *err);

/* On one thread, in order. */
extern const msw_net_each msw_net_alone;

#endif
