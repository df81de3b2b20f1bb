/* SPDX-License-Identifier: MIT */
/* Any bytes are a list of edges or are refused; whatever is read makes a sound stream. */
#include "streams.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    stream s;
    /* Numbers of nodes reach 2^28, each with memory of its own: not what this looks for. */
    for (size_t i = 0, digits = 0; i < size; i++) {
        digits = data[i] >= '0' && data[i] <= 'f' ? digits + 1 : 0;
        if (digits > 5)
            return 0;
    }
    if (stream_bytes(&s, "g.edges", (const char *)data, size) == 0 && stream_build(&s, size) == 0 &&
        accesses_fault(&s.product)) {
        fprintf(stderr, "%s\n", accesses_fault(&s.product));
        abort();
    }
    stream_close(&s);
    return 0;
}
