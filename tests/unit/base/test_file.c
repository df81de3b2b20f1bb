/* SPDX-License-Identifier: MIT */
/* Does every question about a file get the answer of the file itself, whatever links and other
 * names stand in the way, and is nothing removed or replaced that is not what was seen? */
#include "memsweep/base/file.h"
#include "testing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[200];

static int make_folder(void **state)
{
    (void)state;
    char name[] = "/tmp/memsweep-file-XXXXXX", *real;
    if (!mkdtemp(name) || !(real = realpath(name, NULL)))
        return -1;
    snprintf(folder, sizeof folder, "%s", real);
    free(real);
    return chdir(folder);
}

static int remove_folder(void **state)
{
    (void)state;
    char command[250];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") || system(command);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void reads(const char *path, const char *wanted)
{
    char text[100] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_int_equal(size, strlen(wanted));
    assert_string_equal(text, wanted);
}

static msw_file_info look(const char *path)
{
    msw_file_info info;
    msw_err err = {0};
    assert_ok(msw_file_look(path, &info, &err), err);
    return info;
}

static void kinds_are_told_apart(void **state)
{
    (void)state;
    write_text("plain", "12345");
    assert_int_equal(symlink("plain", "link"), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(look("plain").kind, MSW_FILE_PLAIN);
    assert_int_equal(look("plain").bytes, 5);
    assert_int_equal(look("link").kind, MSW_FILE_LINK);
    assert_int_equal(look("pipe").kind, MSW_FILE_OTHER);
    assert_int_equal(look(".").kind, MSW_FILE_FOLDER);
    assert_int_equal(look("none").kind, MSW_FILE_NONE);
    msw_file_info info;
    msw_err err = {0};
    assert_int_equal(msw_file_look("plain/below", &info, &err), -1);
    assert_int_equal(err.kind, MSW_ERR_IO);
    assert_non_null(strstr(err.text, "plain/below"));
}

static void identity_survives_a_new_name_and_not_a_new_file(void **state)
{
    (void)state;
    write_text("one", "a");
    write_text("two", "a");
    msw_file_info one = look("one"), two = look("two"), none = look("none");
    assert_false(msw_file_same(&one, &two));
    assert_false(msw_file_same(&none, &none));
    assert_true(msw_file_unchanged(&none, &none));
    assert_false(msw_file_unchanged(&none, &one));
    assert_false(msw_file_unchanged(&one, &none));
    assert_int_equal(rename("one", "three"), 0);
    msw_file_info three = look("three");
    assert_true(msw_file_same(&one, &three) && msw_file_unchanged(&one, &three));
    write_text("three", "ab");
    three = look("three");
    assert_true(msw_file_same(&one, &three));
    assert_false(msw_file_unchanged(&one, &three));
}

static void real_is(const char *path, const char *wanted)
{
    msw_err err = {0};
    char full[400], *real = msw_file_real(path, &err);
    if (!real)
        fail_msg("%s", err.text);
    snprintf(full, sizeof full, "%s/%s", folder, wanted);
    assert_string_equal(real, full);
    free(real);
}

static void real_names_have_no_links(void **state)
{
    (void)state;
    msw_err err = {0};
    write_text("there", "x");
    assert_int_equal(mkdir("far", 0777), 0);
    assert_int_equal(symlink(".", "here"), 0);
    assert_int_equal(symlink("../there", "far/to-there"), 0);
    assert_int_equal(symlink("far/to-missing", "to-missing"), 0);
    assert_int_equal(symlink("../missing", "far/to-missing"), 0);
    real_is("there", "there");
    real_is("./far//../here/there", "there");
    real_is("here/far/to-there", "there");
    real_is("missing", "missing");
    real_is("here/missing", "missing");
    real_is("to-missing", "missing");
    assert_int_equal(symlink("loop-b", "loop-a"), 0);
    assert_int_equal(symlink("loop-a", "loop-b"), 0);
    assert_null(msw_file_real("loop-a", &err));
    assert_null(msw_file_real("no-folder/file", &err));
    assert_non_null(strstr(err.text, "no-folder"));
}

static void only_files_of_our_own_are_opened(void **state)
{
    (void)state;
    static const char *const OTHERS[] = {"a-link", "a-dead-link", "a-folder", "a-pipe", "a-name"};
    msw_err err = {0};
    int fd = msw_file_open_own("own", &err);
    assert_true(fd >= 0);
    close(fd);
    write_text("own", "kept");
    fd = msw_file_open_own("own", &err);
    assert_true(fd >= 0);
    close(fd);
    reads("own", "kept");
    write_text("target", "kept");
    assert_int_equal(symlink("target", "a-link"), 0);
    assert_int_equal(symlink("nothing", "a-dead-link"), 0);
    assert_int_equal(mkdir("a-folder", 0777), 0);
    assert_int_equal(mkfifo("a-pipe", 0600), 0);
    assert_int_equal(link("target", "a-name"), 0);
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        assert_int_equal(msw_file_open_own(OTHERS[i], &err), -1);
        assert_non_null(strstr(err.text, OTHERS[i]));
    }
    assert_int_equal(look("nothing").kind, MSW_FILE_NONE);
}

static void what_was_not_seen_is_not_removed(void **state)
{
    (void)state;
    write_text("mine", "1");
    write_text("yours", "2");
    msw_file_info mine = look("mine");
    assert_false(msw_file_remove("yours", &mine));
    reads("yours", "2");
    assert_int_equal(symlink("mine", "link-to-mine"), 0);
    assert_false(msw_file_remove("link-to-mine", &mine));
    assert_true(msw_file_remove("mine", &mine));
    assert_int_equal(look("mine").kind, MSW_FILE_NONE);
    assert_true(msw_file_remove("mine", &mine));
}

static void what_was_not_seen_is_not_replaced(void **state)
{
    (void)state;
    msw_err err = {0};
    write_text("new", "new");
    msw_file_info none = look("place");
    write_text("place", "old");
    msw_file_info old = look("place");
    assert_int_equal(msw_file_replace("new", "place", &none, &err), 1);
    reads("place", "old");
    write_text("place", "older");
    assert_int_equal(msw_file_replace("new", "place", &old, &err), 1);
    reads("place", "older");
    old = look("place");
    assert_int_equal(msw_file_replace("new", "place", &old, &err), 0);
    reads("place", "new");
    write_text("new", "newer");
    none = look("free-place");
    assert_int_equal(msw_file_replace("new", "free-place", &none, &err), 0);
    reads("free-place", "newer");
    assert_int_equal(msw_file_replace("new", "free-place", &none, &err), 1);
}

static void made_files_were_not_there(void **state)
{
    (void)state;
    msw_err err = {0};
    msw_file_info one, two;
    char *first, *second;
    assert_ok(msw_file_create_beside("base", "part", &first, &one, &err), err);
    assert_ok(msw_file_create_beside("base", "part", &second, &two, &err), err);
    assert_string_not_equal(first, second);
    assert_int_equal(strncmp(first, "base.part-", 10), 0);
    assert_false(msw_file_same(&one, &two));
    free(first);
    free(second);
    assert_int_equal(msw_file_create_beside("no-folder/base", "part", &first, &one, &err), -1);
    assert_non_null(strstr(err.text, "no-folder"));
}

static void is_not_private(const char *path, const char *why)
{
    msw_err err = {0};
    assert_int_equal(msw_file_private_folder(path, &err), -1);
    assert_int_equal(err.kind, MSW_ERR_IO);
    if (!strstr(err.text, path) || !strstr(err.text, why))
        fail_msg("'%s' does not say of %s: %s", err.text, path, why);
}

static void private_folders_are_entered_by_one_user(void **state)
{
    (void)state;
    msw_err err = {0};
    umask(0);
    assert_ok(msw_file_private_folder("private", &err), err);
    assert_int_equal(look("private").mode, 0700);
    assert_ok(msw_file_private_folder("private", &err), err);
    assert_int_equal(chmod("private", 0750), 0);
    is_not_private("private", "other users");
    assert_int_equal(chmod("private", 0700), 0);
    assert_int_equal(symlink("private", "private-link"), 0);
    is_not_private("private-link", "not a folder");
    write_text("private-file", "");
    is_not_private("private-file", "not a folder");
    is_not_private("no-folder/private", "cannot make");
    if (geteuid() == 0 && chown("private", 12345, 12345) == 0)
        is_not_private("private", "another user");
    umask(022);
}

static void only_mounts_are_mounts(void **state)
{
    (void)state;
    write_text("a b\\c", "");
    char name[300];
    snprintf(name, sizeof name, "%s/a b\\c", folder);
    assert_false(msw_file_is_mount(name));
    assert_false(msw_file_is_mount(folder));
    if (look("/proc/self/mountinfo").kind == MSW_FILE_PLAIN)
        assert_true(msw_file_is_mount("/proc"));
}

static void parts_of_paths(void **state)
{
    (void)state;
    static const char *const CASES[][3] = {{"a", ".", "a"},
                                           {"a/b", "a", "b"},
                                           {"/a", "/", "a"},
                                           {"/a/b", "/a", "b"},
                                           {"a/b/", "a/b", ""}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *name = msw_file_folder(CASES[i][0]);
        assert_string_equal(name, CASES[i][1]);
        assert_string_equal(msw_file_name(CASES[i][0]), CASES[i][2]);
        free(name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_told_apart),
        cmocka_unit_test(identity_survives_a_new_name_and_not_a_new_file),
        cmocka_unit_test(real_names_have_no_links),
        cmocka_unit_test(only_files_of_our_own_are_opened),
        cmocka_unit_test(what_was_not_seen_is_not_removed),
        cmocka_unit_test(what_was_not_seen_is_not_replaced),
        cmocka_unit_test(made_files_were_not_there),
        cmocka_unit_test(private_folders_are_entered_by_one_user),
        cmocka_unit_test(only_mounts_are_mounts),
        cmocka_unit_test(parts_of_paths),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
