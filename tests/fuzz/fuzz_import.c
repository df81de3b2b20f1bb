/* SPDX-License-Identifier: MIT */
/* Any bytes are a table or are refused; whatever is read is a sound plan. The first byte chooses
 * what is asked for. */
#include "memsweep/results/import.h"

#include "memsweep/sweep/outline.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const msw_import_ask ASKED[] = {
    {"t.csv", "t", "a,b", "y min", NULL, NULL, NULL, NULL, NULL},
    {"t.csv", "t", "a", "'y 1' [ns] max as z", "w", NULL, "sampled", "b = z * a min", "b < 3"},
    {"t.csv", "t", "a text, b 0..1 log", "y, z", "w", "list", "analytic", NULL, NULL},
    {"t.csv", "t", "a,b", "y", NULL, "saltelli", NULL, NULL, NULL},
    {"t.csv", "t", "a 0..9, b 0..9", "y", "w", "morris", NULL, NULL, NULL},
    {"t.csv", "t", "a [B]", "y", NULL, "grid", NULL, NULL, NULL},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    msw_err err = {0};
    msw_import *import = NULL;
    msw_text note = MSW_TEXT_EMPTY;
    if (size < 1)
        return 0;
    char *text = malloc(size);
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    const msw_import_ask *ask = &ASKED[data[0] % (sizeof ASKED / sizeof *ASKED)];
    if (msw_import_parse(ask, text, size - 1, &import, &err) == 0) {
        msw_outline outline;
        msw_import_note(import, &note);
        if (msw_outline_read(msw_import_canonical(import), &outline, &err))
            abort();
        msw_outline_free(&outline);
    } else if (!*err.text) {
        abort();
    }
    msw_text_free(&note);
    msw_import_free(import);
    free(text);
    return 0;
}
