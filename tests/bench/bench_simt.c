/* How fast do warps run? Million warp-instructions a second of the values and of the slice, for
 * both kinds of loops, over the kernels below; the median is what to look at. */
#include "bench.h"

#include "memsweep/base/text.h"
#include "memsweep/workload/simt/machine.h"

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

static const msw_simt_memory MEMORY = {NULL, read_bytes, write_bytes, find_span};

static void fail(const msw_err *err)
{
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

/* Pointers are 16 MiB apart. */
static void fill_params(const msw_simt_kernel *kernel, unsigned char *params, uint64_t number)
{
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        uint64_t value = kernel->params[i].bytes == 8 ? BASE + ((uint64_t)i << 24) : number;
        memcpy(params + kernel->params[i].offset, &value, kernel->params[i].bytes);
    }
}

static double rate(const msw_simt_kernel *kernel, msw_simt_mode mode, msw_simt_loops loops)
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
        fail(&err);
    msw_simt_sms sms = {.sms = 2, .ctas = 4, .scheduler = MSW_SIMT_GREEDY_THEN_OLDEST};
    uint64_t total = 0, issued;
    double start = bench_seconds(), seconds;
    do {
        if (msw_simt_execute(code, &sms, 0, square || wide ? 256 : 0, NULL, &arena, &issued, &err))
            fail(&err);
        total += issued;
        seconds = bench_seconds() - start;
    } while (seconds < 0.3);
    msw_arena_free(&arena);
    return (double)total / seconds / 1e6;
}

static int order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_file(const char *path)
{
    msw_err err = {0};
    msw_arena arena = {0};
    char *text;
    size_t size;
    double medians[3][64];
    uint32_t count = 0;
    if (msw_read_file(path, &text, &size, &err))
        fail(&err);
    const msw_simt_program *program = msw_simt_parse(path, text, size, &arena, &err);
    if (!program)
        fail(&err);
    printf("%-24s %10s %10s %10s  M warp-instructions/s\n", "", "values", "slice", "base");
    for (uint32_t k = 0; k < program->kernel_count && count < 64; k++, count++) {
        const msw_simt_kernel *kernel = &program->kernels[k];
        medians[0][count] = rate(kernel, MSW_SIMT_VALUES, MSW_SIMT_LOOPS_BEST);
        medians[1][count] = rate(kernel, MSW_SIMT_SLICE, MSW_SIMT_LOOPS_BEST);
        medians[2][count] = rate(kernel, MSW_SIMT_VALUES, MSW_SIMT_LOOPS_BASE);
        printf("%-24.24s %10.1f %10.1f %10.1f\n", kernel->name, medians[0][count],
               medians[1][count], medians[2][count]);
    }
    for (int i = 0; i < 3; i++)
        qsort(medians[i], count, sizeof(double), order);
    printf("%-24s %10.1f %10.1f %10.1f\n", "median", medians[0][count / 2], medians[1][count / 2],
           medians[2][count / 2]);
    msw_arena_free(&arena);
    free(text);
}

int main(int argc, char **argv)
{
    memory_bytes = calloc(1, BYTES);
    if (!memory_bytes)
        return 1;
    run_file(argc > 1 ? argv[1] : MEMSWEEP_SOURCE "/tests/bench/simt.ptx");
    free(memory_bytes);
    return 0;
}
