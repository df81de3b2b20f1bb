/* SPDX-License-Identifier: MIT */
/* Any bytes are a trace or are refused; whatever is read makes a sound stream. The first byte
 * chooses the format. */
#include "streams.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const FILES[] = {"t.trace", "t.lackey", "t.ramulator", "t.trace.gz"};
    stream s;
    if (size < 1)
        return 0;
    if (stream_bytes(&s, FILES[data[0] % 4], (const char *)data + 1, size - 1) == 0) {
        s.config.trace.malformed = INT32_MAX;
        if (stream_build(&s, 0) == 0 && accesses_fault(&s.product)) {
            fprintf(stderr, "%s\n", accesses_fault(&s.product));
            abort();
        }
    }
    stream_close(&s);
    return 0;
}
