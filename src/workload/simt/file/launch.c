/* SPDX-License-Identifier: MIT */
/* launch KERNEL grid(X, Y, Z) block(X, Y, Z) [shared(BYTES)] args(...): the arguments are laid out
 * as the kernel's parameters say; {f32 1, u32 n} is a struct by value. */
#include "workload/simt/file/reader.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/text.h"

#include <stdio.h>
#include <string.h>

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

static bool is_real(msw_simt_type type)
{
    return type == MSW_SIMT_F16 || type == MSW_SIMT_F32 || type == MSW_SIMT_F64;
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

int msw_simt_read_launch(msw_simt_reader *r)
{
    static const int64_t GRID[3] = {INT32_MAX, 65535, 65535}, BLOCK[3] = {1024, 1024, 64};
    const msw_simt_token *at = r->c.next - 1, *block;
    msw_simt_stage stage = {.kind = MSW_SIMT_STAGE_LAUNCH};
    if (read_kernel(r, r->c.next, &stage))
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
