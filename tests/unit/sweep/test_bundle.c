/* SPDX-License-Identifier: MIT */
/* Does a plan made from recorded files equal the one made from the files themselves? */
#include "memsweep/sweep/bundle.h"
#include "sweep_testing.h"

#include <stdlib.h>
#include <unistd.h>

static const char BASE[] = "mechanism: null\nworkloads: [synth/small]\nfidelity: analytic\n";
static const char TOP[] =
    "extends: base.yaml\nsweep: top\ndesign: {kind: list, file: points.csv}\n";
static const char POINTS[] = "x1,x2\n0.25,0.5\n0.75,1\n";

static void write_file(const char *folder, const char *name, const char *text)
{
    char *path = msw_strfmt("%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
    free(path);
}

static void remove_files(const char *folder)
{
    static const char *const NAMES[] = {"base.yaml", "top.yaml", "points.csv"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char *path = msw_strfmt("%s/%s", folder, NAMES[i]);
        assert_int_equal(unlink(path), 0);
        free(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

static int load(const char *path, const msw_file_source *files, msw_plan **plan)
{
    msw_messages messages = {0};
    msw_plan_options options = {.seed = -1, .files = files};
    int rc = msw_plan_load(path, &options, plan, &messages);
    msw_text_free(&messages.text);
    return rc;
}

static void same_plan(void **state)
{
    (void)state;
    char folder[] = "bundle-XXXXXX";
    msw_recorder kept = {0};
    msw_file_source recorder = msw_bundle_recorder(&kept), player = msw_bundle_player(&kept.bytes);
    msw_plan *read = NULL, *played = NULL;
    assert_non_null(mkdtemp(folder));
    write_file(folder, "base.yaml", BASE);
    write_file(folder, "top.yaml", TOP);
    write_file(folder, "points.csv", POINTS);
    char *path = msw_strfmt("%s/top.yaml", folder);
    assert_int_equal(load(path, &recorder, &read), 0);
    remove_files(folder);
    assert_int_equal(load(path, &player, &played), 0);
    assert_int_equal(read->points, 2);
    assert_true(msw_digest_equal(read->digest, played->digest));
    msw_plan_free(read);
    msw_plan_free(played);
    msw_text_free(&kept.bytes);
    free(path);
}

static void damaged_bytes(void **state)
{
    (void)state;
    msw_text bytes = MSW_TEXT_EMPTY;
    static const char RECORD[] = "\x05\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"
                                 "abcd";
    msw_text_add_bytes(&bytes, RECORD, sizeof RECORD);
    msw_file_source player = msw_bundle_player(&bytes);
    msw_plan *plan = NULL;
    assert_false(player.exists(player.context, "abcd"));
    assert_int_equal(load("abcd", &player, &plan), -1);
    msw_text_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_plan),
        cmocka_unit_test(damaged_bytes),
    };
    return cmocka_run_group_tests_name("bundle", tests, NULL, NULL);
}
