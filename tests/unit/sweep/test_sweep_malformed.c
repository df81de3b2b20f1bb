/* SPDX-License-Identifier: MIT */
/* Does every malformed sweep file get exactly the messages written beside it? */
#include "sweep_testing.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

enum { AT_LEAST = 40 };

/* "name.yaml" -> "name.txt" */
static char *beside(const char *name)
{
    return msw_strfmt("%.*s.txt", (int)(strlen(name) - strlen(".yaml")), name);
}

/* The words of the YAML library are its own and may change with it: only the place counts. */
static void assert_same(const char *name, const char *got, const char *wanted)
{
    const char *library = strstr(wanted, "not YAML: ");
    size_t size = library ? (size_t)(library - wanted) : strlen(wanted) + 1;
    if (strncmp(got, wanted, size) != 0)
        fail_msg("%s\n-- got\n%s-- wanted\n%s", name, got, wanted);
}

static void check(const char *name)
{
    static const msw_plan_options OPTIONS = {.seed = -1};
    msw_messages messages = {0};
    msw_plan *plan = NULL;
    msw_err err = {0};
    char *path = beside(name), *wanted;
    size_t size;
    assert_ok(msw_read_file(path, &wanted, &size, &err), err);
    if (msw_plan_load(name, &OPTIONS, &plan, &messages) == 0)
        fail_msg("%s was accepted", name);
    assert_same(name, msw_text_str(&messages.text), wanted);
    assert_true(messages.count > 0);
    msw_text_free(&messages.text);
    free(wanted);
    free(path);
}

static void every_file_gets_its_messages(void **state)
{
    (void)state;
    assert_int_equal(chdir(MEMSWEEP_SOURCE "/tests/cli/malformed"), 0);
    DIR *dir = opendir(".");
    assert_non_null(dir);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const char *end = strrchr(entry->d_name, '.');
        if (!end || strcmp(end, ".yaml") != 0)
            continue;
        check(entry->d_name);
        count++;
    }
    closedir(dir);
    assert_true(count >= AT_LEAST);
}

static void a_missing_file_is_told(void **state)
{
    (void)state;
    msw_messages messages = {0};
    msw_plan *plan = NULL;
    assert_int_equal(msw_plan_load("not-there.yaml", NULL, &plan, &messages), -1);
    assert_string_equal(msw_text_str(&messages.text),
                        "not-there.yaml: No such file or directory\n");
    assert_int_equal(messages.count, 1);
    msw_text_free(&messages.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_gets_its_messages),
        cmocka_unit_test(a_missing_file_is_told),
    };
    return cmocka_run_group_tests_name("sweep_malformed", tests, NULL, NULL);
}
