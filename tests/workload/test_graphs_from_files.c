/* SPDX-License-Identifier: MIT */
/* Defect 928. A graph, a sparse matrix or any other real input could not be given, and a host that
 * turns until a flag stays down had to be written out by hand for each input. Do a breadth-first
 * search with its host loop and a product with a sparse matrix, with arrays from files, give what
 * plain C gives on random graphs; do their slices access what all instructions access; and are
 * files of a wrong size or content refused with the place? */
#include "programs.h"
#include "testing.h"

#include "memsweep/base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 700, EDGES = 1500 };

static char *ptx, *bfs, *spmv;

typedef struct graph {
    uint32_t rows[NODES + 1], columns[EDGES];
    float weights[EDGES];
    char csv[EDGES * 24 + 64];
    uint32_t nodes, edges;
} graph;

/* The first quarter in a chain, the rest at random: many levels, and nodes that are not reached. */
static void draw(graph *g, unsigned seed)
{
    msw_rng rng;
    msw_rng_init(&rng, 928, seed);
    g->nodes = 100 + (uint32_t)msw_rng_below(&rng, NODES - 100);
    g->edges = 0;
    size_t at = (size_t)sprintf(g->csv, "# weights\nedge,\"weight\"\n");
    for (uint32_t v = 0; v < g->nodes; v++) {
        g->rows[v] = g->edges;
        bool chain = v < g->nodes / 4;
        uint64_t count = chain ? 1 : msw_rng_below(&rng, 4);
        for (uint64_t e = 0; e < count && g->edges < EDGES; e++)
            g->columns[g->edges++] = chain ? v + 1 : (uint32_t)msw_rng_below(&rng, g->nodes);
    }
    g->rows[g->nodes] = g->edges;
    for (uint32_t e = 0; e < g->edges; e++) {
        g->weights[e] = (float)msw_rng_below(&rng, 1000) / 64 - 3;
        at += (size_t)sprintf(g->csv + at, "%u, %.9g\n", e, (double)g->weights[e]);
    }
}

static void load(program *p, const graph *g, const char *text)
{
    char settings[64];
    msw_workload_file data[] = {
        {"rows.bin", (const char *)g->rows, (g->nodes + 1) * sizeof *g->rows},
        {"columns.bin", (const char *)g->columns, g->edges * sizeof *g->columns},
        {"weights.csv", g->csv, strlen(g->csv)}};
    snprintf(settings, sizeof settings, "/n=%u,m=%u", g->nodes, g->edges);
    assert_ok(program_files(p, settings, text, ptx, data, 3), p->err);
    assert_ok(program_build(p), p->err);
}

static int take_step(void *self, const msw_simt_origin *origin, const msw_simt_step *step,
                     msw_err *err)
{
    msw_digest *d = self;
    uint64_t words[3] = {origin->cta << 16 | origin->warp, step->first + step->count, step->lanes};
    (void)err;
    *d = msw_hash_pair(*d, msw_hash_bytes(words, sizeof words));
    for (uint32_t i = 0; i < step->line_count; i++)
        *d = msw_hash_pair(*d, msw_hash_bytes(&step->lines[i].address, sizeof(uint64_t)));
    return 0;
}

/* Runs all of it; what is in an array then, and a digest of all steps. */
static msw_digest run(program *p, msw_simt_mode mode, const char *name, void *out)
{
    static const msw_simt_sms SMS = {.sms = 1, .ctas = 16};
    msw_arena arena = {0}, scratch = {0};
    msw_digest all = {0};
    uint64_t issued;
    msw_simt_listener listener = {.self = &all, .step = take_step};
    msw_simt_device *device =
        msw_simt_device_in(&arena, p->p->arrays, p->p->array_count, 1 << 26, &p->err);
    assert_non_null(device);
    const msw_simt_memory *memory = msw_simt_device_memory(device);
    for (size_t s = 0; s < p->p->stage_count; s++) {
        const msw_simt_stage *stage = &p->p->stages[s];
        if (stage->kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        assert_ok(msw_simt_host_before(p->p, stage, memory, &p->err), p->err);
        msw_simt_launch launch = msw_simt_stage_launch(p->p, stage, memory, mode);
        const msw_simt_code *code = msw_simt_decode(&launch, &scratch, &p->err);
        assert_non_null(code);
        assert_ok(msw_simt_execute(code, &SMS, 0, 0, &listener, &scratch, &issued, &p->err),
                  p->err);
    }
    const msw_simt_array *array = program_array(p, name);
    if (mode == MSW_SIMT_VALUES)
        assert_ok(memory->read(memory->self, array->address, array->bytes, out, &p->err), p->err);
    msw_arena_free(&scratch);
    msw_arena_free(&arena);
    return all;
}

static bool same(msw_digest a, msw_digest b)
{
    return msw_digest_equal(a, b);
}

/* Levels by a queue; returns the launches that find them. */
static unsigned search(const graph *g, int32_t *level)
{
    uint32_t queue[NODES], first = 0, last = 1;
    for (uint32_t v = 0; v < g->nodes; v++)
        level[v] = v ? -1 : 0;
    queue[0] = 0;
    for (; first < last; first++)
        for (uint32_t e = g->rows[queue[first]]; e < g->rows[queue[first] + 1]; e++)
            if (level[g->columns[e]] < 0) {
                level[g->columns[e]] = level[queue[first]] + 1;
                queue[last++] = g->columns[e];
            }
    return (unsigned)level[queue[last - 1]] + 1;
}

static void test_searches(void **state)
{
    (void)state;
    static graph g;
    for (unsigned seed = 0; seed < 4; seed++) {
        program p;
        int32_t wanted[NODES], found[NODES];
        draw(&g, seed);
        load(&p, &g, bfs);
        assert_int_equal(p.p->launch_count, search(&g, wanted));
        msw_digest all = run(&p, MSW_SIMT_VALUES, "level", found);
        assert_memory_equal(found, wanted, g.nodes * sizeof *wanted);
        assert_true(same(all, run(&p, MSW_SIMT_SLICE, "level", NULL)));
        program_close(&p);
    }
}

static void test_products(void **state)
{
    (void)state;
    static graph g;
    for (unsigned seed = 0; seed < 3; seed++) {
        program p;
        float found[NODES];
        draw(&g, seed);
        load(&p, &g, spmv);
        msw_digest all = run(&p, MSW_SIMT_VALUES, "y", found);
        const msw_simt_array *x = program_array(&p, "x");
        for (uint32_t v = 0; v < g.nodes; v++) {
            float sum = 0, other;
            for (uint32_t e = g.rows[v]; e < g.rows[v + 1]; e++) {
                x->initial(x->context, g.columns[e], 1, &other);
                sum = fmaf(g.weights[e], other, sum);
            }
            assert_memory_equal(&found[v], &sum, sizeof sum);
        }
        assert_true(same(all, run(&p, MSW_SIMT_SLICE, "y", NULL)));
        program_close(&p);
    }
}

/* The content of all files is part of what a plan is. */
static void test_files_are_in_the_digest(void **state)
{
    (void)state;
    static graph g;
    program p, q;
    draw(&g, 1);
    load(&p, &g, spmv);
    g.columns[g.edges - 1] ^= 1;
    load(&q, &g, spmv);
    assert_false(msw_digest_equal(p.workload.digest, q.workload.digest));
    program_close(&p);
    program_close(&q);
}

#define TAIL "launch spmv grid(1) block(32) args(a, a, a, a, a, 0)\n"

static void test_wrong_files(void **state)
{
    (void)state;
    static const struct {
        const char *array, *file, *message;
    } ROWS[] = {
        {"array a u32[4] from d", "123456789012345",
         "t.simt:2:21: array 'a': found 15 bytes in d, allowed: 16"},
        {"array a u32[2] from d column x", "x\n1\n2\n3\n",
         "array 'a': found 3 values in d, allowed: 2"},
        {"array a u32[2] from d column y", "x\n1\n2\n", "allowed: a column that the first line"},
        {"array a u8[2] from d column x", "x\n1\n256\n",
         "d:3: found '256', allowed: a number of type u8"},
        {"array a s8[2] from d column x", "x\n-128\n-129\n", "d:3: found '-129'"},
        {"array a u32[1] from d column x", "x\n1.5\n", "d:2: found '1.5'"},
        {"array a f32[1] from d column x", "x\none\n", "d:2: found 'one'"},
        {"repeat\nlet b = 1\nuntil c[0] == 1, at most 3\narray a u32[1]", "",
         "t.simt:4:7: found 'c', allowed: an array given above"},
        {"array a u32[1]\nend\nlet a = 2", "", "t.simt:3:1: found 'end'"},
    };
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        program p;
        char text[400];
        msw_workload_file data = {"d", ROWS[r].file, strlen(ROWS[r].file)};
        snprintf(text, sizeof text, "ptx graph.ptx\n%s\n" TAIL, ROWS[r].array);
        if (program_files(&p, "", text, ptx, &data, 1) == 0)
            fail_msg("%s is taken", ROWS[r].array);
        if (!strstr(p.err.text, ROWS[r].message))
            fail_msg("%s: %s", ROWS[r].array, p.err.text);
        program_close(&p);
    }
}

/* A name given in a loop is gone behind it, and may be given again. */
static void test_names_of_loops_are_their_own(void **state)
{
    (void)state;
    program p;
    assert_ok(program_text(&p, "",
                           "ptx graph.ptx\narray a u32[1]\nfor k = 1 .. 2\nlet b = k\nend\n"
                           "for k = 1 .. 0\nend\nrepeat k\nlet b = k\nhost writes a[0] = b\n" TAIL
                           "until a[0] == 3, at most 9\nlet k = 7\nlet b = k\n",
                           ptx),
              p.err);
    assert_ok(program_build(&p), p.err);
    assert_int_equal(p.p->launch_count, 4);
    program_close(&p);
    assert_int_equal(
        program_text(&p, "", "ptx graph.ptx\nfor k = 1 .. 2\nend\narray a u32[k]\n" TAIL, ptx), -1);
    assert_non_null(strstr(p.err.text, "t.simt:4:13: found 'k'"));
    program_close(&p);
}

static char *read_text(const char *name)
{
    char path[1024], *text;
    msw_err err = {0};
    size_t size;
    snprintf(path, sizeof path, MEMSWEEP_SOURCE "/workloads/simt/example/%s", name);
    return msw_read_file(path, &text, &size, &err) ? NULL : text;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_searches),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_files_are_in_the_digest),
        cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_names_of_loops_are_their_own),
    };
    ptx = read_text("graph.ptx");
    bfs = read_text("bfs.simt");
    spmv = read_text("spmv.simt");
    int rc = ptx && bfs && spmv ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    free(ptx);
    free(bfs);
    free(spmv);
    return rc;
}
