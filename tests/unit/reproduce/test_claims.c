/* SPDX-License-Identifier: MIT */
/* Are published results read as docs/reproduce.md says, refused with their place where they are
 * wrong, and judged by band and half-width? */
#include "testing.h"

#include "memsweep/base/text.h"
#include "memsweep/reproduce/claims.h"

#include <string.h>

static const char HEADER[] =
    "id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note\n";

static int parse(const char *rows, msw_claims *claims, msw_err *err)
{
    msw_err_clear(err);
    return msw_claims_parse("p.csv", msw_strfmt("%s%s", HEADER, rows), claims, err);
}

static void a_row_becomes_a_claim(void **state)
{
    (void)state;
    msw_claims claims;
    msw_err err;
    assert_ok(parse("# a remark, with a comma\n\n"
                    "loss,abstract,\"lost, on average\",%,0.06,stated,abstract,,+10%,"
                    "\"SELECT avg(x),\n 'it''s \"\"q\"\"' FROM :a\",why,\n"
                    "why,abstract,why,,,experiment,,,,SELECT 1,,said so\n",
                    &claims, &err),
              err);
    assert_int_equal(claims.count, 2);
    const msw_claim *c = &claims.list[0];
    assert_string_equal(c->quantity, "lost, on average");
    assert_string_equal(c->sql, "SELECT avg(x),\n 'it''s \"q\"' FROM :a");
    assert_near(c->published, 0.0006, 1e-15);
    assert_true(isnan(c->low));
    assert_near(c->high, 0.00066, 1e-15);
    assert_int_equal(c->line, 4);
    assert_int_equal(claims.list[1].line, 6);
    assert_string_equal(claims.list[1].note, "said so");
    assert_ptr_equal(msw_claim_find(&claims, "why not", 3), &claims.list[1]);
    msw_claims_free(&claims);
}

static void wrong_rows_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *said;
    } CASES[] = {
        {"a,f,q,,,stated,,,,SELECT 1,\n", "p.csv:2: 11 fields, the header has 12"},
        {"A,f,q,,,stated,,,,SELECT 1,,\n", "p.csv:2: id 'A'"},
        {"a,f,q,,,guessed,,,,SELECT 1,,\n", "certainty 'guessed'"},
        {"a,f,q,,1,remembered,,0,,SELECT 1,,\n", "is not judged"},
        {"a,f,q,,1,bars,,0,,SELECT 1,,\n", "bars give no number"},
        {"a,f,q,,,stated,,-2%,,SELECT 1,,\n", "a share of nothing"},
        {"a,f,q,,1,stated,,x,,SELECT 1,,\n", "low 'x': a number is wanted"},
        {"a,f,q,,1,stated,,3,2,SELECT 1,,\n", "more than high"},
        {"a,f,q,,1,stated,,,,SELECT 1,b,\n", "explain: no row 'b'"},
        {"a,f,q,,1,stated,,,,SELECT 1,,\na,f,q,,1,stated,,,,SELECT 1,,\n", "p.csv:3: id 'a'"},
        {"a,f,q,,1,stated,,,,,,\n", "a SELECT is wanted"},
        {"a,f,\"q,,1,stated,,,,SELECT 1,,\n", "p.csv:2: a quote is not closed"},
        {"a,f,\"q\"z,,1,stated,,,,SELECT 1,,\n", "after a closing quote"},
        {"", "p.csv: no rows"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_claims claims;
        msw_err err;
        assert_int_equal(parse(CASES[i].rows, &claims, &err), -1);
        if (!strstr(err.text, CASES[i].said))
            fail_msg("wanted '%s' in '%s'", CASES[i].said, err.text);
    }
}

static void a_wrong_header_names_the_nearest_column(void **state)
{
    (void)state;
    msw_claims claims;
    msw_err err = {0};
    assert_int_equal(msw_claims_parse("p.csv", msw_strdup("id,figur\n"), &claims, &err), -1);
    assert_non_null(strstr(err.text, "did you mean 'figure'?"));
    assert_int_equal(msw_claims_parse("p.csv", msw_strdup("id,figure\n"), &claims, &err), -1);
    assert_non_null(strstr(err.text, "no column 'quantity'"));
    assert_int_equal(msw_claims_parse("p.csv", msw_strdup("# nothing\n"), &claims, &err), -1);
}

static void half_widths_decide_between_miss_and_unclear(void **state)
{
    (void)state;
    msw_claim c = {.unit = "", .low = 1, .high = 2};
    assert_int_equal(msw_claim_judge(&c, 1, 0), MSW_PASS);
    assert_int_equal(msw_claim_judge(&c, 2, NAN), MSW_PASS);
    assert_int_equal(msw_claim_judge(&c, 2.1, 0), MSW_MISS);
    assert_int_equal(msw_claim_judge(&c, 2.1, 0.05), MSW_MISS);
    assert_int_equal(msw_claim_judge(&c, 2.1, 0.2), MSW_UNCLEAR);
    assert_int_equal(msw_claim_judge(&c, 1.5, 0.6), MSW_UNCLEAR);
    assert_int_equal(msw_claim_judge(&c, 1.5, 0.4), MSW_PASS);
    assert_int_equal(msw_claim_judge(&c, NAN, 0), MSW_MISS);
    c.high = NAN;
    assert_int_equal(msw_claim_judge(&c, 1e9, 1), MSW_PASS);
    assert_int_equal(msw_claim_judge(&c, 0.5, 0.1), MSW_MISS);
    c.low = NAN;
    assert_int_equal(msw_claim_judge(&c, 5, 0), MSW_NO_VERDICT);
}

static void a_row_may_name_the_row_it_depends_on(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *said;
    } CASES[] = {
        {"a,f,q,,1,stated,,,,SELECT 1,,,\nb,f,q,,1,stated,,,,SELECT 1,,,a\n"
         "c,f,q,,1,stated,,,,SELECT 1,,,law\n",
         NULL},
        {"a,f,q,,1,stated,,,,SELECT 1,,,b\n", "p.csv:2: depends: no row 'b', and it is not 'law'"},
        {"a,f,q,,1,stated,,,,SELECT 1,,,a\n", "p.csv:2: depends: 'a' depends on 'a'"},
        {"a,f,q,,1,stated,,,,SELECT 1,,,law\nb,f,q,,1,stated,,,,SELECT 1,,,a\n",
         "p.csv:3: depends: 'a' depends on 'law': name that one"},
        {"a,f,q,,1,stated,,,,SELECT 1,,\n", "12 fields, the header has 13"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_claims claims;
        msw_err err = {0};
        char *text = msw_strfmt("%.*s,depends\n%s", (int)strlen(HEADER) - 1, HEADER, CASES[i].rows);
        int rc = msw_claims_parse("p.csv", text, &claims, &err);
        assert_int_equal(rc, CASES[i].said ? -1 : 0);
        if (CASES[i].said && !strstr(err.text, CASES[i].said))
            fail_msg("wanted '%s' in '%s'", CASES[i].said, err.text);
        if (rc == 0) {
            assert_int_equal(msw_claim_weight(&claims.list[0], MSW_PASS, true), MSW_ONE_SIDED);
            assert_int_equal(msw_claim_weight(&claims.list[1], MSW_PASS, true), MSW_DEPENDENT);
            assert_int_equal(msw_claim_weight(&claims.list[2], MSW_PASS, true), MSW_LAW);
            msw_claims_free(&claims);
        }
    }
}

/* A band is two-sided where a number can lie beyond both of its ends. */
static void an_end_of_the_scale_is_no_end(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double published, low, high;
        msw_weight weight;
    } CASES[] = {
        {"", 2, 1.6, 2.4, MSW_TWO_SIDED},          {"", 1, 1, 1, MSW_TWO_SIDED},
        {"", 1, NAN, 1.01, MSW_ONE_SIDED},         {"", 2, 2, NAN, MSW_ONE_SIDED},
        {"yes/no", NAN, 1, NAN, MSW_ONE_SIDED},    {"%", 0.0006, 0, 0.0006, MSW_ONE_SIDED},
        {"%", 0.0443, 0, 0.1043, MSW_ONE_SIDED},   {"%", 0.9, 0.8, 1, MSW_ONE_SIDED},
        {"", 0.032, -0.018, 0.082, MSW_ONE_SIDED}, {"", -0.5, -0.6, -0.4, MSW_TWO_SIDED},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_claim c = {.unit = CASES[i].unit,
                       .published = CASES[i].published,
                       .low = CASES[i].low,
                       .high = CASES[i].high,
                       .depends = ""};
        assert_int_equal(msw_claim_weight(&c, MSW_PASS, true), CASES[i].weight);
    }
}

#define FACTS "kind,name,what,why\n"

static void facts_name_rows_with_a_band(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *said;
    } CASES[] = {
        {"group,g,a b*,one run\n", NULL},
        {"group,g,c,no band\n", "f.csv:2: what: no row with a band is called 'c'"},
        {"group,g,a,one\ngroup,h,a,two\n", "f.csv:3: 'a' is in 'g' already"},
        {"lump,g,a,one\n", "kind 'lump': group, inferred, conflict, alike or trivial"},
        {"group,g,a,\n", "name, what and why are all wanted"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_claims claims;
        msw_err err = {0};
        char *text = msw_strfmt("%s%s", HEADER,
                                "a,f,q,,1,stated,,1,1,SELECT 1,,\nb1,f,q,,1,stated,,1,1,"
                                "SELECT 1,,\nc,f,q,,1,stated,,,,SELECT 1,,\n");
        assert_int_equal(msw_claims_parse("p.csv", text, &claims, &err), 0);
        int rc = msw_facts_parse("f.csv", msw_strfmt(FACTS "%s", CASES[i].rows), &claims, &err);
        assert_int_equal(rc, CASES[i].said ? -1 : 0);
        if (CASES[i].said && !strstr(err.text, CASES[i].said))
            fail_msg("wanted '%s' in '%s'", CASES[i].said, err.text);
        if (rc == 0) {
            assert_ptr_equal(claims.list[0].facts[MSW_FACT_GROUP], &claims.facts[0]);
            assert_ptr_equal(claims.list[1].facts[MSW_FACT_GROUP], &claims.facts[0]);
            assert_null(claims.list[2].facts[MSW_FACT_GROUP]);
        }
        msw_claims_free(&claims);
    }
}

static void a_pass_that_proves_nothing_is_hollow(void **state)
{
    (void)state;
    msw_claim c = {.unit = "%", .published = NAN, .low = 0.5, .high = 1, .depends = ""};
    assert_int_equal(msw_claim_weight(&c, MSW_PASS, true), MSW_HOLLOW);
    assert_int_equal(msw_claim_weight(&c, MSW_MISS, true), MSW_ONE_SIDED);
    c.high = NAN; /* up to everything */
    assert_int_equal(msw_claim_weight(&c, MSW_PASS, true), MSW_HOLLOW);
    c.low = 0.6;
    assert_int_equal(msw_claim_weight(&c, MSW_PASS, true), MSW_ONE_SIDED);
    c.low = 0;
    c.published = 0.8;
    assert_int_equal(msw_claim_weight(&c, MSW_PASS, true), MSW_ONE_SIDED);
    assert_int_equal(msw_claim_weight(&c, MSW_PASS, false), MSW_HOLLOW);
    assert_int_equal(msw_claim_weight(&c, MSW_MISS, false), MSW_ONE_SIDED);
    c.depends = "law";
    assert_int_equal(msw_claim_weight(&c, MSW_PASS, false), MSW_LAW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_becomes_a_claim),
        cmocka_unit_test(wrong_rows_are_refused_with_their_line),
        cmocka_unit_test(a_wrong_header_names_the_nearest_column),
        cmocka_unit_test(a_row_may_name_the_row_it_depends_on),
        cmocka_unit_test(an_end_of_the_scale_is_no_end),
        cmocka_unit_test(facts_name_rows_with_a_band),
        cmocka_unit_test(a_pass_that_proves_nothing_is_hollow),
        cmocka_unit_test(half_widths_decide_between_miss_and_unclear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
