/* SPDX-License-Identifier: MIT */
/* Is a table of errors that is damaged refused with one message, so that no row gets a wrong
 * interval of it? */
#include "testing.h"

#include "memsweep/mech/engine.h"
#include "memsweep/sweep/errors.h"

#include <stdlib.h>
#include <string.h>

#define TREE   "node\t0\tparam gain\t1\t1\t2\nleaf\t1\t3\nleaf\t2\t4\n"
#define RANGE  "error\t3\tcycles\t50\t0.5\t2\n"
#define DIGITS "11111111111111111111111111111111111111111111111111"

static char *head(void)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_errors_head(msw_mech_find("null"), &text);
    msw_text_add(&text, "frontends\tsynth\nconfidence\t0.9\nlargest\t1e9\n");
    return msw_text_str(&text) ? (char *)msw_text_str(&text) : NULL;
}

static int parse(const char *text, size_t size, msw_err *err)
{
    msw_errors *errors = NULL;
    int rc = msw_errors_parse(text, size, &errors, err);
    if (rc == 0)
        msw_errors_free(errors);
    else
        assert_null(errors);
    return rc;
}

static void assert_refused(const char *text, size_t size, const char *what)
{
    msw_err err = {0};
    if (parse(text, size, &err) == 0)
        fail_msg("accepted: %s", what);
    assert_non_null(strstr(err.text, "a table of errors: "));
    assert_null(strchr(err.text, '\n'));
}

static void damaged_lines_are_refused(void **state)
{
    (void)state;
    static const char *const BAD[] = {
        "",                                                                /* no tree */
        "node\t0\tparam gain\t1\t1\t2\nleaf\t1\t3\n" RANGE,                /* cut */
        "node\t0\tparam gain\t1\t0\t1\nleaf\t1\t3\n" RANGE,                /* a loop */
        "node\t0\tparam gain\t1\t1\t1\nleaf\t1\t3\n" RANGE,                /* one child twice */
        "leaf\t0\t3\nleaf\t1\t4\n" RANGE,                                  /* no parent */
        "node\t0\tparam gain\t1\t1\t2\nleaf\t1\t3\nleaf\t2\t3\n" RANGE,    /* a stratum twice */
        "node\t0\tparam gain\tnan\t1\t2\nleaf\t1\t3\nleaf\t2\t4\n" RANGE,  /* no threshold */
        "node\t0\tparam nothing\t1\t1\t2\nleaf\t1\t3\nleaf\t2\t4\n" RANGE, /* no such feature */
        "node\t0\tparam gain\t1\t1\t4e9\nleaf\t1\t3\n" RANGE,              /* huge */
        "leaf\t0\t1\n",                                                    /* own workloads */
        "leaf\t0\t64\n",                                                   /* beyond the last */
        TREE "error\t5\tcycles\t50\t0.5\t2\n",                             /* of no leaf */
        TREE RANGE "error\t3\tcycles\t50\t0.9\t1.1\n",                     /* which? */
        TREE "error\t3\tcycles\t50\t2\t0.5\n",                             /* low above high */
        TREE "error\t3\tcycles\t50\t-1\t2\n",                              /* below 0 */
        TREE "error\t3\tcycles\t50\tnan\t2\n",                             /* no number */
        TREE "error\t3\tcycles\t50\t0.5\tinf\n",                           /* no number */
        TREE "error\t3\tcycles\t50\t0.5\t1e300\n",                         /* overflows */
        TREE "error\t3\tcycles\t50\t0.5\t1e999\n",                         /* the same */
        TREE "error\t3\tcycles\t0\t0.5\t2\n",                              /* of no points */
        TREE "error\t3\tcycles\t1.5\t0.5\t2\n",                            /* of a share */
        TREE "error\t3\tcycles\t1e300\t0.5\t2\n",                          /* of too many */
        TREE "error\t3\tcycles\t50\t0.5\n",                                /* a value short */
        TREE "error\t3\tcycles\t50\t0.5\t2\t3\n",                          /* one too many */
        TREE "error\t3\tnothing\t50\t0.5\t2\n",                            /* no such metric */
        TREE "error\t3\tcycles\t50\t0.5\t" DIGITS DIGITS "\n",             /* cut at 95 */
        TREE RANGE "mechanism\thtmmu\n",                                   /* another's */
        TREE RANGE "confidence\t1.5\n",
        TREE RANGE "largest\t-1\n",
        TREE RANGE "node\n",
    };
    char *first = head();
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        char *text = msw_strfmt("%s%s", first, BAD[i]);
        assert_refused(text, strlen(text), BAD[i]);
        free(text);
    }
    free(first);
}

static void cut_short_it_has_no_other_interval(void **state)
{
    (void)state;
    char *first = head(), *text = msw_strfmt("%s" TREE RANGE, first);
    size_t size = strlen(text);
    msw_err err = {0};
    assert_ok(parse(text, size, &err), err);
    for (size_t cut = 0; cut < size; cut++)
        if (!cut || text[cut - 1] != '\n')
            assert_refused(text, cut, "a line without its end");
    text[size - 3] = '\0';
    assert_refused(text, size, "a NUL");
    free(text);
    free(first);
}

/* What a byte did to it: refused, or still a table whose answers are ranges. */
static void bytes_that_change_do_no_harm(void **state)
{
    (void)state;
    static const char BYTES[] = "\t\n-.09e\xff";
    char *first = head(), *text = msw_strfmt("%s" TREE RANGE, first);
    for (size_t i = 0; text[i]; i++)
        for (size_t b = 0; b < sizeof BYTES; b++) {
            msw_errors *errors = NULL;
            msw_err err = {0};
            char was = text[i];
            text[i] = BYTES[b];
            if (msw_errors_parse(text, strlen(first) + strlen(TREE RANGE), &errors, &err) == 0) {
                for (size_t r = 0; r < errors->range_count; r++)
                    assert_true(errors->ranges[r].low >= 0 &&
                                errors->ranges[r].high >= errors->ranges[r].low);
                msw_errors_free(errors);
            }
            text[i] = was;
        }
    free(text);
    free(first);
}

static void one_of_other_models_answers_nothing(void **state)
{
    (void)state;
    static const char OTHER[] = "mechanism\tnull\nclosed\t1\nmachine\t1\nmodel\t0123\n"
                                "frontends\tsynth\nconfidence\t0.9\nlargest\t1e9\n" TREE RANGE;
    double values[128] = {0};
    msw_errors *errors = NULL;
    msw_err err = {0};
    assert_ok(msw_errors_parse(OTHER, strlen(OTHER), &errors, &err), err);
    assert_int_equal(msw_errors_stratum(errors, true, values, values), MSW_STRATUM_EARLIER);
    assert_null(msw_errors_range(errors, MSW_STRATUM_EARLIER, errors->total));
    msw_errors_free(errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_lines_are_refused),
        cmocka_unit_test(cut_short_it_has_no_other_interval),
        cmocka_unit_test(bytes_that_change_do_no_harm),
        cmocka_unit_test(one_of_other_models_answers_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
