/* SPDX-License-Identifier: MIT */
/* Private to the makers of decoders: tensors, and how an operator is added. */
#ifndef MSW_WORKLOAD_NPU_DECODER_PARTS_H
#define MSW_WORKLOAD_NPU_DECODER_PARTS_H

#include "workload/npu/parts.h"

/* Tensors by number; the caches of all layers follow. */
enum {
    STREAM,
    QUERY,
    SCORES,
    CONTEXT,
    GATE,
    UP,
    LOGITS,
    ROUTES,
    SENT,   /* tokens by the experts they go to; what comes back */
    INSIDE, /* of the experts */
    CACHES = MSW_NPU_DECODER_CACHES
};

/* And those that only operators without products or a training step distinguish. */
enum {
    MIDDLE = CACHES, /* the stream between attention and feed-forward */
    NORMED,          /* what attention reads */
    NORMED_MIDDLE,   /* what the feed-forward reads */
    ATTENDED,        /* what attention adds to the stream */
    FORWARDED,       /* what the feed-forward adds */
    SET_SIZE
};

typedef struct decoder {
    msw_decoder shape;
    msw_npu_op *next;
    msw_arena *arena;
    uint64_t tokens, context, batch; /* new; attended to; sequences */
    uint64_t attended;               /* by the present layer */
    bool vectors, training;
    uint32_t sets; /* of tensors beyond the caches: one, or one for each layer and the head */
    uint32_t layer;
    bool failed;
} decoder;

/* The number of a tensor of the present layer. */
uint32_t msw_decoder_tensor(const decoder *d, uint32_t which);

/* Returns `rows` of so many channels of a tensor. */
msw_npu_side msw_decoder_side(uint32_t tensor, uint64_t rows, uint64_t channels);

/* Returns a name in the arena, or NULL with `failed` set. */
const char *msw_decoder_name(decoder *d, int layer, const char *what);

/* tokens x inputs times inputs x outputs. Returns the operator. */
msw_npu_op *msw_decoder_product(decoder *d, const char *name, uint32_t from, uint64_t inputs,
                                uint32_t to, uint64_t outputs);

/* Reads rows of `from` and all of `other`, writes as many rows of `to`, where operators without
 * products are made. */
void msw_decoder_vector(decoder *d, const char *name, const msw_npu_side *from, uint32_t other,
                        const msw_npu_side *to);

/* The same of `rows` of as many channels of all. */
void msw_decoder_rows(decoder *d, int layer, const char *what, uint32_t from, uint32_t other,
                      uint32_t to, uint64_t rows, uint64_t channels);

/* A layer's state in place of attention: from the norm before it to what goes into the last
 * product, whose inputs it returns. */
uint64_t msw_decoder_state(decoder *d, int layer, uint32_t from);

/* How large tensors are where layers have a state: at least so much. */
void msw_decoder_size_state(const decoder *d, uint64_t *set);

#endif
