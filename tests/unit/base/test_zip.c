/* SPDX-License-Identifier: MIT */
/* Does an archive give back what was put in, byte for byte and the same bytes each time, and is
 * what only made-up archives have refused? Formats: PKWARE's APPNOTE 6.3. */
#include "memsweep/base/zip.h"
#include "testing.h"
#include "zip_file.h"

#include <stdlib.h>
#include <string.h>

static const msw_zip_limits LIMITS = {100, 1 << 20};

/* ---- there and back ---- */

typedef struct content {
    const char *name, *bytes;
    size_t size;
} content;

static void write_archive(const content *all, size_t count, char **bytes, size_t *size)
{
    msw_err err = {0};
    msw_zip_writer w = {.out = open_memstream(bytes, size)};
    assert_non_null(w.out);
    for (size_t i = 0; i < count; i++)
        assert_ok(msw_zip_add(&w, all[i].name, all[i].bytes, all[i].size, &err), err);
    assert_ok(msw_zip_end(&w, "made by a test", &err), err);
    fclose(w.out);
}

static void gives_back_what_was_put_in(void **state)
{
    (void)state;
    enum { SIZE = 200000 };
    char *noise = malloc(SIZE), *bytes[2];
    size_t size[2];
    uint64_t x = 1;
    for (size_t i = 0; i < SIZE; i++)
        noise[i] = (char)((x = x * 6364136223846793005u + 1442695040888963407u) >> 56);
    const content all[] = {{"a/empty", "", 0},
                           {"a/zeros", calloc(1, SIZE), SIZE},
                           {"noise", noise, SIZE},
                           {"gr\xc3\xb6\xc3\x9f"
                            "e.txt",
                            "text text text text", 19}};
    for (int i = 0; i < 2; i++)
        write_archive(all, 4, &bytes[i], &size[i]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    assert_in_range(size[0], SIZE, SIZE + 2000); /* noise is stored, zeros are nothing */
    msw_zip zip;
    msw_zip_entry entry;
    msw_arena arena = {0};
    msw_err err = {0};
    assert_ok(msw_zip_open(&zip, "a.zip", bytes[0], size[0], &err), err);
    assert_ok(msw_zip_check(&zip, &LIMITS, &err), err);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(msw_zip_next(&zip, &entry, &err), 1);
        assert_int_equal(entry.name_size, strlen(all[i].name));
        assert_memory_equal(entry.name, all[i].name, entry.name_size);
        assert_int_equal(entry.unpacked, all[i].size);
        const char *got = msw_zip_unpack(&zip, &entry, SIZE, &arena, &err);
        assert_non_null(got);
        assert_memory_equal(got, all[i].bytes, all[i].size);
    }
    assert_int_equal(msw_zip_next(&zip, &entry, &err), 0);
    msw_arena_free(&arena);
    free((char *)all[1].bytes);
    free(noise);
    free(bytes[0]);
    free(bytes[1]);
}

static void names_that_cannot_be_written(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"",    "/a",   "a/",   "../a", "a/../b", "a//b",
                                        "./a", "a\\b", "a\nb", "c:/a", "\xff",   "\x7f"};
    char *bytes = NULL;
    size_t size = 0;
    msw_zip_writer w = {.out = open_memstream(&bytes, &size)};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        msw_err err = {0};
        assert_int_equal(msw_zip_add(&w, NAMES[i], "x", 1, &err), -1);
        assert_int_equal(err.kind, MSW_ERR_USAGE);
    }
    msw_zip_drop(&w);
    fclose(w.out);
    assert_int_equal(size, 0);
    free(bytes);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "wb");
    if (!full)
        skip();
    msw_err err = {0};
    msw_zip_writer w = {.out = full};
    setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(msw_zip_add(&w, "a", "x", 1, &err), -1);
    assert_int_equal(err.kind, MSW_ERR_IO);
    msw_zip_drop(&w);
    fclose(full);
}

/* ---- what is refused ---- */

/* Opens, checks and frees it. Returns what was said, "" for nothing. */
static const char *said(zip_file *file, const msw_zip_limits *limits, msw_err *err)
{
    msw_zip zip;
    *err = (msw_err){0};
    zip_end(file);
    if (msw_zip_open(&zip, "a.zip", file->bytes.data, file->bytes.size, err) == 0)
        msw_zip_check(&zip, limits, err);
    zip_free(file);
    return err->text;
}

static void refused(zip_file *file, const char *wanted)
{
    msw_err err;
    if (!strstr(said(file, &LIMITS, &err), wanted))
        fail_msg("found '%s', wanted '%s'", err.text, wanted);
}

static void hostile_names(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"../a",  "a/../../b", "/etc/x", "a\\..\\b", "C:x",
                                        "a/./b", "a\x1b[2J",  "a//b",   "\xc3("};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        zip_file zip = {0};
        zip_add(&zip, "good", "x", 1, 0);
        zip_add(&zip, NAMES[i], "x", 1, 0);
        refused(&zip, "is no name of a file below a folder");
    }
    zip_file folder = {0}, twice = {0};
    msw_err err;
    zip_add(&folder, "figures/", "", 0, 0);
    assert_string_equal(said(&folder, &LIMITS, &err), "");
    zip_add(&twice, "a", "x", 1, 0);
    zip_add(&twice, "b", "x", 1, 0);
    zip_add(&twice, "a", "y", 1, 0);
    refused(&twice, "'a': is there twice");
}

/* Places in an entry of the directory (46 bytes and its name) and in a header (30 bytes). */
enum { MADE_ON = 5, ATTRIBUTES = 40, PLACE = 42, SIZE_THERE = 24, HEADER_NAME = 30 };

static void links_and_second_names(void **state)
{
    (void)state;
    zip_file link = {0}, named = {0};
    zip_add(&link, "a", "/etc/passwd", 11, 0);
    link.directory.data[MADE_ON] = 3;
    link.directory.data[ATTRIBUTES + 1] = (char)0xa0;
    refused(&link, "is a link or a device");
    zip_add(&named, "a", "x", 1, 0);
    named.bytes.data[HEADER_NAME] = 'b';
    refused(&named, "is called otherwise in front of its data");
}

static void members_in_members(void **state)
{
    (void)state;
    zip_file inner = {0}, outer = {0};
    zip_add(&inner, "b", "x", 1, 0);
    zip_add(&outer, "a", inner.bytes.data, inner.bytes.size, 0);
    size_t place = HEADER_NAME + 1, entry = outer.directory.size;
    msw_text_add_bytes(&outer.directory, inner.directory.data, inner.directory.size);
    outer.entries++;
    outer.directory.data[entry + PLACE] = (char)place;
    refused(&outer, "'b': lies in another member");
    zip_free(&inner);
}

static void bombs(void **state)
{
    (void)state;
    zip_file lie = {0}, many = {0}, large = {0};
    msw_err err;
    zip_add(&lie, "a", "x", 1, 8);
    lie.directory.data[SIZE_THERE + 2] = 8; /* half a MiB out of six bytes */
    refused(&lie, "is said to unpack to more than it can");
    zip_add(&many, "a", "x", 1, 0);
    zip_add(&many, "b", "x", 1, 0);
    assert_non_null(strstr(said(&many, &(msw_zip_limits){1, 100}, &err), "2 members, allowed"));
    zip_add(&large, "a", "xxxx", 4, 0);
    zip_add(&large, "b", "xxxx", 4, 0);
    assert_non_null(strstr(said(&large, &(msw_zip_limits){10, 7}, &err), "unpacks to more than"));
}

static void numbers_that_contradict(void **state)
{
    (void)state;
    zip_file fewer = {0}, more = {0};
    zip_add(&fewer, "a", "x", 1, 0);
    zip_add(&fewer, "b", "x", 1, 0);
    fewer.entries = 1;
    refused(&fewer, "more members than the 1");
    zip_add(&more, "a", "x", 1, 0);
    more.entries = 7;
    refused(&more, "1 members, but its end record states 7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_back_what_was_put_in),
        cmocka_unit_test(names_that_cannot_be_written),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(hostile_names),
        cmocka_unit_test(links_and_second_names),
        cmocka_unit_test(members_in_members),
        cmocka_unit_test(bombs),
        cmocka_unit_test(numbers_that_contradict),
    };
    return cmocka_run_group_tests_name("zip", tests, NULL, NULL);
}
