/* SPDX-License-Identifier: MIT */
/* Any bytes are a program or are refused; whatever is read has sound lists, and runs or tells why
 * not, in both modes. */
#include "simt_flat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool sound, const char *what)
{
    if (sound)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void check_kernel(const msw_simt_kernel *kernel)
{
    uint32_t insns = 0;
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const msw_simt_block *block = &kernel->blocks[b];
        check(block->first == insns && block->count > 0, "blocks do not lie in a row");
        insns += block->count;
        check(block->post_dominator == MSW_SIMT_NONE || block->post_dominator < kernel->block_count,
              "a post-dominator that is no block");
    }
    check(insns == kernel->insn_count, "instructions outside of blocks");
    for (uint32_t i = 0; i < kernel->insn_count; i++) {
        const msw_simt_insn *insn = &kernel->insns[i];
        for (uint32_t r = 0; r < insn->def_count; r++)
            check(insn->defs[r] < kernel->reg_count, "a register that is none");
        for (uint32_t r = 0; r < insn->use_count; r++)
            check(insn->uses[r] < kernel->reg_count, "a register that is none");
        check(insn->target == MSW_SIMT_NONE || insn->target < kernel->insn_count,
              "a target that is no instruction");
    }
}

static void run_kernel(const msw_simt_kernel *kernel, msw_simt_mode mode)
{
    static unsigned char params[32768];
    flat f;
    ptx p = {.launch = {.kernel = kernel,
                        .grid = {2, 1, 1},
                        .block = {40, 1, 1},
                        .params = params,
                        .mode = mode,
                        .most_instructions = 2000,
                        .dynamic_shared_bytes = 64}};
    uint64_t pointer = FLAT_BASE;
    for (uint32_t i = 0; i < kernel->param_count; i++)
        if (kernel->params[i].bytes >= 8)
            memcpy(params + kernel->params[i].offset, &pointer, 8);
    uint64_t *addresses = calloc(kernel->program->variable_count + 1, sizeof *addresses);
    check(addresses, "memory ran out");
    p.launch.variable_addresses = addresses;
    flat_open(&f, mode == MSW_SIMT_VALUES);
    if (ptx_run(&p, &f, NULL, NULL))
        check(p.err.text[0], "stopped without a message");
    flat_close(&f);
    free(addresses);
    msw_arena_free(&p.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    msw_arena arena = {0};
    msw_err err = {0};
    char *text = malloc(size + 1);
    check(text, "memory ran out");
    memcpy(text, data, size);
    text[size] = '\0';
    const msw_simt_program *program = msw_simt_parse("f.ptx", text, size, &arena, &err);
    check(program || err.text[0], "refused without a message");
    for (uint32_t k = 0; program && k < program->kernel_count; k++)
        if (!program->kernels[k].fault && k < 4) {
            check_kernel(&program->kernels[k]);
            run_kernel(&program->kernels[k], MSW_SIMT_VALUES);
            run_kernel(&program->kernels[k], MSW_SIMT_SLICE);
        }
    msw_arena_free(&arena);
    free(text);
    return 0;
}
