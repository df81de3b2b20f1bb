/* SPDX-License-Identifier: MIT */
/* Prints the values that a program leaves in an array, for people who check a port of theirs. */
#include "workload/simt/front/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PRINTED_MAX = 1 << 20 };
#define WRITTEN_MAX (UINT64_C(1) << 32)

typedef struct part {
    const msw_simt_array *array;
    uint64_t first, last;
} part;

/* "y", "y[3]" or "y[0 .. 9]". */
static int read_part(const msw_simt_product *p, const char *text, part *out, msw_err *err)
{
    size_t size = strcspn(text, "["), at = 0;
    int end = 0;
    while (at < p->array_count &&
           (strlen(p->arrays[at].name) != size || memcmp(p->arrays[at].name, text, size) != 0))
        at++;
    if (at == p->array_count)
        return msw_fail(err, "--values: no array is called '%.*s'", (int)size, text);
    *out = (part){&p->arrays[at], 0, p->arrays[at].count - 1};
    text += size;
    if (*text &&
        sscanf(text, "[%" SCNu64 " .. %" SCNu64 "]%n", &out->first, &out->last, &end) < 2) {
        end = 0;
        if (sscanf(text, "[%" SCNu64 "]%n", &out->first, &end) == 1)
            out->last = out->first;
    }
    if ((*text && (!end || text[end])) || out->first > out->last ||
        out->last >= out->array->count || out->last - out->first >= PRINTED_MAX)
        return msw_fail(err,
                        "--values: found '%s' of array '%s', which has %" PRIu64
                        " elements, allowed: [FIRST .. LAST], up to 2^20 elements",
                        text, out->array->name, out->array->count);
    return 0;
}

static void add_value(msw_text *out, uint64_t index, msw_simt_type type, const void *bytes)
{
    msw_simt_number n = msw_simt_number_get(type, bytes);
    char text[32];
    if (n.real)
        msw_text_add(out, "%" PRIu64 "\t%s\n", index, msw_double_text(n.value, text));
    else if (type == MSW_SIMT_U64)
        msw_text_add(out, "%" PRIu64 "\t%" PRIu64 "\n", index, (uint64_t)n.whole);
    else
        msw_text_add(out, "%" PRIu64 "\t%" PRId64 "\n", index, n.whole);
}

static int print(const msw_simt_product *p, const part *of, msw_arena *arena, msw_text *out,
                 msw_err *err)
{
    msw_simt_device *device =
        msw_simt_device_in(arena, p->arrays, p->array_count, WRITTEN_MAX, err);
    if (!device)
        return -1;
    const msw_simt_memory *memory = msw_simt_device_memory(device);
    for (size_t s = 0; s < p->stage_count; s++)
        if (msw_simt_run_values(p, &p->stages[s], memory, err))
            return -1;
    msw_text_add(out, "\nValues of %s after the program\n", of->array->name);
    for (uint64_t i = of->first; i <= of->last; i++) {
        unsigned char bytes[8];
        uint32_t size = of->array->element_bytes;
        if (memory->read(memory->self, of->array->address + i * size, size, bytes, err))
            return -1;
        add_value(out, i, of->array->type, bytes);
    }
    return 0;
}

int msw_simt_print_values(const msw_simt_product *product, const char *array, msw_text *out,
                          msw_err *err)
{
    msw_arena arena = {0};
    part of;
    MSW_TRY(read_part(product, array, &of, err));
    int rc = print(product, &of, &arena, out, err);
    msw_arena_free(&arena);
    return rc;
}
