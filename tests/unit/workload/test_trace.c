/* SPDX-License-Identifier: MIT */
/* Are recorded requests read as their formats mean them, and slips told with line and column? */
#include "streams.h"
#include "testing.h"

#include <zlib.h>

typedef struct expected {
    uint64_t address;
    uint32_t bytes;
    int write;
} expected;

/* The same four requests in every format; sizes are 64 where a format has none. */
static const expected FOUR[] = {
    {0x1000, 64, 0}, {0x2040, 64, 1}, {0x7fff00000000, 64, 0}, {0x1010, 64, 1}};

static void assert_four(stream *s)
{
    assert_ok(stream_build(s, 0), s->err);
    const char *fault = accesses_fault(&s->product);
    assert_string_equal(fault ? fault : "", "");
    assert_int_equal(s->a->count, 4);
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(s->a->addresses[i], FOUR[i].address);
        assert_int_equal(accesses_bytes(s->a, i), FOUR[i].bytes);
        assert_int_equal(s->a->writes[i], FOUR[i].write);
    }
}

static void test_formats_say_the_same(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"t.trace", "0x1000 64 r\n0x2040 64 w\n0x7fff00000000 64 r\n4112 64 W\n"},
        {"t.trace", "# made by hand\r\n\r\n0x1000,64\r\n0x2040,w // line\r\n0x7FFF00000000\r\n"
                    "0x1010,write"},
        {"t.trace", "\xef\xbb\xbfR 0x1000\nST 0x2040 64\nld 0x7fff00000000\nw 0x1010 64\n"},
        {"t.dramsim3", "0x1000 READ 0\n0x2040 WRITE 4\n0x7fff00000000 READ 4\n0x1010 WRITE 100\n"},
        {"t.lackey", "==12== Lackey, an example Valgrind tool with a sentence of many words\n"
                     "I  00400000,4\n L 00001000,64\n S 2040,64\nI  400004,3\n L "
                     "7fff00000000,64\n S 1010,64\n==12== \n"},
        {"t.trace", "I  00400000,4\n L 1000,64\n S 2040,64\n L 7fff00000000,64\n S 1010,64\n"},
        {"t.ramulator", "0x1000 R\n0x2040 W\n0x7fff00000000 R\n0x1010 W\n"},
        {"t.ramulator", "3 0x1000 0x2040\n0 140733193388032 4112\n"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        stream s;
        assert_ok(stream_text(&s, CASES[i][0], CASES[i][1]), s.err);
        assert_four(&s);
        stream_close(&s);
    }
}

static void test_cycles_and_streams(void **state)
{
    (void)state;
    stream s;
    assert_ok(stream_text(&s, "t.trace", "0x10 8 r\n0x20 8 r 7\n0x30 8 r\n0x40 8 r 9 2\n"), s.err);
    assert_ok(stream_build(&s, 0), s.err);
    static const uint64_t CYCLES[] = {0, 7, 7, 9};
    static const uint16_t STREAMS[] = {0, 0, 0, 2};
    assert_memory_equal(s.a->cycles, CYCLES, sizeof CYCLES);
    assert_memory_equal(s.a->streams, STREAMS, sizeof STREAMS);
    assert_int_equal(s.a->stream_count, 3);
    assert_null(s.a->writes);
    assert_null(s.a->bytes);
    stream_close(&s);
    assert_ok(stream_text(&s, "t.ramulator", "3 16\n0 32 48\n2 64\n"), s.err);
    assert_ok(stream_build(&s, 0), s.err);
    static const uint64_t BUBBLES[] = {3, 4, 4, 7};
    assert_memory_equal(s.a->cycles, BUBBLES, sizeof BUBBLES);
    stream_close(&s);
}

static void test_a_modify_is_a_read_then_a_write(void **state)
{
    (void)state;
    stream s;
    assert_ok(stream_text(&s, "t.lackey", " M 1000,4\n"), s.err);
    assert_ok(stream_build(&s, 0), s.err);
    assert_int_equal(s.a->count, 2);
    assert_int_equal(s.a->addresses[1], 0x1000);
    assert_int_equal(s.a->writes[0], 0);
    assert_int_equal(s.a->writes[1], 1);
    stream_close(&s);
}

static size_t pack(const char *text, size_t size, unsigned char *out, size_t room)
{
    z_stream z = {.avail_in = (unsigned)size, .next_out = out, .avail_out = (unsigned)room};
    memcpy(&z.next_in, &text, sizeof z.next_in);
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

enum { LINES = 40000, ROOM = 1 << 20 };

/* Half a megabyte of lines in two gzip members, far more than a window holds. */
static void test_gzip_says_the_same_as_text(void **state)
{
    (void)state;
    msw_text text = MSW_TEXT_EMPTY;
    for (int i = 0; i < LINES; i++)
        msw_text_add(&text, "0x%x %d %s\n", i * 4096, 1 + i % 64, i % 3 ? "r" : "w");
    unsigned char *packed = malloc(ROOM);
    size_t half = text.size / 2, first = pack(text.data, half, packed, ROOM);
    size_t size = first + pack(text.data + half, text.size - half, packed + first, ROOM - first);
    stream plain, zipped;
    assert_ok(stream_bytes(&plain, "t.trace", text.data, text.size), plain.err);
    assert_ok(stream_bytes(&zipped, "t.trace.gz", (const char *)packed, size), zipped.err);
    assert_ok(stream_build(&plain, 0), plain.err);
    assert_ok(stream_build(&zipped, 0), zipped.err);
    assert_int_equal(zipped.a->count, LINES);
    assert_true(msw_digest_equal(accesses_digest(plain.a), accesses_digest(zipped.a)));
    stream_close(&plain);
    stream_close(&zipped);

    /* Cut anywhere, or with a bit wrong, it is refused. */
    for (size_t cut = 20; cut < size; cut += size / 7) {
        if (cut == first)
            continue;
        assert_int_equal(stream_bytes(&zipped, "t.trace.gz", (const char *)packed, cut), -1);
        assert_non_null(strstr(zipped.err.text, "compressed file"));
        stream_close(&zipped);
    }
    packed[size / 3] ^= 4;
    assert_int_equal(stream_bytes(&zipped, "t.trace.gz", (const char *)packed, size), -1);
    stream_close(&zipped);
    free(packed);
    msw_text_free(&text);
}

static void test_malformed_lines_are_counted_and_named(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text, *says;
    } CASES[] = {
        {"t.trace", "0x10\nzz 4\n", "t.trace:2:1: found 'zz', allowed: an address"},
        {"t.trace", "0x10\n deadbeef\n", "t.trace:2:2: found 'deadbeef', allowed: an address"},
        {"t.trace", "0x10 0 r\n", "t.trace:1:6: found '0', allowed: a size"},
        {"t.trace", "0x10 64 r 5\n0x10 64 r 4\n",
         "t.trace:2:1: found '0x10', allowed: cycles that never go back"},
        {"t.trace", "0x10 64 r 5 65536\n", "t.trace:1:13: found '65536', allowed: a stream"},
        {"t.trace", "0x10 64 r 5 1 9\n", "t.trace:1:15: found '9', allowed: address [size]"},
        {"t.trace", "0x10 64 r w\n", "t.trace:1:11: found 'w', allowed: address [size]"},
        {"t.trace", "0x1000000000000 4\n", "t.trace:1:1: found '0x1000000000000', allowed: an"},
        {"t.trace", "r\n", "t.trace:1:1: found 'r', allowed: address [size]"},
        {"t.lackey", " L 10,4\nhello\n", "t.lackey:2:1: found 'hello', allowed: I, L, S or M"},
        {"t.lackey", " L xyz,4\n", "t.lackey:1:4: found 'xyz', allowed: a hexadecimal"},
        {"t.ramulator", "x 16\n", "t.ramulator:1:1: found 'x', allowed: a number of"},
        {"t.trace", "0x10\na\nb\n0x20\nc\nd\ne\nf\n",
         "t.trace:2:1: found 'a', allowed: an address below 2^48, decimal or after 0x hexadecimal; "
         "malformed lines: 6 (2, 3, 5, 6, 7, ...), trace_malformed allows 0"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        stream s;
        assert_ok(stream_text(&s, CASES[i].file, CASES[i].text), s.err);
        assert_int_equal(msw_frontend_trace.check(s.workload.content, &s.config, &s.err), -1);
        if (strncmp(s.err.text, CASES[i].says, strlen(CASES[i].says)) != 0)
            fail_msg("'%s': got %s", CASES[i].text, s.err.text);
        assert_int_equal(stream_build(&s, 0), -1);
        stream_close(&s);
    }
}

static void test_as_many_as_allowed_are_passed_over(void **state)
{
    (void)state;
    stream s;
    assert_ok(stream_text(&s, "t.trace", "a\n0x10\nb\n0x20\n0x30\n"), s.err);
    s.config.trace.malformed = 1;
    assert_int_equal(stream_build(&s, 0), -1);
    s.config.trace.malformed = 2;
    assert_ok(stream_build(&s, 0), s.err);
    assert_int_equal(s.a->count, 3);
    s.config.trace.skip = 1;
    s.config.trace.limit = 1;
    s.config.trace.bytes = 8;
    assert_ok(stream_build(&s, 0), s.err);
    assert_int_equal(s.a->count, 1);
    assert_int_equal(s.a->addresses[0], 0x20);
    assert_int_equal(s.a->footprint_bytes, 8);
    s.config.trace.skip = 3;
    assert_int_equal(stream_build(&s, 0), -1);
    assert_non_null(strstr(s.err.text, "trace_skip"));
    stream_close(&s);
}

static void test_files_without_requests_are_refused(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"", "# nothing\n", "\n\n"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        stream s;
        assert_int_equal(stream_text(&s, "t.trace", TEXTS[i]), -1);
        assert_non_null(strstr(s.err.text, "found no request"));
        stream_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats_say_the_same),
        cmocka_unit_test(test_cycles_and_streams),
        cmocka_unit_test(test_a_modify_is_a_read_then_a_write),
        cmocka_unit_test(test_gzip_says_the_same_as_text),
        cmocka_unit_test(test_malformed_lines_are_counted_and_named),
        cmocka_unit_test(test_as_many_as_allowed_are_passed_over),
        cmocka_unit_test(test_files_without_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
