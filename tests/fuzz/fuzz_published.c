/* SPDX-License-Identifier: MIT */
/* Any bytes are a table of what a paper published, or are refused; claims that are read can be
 * judged, and refer to one another. */
#include "memsweep/reproduce/claims.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    msw_claims claims;
    msw_err err = {0};
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (msw_claims_parse("published.csv", text, &claims, &err)) {
        if (!*err.text)
            abort();
        return 0;
    }
    for (size_t i = 0; i < claims.count; i++) {
        const msw_claim *c = &claims.list[i];
        if (c->low > c->high || msw_claim_find(&claims, c->id, strlen(c->id)) != c ||
            !msw_certainty_name(c->certainty))
            abort();
        msw_claim_judge(c, (double)data[0], (double)data[size / 2]);
    }
    msw_claims_free(&claims);
    return 0;
}
