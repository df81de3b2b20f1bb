/* SPDX-License-Identifier: MIT */
/* decoder: the shapes of transformers, by name: decoders, those in which a state takes the place of
 * keys and values, and encoders. One place makes operators of them
 * (src/workload/npu/decoder/decoder.c); whoever needs a decoder's weights or caches starts here. */
#ifndef MEMSWEEP_WORKLOAD_DECODER_H
#define MEMSWEEP_WORKLOAD_DECODER_H

#include "memsweep/param/param.h"

#include <stdbool.h>
#include <stdint.h>

/* What a layer with a state has in place of attention: linear attention, or a state space
 * (docs/models/npu.md, 'Layers with a state'). */
typedef struct msw_mixer {
    uint64_t groups, key;  /* the state: groups x key x value, of heads / groups heads each */
    uint64_t heads, value; /* values of one head of values */
    uint64_t low, narrow;  /* products inner x low and narrow x inner, of a state space; 0: none */
    uint64_t extra;        /* outputs of a product that gives steps and decays; 0: none */
    uint64_t chunk;        /* tokens that are worked on together; 1: each alone */
    uint64_t others;       /* parameters that nothing is multiplied with in a product */
    bool corrects;         /* reads the state before it adds to it (the delta rule) */
} msw_mixer;

typedef struct msw_decoder {
    uint64_t layers, hidden, heads;
    uint64_t kv_heads; /* heads share their keys and values in groups of heads / kv_heads */
    uint64_t head;     /* values of a head */
    uint64_t inner;    /* of the feed-forward layers, which have a gate */
    uint64_t words;
    uint64_t plain;           /* feed-forward layers have no gate */
    uint64_t experts, active; /* of a layer with experts; of a token. 0: no layer has any */
    uint64_t expert_inner,
        shared;           /* of an expert; of what all tokens go through in addition to them */
    uint64_t window;      /* tokens that a layer with a window attends to; 0: there is none */
    const uint8_t *kinds; /* [layer] msw_decoder_kind; NULL: all layers are alike, 0 */
    /* Latent attention: values of a token that are kept, and of them those with a position; of a
     * head those of a query without a position, and what comes out; of a query's latent, 0: none.
     * latent 0: the usual attention. */
    uint64_t latent, turned, plain_query, value_head, query_latent;
    msw_mixer mixer;      /* of the layers that have a state */
    bool gated_attention; /* what attention gives is multiplied by a product of its own */
    bool encoder;         /* no word is chosen: there is no last product, and no cache */
    uint64_t pooled;      /* of an encoder: outputs of a product of the first token; 0: none */
    /* What a file says beyond what is multiplied. */
    uint64_t others;         /* parameters: norms, biases, positions */
    uint64_t idle_others;    /* of them, those of experts that a token does not go to */
    uint64_t ahead;          /* layers like the last one that predict a further token each */
    uint64_t ahead_others;   /* of one of them: what is not multiplied */
    bool tied;               /* the table of words is also what the last product multiplies with */
    uint64_t file_bits;      /* of a weight, as the file has them quantised; 0: it does not */
    const char *file_method; /* how; NULL: not */
} msw_decoder;

/* Parameters of a decoder, all and those that one token meets (docs/models/npu.md). */
typedef struct msw_decoder_parameters {
    uint64_t all, active;
    uint64_t multiplied; /* weights of a token's products */
    /* Without the table of words and the last product, with the layers that predict further tokens:
     * as several publishers count. */
    uint64_t layers, layers_active;
} msw_decoder_parameters;
msw_decoder_parameters msw_decoder_count(const msw_decoder *decoder);

typedef enum msw_decoder_kind {
    MSW_DECODER_EXPERTS = 1, /* experts in place of the one feed-forward */
    MSW_DECODER_WINDOW = 2,  /* attends to the last tokens only */
    MSW_DECODER_STATE = 4    /* has a state in place of keys and values */
} msw_decoder_kind;

enum { MSW_DECODER_LLM7B, MSW_DECODER_LLAMA3_8B, MSW_DECODER_LLAMA3_1B, MSW_DECODERS };

/* Their names with a line each, ended by one without a name; and their shapes. */
extern const msw_choice msw_decoder_names[MSW_DECODERS + 1];
extern const msw_decoder msw_decoders[MSW_DECODERS];

#endif
