/* Settings, content and product of the front end `simt`. */
#include "workload/simt/parts.h"

#include "memsweep/base/bits.h"

#include <string.h>

static const msw_param PARAMS[] = {
    MSW_ROW(.name = "simt_alignment", .kind = MSW_SIZE, .unit = "B", .min = MSW_SIMT_ALIGNMENT,
            .max = 1 << 30, .def = 2 << 20, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "every array starts at a multiple of this address", .source = MSW_UNKNOWN,
            .reference = "granule of a device allocator; 256 is the least that CUDA promises",
            .plausible_min = 256, .plausible_max = 2 << 20,
            .offset = offsetof(msw_simt_config, alignment)),
    {0},
};

static char *copy_bytes(const msw_workload_file *file, msw_arena *arena)
{
    char *copy = msw_arena_take(arena, file->size + 1);
    if (copy) {
        memcpy(copy, file->bytes, file->size);
        copy[file->size] = '\0';
    }
    return copy;
}

static char *copy_text(const char *text, msw_arena *arena)
{
    return copy_bytes(&(msw_workload_file){.bytes = text, .size = strlen(text)}, arena);
}

static int further(const char *name, const msw_workload_file *files, size_t count, char *next,
                   size_t next_size, msw_err *err)
{
    msw_arena arena = {0};
    msw_simt_tokens tokens;
    msw_simt_settings settings;
    size_t head;
    if (count > 1)
        return 0;
    int rc =
        msw_simt_settings_read(name, &settings, &head, err) ||
        msw_simt_tokens_read(files[0].path, files[0].bytes, files[0].size, &arena, &tokens, err) ||
        msw_simt_choose_ptx(&tokens, &settings, next, next_size, err);
    msw_arena_free(&arena);
    return rc ? -1 : 1;
}

/* Runs the statements with arrays at multiples of `alignment`. */
static msw_simt_reader *run(const msw_simt_content *c, uint64_t alignment, msw_arena *arena,
                            msw_err *err)
{
    msw_simt_reader *r = msw_arena_zero(arena, 1, sizeof *r);
    if (!r) {
        msw_fail_memory(err);
        return NULL;
    }
    r->c = (msw_simt_cursor){.tokens = &c->tokens,
                             .next = c->tokens.list,
                             .names = &r->names,
                             .arena = arena,
                             .err = err};
    r->settings = &c->settings;
    r->program = c->program;
    r->alignment = alignment;
    r->next_address = MSW_SIMT_BASE_ADDRESS;
    return msw_simt_reader_run(r) ? NULL : r;
}

/* Once the statements have run, what is wrong with them has been told. */
static int try_out(const msw_simt_content *c, msw_digest *sizes, msw_err *err)
{
    msw_arena arena = {0};
    const msw_simt_reader *r = run(c, MSW_SIMT_ALIGNMENT, &arena, err);
    if (r)
        *sizes = r->sizes;
    msw_arena_free(&arena);
    return r ? 0 : -1;
}

static int assemble(const char *name, const msw_workload_file *files, size_t count,
                    msw_arena *arena, const void **content, msw_digest *settings, msw_err *err)
{
    size_t head;
    if (count != 2)
        return msw_fail(err, "%s: its PTX file was not read", files[0].path);
    msw_simt_content *c = msw_arena_zero(arena, 1, sizeof *c);
    const char *own_name = copy_text(name, arena), *file = copy_text(files[0].path, arena);
    const char *text = copy_bytes(&files[0], arena), *ptx_file = copy_text(files[1].path, arena);
    const char *ptx = copy_bytes(&files[1], arena);
    if (!c || !own_name || !file || !text || !ptx_file || !ptx)
        return msw_fail_memory(err);
    if (msw_simt_settings_read(own_name, &c->settings, &head, err) ||
        msw_simt_tokens_read(file, text, files[0].size, arena, &c->tokens, err))
        return -1;
    c->program = msw_simt_parse(ptx_file, ptx, files[1].size, arena, err);
    if (!c->program || try_out(c, settings, err))
        return -1;
    *content = c;
    return 0;
}

/* ---- product ---- */

/* A variable of the module: its initial bytes, with the addresses that they refer to. */
typedef struct variable_bytes {
    const unsigned char *bytes;
} variable_bytes;

static void variable_values(const void *context, uint64_t first, uint64_t count, void *out)
{
    const variable_bytes *v = context;
    memcpy(out, v->bytes + first, count);
}

static int add_variables(msw_simt_reader *r, uint64_t *addresses, msw_err *err)
{
    for (uint32_t v = 0; v < r->program->variable_count; v++) {
        const msw_simt_variable *variable = &r->program->variables[v];
        if (variable->space != MSW_SIMT_GLOBAL || variable->bytes == 0)
            continue;
        variable_bytes *bytes = msw_arena_zero(r->c.arena, 1, sizeof *bytes);
        if (!bytes)
            return msw_fail_memory(err);
        msw_simt_array array = {.name = variable->name,
                                .type = MSW_SIMT_U8,
                                .element_bytes = 1,
                                .count = variable->bytes,
                                .bytes = variable->bytes,
                                .initial = variable->initial ? variable_values : NULL,
                                .context = bytes};
        if (msw_simt_add_array(r, r->c.next, array))
            return -1;
        addresses[v] = r->next_address - variable->bytes;
    }
    return 0;
}

static uint64_t referred(const msw_simt_program *program, const uint64_t *addresses,
                         const msw_simt_reference *reference)
{
    const msw_simt_variable *to = &program->variables[reference->variable];
    uint64_t address = addresses[reference->variable];
    if (to->space == MSW_SIMT_CONST)
        address = to->offset + (reference->generic ? MSW_SIMT_WINDOW_CONST : 0);
    return address + reference->addend;
}

/* Initial bytes become those of the file with addresses in their places. */
static int fill_variables(msw_simt_reader *r, const uint64_t *addresses, size_t first, msw_err *err)
{
    const msw_simt_array *arrays = r->arrays.items;
    for (uint32_t v = 0; v < r->program->variable_count; v++) {
        const msw_simt_variable *variable = &r->program->variables[v];
        if (variable->space != MSW_SIMT_GLOBAL || variable->bytes == 0)
            continue;
        const msw_simt_array *array = &arrays[first++];
        if (!variable->initial)
            continue;
        unsigned char *bytes = msw_arena_take(r->c.arena, variable->bytes);
        variable_bytes *context = (variable_bytes *)(uintptr_t)array->context;
        if (!bytes)
            return msw_fail_memory(err);
        memcpy(bytes, variable->initial, variable->bytes);
        for (uint32_t i = 0; i < variable->reference_count; i++) {
            uint64_t address = referred(r->program, addresses, &variable->references[i]);
            memcpy(bytes + variable->references[i].offset, &address, sizeof address);
        }
        context->bytes = bytes;
    }
    return 0;
}

/* While the list of arrays grew, stages pointed to where an array was. */
static void settle(msw_simt_reader *r, msw_simt_product *p)
{
    msw_simt_stage *stages = r->stages.items;
    for (size_t s = 0; s < p->stage_count; s++) {
        const msw_simt_stage *stage = &stages[s];
        for (size_t a = 0; stage->array && a < p->array_count; a++)
            if (p->arrays[a].address == stage->array->address) {
                stages[s].array = &p->arrays[a];
                break;
            }
        if (stage->kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        p->launch_count++;
        p->cta_count += (uint64_t)stage->grid[0] * stage->grid[1] * stage->grid[2];
    }
    for (size_t a = 0; a < p->array_count; a++)
        p->footprint_bytes += p->arrays[a].bytes;
}

int msw_simt_product_make(const msw_simt_content *content, const msw_simt_config *config,
                          msw_arena *arena, msw_simt_product *product, msw_err *err)
{
    msw_simt_reader *r = run(content, (uint64_t)config->alignment, arena, err);
    uint32_t variables = content->program->variable_count;
    uint64_t *addresses = msw_arena_zero(arena, variables + 1, sizeof *addresses);
    if (!r || !addresses)
        return r ? msw_fail_memory(err) : -1;
    size_t own = r->arrays.count;
    if (add_variables(r, addresses, err) || fill_variables(r, addresses, own, err))
        return -1;
    *product = (msw_simt_product){.title = r->title ? r->title : "",
                                  .program = content->program,
                                  .arrays = r->arrays.items,
                                  .array_count = r->arrays.count,
                                  .variable_addresses = addresses,
                                  .stages = r->stages.items,
                                  .stage_count = r->stages.count};
    settle(r, product);
    return 0;
}

msw_simt_launch msw_simt_stage_launch(const msw_simt_product *product, const msw_simt_stage *stage,
                                      const msw_simt_memory *memory, msw_simt_mode mode)
{
    msw_simt_launch launch = {.kernel = stage->kernel,
                              .dynamic_shared_bytes = stage->dynamic_shared_bytes,
                              .params = stage->params,
                              .memory = memory,
                              .variable_addresses = product->variable_addresses,
                              .mode = mode};
    memcpy(launch.grid, stage->grid, sizeof launch.grid);
    memcpy(launch.block, stage->block, sizeof launch.block);
    return launch;
}

static int build(const void *content, const void *config, uint64_t seed, msw_arena *arena,
                 msw_product *product, msw_err *err)
{
    msw_simt_product *p = msw_arena_zero(arena, 1, sizeof *p);
    (void)seed;
    if (!p)
        return msw_fail_memory(err);
    if (msw_simt_product_make(content, config, arena, p, err))
        return -1;
    *product = (msw_product){.kind = MSW_PRODUCT_PROGRAM, .data = p};
    return msw_simt_summarise(p, arena, &product->summary, err);
}

/* What goes wrong in the first CTAs is told when the plan is made. */
static int check(const void *content, const void *config, msw_err *err)
{
    msw_arena arena = {0};
    msw_product product;
    int rc = build(content, config, 0, &arena, &product, err);
    msw_arena_free(&arena);
    return rc;
}

static const char *const OWN[] = {
    "workloads: [mine.simt, mine.simt/n=1Mi]: the path of a .simt file, beside the sweep file or "
    "from",
    "here, with sizes or without. It names the PTX beside it that 'nvcc -ptx' made, and says what",
    "surrounds the kernels:",
    "  ptx mine.ptx",
    "  size n = 1Mi in 1 .. 1Gi",
    "  array a f32[n] = uniform(i, 1)",
    "  launch mine grid(up(n, 256)) block(256) args(a, n)",
    "More: docs/models/simt.md.",
    NULL,
};

const msw_frontend msw_frontend_simt = {
    .name = "simt",
    .title = "Kernels compiled to PTX, run by warps of 32 lanes",
    .version = 1,
    .params = PARAMS,
    .config_size = sizeof(msw_simt_config),
    .product = MSW_PRODUCT_PROGRAM,
    .random = false,
    .names = msw_simt_workload_names,
    .docs = msw_simt_workload_docs,
    .own = OWN,
    .resolve = msw_simt_resolve,
    .further = further,
    .assemble = assemble,
    .describe = msw_simt_describe,
    .check = check,
    .build = build,
};
