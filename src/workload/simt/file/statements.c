/* SPDX-License-Identifier: MIT */
/* Sizes, arrays and what the host does. */
#include "workload/simt/file/reader.h"

#include "memsweep/base/bits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- size NAME = VALUE in LEAST .. MOST [step STEP] ---- */

typedef struct size_range {
    int64_t value, least, most, step;
} size_range;

static int read_range(msw_simt_reader *r, size_range *range)
{
    const int64_t most = INT64_C(1) << 46;
    range->step = 1;
    if (msw_simt_expect(r, "=") || msw_simt_whole_read(&r->c, "size", 0, most, &range->value) ||
        msw_simt_expect(r, "in") ||
        msw_simt_whole_read(&r->c, "least size", 0, most, &range->least) ||
        msw_simt_expect(r, "..") ||
        msw_simt_whole_read(&r->c, "largest size", range->least, most, &range->most))
        return -1;
    return msw_simt_take(r, "step") ? msw_simt_whole_read(&r->c, "step", 1, most, &range->step) : 0;
}

static bool in_range(const size_range *range)
{
    return range->value >= range->least && range->value <= range->most &&
           range->value % range->step == 0;
}

static int fail_range(const msw_simt_reader *r, const msw_simt_token *name,
                      const msw_simt_setting *set, const size_range *range)
{
    char found[64];
    if (set)
        snprintf(found, sizeof found, "%.*s", set->value_size < 32 ? (int)set->value_size : 32,
                 set->value);
    else
        snprintf(found, sizeof found, "%" PRId64, range->value);
    char steps[48] = "";
    if (range->step > 1)
        snprintf(steps, sizeof steps, ", multiples of %" PRId64, range->step);
    return msw_fail(r->c.err, "found %.*s=%s, allowed: %" PRId64 " .. %" PRId64 "%s (%s:%u)",
                    (int)name->size, name->text, found, range->least, range->most, steps,
                    r->c.tokens->file, name->line);
}

int msw_simt_read_size(msw_simt_reader *r)
{
    const msw_simt_token *name;
    size_range range;
    if (r->loop_count)
        return msw_simt_token_fail(r->c.tokens, r->c.next - 1, r->c.err, "sizes outside loops");
    if (msw_simt_read_name(r, &name) || read_range(r, &range))
        return -1;
    const msw_simt_setting *set = msw_simt_settings_find(r->settings, name->text, name->size);
    bool good = !set || msw_simt_read_integer(set->value, set->value_size, &range.value);
    if (!good || !in_range(&range))
        return fail_range(r, name, set, &range);
    if (msw_simt_give_name(r, name, (msw_simt_number){.whole = range.value}))
        return -1;
    msw_simt_names_find(&r->names, name)->settable = true;
    msw_digest digests[] = {msw_hash_bytes(name->text, name->size),
                            msw_hash_bytes(&range.value, sizeof range.value)};
    r->sizes = msw_hash_pair(r->sizes, msw_hash_pair(digests[0], digests[1]));
    return 0;
}

/* ---- array [managed] NAME TYPE[COUNT] [= VALUE] ---- */

static int read_type(msw_simt_reader *r, msw_simt_array *array)
{
    static const struct {
        const char *name;
        msw_simt_type type;
        uint32_t bytes;
    } TYPES[] = {{"u8", MSW_SIMT_U8, 1},   {"s8", MSW_SIMT_S8, 1},   {"u16", MSW_SIMT_U16, 2},
                 {"s16", MSW_SIMT_S16, 2}, {"u32", MSW_SIMT_U32, 4}, {"s32", MSW_SIMT_S32, 4},
                 {"u64", MSW_SIMT_U64, 8}, {"s64", MSW_SIMT_S64, 8}, {"f16", MSW_SIMT_F16, 2},
                 {"f32", MSW_SIMT_F32, 4}, {"f64", MSW_SIMT_F64, 8}};
    for (size_t t = 0; t < sizeof TYPES / sizeof *TYPES; t++)
        if (msw_simt_take(r, TYPES[t].name)) {
            array->type = TYPES[t].type;
            array->element_bytes = TYPES[t].bytes;
            return 0;
        }
    return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err,
                               "u8, s8, u16, s16, u32, s32, u64, s64, f16, f32 or f64");
}

/* [h * w] or [h][w]: all of them together. */
static int read_count(msw_simt_reader *r, msw_simt_array *array)
{
    const msw_simt_token *at = r->c.next;
    int64_t most = INT64_C(1) << 43, count;
    array->count = 1;
    do {
        if (msw_simt_expect(r, "[") || msw_simt_whole_read(&r->c, "elements", 1, most, &count) ||
            msw_simt_expect(r, "]"))
            return -1;
        if ((uint64_t)count > (uint64_t)most / array->count)
            return msw_simt_token_fail(r->c.tokens, at, r->c.err, "up to 2^43 elements");
        array->count *= (uint64_t)count;
    } while (msw_simt_token_is(r->c.next, "["));
    array->bytes = array->count * array->element_bytes;
    return 0;
}

static int read_initial(msw_simt_reader *r, msw_simt_array *array)
{
    const msw_simt_token *at = r->c.next;
    msw_simt_fill *fill = msw_arena_zero(r->c.arena, 1, sizeof *fill);
    if (!fill)
        return msw_fail_memory(r->c.err);
    if (msw_simt_expr_read(&r->c, true, &fill->expr))
        return -1;
    bool real =
        array->type == MSW_SIMT_F16 || array->type == MSW_SIMT_F32 || array->type == MSW_SIMT_F64;
    if (fill->expr.real && !real)
        return msw_simt_token_fail(r->c.tokens, at, r->c.err,
                                   "whole values for whole elements: int(...) or floor(...)");
    fill->type = array->type;
    array->initial = msw_simt_fill_values;
    array->context = fill;
    return 0;
}

int msw_simt_add_array(msw_simt_reader *r, const msw_simt_token *at, msw_simt_array array)
{
    array.address = msw_align_up(r->next_address, r->alignment);
    if (r->arrays.count == MSW_SIMT_ARRAYS_MAX ||
        array.bytes > MSW_SIMT_END_ADDRESS - array.address)
        return msw_simt_token_fail(r->c.tokens, at, r->c.err,
                                   "up to %d arrays of 2^46 bytes together", MSW_SIMT_ARRAYS_MAX);
    msw_simt_array *to = msw_simt_list_add(&r->arrays, sizeof array, r->c.arena);
    if (!to)
        return msw_fail_memory(r->c.err);
    *to = array;
    r->next_address = array.address + array.bytes;
    return 0;
}

int msw_simt_read_array(msw_simt_reader *r)
{
    const msw_simt_token *name;
    msw_simt_array array = {.managed = msw_simt_take(r, "managed")};
    if (r->loop_count)
        return msw_simt_token_fail(r->c.tokens, r->c.next - 1, r->c.err, "arrays outside loops");
    if (msw_simt_read_name(r, &name) || read_type(r, &array) || read_count(r, &array))
        return -1;
    if (msw_simt_take(r, "=") && read_initial(r, &array))
        return -1;
    char *copy = msw_arena_zero(r->c.arena, name->size + 1, 1);
    if (!copy)
        return msw_fail_memory(r->c.err);
    memcpy(copy, name->text, name->size);
    array.name = copy;
    if (msw_simt_add_array(r, name, array))
        return -1;
    const msw_simt_array *arrays = r->arrays.items;
    int64_t address = (int64_t)arrays[r->arrays.count - 1].address;
    return msw_simt_give_name(r, name, (msw_simt_number){.whole = address});
}

/* ---- host reads|writes ARRAY [ [FIRST .. LAST] ] ---- */

static const msw_simt_array *find_array(const msw_simt_reader *r, const msw_simt_token *name)
{
    const msw_simt_array *arrays = r->arrays.items;
    for (size_t i = 0; i < r->arrays.count; i++)
        if (strlen(arrays[i].name) == name->size &&
            memcmp(arrays[i].name, name->text, name->size) == 0)
            return &arrays[i];
    return NULL;
}

int msw_simt_read_host(msw_simt_reader *r)
{
    const msw_simt_token *at = r->c.next - 1, *name;
    bool reads = msw_simt_take(r, "reads");
    if (!reads && !msw_simt_take(r, "writes"))
        return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err, "reads or writes");
    if (msw_simt_read_name(r, &name))
        return -1;
    const msw_simt_array *array = find_array(r, name);
    if (!array)
        return msw_simt_token_fail(r->c.tokens, name, r->c.err, "an array given above");
    int64_t first = 0, last = (int64_t)array->count - 1;
    if (msw_simt_take(r, "[") &&
        (msw_simt_whole_read(&r->c, "first element", 0, last, &first) || msw_simt_expect(r, "..") ||
         msw_simt_whole_read(&r->c, "last element", first, last, &last) || msw_simt_expect(r, "]")))
        return -1;
    /* The list of arrays may move: its number stands for the array until all are read. */
    return msw_simt_add_stage(
        r, at,
        (msw_simt_stage){.kind = reads ? MSW_SIMT_STAGE_HOST_READ : MSW_SIMT_STAGE_HOST_WRITE,
                         .array = array,
                         .first = (uint64_t)first,
                         .count = (uint64_t)(last - first) + 1});
}
