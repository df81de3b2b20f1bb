/* decoder: the shapes of transformer decoders, by name. One place makes operators of them
 * (src/workload/npu/decoder.c); whoever needs a decoder's weights or caches starts here. */
#ifndef MEMSWEEP_WORKLOAD_DECODER_H
#define MEMSWEEP_WORKLOAD_DECODER_H

#include "memsweep/param/param.h"

#include <stdint.h>

typedef struct msw_decoder {
    uint64_t layers, hidden, heads;
    uint64_t kv_heads; /* heads share their keys and values in groups of heads / kv_heads */
    uint64_t head;     /* values of a head */
    uint64_t inner;    /* of the feed-forward layers, which have a gate */
    uint64_t words;
} msw_decoder;

enum { MSW_DECODER_LLM7B, MSW_DECODER_LLAMA3_8B, MSW_DECODER_LLAMA3_1B, MSW_DECODERS };

/* Their names with a line each, ended by one without a name; and their shapes. */
extern const msw_choice msw_decoder_names[MSW_DECODERS + 1];
extern const msw_decoder msw_decoders[MSW_DECODERS];

#endif
