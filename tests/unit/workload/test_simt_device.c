/* SPDX-License-Identifier: MIT */
/* Does device memory give what was written, and the initial values elsewhere, at the cost of what
 * was written? */
#include "testing.h"

#include "memsweep/workload/simt/device.h"

#include <string.h>

enum { MIB = 1 << 20, PAGE = MSW_SIMT_PAGE_BYTES };

static void count_up(const void *context, uint64_t first, uint64_t count, void *out)
{
    uint32_t *values = out;
    for (uint64_t i = 0; i < count; i++)
        values[i] = (uint32_t)(first + i) + *(const uint32_t *)context;
}

static const uint32_t START = 7;

/* A large array that counts, one of odd size, and a small one of zeroes right behind it. */
static const msw_simt_array ARRAYS[] = {
    {.name = "big",
     .type = MSW_SIMT_U32,
     .element_bytes = 4,
     .address = MSW_SIMT_BASE_ADDRESS,
     .count = UINT64_C(1) << 38,
     .bytes = UINT64_C(1) << 40,
     .initial = count_up,
     .context = &START},
    {.name = "odd",
     .type = MSW_SIMT_U32,
     .element_bytes = 4,
     .address = MSW_SIMT_BASE_ADDRESS + (UINT64_C(1) << 40) + 256,
     .count = 5500,
     .bytes = 22000,
     .initial = count_up,
     .context = &START},
    {.name = "zeroes",
     .type = MSW_SIMT_F64,
     .element_bytes = 8,
     .address = MSW_SIMT_BASE_ADDRESS + (UINT64_C(1) << 40) + 32768,
     .count = 4,
     .bytes = 32},
};

typedef struct fixture {
    msw_simt_device *device;
    const msw_simt_memory *memory;
    msw_err err;
} fixture;

static int open_device(void **state)
{
    static fixture f;
    f = (fixture){0};
    *state = &f;
    f.device = msw_simt_device_new(ARRAYS, 3, MIB, &f.err);
    f.memory = f.device ? msw_simt_device_memory(f.device) : NULL;
    return f.device ? 0 : -1;
}

static int close_device(void **state)
{
    fixture *f = *state;
    msw_simt_device_free(f->device);
    return 0;
}

static uint32_t read_u32(fixture *f, uint64_t address)
{
    uint32_t value = 0xdeadbeef;
    assert_ok(f->memory->read(f->memory->self, address, sizeof value, &value, &f->err), f->err);
    return value;
}

static void write_bytes(fixture *f, uint64_t address, size_t size, const void *bytes)
{
    assert_ok(f->memory->write(f->memory->self, address, size, bytes, &f->err), f->err);
}

static void test_a_terabyte_reads_as_its_function_and_costs_nothing(void **state)
{
    fixture *f = *state;
    for (uint64_t i = 1; i < ARRAYS[0].count; i *= 3)
        assert_int_equal(read_u32(f, ARRAYS[0].address + 4 * i), (uint32_t)(i + 7));
    assert_int_equal(msw_simt_device_written(f->device), 0);
}

static void test_what_is_written_is_read_and_its_neighbours_stay(void **state)
{
    fixture *f = *state;
    uint64_t at = ARRAYS[0].address + 4 * UINT64_C(123456789);
    uint32_t value = 42;
    assert_int_equal(read_u32(f, at), 123456796);
    write_bytes(f, at, sizeof value, &value);
    assert_int_equal(read_u32(f, at), 42);
    assert_int_equal(read_u32(f, at - 4), 123456795);
    assert_int_equal(read_u32(f, at + 4), 123456797);
    assert_int_equal(msw_simt_device_written(f->device), PAGE);
    msw_simt_device_reset(f->device);
    assert_int_equal(read_u32(f, at), 123456796);
    assert_int_equal(msw_simt_device_written(f->device), 0);
    value = 43;
    write_bytes(f, at + 4, sizeof value, &value);
    assert_int_equal(read_u32(f, at), 123456796);
    assert_int_equal(read_u32(f, at + 4), 43);
}

static void test_accesses_cross_pages_and_lines(void **state)
{
    fixture *f = *state;
    uint32_t values[9000], back[9002];
    for (uint32_t i = 0; i < 9000; i++)
        values[i] = i * 3;
    uint64_t at = ARRAYS[0].address + PAGE - 96;
    write_bytes(f, at, sizeof values, values);
    assert_ok(f->memory->read(f->memory->self, at - 4, sizeof back, back, &f->err), f->err);
    assert_memory_equal(values, back + 1, sizeof values);
    assert_int_equal(back[0], PAGE / 4 - 25 + 7);
    assert_int_equal(back[9001], PAGE / 4 - 24 + 9000 + 7);
    assert_int_equal(msw_simt_device_written(f->device), 4 * PAGE);
    at = ARRAYS[0].address + 8 * PAGE + 1000;
    assert_ok(f->memory->read(f->memory->self, at, sizeof back, back, &f->err), f->err);
    for (uint32_t i = 0; i < 9002; i++)
        assert_int_equal(back[i], (8 * PAGE + 1000) / 4 + i + 7);
}

static void test_bytes_outside_are_refused(void **state)
{
    fixture *f = *state;
    const msw_simt_memory *m = f->memory;
    uint64_t end = ARRAYS[1].address + ARRAYS[1].bytes, value = 1;
    const uint64_t WRONG[] = {
        0,   MSW_SIMT_BASE_ADDRESS - 8, ARRAYS[1].address - 8,  end - 4,
        end, ARRAYS[2].address + 28,    ARRAYS[2].address + 32, UINT64_MAX - 3};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        assert_int_equal(m->read(m->self, WRONG[i], 8, &value, &f->err), -1);
        assert_int_equal(m->write(m->self, WRONG[i], 8, &value, &f->err), -1);
    }
    assert_int_equal(m->read(m->self, ARRAYS[0].address, SIZE_MAX, &value, &f->err), -1);
}

static void test_errors_name_the_nearest_array(void **state)
{
    fixture *f = *state;
    const msw_simt_memory *m = f->memory;
    uint64_t end = ARRAYS[1].address + ARRAYS[1].bytes, value = 1;
    msw_simt_span span;
    assert_int_equal(m->read(m->self, end - 4, 8, &value, &f->err), -1);
    assert_non_null(strstr(f->err.text, "byte 21996 of array 'odd', which has 22000 bytes"));
    assert_int_equal(m->write(m->self, 16, 8, &value, &f->err), -1);
    assert_string_equal(f->err.text, "found 8 bytes at address 0x10, which no array has");
    assert_false(m->span(m->self, end, false, &span));
    assert_null(msw_simt_device_find(f->device, end));
    assert_ptr_equal(msw_simt_device_find(f->device, end - 1), &ARRAYS[1]);
    assert_int_equal(msw_simt_device_written(f->device), 0);
}

static void test_spans_are_pages_and_end_with_the_array(void **state)
{
    fixture *f = *state;
    const msw_simt_memory *m = f->memory;
    msw_simt_span s, again;
    uint64_t at = ARRAYS[1].address + PAGE + 4;
    assert_false(m->span(m->self, at, false, &s));
    assert_true(m->span(m->self, at, true, &s));
    assert_int_equal(s.address, ARRAYS[1].address + PAGE);
    assert_int_equal(s.bytes, 22000 - PAGE);
    assert_int_equal(((uint32_t *)(void *)s.data)[3], PAGE / 4 + 3 + 7);
    ((uint32_t *)(void *)s.data)[1] = 99;
    assert_int_equal(read_u32(f, at), 99);
    assert_true(m->span(m->self, at, false, &again));
    assert_ptr_equal(again.data, s.data);
    assert_true(m->span(m->self, ARRAYS[2].address + 8, true, &s));
    assert_int_equal(s.bytes, 32);
    assert_true(((double *)(void *)s.data)[3] == 0);
}

static void test_pages_have_a_limit(void **state)
{
    fixture *f = *state;
    const msw_simt_memory *m = f->memory;
    uint64_t pages = 0, value = 1;
    while (m->write(m->self, ARRAYS[0].address + pages * MIB, 8, &value, &f->err) == 0)
        pages++;
    assert_int_equal(pages, MIB / PAGE);
    assert_non_null(strstr(f->err.text, "no memory is left for what the program writes"));
    write_bytes(f, ARRAYS[0].address, 8, &value);
}

static void test_wrong_arrays_are_refused(void **state)
{
    (void)state;
    msw_err err = {0};
    msw_simt_array two[2] = {ARRAYS[1], ARRAYS[2]};
    two[1].address = two[0].address + 1024;
    assert_null(msw_simt_device_new(two, 2, MIB, &err));
    assert_non_null(strstr(err.text, "'zeroes': found 32 bytes at address"));
    two[1] = ARRAYS[2];
    two[1].count = 0;
    assert_null(msw_simt_device_new(two, 2, MIB, &err));
    assert_non_null(strstr(err.text, "found 0 elements"));
}

#define WITH_DEVICE(test) cmocka_unit_test_setup_teardown(test, open_device, close_device)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(test_a_terabyte_reads_as_its_function_and_costs_nothing),
        WITH_DEVICE(test_what_is_written_is_read_and_its_neighbours_stay),
        WITH_DEVICE(test_accesses_cross_pages_and_lines),
        WITH_DEVICE(test_bytes_outside_are_refused),
        WITH_DEVICE(test_errors_name_the_nearest_array),
        WITH_DEVICE(test_spans_are_pages_and_end_with_the_array),
        WITH_DEVICE(test_pages_have_a_limit),
        cmocka_unit_test(test_wrong_arrays_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
