/* SPDX-License-Identifier: MIT */
/* Describes a program in lines for people, and prints the values that it leaves in an array. */
#include "memsweep/base/units.h"
#include "memsweep/workload/simt/estimate.h"
#include "memsweep/workload/simt/flow.h"
#include "workload/simt/front/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Prints the values that a program leaves in an array, for people who check a port of theirs. */

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

static const char *bytes_text(double bytes, char buffer[48])
{
    return msw_units_print(bytes, "B", buffer);
}

static void add_stages(const msw_simt_product *p, msw_text *out)
{
    static const char *const WORDS[] = {"launch", "synchronisation", "read by the host",
                                        "write by the host"};
    static const char *const MANY[] = {"launches", "synchronisations", "reads by the host",
                                       "writes by the host"};
    size_t counts[4] = {0};
    for (size_t s = 0; s < p->stage_count; s++)
        counts[p->stages[s].kind]++;
    msw_text_add(out, "  %-11s ", "stages");
    for (size_t k = 0; k < 4; k++)
        if (counts[k])
            msw_text_add(out, "%s%zu %s", k ? ", " : "", counts[k],
                         counts[k] == 1 ? WORDS[k] : MANY[k]);
    msw_text_add(out, "\n");
}

static void add_arrays(const msw_simt_product *p, msw_text *out)
{
    char bytes[48];
    msw_text_add(out, "\nArrays: %s\n", bytes_text((double)p->footprint_bytes, bytes));
    for (size_t i = 0; i < p->array_count; i++) {
        const msw_simt_array *a = &p->arrays[i];
        msw_text_add(out, "  %-20s %" PRIu64 " x %s, %s at 0x%" PRIx64 "%s%s\n", a->name, a->count,
                     msw_simt_type_name(a->type), bytes_text((double)a->bytes, bytes), a->address,
                     a->initial ? ", with initial values" : "", a->managed ? ", managed" : "");
    }
}

/* ---- kernels ---- */

static void add_registers(const msw_simt_kernel *k, const msw_simt_liveness *live, msw_text *out)
{
    unsigned count[3] = {0}; /* predicates, up to 32 bits, 64 bits */
    for (uint32_t r = 0; r < k->reg_count; r++)
        count[k->regs[r].bytes == 0 ? 0 : k->regs[r].bytes == 8 ? 2 : 1]++;
    msw_text_add(out, "  %-20s %u of 64 bits, %u of up to 32, %u predicates\n", "registers",
                 count[2], count[1], count[0]);
    msw_text_add(out,
                 "  %-20s at most %u bytes (%u registers of 32 bits) and %u predicate%s of a "
                 "thread at once, in line %u\n",
                 "live", live->most_bytes, (live->most_bytes + 3) / 4, live->most_predicates,
                 live->most_predicates == 1 ? "" : "s",
                 live->most_at < k->insn_count ? k->insns[live->most_at].line : k->line);
}

static void add_memory(const msw_simt_kernel_use *use, msw_text *out)
{
    const msw_simt_kernel *k = use->kernel;
    char bytes[48];
    uint64_t shared = k->shared_bytes + use->dynamic_shared_bytes;
    if (shared)
        msw_text_add(out, "  %-20s %s of a CTA\n", "shared memory",
                     bytes_text((double)shared, bytes));
    if (k->local_bytes)
        msw_text_add(out, "  %-20s %s of a thread\n", "local memory",
                     bytes_text((double)k->local_bytes, bytes));
}

static void add_mix(const msw_simt_kernel_use *use, msw_text *out)
{
    double share[MSW_SIMT_CLASSES] = {0};
    char count[32];
    const char *before = "";
    for (uint32_t i = 0; i < use->kernel->insn_count; i++)
        share[use->kernel->insns[i].kind] += use->insns[i].warps;
    msw_text_add(out, "  %-20s %s by warps, from %" PRIu64 " of %" PRIu64 " CTAs\n", "instructions",
                 msw_count_text((uint64_t)(use->instructions + 0.5), count), use->sampled_ctas,
                 use->ctas);
    msw_text_add(out, "  %-20s ", "mix");
    for (int c = 0; c < MSW_SIMT_CLASSES; c++)
        if (share[c] >= 0.0005 * use->instructions) {
            msw_text_add(out, "%s%s %.1f %%", before, msw_simt_class_name((msw_simt_class)c),
                         100 * share[c] / use->instructions);
            before = ", ";
        }
    msw_text_add(out, "\n");
}

static void add_stream(const msw_simt_insn *insn, const msw_simt_insn_use *use, msw_text *out)
{
    char stride[48], run[48];
    msw_text_add(out, "  line %-5u %-22s %-12s %7.3g %7.3g %7.3g  %-10s ", insn->line, insn->text,
                 use->array ? use->array->name : "", use->lanes / use->warps,
                 use->lines / use->warps, use->bytes / (32 * use->sectors),
                 bytes_text(128 * use->lines / (use->runs > 1 ? use->runs : 1), run));
    if (use->stride_share > 0)
        msw_text_add(out, "%s%s (%.0f %%)", use->stride < 0 ? "-" : "",
                     bytes_text((double)(use->stride < 0 ? -use->stride : use->stride), stride),
                     100 * use->stride_share);
    else
        msw_text_add(out, "none");
    msw_text_add(out, "\n");
}

static void add_streams(const msw_simt_kernel_use *use, msw_text *out)
{
    bool any = false;
    for (uint32_t i = 0; i < use->kernel->insn_count; i++) {
        if (use->insns[i].sectors <= 0)
            continue;
        if (!any)
            msw_text_add(out, "\n  %-10s %-22s %-12s %7s %7s %7s  %-10s %s\n", "stream", "",
                         "array", "lanes", "lines", "use", "run", "stride");
        any = true;
        add_stream(&use->kernel->insns[i], &use->insns[i], out);
    }
}

static int add_kernel(const msw_simt_kernel_use *use, msw_arena *arena, msw_text *out, msw_err *err)
{
    const msw_simt_kernel *k = use->kernel;
    const msw_simt_liveness *live = msw_simt_liveness_of(k, arena);
    if (!live)
        return msw_fail_memory(err);
    msw_text_add(out, "\nKernel %s\n", k->name);
    msw_text_add(out, "  %-20s %" PRIu64 " of %" PRIu64 " CTAs in all, of %u threads\n", "launches",
                 use->launches, use->ctas, use->threads);
    msw_text_add(out, "  %-20s %u instructions in %u blocks, from line %u\n", "code", k->insn_count,
                 k->block_count, k->line);
    add_registers(k, live, out);
    add_memory(use, out);
    add_mix(use, out);
    add_streams(use, out);
    return 0;
}

static int describe(const msw_simt_content *content, const msw_simt_config *config,
                    msw_arena *arena, msw_text *out, msw_err *err)
{
    msw_simt_product p;
    msw_simt_estimate estimate;
    if (msw_simt_product_make(content, config, arena, &p, err) ||
        msw_simt_estimate_of(&p, arena, &estimate, err))
        return -1;
    msw_text_add(out, "\nProgram\n");
    if (*p.title)
        msw_text_add(out, "  %-11s %s\n", "title", p.title);
    const char *slash = strrchr(p.program->file, '/');
    msw_text_add(out, "  %-11s %s, version %s for %s\n", "ptx", slash ? slash + 1 : p.program->file,
                 p.program->version, p.program->target);
    add_stages(&p, out);
    add_arrays(&p, out);
    for (size_t k = 0; k < estimate.kernel_count; k++)
        if (add_kernel(&estimate.kernels[k], arena, out, err))
            return -1;
    msw_text_add(out,
                 "\n  lanes, lines of 128 bytes: of an access by a warp; use: share of the 32-byte "
                 "sectors that lanes\n  ask for, above 1 where they share bytes; run: bytes "
                 "that a CTA takes in a row; stride: from one\n  access of a warp to its "
                 "next.\n");
    return 0;
}

int msw_simt_describe(const void *content, const void *config, msw_text *out, msw_err *err)
{
    msw_arena arena = {0};
    int rc = describe(content, config, &arena, out, err);
    msw_arena_free(&arena);
    return rc;
}
