/* SPDX-License-Identifier: MIT */
/* Are a workload's further files read beside its first, in a plan as in a bundle for other ranks,
 * and is every byte of all in its digest? */
#include "testing.h"

#include "memsweep/sweep/bundle.h"
#include "memsweep/sweep/content.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char PTX[] = ".version 9.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry work()\n{\n    ret;\n}\n";
static const char FILE_TEXT[] = "ptx sub/w.ptx\nlaunch work grid(1) block(32) args()\n";

typedef struct folder {
    char path[64], first[128], second[128], sub[128];
} folder;

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static int make_folder(void **state)
{
    folder *f = calloc(1, sizeof *f);
    if (!f)
        return -1;
    snprintf(f->path, sizeof f->path, "/tmp/content-XXXXXX");
    if (!mkdtemp(f->path))
        return -1;
    snprintf(f->first, sizeof f->first, "%s/w.simt", f->path);
    snprintf(f->sub, sizeof f->sub, "%s/sub", f->path);
    snprintf(f->second, sizeof f->second, "%s/sub/w.ptx", f->path);
    if (mkdir(f->sub, 0700))
        return -1;
    write_text(f->first, FILE_TEXT);
    write_text(f->second, PTX);
    *state = f;
    return 0;
}

static int remove_folder(void **state)
{
    folder *f = *state;
    unlink(f->first);
    unlink(f->second);
    rmdir(f->sub);
    rmdir(f->path);
    free(f);
    return 0;
}

/* Loads the workload of the first file. Returns its digest. */
static msw_digest load(const folder *f, const msw_plan_options *options)
{
    _Alignas(uint64_t) char config[MSW_FRONTEND_CONFIG_MAX];
    char file[256];
    msw_err err = {0};
    msw_workload w = {.name = msw_strdup(f->first)};
    w.frontend = msw_workload_resolve(f->first, config, file, sizeof file, &err);
    assert_non_null(w.frontend);
    assert_ok(msw_content_load(options, file, &w, &err), err);
    msw_digest digest = w.digest;
    msw_workload_free(&w);
    return digest;
}

static void test_every_byte_of_all_files_is_in_the_digest(void **state)
{
    const folder *f = *state;
    char longer[sizeof PTX + 8];
    msw_digest before = load(f, NULL);
    assert_true(msw_digest_equal(before, load(f, NULL)));
    snprintf(longer, sizeof longer, "%s\n", PTX);
    write_text(f->second, longer);
    assert_false(msw_digest_equal(before, load(f, NULL)));
    write_text(f->second, PTX);
    assert_true(msw_digest_equal(before, load(f, NULL)));
    snprintf(longer, sizeof longer, "%s\n", FILE_TEXT);
    write_text(f->first, longer);
    assert_false(msw_digest_equal(before, load(f, NULL)));
}

static void test_a_bundle_holds_all_files(void **state)
{
    const folder *f = *state;
    msw_recorder kept = {0};
    msw_file_source recorder = msw_bundle_recorder(&kept);
    msw_plan_options options = {.seed = -1, .files = &recorder};
    msw_digest before = load(f, &options);
    msw_file_source player = msw_bundle_player(&kept.bytes);
    options.files = &player;
    unlink(f->first);
    unlink(f->second);
    assert_true(msw_digest_equal(before, load(f, &options)));
    msw_text_free(&kept.bytes);
}

static void test_a_missing_file_is_told_with_the_one_that_names_it(void **state)
{
    const folder *f = *state;
    msw_err err = {0};
    char wanted[300];
    msw_workload w = {.name = msw_strdup(f->first), .frontend = msw_frontend_find("simt")};
    unlink(f->second);
    assert_int_equal(msw_content_load(NULL, f->first, &w, &err), -1);
    snprintf(wanted, sizeof wanted, "%s: %s", f->first, f->second);
    assert_non_null(strstr(err.text, wanted));
    assert_int_equal(err.kind, MSW_ERR_IO);
    msw_workload_free(&w);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(test_every_byte_of_all_files_is_in_the_digest),
        WITH_FOLDER(test_a_bundle_holds_all_files),
        WITH_FOLDER(test_a_missing_file_is_told_with_the_one_that_names_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
