/* SPDX-License-Identifier: MIT */
/* How fast do warps run? Warp-instructions a second of the values and of the slice, for
 * both kinds of loops, over the kernels of tests/bench/simt.ptx. */
#include "section.h"

#include "source.h"

#include "memsweep/base/text.h"
#include "memsweep/workload/simt/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 1 << 20, BYTES = 64 << 20 };

static unsigned char *memory_bytes;

static int read_bytes(void *self, uint64_t address, size_t bytes, void *out, msw_err *err)
{
    (void)self;
    if (address < BASE || address - BASE > BYTES - bytes)
        return msw_fail(err, "address 0x%llx", (unsigned long long)address);
    memcpy(out, memory_bytes + (address - BASE), bytes);
    return 0;
}

static int write_bytes(void *self, uint64_t address, size_t bytes, const void *in, msw_err *err)
{
    (void)self;
    if (address < BASE || address - BASE > BYTES - bytes)
        return msw_fail(err, "address 0x%llx", (unsigned long long)address);
    memcpy(memory_bytes + (address - BASE), in, bytes);
    return 0;
}

static bool find_span(void *self, uint64_t address, bool write, msw_simt_span *span)
{
    (void)self;
    (void)write;
    *span = (msw_simt_span){BASE, BYTES, memory_bytes};
    return address >= BASE && address - BASE < BYTES;
}

static const msw_simt_memory MEMORY = {.read = read_bytes, .write = write_bytes, .span = find_span};

/* Pointers are 16 MiB apart. */
static void fill_params(const msw_simt_kernel *kernel, unsigned char *params, uint64_t number)
{
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        uint64_t value = kernel->params[i].bytes == 8 ? BASE + ((uint64_t)i << 24) : number;
        memcpy(params + kernel->params[i].offset, &value, kernel->params[i].bytes);
    }
}

static double rate(bench *b, const msw_simt_kernel *kernel, msw_simt_mode mode,
                   msw_simt_loops loops)
{
    msw_err err = {0};
    msw_arena arena = {0};
    unsigned char params[4096];
    bool square = strstr(kernel->name, "blur") || strstr(kernel->name, "matmul");
    bool wide = strstr(kernel->name, "mandel") || strstr(kernel->name, "doubles");
    fill_params(kernel, params, square ? 1024 : 1 << 20);
    msw_simt_launch launch = {.kernel = kernel,
                              .grid = {wide ? 4096 : 8, 1, 1},
                              .block = {128, 1, 1},
                              .params = params,
                              .memory = &MEMORY,
                              .mode = mode,
                              .loops = loops};
    if (square)
        launch.grid[0] = launch.grid[1] = 64, launch.block[0] = launch.block[1] = 16;
    const msw_simt_code *code = msw_simt_decode(&launch, &arena, &err);
    if (!code)
        bench_fail(b, "%s", err.text);
    msw_simt_sms sms = {.sms = 2, .ctas = 4, .scheduler = MSW_SIMT_GREEDY_THEN_OLDEST};
    uint64_t total = 0, issued;
    double start = bench_seconds(), seconds;
    do {
        if (msw_simt_execute(code, &sms, 0, square || wide ? 256 : 0, NULL, &arena, &issued, &err))
            bench_fail(b, "%s", err.text);
        total += issued;
        seconds = bench_seconds() - start;
    } while (seconds < bench_least(b));
    msw_arena_free(&arena);
    return (double)total / seconds;
}

typedef struct way {
    const char *name;
    msw_simt_mode mode;
    msw_simt_loops loops;
} way;

void section_simt(bench *b)
{
    static const way WAYS[] = {{"values", MSW_SIMT_VALUES, MSW_SIMT_LOOPS_BEST},
                               {"slice", MSW_SIMT_SLICE, MSW_SIMT_LOOPS_BEST},
                               {"values, plain loops", MSW_SIMT_VALUES, MSW_SIMT_LOOPS_BASE}};
    msw_err err = {0};
    msw_arena arena = {0};
    char *text, path[4096];
    size_t size;
    memory_bytes = bench_memory(b, BYTES);
    memset(memory_bytes, 0, BYTES);
    snprintf(path, sizeof path, "%s/tests/bench/simt.ptx", source_folder());
    bench_check(b, msw_read_file(path, &text, &size, &err), &err);
    const msw_simt_program *program = msw_simt_parse(path, text, size, &arena, &err);
    if (!program)
        bench_fail(b, "%s", err.text);
    for (uint32_t k = 0; k < program->kernel_count; k++)
        for (int w = 0; w < 3; w++)
            bench_rate(b, rate(b, &program->kernels[k], WAYS[w].mode, WAYS[w].loops), 1, "%s, %s",
                       program->kernels[k].name, WAYS[w].name);
    msw_arena_free(&arena);
    free(text);
    free(memory_bytes);
}
