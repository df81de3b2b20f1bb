/* SPDX-License-Identifier: MIT */
/* Defect 925. A slice was that of a kernel: what it stored without needing it itself was dropped,
 * and a later launch that took addresses or predicates from there found zeros. Does the slice of a
 * program access what all instructions access, in programs of 2 to 30 launches that build, sort,
 * count, scan, scatter and follow pointers? And does a launch that is looked at alone find what
 * those before it built? */
#include "programs.h"
#include "testing.h"

#include "memsweep/base/rng.h"
#include "memsweep/workload/simt/past.h"

#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 6 };

static const msw_simt_sms SMS = {.sms = 1, .ctas = 16};
static char *ptx;

/* A launch with an argument list; digits are arrays. */
typedef struct kind {
    const char *name, *args; /* a, b: read; c: written; t: the table of pointers */
} kind;

static const kind KINDS[] = {
    {"build", "a, c, n"},
    {"gather", "a, b, c, n"},
    {"chase", "a, c, n"},
    {"permute", "a, c, n"},
    {"swap_pairs", "c, n, 0"},
    {"swap_pairs", "c, n, 1"},
    {"zero", "c, n"},
    {"count", "a, c, n"},
    {"scan", "a, c, n"},
    {"scatter", "a, b, c, n"},
    {"rows", "a, b, c, n"},
    {"heavy", "a, c, n"},
    {"by_struct", "{u64 a, u64 c}, n"},
    {"point", "t, a, n"},
    {"follow", "t, a, c, n"},
    {"keep", "a, n"},
    {"recall", "a, c, n"},
    {"between", "a, a + 4 * n, c, n"},
};

static void add_launch(msw_text *out, const kind *k, const unsigned arrays[3])
{
    msw_text_add(out, "launch %s grid(up(n, 64)) block(64) args(", k->name);
    for (const char *at = k->args; *at; at++) {
        bool word = (at == k->args || at[-1] == ' ' || at[-1] == '{') && strchr(", +}", at[1]);
        if (word && *at >= 'a' && *at <= 'c')
            msw_text_add(out, "a%u", arrays[*at - 'a']);
        else if (word && *at == 't')
            msw_text_add(out, "table");
        else
            msw_text_add(out, "%c", *at);
    }
    msw_text_add(out, ")\n");
}

static void start_text(msw_text *out)
{
    msw_text_add(out, "ptx joints.ptx\nsize n = 300 in 1 .. 1Mi\n");
    for (unsigned a = 0; a < ARRAYS; a++)
        msw_text_add(out, "array a%u u32[n] = random(i, %u, n)\n", a, a);
    msw_text_add(out, "array table u64[n] = a0 + 4 * (i %% 7)\n");
}

static void draw(msw_rng *rng, msw_text *out)
{
    unsigned launches = 2 + (unsigned)msw_rng_below(rng, 29);
    start_text(out);
    for (unsigned l = 0; l < launches; l++) {
        unsigned arrays[3] = {(unsigned)msw_rng_below(rng, ARRAYS),
                              (unsigned)msw_rng_below(rng, ARRAYS),
                              (unsigned)msw_rng_below(rng, ARRAYS)};
        add_launch(out, &KINDS[msw_rng_below(rng, sizeof KINDS / sizeof *KINDS)], arrays);
    }
}

typedef struct account {
    msw_digest digest;
    uint64_t accesses, lines, barriers;
} account;

static int take_step(void *self, const msw_simt_origin *origin, const msw_simt_step *step,
                     msw_err *err)
{
    account *a = self;
    uint64_t words[4] = {origin->cta << 16 | origin->warp, step->first + step->count, step->lanes,
                         (uint64_t)step->event << 32 | step->mask};
    (void)err;
    a->digest = msw_hash_pair(a->digest, msw_hash_bytes(words, sizeof words));
    a->accesses += step->event == MSW_SIMT_EVENT_ACCESS;
    a->lines += step->line_count;
    for (int lane = 0; lane < MSW_SIMT_LANES && step->event == MSW_SIMT_EVENT_ACCESS; lane++)
        if (step->lanes >> lane & 1)
            a->digest =
                msw_hash_pair(a->digest, msw_hash_bytes(&step->addresses[lane], sizeof(uint64_t)));
    return 0;
}

/* Runs one launch. */
static void run(program *p, size_t s, const msw_simt_memory *memory, msw_simt_mode mode, account *a)
{
    msw_arena arena = {0};
    uint64_t issued;
    msw_simt_listener listener = {.self = a, .step = take_step};
    msw_simt_launch launch = msw_simt_stage_launch(p->p, &p->p->stages[s], memory, mode);
    const msw_simt_code *code = msw_simt_decode(&launch, &arena, &p->err);
    if (!code || msw_simt_execute(code, &SMS, 0, 0, &listener, &arena, &issued, &p->err))
        fail_msg("launch %zu: %s", s, p->err.text);
    msw_arena_free(&arena);
}

static bool same(const account *a, const account *b)
{
    return a->accesses == b->accesses && a->lines == b->lines &&
           msw_digest_equal(a->digest, b->digest);
}

/* All values, the slice, and each launch alone. */
static void compare(const char *text)
{
    program p;
    msw_arena arena = {0};
    if (program_text(&p, "", text, ptx) || program_build(&p))
        fail_msg("%s\n%s", p.err.text, text);
    const msw_simt_product *product = p.p;
    msw_simt_device *all =
        msw_simt_device_in(&arena, product->arrays, product->array_count, 1 << 26, &p.err);
    msw_simt_device *sliced =
        msw_simt_device_in(&arena, product->arrays, product->array_count, 1 << 26, &p.err);
    msw_simt_past *past = msw_simt_past_in(&arena, product, 1 << 26, &p.err);
    assert_true(all && sliced && past);
    msw_simt_device_slices(sliced);
    for (size_t s = 0; s < product->stage_count; s++) {
        account a = {0}, b = {0}, alone = {0}, again = {0};
        run(&p, s, msw_simt_device_memory(all), MSW_SIMT_VALUES, &a);
        run(&p, s, msw_simt_device_memory(sliced), MSW_SIMT_SLICE, &b);
        run(&p, s, msw_simt_past_at(past, s, &p.err), MSW_SIMT_SLICE, &alone);
        run(&p, s, msw_simt_past_at(past, s, &p.err), MSW_SIMT_SLICE, &again);
        assert_true(a.accesses > 0);
        if (!same(&a, &b) || !same(&a, &alone) || !same(&a, &again))
            fail_msg("launch %zu of\n%s%llu accesses of %llu lines; slice %llu of %llu; alone %llu "
                     "of %llu",
                     s, text, (unsigned long long)a.accesses, (unsigned long long)a.lines,
                     (unsigned long long)b.accesses, (unsigned long long)b.lines,
                     (unsigned long long)alone.accesses, (unsigned long long)alone.lines);
    }
    msw_arena_free(&arena);
    program_close(&p);
}

static void test_random_programs(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 60; seed++) {
        msw_rng rng;
        msw_text text = MSW_TEXT_EMPTY;
        msw_rng_init(&rng, 925, seed);
        draw(&rng, &text);
        compare(msw_text_str(&text));
        msw_text_free(&text);
    }
}

/* What programs are made of, one after the other: build then gather, keys then sort, scan then
 * scatter, rows of a matrix, permutation, ping-pong, pointers in memory and in variables. */
static void test_compositions(void **state)
{
    (void)state;
    static const struct {
        unsigned kind, arrays[3];
    } ROWS[][6] = {
        {{0, {0, 0, 1}}, {1, {2, 1, 3}}},
        {{0, {0, 0, 1}}, {4, {0, 0, 1}}, {5, {0, 0, 1}}, {4, {0, 0, 1}}, {2, {1, 0, 2}}},
        {{6, {0, 0, 1}}, {7, {0, 0, 1}}, {8, {1, 0, 2}}, {9, {0, 2, 3}}, {2, {3, 0, 4}}},
        {{0, {0, 0, 1}}, {0, {1, 0, 2}}, {10, {1, 2, 3}}},
        {{6, {0, 0, 1}}, {3, {0, 0, 1}}, {1, {2, 1, 3}}},
        {{2, {0, 0, 1}}, {2, {1, 0, 0}}, {2, {0, 0, 1}}, {2, {1, 0, 0}}, {1, {0, 1, 2}}},
        {{0, {0, 0, 1}}, {13, {1, 0, 0}}, {14, {2, 0, 3}}, {2, {1, 0, 4}}},
        {{0, {0, 0, 1}}, {15, {1, 0, 0}}, {16, {2, 0, 3}}},
        {{12, {0, 0, 1}}, {17, {1, 0, 2}}, {1, {0, 2, 3}}},
    };
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        msw_text text = MSW_TEXT_EMPTY;
        start_text(&text);
        for (size_t l = 0; l < 6; l++)
            if (l == 0 || ROWS[r][l].kind || ROWS[r][l].arrays[2])
                add_launch(&text, &KINDS[ROWS[r][l].kind], ROWS[r][l].arrays);
        compare(msw_text_str(&text));
        msw_text_free(&text);
    }
}

/* Instructions that the slices of a program run. */
static unsigned needed(const char *launches)
{
    program p;
    msw_text text = MSW_TEXT_EMPTY;
    unsigned count = 0;
    start_text(&text);
    msw_text_add(&text, "%s", launches);
    if (program_text(&p, "", msw_text_str(&text), ptx) || program_build(&p))
        fail_msg("%s", p.err.text);
    for (size_t s = 0; s < p.p->stage_count; s++)
        for (uint32_t i = 0; i < p.p->stages[s].kernel->insn_count; i++)
            count += p.p->stages[s].needed[i];
    program_close(&p);
    msw_text_free(&text);
    return count;
}

/* What nobody needs is not computed: neither for another array, nor for an earlier launch. */
static void test_slices_stay_small(void **state)
{
    (void)state;
#define LAUNCH(name, args) "launch " name " grid(up(n, 64)) block(64) args(" args ")\n"
    unsigned heavy = needed(LAUNCH("heavy", "a0, a1, n")),
             chase = needed(LAUNCH("chase", "a2, a3, n"));
    assert_int_equal(needed(LAUNCH("heavy", "a0, a1, n") LAUNCH("chase", "a2, a3, n")),
                     heavy + chase);
    assert_int_equal(needed(LAUNCH("chase", "a1, a3, n") LAUNCH("heavy", "a0, a1, n")),
                     heavy + chase);
    assert_true(needed(LAUNCH("heavy", "a0, a1, n") LAUNCH("chase", "a1, a3, n")) > heavy + chase);
}

/* Accesses whose values nobody needs are not made, but one that leads out of its array is refused
 * all the same, with its CTA and warp. */
static void test_slices_refuse_what_values_refuse(void **state)
{
    (void)state;
    static const msw_simt_mode MODES[] = {MSW_SIMT_VALUES, MSW_SIMT_SLICE};
    program p;
    msw_text text = MSW_TEXT_EMPTY;
    start_text(&text);
    msw_text_add(&text, LAUNCH("heavy", "a0, a1, n"));
    assert_ok(program_text(&p, "", msw_text_str(&text), ptx), p.err);
    assert_ok(program_build(&p), p.err);
    for (size_t m = 0; m < 2; m++) {
        msw_arena arena = {0}, scratch = {0};
        uint64_t from = p.p->arrays[0].address + 4 * 200, issued;
        unsigned char params[64];
        msw_simt_device *device =
            msw_simt_device_in(&arena, p.p->arrays, p.p->array_count, 1 << 26, &p.err);
        msw_simt_launch launch =
            msw_simt_stage_launch(p.p, &p.p->stages[0], msw_simt_device_memory(device), MODES[m]);
        memcpy(params, launch.params, launch.kernel->param_bytes);
        memcpy(params, &from, sizeof from);
        launch.params = params;
        const msw_simt_code *code = msw_simt_decode(&launch, &scratch, &p.err);
        assert_non_null(code);
        assert_int_equal(msw_simt_execute(code, &SMS, 0, 0, NULL, &scratch, &issued, &p.err), -1);
        if (!strstr(p.err.text, "kernel heavy, CTA 1,0,0, warp 1: found") ||
            !strstr(p.err.text, "of array 'a0', which has 1200 bytes"))
            fail_msg("%s", p.err.text);
        msw_arena_free(&scratch);
        msw_arena_free(&arena);
    }
    program_close(&p);
    msw_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compositions),
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_slices_stay_small),
        cmocka_unit_test(test_slices_refuse_what_values_refuse),
    };
    msw_err err = {0};
    size_t size;
    if (msw_read_file(MEMSWEEP_SOURCE "/tests/support/joints.ptx", &ptx, &size, &err))
        return 1;
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    free(ptx);
    return rc;
}
