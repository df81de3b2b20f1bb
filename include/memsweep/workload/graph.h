/* SPDX-License-Identifier: MIT */
/* graph: networks as operators and the tensors between them, without tiles: what a mechanism that
 * maps layers itself starts from. Made by the front end `mix`; docs/models/mix.md says which
 * operators are in it and what they move.
 *
 * Operators are in order of execution. A concatenation is none: its producers write in place. A
 * pooling that runs while its only producer stores is none: the producer's output is the pooled
 * one. The inputs of a network are tensors that nobody makes. */
#ifndef MEMSWEEP_WORKLOAD_GRAPH_H
#define MEMSWEEP_WORKLOAD_GRAPH_H

#include "memsweep/workload/npu.h"
#include "memsweep/workload/workload.h"

enum { MSW_GRAPH_NONE = UINT32_MAX };
enum { MSW_GRAPH_NETWORKS_MAX = 15 };

typedef enum msw_graph_kind {
    MSW_GRAPH_MATRIX,    /* activations times weights */
    MSW_GRAPH_DEPTHWISE, /* one filter for each channel */
    MSW_GRAPH_PAIR,      /* activations times activations: the second read is K x N */
    MSW_GRAPH_VECTOR,    /* no products: element-wise, norms, pooling, softmax */
    MSW_GRAPH_GATHER     /* rows of a table */
} msw_graph_kind;

typedef enum msw_graph_role {
    MSW_GRAPH_WEIGHT,
    MSW_GRAPH_INPUT,        /* nobody makes it */
    MSW_GRAPH_INTERMEDIATE, /* made and read */
    MSW_GRAPH_RESULT        /* made, not read */
} msw_graph_role;

typedef struct msw_graph_tensor {
    uint64_t offset, bytes; /* offset: from the start of the network's memory */
    msw_graph_role role;
    uint32_t producer;    /* operator, or MSW_GRAPH_NONE */
    uint32_t first, last; /* operators that read it first and last, or MSW_GRAPH_NONE */
    uint32_t uses;        /* operators that read it, once each */
} msw_graph_tensor;

/* An operator, for the whole batch. With products: `count` times M x N x K, `seq` times in series,
 * the weights read again each time. A gather moves `touched_bytes` of its table. */
typedef struct msw_graph_op {
    const char *name, *word, *block_name; /* word: the operator in its table */
    msw_graph_kind kind;
    uint32_t block; /* rows of one label that follow one another */
    uint64_t m, n, k, count, seq, macs, vector_ops;
    uint64_t in_rows, in_cols, out_rows, out_cols; /* of an image; 0: not an image */
    uint64_t kernel_rows, kernel_cols, stride_rows, stride_cols;
    uint32_t first_read, read_count; /* into reads: activations */
    uint32_t weight, output;         /* tensors; weight: or MSW_GRAPH_NONE */
    uint64_t touched_bytes;          /* of the weights, in all steps */
    uint64_t cycles;                 /* of computing, where a tile list says them */
    uint64_t index_bytes;            /* that a gather reads in place of its reads */
} msw_graph_op;

typedef struct msw_graph_network {
    const char *name;
    const msw_graph_op *ops;
    const msw_graph_tensor *tensors;
    const uint32_t *reads; /* tensors, by operator */
    uint32_t op_count, tensor_count, block_count, read_count;
    uint64_t bytes;   /* memory of one instance */
    msw_digest shape; /* of the operators and tensors: equal networks have equal digests */
    double weight;    /* how often a task is one of this network, relative to the others */
    double target_ms; /* 0: none */
    uint64_t batch, priority;
    const msw_npu_product *list; /* tiles as they are, layer by operator; or NULL */
    uint64_t list_base;          /* address that the network's memory begins with */
    bool overlaps;               /* they are loaded while others compute */
} msw_graph_network;

/* A task of a list of tasks. */
typedef struct msw_graph_arrival {
    uint32_t network, priority;
    double dispatch_ms, target_ms; /* target: 0: none */
} msw_graph_arrival;

/* Product (MSW_PRODUCT_GRAPH). */
typedef struct msw_graph_product {
    const msw_graph_network *networks;
    uint32_t count;
    uint32_t element_bytes;
    const msw_graph_arrival *arrivals; /* in the order of their dispatch; NULL: no list of tasks */
    uint32_t arrival_count;
} msw_graph_product;

/* What a network moves and keeps, in bytes. Definitions: docs/models/mix.md. */
typedef struct msw_graph_totals {
    double weights, touched; /* all weights; those read, serial steps counted */
    double ends, between;    /* inputs and results; intermediates */
    double layerwise;        /* every operator reads all it needs and writes its output */
    double fused;            /* weights that are read, inputs, results */
    double most_live;        /* largest sum of activations that are still needed */
    double unused;           /* share of all bytes that are used once */
} msw_graph_totals;

/* Returns what a network moves. */
msw_graph_totals msw_graph_total(const msw_graph_network *network);

/* Bytes that an operator reads and writes when nothing is kept. */
uint64_t msw_graph_op_bytes(const msw_graph_network *network, uint32_t op);

/* Returns the share of bytes of intermediates, use by use, that come back after more than
 * `distance` bytes of other data; NaN where there are none. */
double msw_graph_beyond(const msw_graph_network *network, double distance);

/* "matrix", "depthwise", "pair", "vector", "gather". */
const char *msw_graph_kind_name(msw_graph_kind kind);

/* Settings of the front end `mix`. */
typedef struct msw_mix_config {
    int64_t element_bytes, alignment;
    int64_t context, layers, weight_bits; /* of decoders */
} msw_mix_config;

extern const msw_frontend msw_frontend_mix;

#endif
