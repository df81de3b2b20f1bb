/* SPDX-License-Identifier: MIT */
/* Do the shipped kernels, run by the interpreter, give what plain C gives, to the last bit? And
 * does the slice access the same memory as all instructions? */
#include "kernel_results.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static const msw_simt_sms SMS = {.sms = 2, .ctas = 2};

/* A digest of all steps: where, which instruction, masks and addresses. */
typedef struct account {
    msw_digest accesses;
    uint64_t count, barriers;
} account;

static int take_step(void *self, const msw_simt_origin *origin, const msw_simt_step *step,
                     msw_err *err)
{
    account *a = self;
    (void)err;
    if (step->event == MSW_SIMT_EVENT_BARRIER)
        a->barriers++;
    if (step->event != MSW_SIMT_EVENT_ACCESS)
        return 0;
    uint64_t words[4] = {origin->cta << 16 | origin->warp, step->first + step->count, step->lanes,
                         (uint64_t)step->space << 8 | step->bytes};
    a->accesses = msw_hash_pair(a->accesses, msw_hash_bytes(words, sizeof words));
    for (int lane = 0; lane < MSW_SIMT_LANES; lane++)
        if (step->lanes >> lane & 1)
            a->accesses = msw_hash_pair(
                a->accesses, msw_hash_bytes(&step->addresses[lane], sizeof *step->addresses));
    a->count++;
    return 0;
}

/* Runs all launches; with `found` NULL only the accesses are wanted. */
static void run(program *p, msw_simt_mode mode, account *a, const char *out, void *found)
{
    msw_arena arena = {0};
    msw_simt_device *device =
        msw_simt_device_new(p->p->arrays, p->p->array_count, 1 << 26, &p->err);
    if (!device)
        fail_msg("%s", p->err.text);
    const msw_simt_memory *memory = msw_simt_device_memory(device);
    msw_simt_listener listener = {.self = a, .step = take_step};
    for (size_t s = 0; s < p->p->stage_count; s++) {
        const msw_simt_stage *stage = &p->p->stages[s];
        uint64_t issued;
        if (stage->kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        msw_simt_launch launch = msw_simt_stage_launch(p->p, stage, memory, mode);
        const msw_simt_code *code = msw_simt_decode(&launch, &arena, &p->err);
        if (!code)
            fail_msg("%s", p->err.text);
        assert_ok(msw_simt_execute(code, &SMS, 0, 0, &listener, &arena, &issued, &p->err), p->err);
    }
    const msw_simt_array *array = program_array(p, out);
    if (found)
        assert_ok(memory->read(memory->self, array->address, array->bytes, found, &p->err), p->err);
    msw_simt_device_free(device);
    msw_arena_free(&arena);
}

static void open_case(program *p, const kernel_case *k)
{
    assert_ok(program_named(p, k->workload), p->err);
    assert_ok(program_build(p), p->err);
}

static void compare_results(const kernel_case *cases)
{
    for (const kernel_case *k = cases; k->workload; k++) {
        program p;
        account a = {0};
        open_case(&p, k);
        const msw_simt_array *array = program_array(&p, k->out);
        char *found = calloc(1, array->bytes), *wanted = calloc(1, array->bytes);
        run(&p, MSW_SIMT_VALUES, &a, k->out, found);
        k->result(&p, wanted);
        for (uint64_t i = 0; i < array->bytes; i += array->element_bytes)
            if (memcmp(found + i, wanted + i, array->element_bytes) != 0)
                fail_msg("%s: element %d of %s differs", k->workload,
                         (int)(i / array->element_bytes), k->out);
        free(found);
        free(wanted);
        program_close(&p);
    }
}

static void test_every_kernel_gives_the_result_of_plain_c(void **state)
{
    (void)state;
    compare_results(kernel_cases);
    compare_results(managed_cases);
}

static void compare_slices(const kernel_case *cases)
{
    for (const kernel_case *k = cases; k->workload; k++) {
        program p;
        account all = {0}, slice = {0};
        open_case(&p, k);
        run(&p, MSW_SIMT_VALUES, &all, k->out, NULL);
        run(&p, MSW_SIMT_SLICE, &slice, k->out, NULL);
        if (all.count != slice.count || all.barriers != slice.barriers ||
            !msw_digest_equal(all.accesses, slice.accesses))
            fail_msg("%s: the slice's accesses differ", k->workload);
        assert_true(all.count > 0);
        program_close(&p);
    }
}

static void test_the_slice_accesses_what_all_instructions_access(void **state)
{
    (void)state;
    compare_slices(kernel_cases);
    compare_slices(managed_cases);
}

/* ---- the layout of preset `paper` ---- */

typedef struct own_unit {
    const program *p;
    const char *shared; /* arrays that all CTAs read, or that get a value per row or CTA */
    uint64_t accesses;
} own_unit;

static bool is_shared(const own_unit *u, const msw_simt_array *array)
{
    const char *at = strstr(u->shared, array->name);
    return at && (at[strlen(array->name)] == ' ' || !at[strlen(array->name)]);
}

static const msw_simt_array *array_of(const program *p, uint64_t address)
{
    const msw_simt_array *found = NULL;
    for (size_t i = 0; i < p->p->array_count; i++)
        if (address - p->p->arrays[i].address < p->p->arrays[i].bytes)
            found = &p->p->arrays[i];
    return found;
}

/* 128 B of a warp; then its unit of 4 in the core; then the core of 128, which is the CTA's. */
static int check_unit(void *self, const msw_simt_origin *origin, const msw_simt_step *step,
                      msw_err *err)
{
    own_unit *u = self;
    (void)err;
    if (step->event != MSW_SIMT_EVENT_ACCESS || step->space != MSW_SIMT_GLOBAL)
        return 0;
    uint64_t address = step->lines[0].address;
    const msw_simt_array *array = array_of(u->p, address);
    assert_non_null(array);
    if (is_shared(u, array))
        return 0;
    assert_int_equal(step->line_count, 1);
    assert_int_equal(step->lines[0].sectors, 15);
    assert_int_equal(address / 128 % 4, origin->warp);
    assert_int_equal(address / 512 % 128, origin->cta % 128);
    u->accesses++;
    return 0;
}

static void test_accesses_of_paper_fall_to_the_unit_of_their_warp(void **state)
{
    (void)state;
    static const char *const KERNELS[][2] = {
        {"axpy", ""},
        {"blur", ""},
        {"conv", "weights"},
        {"gemv", "x y"},
        {"hist/n=1Mi", "parts"},
        {"kmeans", "centres"},
        {"knn", ""},
        {"maxp", ""},
        {"pr", "partial"},
        {"ttrans", ""},
        {"upsamp", ""},
    };
    static const uint64_t CTAS[] = {0, 77, 127};
    for (size_t k = 0; k < sizeof KERNELS / sizeof *KERNELS; k++) {
        program p;
        msw_arena arena = {0};
        uint64_t issued;
        assert_ok(program_named(&p, KERNELS[k][0]), p.err);
        assert_ok(program_build(&p), p.err);
        own_unit u = {.p = &p, .shared = KERNELS[k][1]};
        msw_simt_listener listener = {.self = &u, .step = check_unit};
        msw_simt_device *device =
            msw_simt_device_new(p.p->arrays, p.p->array_count, 1 << 26, &p.err);
        assert_non_null(device);
        msw_simt_launch launch = msw_simt_stage_launch(
            p.p, &p.p->stages[0], msw_simt_device_memory(device), MSW_SIMT_SLICE);
        const msw_simt_code *code = msw_simt_decode(&launch, &arena, &p.err);
        assert_non_null(code);
        for (size_t c = 0; c < sizeof CTAS / sizeof *CTAS; c++)
            assert_ok(msw_simt_execute(code, &SMS, CTAS[c], 1, &listener, &arena, &issued, &p.err),
                      p.err);
        assert_true(u.accesses > 0);
        msw_simt_device_free(device);
        msw_arena_free(&arena);
        program_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kernel_gives_the_result_of_plain_c),
        cmocka_unit_test(test_the_slice_accesses_what_all_instructions_access),
        cmocka_unit_test(test_accesses_of_paper_fall_to_the_unit_of_their_warp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
