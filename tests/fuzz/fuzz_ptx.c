/* Any bytes are a program or are refused; whatever is read has sound lists. */
#include "memsweep/base/arena.h"
#include "memsweep/workload/simt/program.h"

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
        if (!program->kernels[k].fault)
            check_kernel(&program->kernels[k]);
    msw_arena_free(&arena);
    free(text);
    return 0;
}
