/* SPDX-License-Identifier: MIT */
/* Statements of a workload file: sizes, arrays, launches and what the host does.
 *
 * launch KERNEL grid(X, Y, Z) block(X, Y, Z) [shared(BYTES)] args(...): the arguments are laid out
 * as the kernel's parameters say; {f32 1, u32 n} is a struct by value. */
#include "workload/simt/file/reader.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void *msw_simt_list_add(msw_simt_list *list, size_t size, msw_arena *arena)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 8;
        void *items = msw_arena_zero(arena, room, size);
        if (!items)
            return NULL;
        if (list->count)
            memcpy(items, list->items, list->count * size);
        list->items = items;
        list->room = room;
    }
    return (char *)list->items + list->count++ * size;
}

bool msw_simt_take(msw_simt_reader *r, const char *text)
{
    if (!msw_simt_token_is(r->c.next, text))
        return false;
    r->c.next++;
    return true;
}

int msw_simt_expect(msw_simt_reader *r, const char *text)
{
    if (msw_simt_take(r, text))
        return 0;
    return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err, "'%s'", text);
}

int msw_simt_read_name(msw_simt_reader *r, const msw_simt_token **name)
{
    *name = r->c.next;
    if (r->c.next->kind != MSW_SIMT_TOKEN_WORD || msw_simt_token_is(r->c.next, "i"))
        return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err, "a name, but not i");
    r->c.next++;
    return 0;
}

int msw_simt_give_name(msw_simt_reader *r, const msw_simt_token *name, msw_simt_number number)
{
    msw_simt_variable_name *known = msw_simt_names_find(&r->names, name);
    if (known && known->line != name->line)
        return msw_fail(r->c.err, "%s:%u:%u: '%.*s' has been given in line %u", r->c.tokens->file,
                        name->line, name->column, (int)name->size, name->text, known->line);
    if (!known && r->names.count == MSW_SIMT_NAMES_MAX)
        return msw_simt_token_fail(r->c.tokens, name, r->c.err, "up to %d names",
                                   MSW_SIMT_NAMES_MAX);
    known = known ? known : &r->names.list[r->names.count++];
    *known = (msw_simt_variable_name){
        .name = name->text, .size = name->size, .line = name->line, .number = number};
    return 0;
}

int msw_simt_add_stage(msw_simt_reader *r, const msw_simt_token *at, msw_simt_stage stage)
{
    if (r->stages.count == MSW_SIMT_STAGES_MAX)
        return msw_simt_token_fail(r->c.tokens, at, r->c.err,
                                   "up to 2^20 launches, "
                                   "synchronisations and host accesses");
    msw_simt_stage *to = msw_simt_list_add(&r->stages, sizeof stage, r->c.arena);
    if (!to)
        return msw_fail_memory(r->c.err);
    *to = stage;
    to->line = at->line;
    return 0;
}

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

/* ---- array [managed] NAME TYPE[COUNT] [= VALUE | from FILE [column NAME]] ---- */

static bool is_real(msw_simt_type type)
{
    return type == MSW_SIMT_F16 || type == MSW_SIMT_F32 || type == MSW_SIMT_F64;
}

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

static int read_initial(msw_simt_reader *r, msw_simt_type type, msw_simt_values **values,
                        const void **context)
{
    const msw_simt_token *at = r->c.next;
    msw_simt_fill *fill = msw_arena_zero(r->c.arena, 1, sizeof *fill);
    if (!fill)
        return msw_fail_memory(r->c.err);
    if (msw_simt_expr_read(&r->c, true, &fill->expr))
        return -1;
    if (fill->expr.real && !is_real(type))
        return msw_simt_token_fail(r->c.tokens, at, r->c.err,
                                   "whole values for whole elements: int(...) or floor(...)");
    fill->type = type;
    *values = msw_simt_fill_values;
    *context = fill;
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
    if (r->loop_count || r->closed)
        return msw_simt_token_fail(r->c.tokens, r->c.next - 1, r->c.err,
                                   "arrays outside loops, and before the first 'repeat'");
    if (msw_simt_read_name(r, &name) || read_type(r, &array) || read_count(r, &array))
        return -1;
    char *copy = msw_arena_zero(r->c.arena, name->size + 1, 1);
    if (!copy)
        return msw_fail_memory(r->c.err);
    memcpy(copy, name->text, name->size);
    array.name = copy;
    if (msw_simt_take(r, "=") ? read_initial(r, array.type, &array.initial, &array.context)
                              : msw_simt_take(r, "from") && msw_simt_read_data(r, &array))
        return -1;
    if (msw_simt_add_array(r, name, array))
        return -1;
    const msw_simt_array *arrays = r->arrays.items;
    int64_t address = (int64_t)arrays[r->arrays.count - 1].address;
    return msw_simt_give_name(r, name, (msw_simt_number){.whole = address});
}

/* ---- host reads|writes ARRAY [ [FIRST .. LAST] ] [= VALUE] ---- */

const msw_simt_array *msw_simt_find_array(const msw_simt_reader *r, const msw_simt_token *name)
{
    const msw_simt_array *arrays = r->arrays.items;
    for (size_t i = 0; i < r->arrays.count; i++)
        if (strlen(arrays[i].name) == name->size &&
            memcmp(arrays[i].name, name->text, name->size) == 0)
            return &arrays[i];
    return NULL;
}

/* FIRST .. LAST] or ELEMENT] */
static int read_range_of(msw_simt_reader *r, int64_t *first, int64_t *last)
{
    MSW_TRY(msw_simt_whole_read(&r->c, "first element", 0, *last, first));
    if (!msw_simt_take(r, ".."))
        *last = *first;
    else if (msw_simt_whole_read(&r->c, "last element", *first, *last, last))
        return -1;
    return msw_simt_expect(r, "]");
}

int msw_simt_read_host(msw_simt_reader *r)
{
    const msw_simt_token *at = r->c.next - 1, *name;
    bool reads = msw_simt_take(r, "reads");
    if (!reads && !msw_simt_take(r, "writes"))
        return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err, "reads or writes");
    if (msw_simt_read_name(r, &name))
        return -1;
    const msw_simt_array *array = msw_simt_find_array(r, name);
    if (!array)
        return msw_simt_token_fail(r->c.tokens, name, r->c.err, "an array given above");
    int64_t first = 0, last = (int64_t)array->count - 1;
    if (msw_simt_take(r, "[") && read_range_of(r, &first, &last))
        return -1;
    msw_simt_values *values = NULL;
    const void *context = NULL;
    if (!reads && msw_simt_take(r, "=") && read_initial(r, array->type, &values, &context))
        return -1;
    /* The list of arrays may move: its number stands for the array until all are read. */
    return msw_simt_add_stage(
        r, at,
        (msw_simt_stage){.kind = reads ? MSW_SIMT_STAGE_HOST_READ : MSW_SIMT_STAGE_HOST_WRITE,
                         .array = array,
                         .first = (uint64_t)first,
                         .values = values,
                         .context = context,
                         .count = (uint64_t)(last - first) + 1});
}

static int read_three(msw_simt_reader *r, const char *what, const int64_t most[3], uint32_t out[3])
{
    out[0] = out[1] = out[2] = 1;
    if (msw_simt_expect(r, "("))
        return -1;
    for (int k = 0; k < 3; k++) {
        int64_t value;
        if (msw_simt_whole_read(&r->c, what, 1, most[k], &value))
            return -1;
        out[k] = (uint32_t)value;
        if (!msw_simt_take(r, ","))
            break;
    }
    return msw_simt_expect(r, ")");
}

static int read_shared(msw_simt_reader *r, uint32_t *bytes)
{
    int64_t value;
    if (msw_simt_expect(r, "(") ||
        msw_simt_whole_read(&r->c, "bytes of shared memory", 0, 1 << 24, &value) ||
        msw_simt_expect(r, ")"))
        return -1;
    *bytes = (uint32_t)value;
    return 0;
}

static int check_block(const msw_simt_reader *r, const msw_simt_token *at,
                       const msw_simt_stage *stage)
{
    const msw_simt_kernel *k = stage->kernel;
    uint64_t threads = 1;
    for (int d = 0; d < 3; d++) {
        threads *= stage->block[d];
        if (k->required_threads[d] && stage->block[d] != k->required_threads[d])
            return msw_simt_token_fail(r->c.tokens, at, r->c.err, "block(%u, %u, %u) (.reqntid)",
                                       k->required_threads[0], k->required_threads[1],
                                       k->required_threads[2]);
        if (k->max_threads[d] && stage->block[d] > k->max_threads[d])
            return msw_simt_token_fail(r->c.tokens, at, r->c.err,
                                       "at most block(%u, %u, %u) (.maxntid)", k->max_threads[0],
                                       k->max_threads[1], k->max_threads[2]);
    }
    return threads <= 1024
               ? 0
               : msw_simt_token_fail(r->c.tokens, at, r->c.err, "up to 1024 threads in a block");
}

/* A number for a parameter or a field of a type. */
static int read_value(msw_simt_reader *r, msw_simt_type type, unsigned char *out)
{
    const msw_simt_token *at = r->c.next;
    msw_simt_number number;
    if (msw_simt_number_read(&r->c, &number))
        return -1;
    if (number.real && !is_real(type))
        return msw_simt_token_fail(r->c.tokens, at, r->c.err,
                                   "a whole number or an array: the parameter is %s",
                                   msw_simt_type_name(type));
    msw_simt_number_put(number, type, out);
    return 0;
}

static msw_simt_type field_type(msw_simt_reader *r)
{
    for (int t = MSW_SIMT_U8; t < MSW_SIMT_PRED; t++)
        if (msw_simt_take(r, msw_simt_type_name((msw_simt_type)t)))
            return (msw_simt_type)t;
    return MSW_SIMT_NO_TYPE;
}

/* {f32 1, u32 n}: fields at multiples of their size, as in C. */
static int read_struct(msw_simt_reader *r, const msw_simt_param *param, unsigned char *out)
{
    const msw_simt_token *at = r->c.next;
    uint64_t offset = 0;
    if (msw_simt_expect(r, "{"))
        return -1;
    do {
        const msw_simt_token *field = r->c.next;
        msw_simt_type type = field_type(r);
        uint32_t bytes = type == MSW_SIMT_NO_TYPE ? 0 : msw_simt_type_bytes(type);
        if (!bytes)
            return msw_simt_token_fail(r->c.tokens, field, r->c.err,
                                       "a field: its type, then its value");
        offset = msw_align_up(offset, bytes);
        if (offset + bytes > param->bytes)
            return msw_simt_token_fail(r->c.tokens, at, r->c.err, "%u bytes for parameter %s",
                                       param->bytes, param->name);
        if (read_value(r, type, out + offset))
            return -1;
        offset += bytes;
    } while (msw_simt_take(r, ","));
    return msw_simt_expect(r, "}");
}

static int fail_count(const msw_simt_reader *r, const msw_simt_token *at,
                      const msw_simt_kernel *kernel)
{
    msw_text list = MSW_TEXT_EMPTY;
    for (uint32_t p = 0; p < kernel->param_count; p++)
        msw_text_add(&list, "%s%s", p ? ", " : "",
                     kernel->params[p].bytes > msw_simt_type_bytes(kernel->params[p].type)
                         ? "{...}"
                         : msw_simt_type_name(kernel->params[p].type));
    msw_simt_token_fail(r->c.tokens, at, r->c.err, "the %u arguments of %s: (%s)",
                        kernel->param_count, kernel->name, msw_text_str(&list));
    msw_text_free(&list);
    return -1;
}

static int read_args(msw_simt_reader *r, msw_simt_stage *stage)
{
    const msw_simt_kernel *kernel = stage->kernel;
    unsigned char *out = msw_arena_zero(r->c.arena, kernel->param_bytes + 1, 1);
    if (!out)
        return msw_fail_memory(r->c.err);
    stage->params = out;
    if (msw_simt_expect(r, "("))
        return -1;
    for (uint32_t p = 0; p < kernel->param_count; p++) {
        const msw_simt_param *param = &kernel->params[p];
        bool whole = param->bytes > msw_simt_type_bytes(param->type);
        if (msw_simt_token_is(r->c.next, ")") || (p && !msw_simt_take(r, ",")))
            return fail_count(r, r->c.next, kernel);
        if (whole ? read_struct(r, param, out + param->offset)
                  : read_value(r, param->type, out + param->offset))
            return -1;
    }
    return msw_simt_take(r, ")") ? 0 : fail_count(r, r->c.next, kernel);
}

static int read_kernel(msw_simt_reader *r, const msw_simt_token *word, msw_simt_stage *stage)
{
    char name[256];
    msw_err err = {0};
    if (word->kind != MSW_SIMT_TOKEN_WORD || word->size >= sizeof name)
        return msw_simt_token_fail(r->c.tokens, word, r->c.err, "the name of a kernel");
    snprintf(name, sizeof name, "%.*s", (int)word->size, word->text);
    stage->kernel = msw_simt_find_kernel(r->program, name, &err);
    if (stage->kernel)
        return 0;
    return msw_fail(r->c.err, "%s:%u:%u: %s", r->c.tokens->file, word->line, word->column,
                    err.text);
}

/* What the kernel calls and memsweep does not run, the file has to leave out. */
static int check_left_out(msw_simt_reader *r, const msw_simt_kernel *kernel)
{
    unsigned more = kernel->left_out & ~r->ignored;
    const char *word = more & MSW_SIMT_PRINTF ? "printf" : "assert";
    if (!more)
        return 0;
    return msw_fail(r->c.err,
                    "%s:%u: kernel %s calls %s, which is not run; 'ignore %s' before the launch "
                    "in %s leaves its calls out",
                    kernel->file, kernel->left_out_line, kernel->name, word, word,
                    r->c.tokens->file);
}

int msw_simt_read_launch(msw_simt_reader *r)
{
    static const int64_t GRID[3] = {INT32_MAX, 65535, 65535}, BLOCK[3] = {1024, 1024, 64};
    const msw_simt_token *at = r->c.next - 1, *block;
    msw_simt_stage stage = {.kind = MSW_SIMT_STAGE_LAUNCH};
    if (read_kernel(r, r->c.next, &stage) || check_left_out(r, stage.kernel))
        return -1;
    r->c.next++;
    if (msw_simt_expect(r, "grid") || read_three(r, "CTAs", GRID, stage.grid))
        return -1;
    block = r->c.next; /* then "(", then the first number */
    if (msw_simt_expect(r, "block") || read_three(r, "threads", BLOCK, stage.block) ||
        check_block(r, block + 2, &stage))
        return -1;
    if (msw_simt_take(r, "shared") && read_shared(r, &stage.dynamic_shared_bytes))
        return -1;
    if (msw_simt_expect(r, "args") || read_args(r, &stage))
        return -1;
    return msw_simt_add_stage(r, at, stage);
}
