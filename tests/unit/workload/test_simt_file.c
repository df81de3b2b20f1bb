/* SPDX-License-Identifier: MIT */
/* Do workload files of the front end simt mean what docs/models/simt.md says, and are wrong ones
 * refused where they are wrong? */
#include "programs.h"
#include "testing.h"

#include <math.h>
#include <string.h>

/* A kernel of all kinds of parameters, and a variable of the module that points to another. */
static const char PTX[] = ".version 9.0\n.target sm_75\n.address_size 64\n"
                          ".global .align 4 .u32 numbers[3] = {1, 2, 3};\n"
                          ".global .align 8 .u64 table[2] = {7, numbers};\n"
                          ".visible .entry work(.param .u64 a, .param .u32 n, .param .f32 x,\n"
                          "    .param .align 8 .b8 pair[16])\n"
                          "{\n    ret;\n}\n"
                          ".visible .entry rest()\n.reqntid 64\n{\n    ret;\n}\n";

#define HEAD "ptx t.ptx\nsize n = 4Ki in 1 .. 1Mi\n"
#define TAIL "launch rest grid(1) block(64) args()\n"

static void load(program *p, const char *settings, const char *text)
{
    assert_ok(program_text(p, settings, text, PTX), p->err);
    assert_ok(program_build(p), p->err);
}

static double value_at(const program *p, const char *array, uint64_t i)
{
    const msw_simt_array *a = program_array(p, array);
    assert_non_null(a);
    unsigned char bytes[8];
    if (a->initial)
        a->initial(a->context, i, 1, bytes);
    else
        memset(bytes, 0, sizeof bytes);
    float single;
    double twice;
    int32_t whole;
    memcpy(&single, bytes, sizeof single);
    memcpy(&twice, bytes, sizeof twice);
    memcpy(&whole, bytes, sizeof whole);
    return a->type == MSW_SIMT_F32 ? (double)single : a->type == MSW_SIMT_F64 ? twice : whole;
}

static void test_sizes_come_from_the_file_or_the_name(void **state)
{
    (void)state;
    program p;
    load(&p, "", HEAD "array a f32[n]\n" TAIL);
    assert_int_equal(program_array(&p, "a")->count, 4096);
    program_close(&p);
    load(&p, "/n=0x30", HEAD "array a f32[n]\n" TAIL);
    assert_int_equal(program_array(&p, "a")->count, 48);
    program_close(&p);
}

/* The same sizes, however they are written, are the same content. */
static void test_the_digest_follows_files_and_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *settings, *ptx_end;
        bool same;
    } CASES[] = {
        {"/n=4096", "", true}, {"/n=4Ki", "", true}, {"/n=4097", "", false}, {"", "\n", false}};
    program first, other;
    char ptx[sizeof PTX + 2];
    assert_ok(program_text(&first, "", HEAD TAIL, PTX), first.err);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        snprintf(ptx, sizeof ptx, "%s%s", PTX, CASES[i].ptx_end);
        assert_ok(program_text(&other, CASES[i].settings, HEAD TAIL, ptx), other.err);
        assert_int_equal(msw_digest_equal(first.workload.digest, other.workload.digest),
                         CASES[i].same);
        program_close(&other);
    }
    program_close(&first);
}

static void test_expressions_compute(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value; /* with i = 5 */
    } CASES[] = {
        {"2 + 3 * 4", 14},
        {"(2 + 3) * 4", 20},
        {"10 - 4 - 3", 3},
        {"7 / 2", 3},
        {"-7 / 2", -3},
        {"-7 % 3", -1},
        {"7.0 / 2", 3.5},
        {"1 / 2.0 + 1", 1.5},
        {"up(7, 2) + up(8, 2)", 8},
        {"i * i", 25},
        {"1 << 4 | 3 & 2 ^ 1", 19},
        {"-16 >> 2", -4},
        {"~i", -6},
        {"!i + !0", 1},
        {"i > 4 && i < 6", 1},
        {"i >= 6 || 2 && 4", 1},
        {"i <= 5 == 1", 1},
        {"i != 5 ? 1 : i == 5 ? 2 : 3", 2},
        {"i == 5 ? 1 : 2.5", 1},
        {"i == 4 ? 1 : 2.5", 2.5},
        {"min(i, 3) + max(i, 3)", 8},
        {"max(i, 5.5)", 5.5},
        {"abs(-3) + abs(-0.5)", 3.5},
        {"int(-2.7) + floor(-2.7)", -5},
        {"float(i) / 2", 2.5},
        {"n / 1Ki", 4},
        {"1e-3 * 1000", 1},
        {"5 / (i - 5)", 0},
    };
    char text[256];
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        program p;
        snprintf(text, sizeof text, HEAD "array a f64[8] = %s\n" TAIL, CASES[i].text);
        load(&p, "", text);
        assert_near(value_at(&p, "a", 5), CASES[i].value, 1e-12);
        program_close(&p);
    }
}

static void test_random_values_are_spread_and_repeatable(void **state)
{
    (void)state;
    program p;
    double sum = 0, low = 1, high = 0;
    unsigned seen = 0;
    load(&p, "",
         HEAD "array u f32[n] = uniform(i, 1)\narray v f32[n] = uniform(i, 2)\n"
              "array r s32[n] = random(i, 1, 8)\narray q s32[8] = permute(i, 8, 3)\n" TAIL);
    for (uint64_t i = 0; i < 4096; i++) {
        double u = value_at(&p, "u", i);
        low = fmin(low, u);
        high = fmax(high, u);
        sum += u;
        seen |= 1u << (int)value_at(&p, "r", i);
        assert_true(u != value_at(&p, "v", i));
    }
    assert_true(low >= 0 && low < 0.01 && high < 1 && high > 0.99);
    assert_near(sum / 4096, 0.5, 0.02);
    assert_int_equal(seen, 255);
    seen = 0;
    for (uint64_t i = 0; i < 8; i++)
        seen |= 1u << (int)value_at(&p, "q", i);
    assert_int_equal(seen, 255);
    program_close(&p);
}

static void test_many_values_are_those_of_one_by_one(void **state)
{
    (void)state;
    program p;
    float all[256], one;
    load(&p, "", HEAD "array a f32[n] = i % 3 == 0 ? uniform(i, 1) : i / 2\n" TAIL);
    const msw_simt_array *a = program_array(&p, "a");
    a->initial(a->context, 77, 256, all);
    for (uint64_t i = 0; i < 256; i++) {
        a->initial(a->context, 77 + i, 1, &one);
        assert_true(one == all[i]);
    }
    program_close(&p);
}

static void test_arrays_follow_each_other_aligned(void **state)
{
    (void)state;
    program p;
    load(&p, "",
         HEAD "array a u8[3]\narray managed b f16[n][2] = 65504\narray c s64[1] = b\n" TAIL);
    const msw_simt_array *a = program_array(&p, "a"), *b = program_array(&p, "b");
    assert_int_equal(a->address, MSW_SIMT_BASE_ADDRESS);
    assert_int_equal(b->address, MSW_SIMT_BASE_ADDRESS + (2 << 20));
    assert_int_equal(b->bytes, 4096 * 2 * 2);
    assert_true(b->managed && !a->managed);
    const msw_simt_array *c = program_array(&p, "c");
    uint64_t address;
    uint16_t half;
    c->initial(c->context, 0, 1, &address);
    b->initial(b->context, 0, 1, &half);
    assert_int_equal(address, b->address);
    assert_int_equal(half, 0x7bff);
    program_close(&p);
}

static void test_variables_of_the_module_are_arrays_with_addresses_in_them(void **state)
{
    (void)state;
    program p;
    uint64_t table[2];
    load(&p, "", HEAD TAIL);
    const msw_simt_array *t = program_array(&p, "table"), *n = program_array(&p, "numbers");
    assert_non_null(t);
    assert_non_null(n);
    t->initial(t->context, 0, 16, table);
    assert_int_equal(table[0], 7);
    assert_int_equal(table[1], n->address);
    assert_int_equal(p.p->variable_addresses[0], n->address);
    program_close(&p);
}

static void test_arguments_are_laid_out_as_the_kernel_says(void **state)
{
    (void)state;
    program p;
    load(&p, "",
         HEAD "array a f32[n]\n"
              "launch work grid(2, 3) block(32, 4) shared(64) args(a, n, 0.5, {u8 7, "
              "f64 1.5})\n");
    const msw_simt_stage *s = &p.p->stages[0];
    const msw_simt_param *params = s->kernel->params;
    uint64_t address;
    uint32_t n;
    float x;
    double d;
    memcpy(&address, s->params + params[0].offset, sizeof address);
    memcpy(&n, s->params + params[1].offset, sizeof n);
    memcpy(&x, s->params + params[2].offset, sizeof x);
    memcpy(&d, s->params + params[3].offset + 8, sizeof d);
    assert_int_equal(address, MSW_SIMT_BASE_ADDRESS);
    assert_int_equal(n, 4096);
    assert_true(x == 0.5f && d == 1.5 && s->params[params[3].offset] == 7);
    assert_int_equal(s->grid[0] * 100 + s->grid[1] * 10 + s->grid[2], 231);
    assert_int_equal(s->block[1], 4);
    assert_int_equal(s->dynamic_shared_bytes, 64);
    assert_int_equal(p.p->cta_count, 6);
    program_close(&p);
}

static void test_loops_make_launches(void **state)
{
    (void)state;
    program p;
    load(&p, "",
         HEAD "array a s32[100]\nfor t = 0 .. 4 step 2\n  let k = t * 10\n  for s = 3 .. 2\n"
              "    launch rest grid(9) block(64) args()\n  end\n"
              "  launch rest grid(k + 1) block(64) args()\n"
              "  host reads a[k .. k + 4] # then the next\nend\nsync\n");
    assert_int_equal(p.p->stage_count, 7);
    assert_int_equal(p.p->launch_count, 3);
    assert_int_equal(p.p->stages[2].grid[0], 21);
    assert_int_equal(p.p->stages[5].kind, MSW_SIMT_STAGE_HOST_READ);
    assert_ptr_equal(p.p->stages[5].array, program_array(&p, "a"));
    assert_int_equal(p.p->stages[5].first, 40);
    assert_int_equal(p.p->stages[5].count, 5);
    assert_int_equal(p.p->stages[6].kind, MSW_SIMT_STAGE_SYNC);
    program_close(&p);
}

static const struct {
    const char *settings, *text, *message;
} WRONG[] = {
    {"", "", "t.simt: found no PTX, allowed: a line 'ptx FILE.ptx'"},
    {"", "ptx\n" TAIL, "t.simt:1:4: found '', allowed: the name of a .ptx file"},
    {"", HEAD, "t.simt: found no launch"},
    {"", HEAD "lanch rest\n", "t.simt:3:1: found 'lanch', allowed: title, ptx"},
    {"", HEAD "lanch rest\n", "did you mean 'launch'?"},
    {"", HEAD "launch rst grid(1) block(64) args()\n", "t.simt:3:8: "},
    {"", HEAD "launch rest grid(0) block(64) args()\n",
     "t.simt:3:18: CTAs: found 0, allowed: whole numbers from 1 to 2147483647"},
    {"", HEAD "launch rest grid(1) block(32) args()\n",
     "t.simt:3:27: found '32', allowed: block(64, 1, 1) (.reqntid)"},
    {"", HEAD "launch work grid(1) block(64, 32) args(0, 0, 0, {u8 0})\n",
     "allowed: up to 1024 threads in a block"},
    {"", HEAD "launch work grid(1) block(64) args(0, 0, 0)\n",
     "allowed: the 4 arguments of work: (u64, u32, f32, {...})"},
    {"", HEAD "launch work grid(1) block(64) args(0, 0.5, 0, {u8 0})\n",
     "found '0.5', allowed: a whole number or an array: the parameter is u32"},
    {"", HEAD "launch work grid(1) block(64) args(0, 0, 0, {f64 0, u64 0, u8 0})\n",
     "allowed: 16 bytes for parameter pair"},
    {"", HEAD "array a f32[m]\n" TAIL, "t.simt:3:13: found 'm', allowed: sizes, arrays"},
    {"", HEAD "size width = 3 in 1 .. 9\narray a f32[widht]\n" TAIL, "did you mean 'width'?"},
    {"", HEAD "array a f31[n]\n" TAIL, "t.simt:3:9: found 'f31', allowed: u8, s8"},
    {"", HEAD "array a u32[n] = 0.5\n" TAIL,
     "t.simt:3:18: found '0.5', allowed: whole values for whole elements"},
    {"", HEAD "array a u32[n] = 1.5 % 2\n" TAIL, "allowed: whole numbers on both sides"},
    {"", HEAD "array a u32[1 << 50]\n" TAIL, "elements: found 1125899906842624, allowed"},
    {"", HEAD "array a u32[1Gi][1Gi]\n" TAIL, "allowed: up to 2^43 elements"},
    {"", HEAD "array a u32[n]\narray a u32[n]\n" TAIL, "t.simt:4:7: 'a' has been given in line 3"},
    {"", HEAD "array i u32[n]\n" TAIL, "found 'i', allowed: a name, but not i"},
    {"", HEAD "let x = i + 1\n" TAIL, "t.simt:3:9: found 'i', allowed: i in initial values"},
    {"", HEAD "let x = 1 / 0\n" TAIL, "t.simt:3:9: found a division by zero"},
    {"", HEAD "let x = (1 + 2\n" TAIL, "t.simt:4:1: found 'launch', allowed: )"},
    {"", HEAD "let x = 1 2\n" TAIL, "t.simt:3:11: found '2', allowed: the end of the line"},
    {"", HEAD "let x = 12abc\n" TAIL, "t.simt:3:9: found '12abc', allowed: numbers like 4096"},
    {"", HEAD "let x = 1 @ 2\n" TAIL, "t.simt:3:11: found a character of code 64"},
    {"", HEAD "for t = 0 .. 3\n" TAIL, "allowed: 'end' of the loop in line 3"},
    {"", HEAD TAIL "end\n", "t.simt:4:1: found 'end', allowed: 'end' of a loop 'for'"},
    {"", HEAD "for t = 0 .. 3 step 0\n" TAIL "end\n", "allowed: a step that is not 0"},
    {"", HEAD "for t = 0 .. 1Gi\nlet x = t\nend\n" TAIL, "allowed: loops of up to 2^20 lines"},
    {"", HEAD "host reeds a\n" TAIL, "t.simt:3:6: found 'reeds', allowed: reads or writes"},
    {"", HEAD "host reads b\n" TAIL, "t.simt:3:12: found 'b', allowed: an array given above"},
    {"", HEAD "require n % 3 == 0 # divisible\n" TAIL,
     "the sizes do not fit together: t.simt:3 requires n % 3 == 0"},
    {"/n=0", HEAD TAIL, "found n=0, allowed: 1 .. 1048576 (t.simt:2)"},
    {"/n=2Mi", HEAD TAIL, "found n=2Mi, allowed: 1 .. 1048576"},
    {"/n=x", HEAD TAIL, "found n=x, allowed: 1 .. 1048576"},
    {"/m=3", HEAD TAIL, "found size 'm', allowed: n, ptx (t.simt)"},
    {"/n=3,n=4", HEAD TAIL, "workload 't.simt/n=3,n=4': 'n' is set twice"},
    {"/n=3,", HEAD TAIL, "allowed: sizes such as n=16Mi"},
    {"/ptx=u", HEAD TAIL, "found ptx=u, allowed: one of t.ptx"},
};

static void test_wrong_files_are_refused_where_they_are_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        program p;
        if (program_text(&p, WRONG[i].settings, WRONG[i].text, PTX) == 0)
            fail_msg("%s was taken", WRONG[i].text);
        if (!strstr(p.err.text, WRONG[i].message))
            fail_msg("%s: said '%s', wanted '%s'", WRONG[i].text, p.err.text, WRONG[i].message);
        program_close(&p);
    }
}

/* However a file is cut off or garbled, it gives a message or a workload, never a crash. */
static void test_cut_files_are_refused_or_taken(void **state)
{
    (void)state;
    static const char TEXT[] = HEAD "array a f32[n] = (uniform(i, 1) - 0.5) * -2 # values\n"
                                    "for t = 0 .. 3\nlet k = n / 2 + t\n"
                                    "launch work grid(k) block(32) args(a, n, 0.5, {u8 1})\nend\n";
    char cut[sizeof TEXT];
    for (size_t i = 0; i < sizeof TEXT; i++) {
        program p;
        memcpy(cut, TEXT, sizeof TEXT);
        cut[i] = '\0';
        program_text(&p, "", cut, PTX);
        program_close(&p);
        memcpy(cut, TEXT, sizeof TEXT);
        cut[i] = (char)(i % 2 ? '(' : ' ');
        cut[sizeof TEXT - 1] = '\0';
        program_text(&p, "", cut, PTX);
        program_close(&p);
    }
}

static void test_nesting_has_a_limit(void **state)
{
    (void)state;
    char text[4000] = HEAD "let x = ";
    size_t size = strlen(text);
    memset(text + size, '(', 3000);
    program p;
    assert_int_equal(program_text(&p, "", text, PTX), -1);
    assert_non_null(strstr(p.err.text, "allowed: less nesting"));
    program_close(&p);
    memset(text + size, '-', 3000);
    assert_int_equal(program_text(&p, "", text, PTX), -1);
    assert_non_null(strstr(p.err.text, "allowed: less nesting"));
    program_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_come_from_the_file_or_the_name),
        cmocka_unit_test(test_the_digest_follows_files_and_sizes),
        cmocka_unit_test(test_expressions_compute),
        cmocka_unit_test(test_random_values_are_spread_and_repeatable),
        cmocka_unit_test(test_many_values_are_those_of_one_by_one),
        cmocka_unit_test(test_arrays_follow_each_other_aligned),
        cmocka_unit_test(test_variables_of_the_module_are_arrays_with_addresses_in_them),
        cmocka_unit_test(test_arguments_are_laid_out_as_the_kernel_says),
        cmocka_unit_test(test_loops_make_launches),
        cmocka_unit_test(test_wrong_files_are_refused_where_they_are_wrong),
        cmocka_unit_test(test_cut_files_are_refused_or_taken),
        cmocka_unit_test(test_nesting_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
