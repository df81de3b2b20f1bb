/* SPDX-License-Identifier: MIT */
/* Is an archive read as it was packed, and is one that somebody made up refused with a message that
 * says where? */
#include "memsweep/pack/packed.h"
#include "pack_file.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static const pack_content SOUND[] = {{"inputs/s.yaml", pack_sweep}, {"results.db", "none"}};

typedef struct opened {
    msw_packed packed;
    char *bytes;
    size_t size;
    msw_err err;
    int rc;
} opened;

static void open_bytes(opened *o)
{
    o->err = (msw_err){0};
    o->rc = msw_packed_read(&o->packed, "a.zip", o->bytes, o->size, &o->err);
}

static void open_text(opened *o, const char *versions, const pack_content *files, size_t count)
{
    pack_archive(versions, files, count, &o->bytes, &o->size);
    open_bytes(o);
}

static void open_head(opened *o, const char *head)
{
    msw_text versions = MSW_TEXT_EMPTY;
    pack_versions(head, SOUND, 2, &versions);
    open_text(o, msw_text_str(&versions), SOUND, 2);
    msw_text_free(&versions);
}

static void drop(opened *o)
{
    if (o->rc == 0)
        msw_packed_close(&o->packed);
    free(o->bytes);
}

static void refused(opened *o, const char *wanted)
{
    assert_int_equal(o->rc, -1);
    if (!strstr(o->err.text, wanted))
        fail_msg("found '%s', wanted '%s'", o->err.text, wanted);
    drop(o);
}

static int plan_of(const msw_packed *packed, msw_plan **plan)
{
    msw_err err = {0};
    msw_plan_options options;
    msw_messages messages = {0};
    assert_ok(msw_packed_options(packed, &options, &err), err);
    int rc = msw_plan_load(packed->sweep, &options, plan, &messages);
    msw_text_free(&messages.text);
    return rc;
}

/* ---- sound ones ---- */

static void read_as_packed(void **state)
{
    (void)state;
    opened o;
    msw_plan *plan = NULL;
    open_head(&o, NULL);
    assert_ok(o.rc, o.err);
    assert_string_equal(o.packed.sweep, "a.zip/inputs/s.yaml");
    assert_string_equal(o.packed.folders[0], "a.zip/inputs");
    assert_null(o.packed.folders[1]);
    assert_int_equal(o.packed.unlisted, 0);
    assert_int_equal(plan_of(&o.packed, &plan), 0);
    assert_int_equal(plan->points, 2);
    msw_plan_free(plan);
    drop(&o);
}

static void paths_stay_in_the_archive(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        bool there;
    } CASES[] = {{"a.zip/inputs/s.yaml", true},
                 {"a.zip/inputs/../inputs/./s.yaml", true},
                 {"a.zip/../a.zip/inputs/s.yaml", false},
                 {"a.zip/inputs", false},
                 {"a.zip", false},
                 {"a.zip/", false},
                 {"a.zip/..", false},
                 {"a.zip/versions.json", false}, /* no digest covers it */
                 {"inputs/s.yaml", false},
                 {"/etc/passwd", false},
                 {"a.zip/../../../../../../etc/passwd", false}};
    opened o;
    open_head(&o, NULL);
    assert_ok(o.rc, o.err);
    const msw_file_source *files = &o.packed.files;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *data = NULL;
        size_t size;
        msw_err err = {0};
        assert_int_equal(files->exists(files->context, CASES[i].path), CASES[i].there);
        int rc = files->read(files->context, CASES[i].path, 1 << 20, &data, &size, &err);
        assert_int_equal(rc, CASES[i].there ? 0 : -1);
        free(data);
    }
    drop(&o);
}

static void versions_that_differ(void **state)
{
    (void)state;
    opened o;
    msw_plan *plan = NULL;
    msw_text lines = MSW_TEXT_EMPTY;
    open_head(&o, NULL);
    assert_ok(o.rc, o.err);
    assert_int_equal(plan_of(&o.packed, &plan), 0);
    size_t count = msw_packed_differ(&o.packed, plan, "riscv64", &lines);
    const char *text = msw_text_str(&lines);
    assert_int_equal(count, 5); /* machine, null, gone; synth and grid are new */
    assert_non_null(strstr(text, "architecture: packed with x86_64, here riscv64\n"));
    assert_non_null(strstr(text, "null: packed with 1, here "));
    assert_non_null(strstr(text, "gone: packed with 2, here none\n"));
    assert_non_null(strstr(text, "grid: packed with none, here "));
    msw_text_free(&lines);
    msw_plan_free(plan);
    drop(&o);
}

/* ---- made-up ones ---- */

static void versions_of_others(void **state)
{
    (void)state;
    static const struct {
        const char *head, *wanted;
    } CASES[] = {
        {"[", "versions.json"},
        {"{", "'memsweep_pack': allowed: a whole number"},
        {"{\"memsweep_pack\": 2, ", "is an archive of form 2, which a newer memsweep made"},
        {"{\"memsweep_pack\": 1, ", "'packed_by': allowed: an object"},
        {"{\"memsweep_pack\": 1, \"packed_by\": {\"version\": 3}, ", "'version': allowed: a text"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        opened o;
        open_head(&o, CASES[i].head);
        refused(&o, CASES[i].wanted);
    }
}

#define BY                                                                                         \
    "{\"memsweep_pack\": 1, \"packed_by\": {\"version\": \"1\", \"compiler\": \"c\", "             \
    "\"revision\": null, \"architecture\": \"m\"}, "
#define ZERO "\"digest\": \"00000000000000000000000000000000\""
#define SWEEP(name, file, folders, seed)                                                           \
    BY "\"sweep\": {\"name\": \"" name "\", \"file\": \"" file "\", " ZERO ", \"points\": 2, "     \
       "\"folders\": [" folders "], \"fidelity\": null, \"seed\": " seed "}, "
#define ROWS "\"versions\": {}, \"rows\": {\"count\": 2, " ZERO "}, "

static void sweeps_of_others(void **state)
{
    (void)state;
    static const struct {
        const char *head, *wanted;
    } CASES[] = {
        {SWEEP("../../etc", "inputs/s.yaml", "", "null") ROWS, "the name of a sweep"},
        {SWEEP("s", "inputs/s.yaml", "1", "null") ROWS, "up to 8 texts"},
        {SWEEP("s", "inputs/s.yaml", "", "3") ROWS, "'seed': allowed: a text"},
        {SWEEP("s", "inputs/s.yaml", "", "null") "\"versions\": {\"a\": \"b\"}, \"rows\": "
                                                 "{\"count\": 2, " ZERO "}, ",
         "'a': allowed: a whole number"},
        {BY "\"sweep\": {\"name\": \"s\", \"file\": \"f\", \"digest\": \"xyz\"}, ",
         "32 hexadecimal digits"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        opened o;
        open_head(&o, CASES[i].head);
        refused(&o, CASES[i].wanted);
    }
}

static void seeds_and_sweeps_that_are_none(void **state)
{
    (void)state;
    static const char *const SEEDS[] = {"\"\"", "\"x\"", "\"-3\"", "\"1x\""};
    msw_plan *plan = NULL;
    opened o;
    for (size_t i = 0; i < sizeof SEEDS / sizeof *SEEDS; i++) {
        char head[1024];
        msw_plan_options options;
        snprintf(head, sizeof head, SWEEP("s", "inputs/s.yaml", "", "%s") ROWS, SEEDS[i]);
        open_head(&o, head);
        assert_ok(o.rc, o.err);
        assert_int_equal(msw_packed_options(&o.packed, &options, &o.err), -1);
        assert_non_null(strstr(o.err.text, "found seed"));
        drop(&o);
    }
    open_head(&o, SWEEP("s", "../../etc/passwd", "", "null") ROWS);
    assert_ok(o.rc, o.err);
    assert_int_equal(plan_of(&o.packed, &plan), -1);
    drop(&o);
}

static void files_that_are_not_the_ones(void **state)
{
    (void)state;
    static const pack_content MORE[] = {
        {"inputs/s.yaml", pack_sweep}, {"results.db", "other"}, {"mine.txt", "x"}};
    msw_text versions = MSW_TEXT_EMPTY, twice = MSW_TEXT_EMPTY;
    opened o;
    pack_versions(NULL, SOUND, 2, &versions);
    open_text(&o, msw_text_str(&versions), MORE, 3);
    refused(&o, "results.db is not the one that was packed");
    open_text(&o, msw_text_str(&versions), SOUND, 1);
    refused(&o, "lacks the file results.db");
    open_text(&o, NULL, SOUND, 2);
    refused(&o, "holds no versions.json");
    pack_versions(NULL, (pack_content[]){SOUND[0], SOUND[0]}, 2, &twice);
    open_text(&o, msw_text_str(&twice), SOUND, 2);
    refused(&o, "each file once");
    open_text(&o, msw_text_str(&versions), (pack_content[]){SOUND[0], SOUND[1], MORE[2]}, 3);
    assert_ok(o.rc, o.err);
    assert_int_equal(o.packed.unlisted, 1);
    drop(&o);
    msw_text_free(&versions);
    msw_text_free(&twice);
}

/* Cut anywhere and with any byte changed: refused, or as good as it was. */
static void damage_is_seen(void **state)
{
    (void)state;
    opened o, cut;
    open_head(&o, NULL);
    assert_ok(o.rc, o.err);
    for (size_t size = 0; size < o.size; size += 7) {
        cut = (opened){.bytes = malloc(size + 1), .size = size};
        memcpy(cut.bytes, o.bytes, size);
        open_bytes(&cut);
        refused(&cut, "a.zip");
    }
    for (size_t at = 0; at < o.size; at++) {
        cut = (opened){.bytes = malloc(o.size), .size = o.size};
        memcpy(cut.bytes, o.bytes, o.size);
        cut.bytes[at] = (char)(cut.bytes[at] ^ 0x21);
        open_bytes(&cut);
        if (cut.rc == 0)
            assert_string_equal(cut.packed.sweep, "a.zip/inputs/s.yaml");
        drop(&cut);
    }
    drop(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_as_packed),
        cmocka_unit_test(paths_stay_in_the_archive),
        cmocka_unit_test(versions_that_differ),
        cmocka_unit_test(versions_of_others),
        cmocka_unit_test(sweeps_of_others),
        cmocka_unit_test(seeds_and_sweeps_that_are_none),
        cmocka_unit_test(files_that_are_not_the_ones),
        cmocka_unit_test(damage_is_seen),
    };
    return cmocka_run_group_tests_name("packed", tests, NULL, NULL);
}
