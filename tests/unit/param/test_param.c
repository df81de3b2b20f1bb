/* SPDX-License-Identifier: MIT */
/* Do parameter tables refuse bad entries, and do values survive parsing, checking and printing? */
#include "memsweep/param/param.h"
#include "testing.h"

#include <string.h>

typedef struct config {
    int64_t count;
    double latency;
    int64_t policy, page, bypass, slots;
    double share;
} config;

static const msw_choice POLICIES[] = {{"lru", "least recently used"},
                                      {"fifo", "first in, first out"},
                                      {"random", "any"},
                                      {NULL, NULL}};

static const msw_param TABLE[] = {
    {.name = "ptw_count",
     .kind = MSW_INTEGER,
     .unit = "",
     .min = 1,
     .max = 4096,
     .def = 128,
     .neutral = MSW_NO_NEUTRAL,
     .scale = MSW_POW2,
     .doc = "page-table walkers",
     .source = MSW_PAPER,
     .reference = "a test",
     .offset = offsetof(config, count)},
    {.name = "latency",
     .kind = MSW_REAL,
     .unit = "ns",
     .min = 0,
     .max = 1000,
     .def = 0.1,
     .neutral = MSW_NEUTRAL(0),
     .doc = "wait",
     .source = MSW_UNKNOWN,
     .reference = "a test",
     .plausible_min = 0.1,
     .plausible_max = 10,
     .offset = offsetof(config, latency)},
    {.name = "policy",
     .kind = MSW_CHOICE,
     .unit = "",
     .def = 1,
     .neutral = MSW_NO_NEUTRAL,
     MSW_CHOICES(POLICIES),
     .doc = "replacement",
     .source = MSW_UNKNOWN,
     .reference = "a test",
     .offset = offsetof(config, policy)},
    {.name = "page_size",
     .kind = MSW_SIZE,
     .unit = "B",
     .min = 4096,
     .max = 1073741824,
     .def = 65536,
     .neutral = MSW_NO_NEUTRAL,
     .scale = MSW_POW2,
     .doc = "bytes of a page",
     .source = MSW_PUBLIC,
     .reference = "a test",
     .offset = offsetof(config, page)},
    {.name = "bypass",
     .kind = MSW_FLAG,
     .unit = "",
     .def = 0,
     .neutral = MSW_NEUTRAL(0),
     .doc = "go around",
     .source = MSW_INFERRED,
     .reference = "a test",
     .offset = offsetof(config, bypass)},
    {.name = "slots",
     .kind = MSW_INTEGER,
     .unit = "requests",
     .min = 0,
     .max = 1048576,
     .def = 1048576,
     .neutral = MSW_NO_NEUTRAL,
     .scale = MSW_POW2,
     .max_word = "unlimited",
     .doc = "waiting places",
     .source = MSW_PAPER,
     .reference = "a test",
     .offset = offsetof(config, slots)},
    {.name = "share",
     .kind = MSW_REAL,
     .unit = "",
     .min = -1,
     .max = 1,
     .def = 0.5,
     .neutral = MSW_NO_NEUTRAL,
     .doc = "part",
     .source = MSW_PAPER,
     .reference = "a test",
     .offset = offsetof(config, share)},
    {.name = NULL},
};

static const msw_param *entry(const char *name)
{
    const msw_param *found = msw_params_find(TABLE, name);
    assert_non_null(found);
    return found;
}

static void a_sound_table_passes(void **state)
{
    (void)state;
    msw_err err;
    assert_ok(msw_params_check(TABLE, "test", sizeof(config), &err), err);
    assert_ok(msw_params_check(NULL, "empty", 0, &err), err);
    assert_int_equal(msw_params_count(TABLE), 7);
    assert_int_equal(msw_params_count(NULL), 0);
    assert_null(msw_params_find(TABLE, "ptw"));
    assert_null(msw_params_find(NULL, "ptw"));
}

static void defaults_reach_the_fields(void **state)
{
    (void)state;
    config c;
    msw_params_defaults(TABLE, &c);
    assert_int_equal(c.count, 128);
    assert_true(c.latency == 0.1);
    assert_int_equal(c.policy, 1);
    assert_int_equal(c.page, 65536);
    assert_int_equal(c.bypass, 0);
    assert_int_equal(c.slots, 1048576);
    assert_true(c.share == 0.5);
    msw_param_set(entry("ptw_count"), &c, 7);
    assert_true(msw_param_get(entry("ptw_count"), &c) == 7);
    assert_true(msw_param_get(entry("latency"), &c) == 0.1);
}

/* Conditions are about other entries of the table, and compile. */
static void conditions_are_checked(void **state)
{
    (void)state;
    msw_err err;
    msw_param table[] = {*entry("policy"), *entry("slots"), *entry("share"), {.name = NULL}};
    table[1].acts = "policy = 'lru' AND share > 0";
    table[2].acts = "0";
    assert_ok(msw_params_check(table, "owner", sizeof(config), &err), err);
    const struct {
        const char *acts, *says;
    } BAD[] = {
        {"polcy = 'lru'", "acts: "},
        {"polcy = 'lru'", "did you mean 'policy'"},
        {"policy = ", "acts: "},
        {"slots > 1", "names itself"},
        {"policy = 'lru' OR slots > 1", "names itself"},
        {"", "acts: "},
        {"coalesce(share, 0) > 0", "decided without a value"},
        {"CASE WHEN share > 0 THEN 1 ELSE 0 END", "decided without a value"},
        {"policy IS 'lru'", "decided without a value"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        table[1].acts = BAD[i].acts;
        err = (msw_err){0};
        assert_int_equal(msw_params_check(table, "owner", sizeof(config), &err), -1);
        if (!strstr(err.text, "owner: parameter 'slots': ") || !strstr(err.text, BAD[i].says))
            fail_msg("'%s' got '%s', wanted '%s'", BAD[i].acts, err.text, BAD[i].says);
    }
}

/* One entry is spoilt at a time; the message must name owner and entry, and hold `says`. */
static void check_spoilt(const msw_param *spoilt, const char *says)
{
    msw_param table[3] = {*entry("ptw_count"), *spoilt, {.name = NULL}};
    msw_err err = {0};
    assert_int_equal(msw_params_check(table, "owner", sizeof(config), &err), -1);
    char start[100];
    snprintf(start, sizeof start, "owner: parameter '%s': ", spoilt->name);
    if (strncmp(err.text, start, strlen(start)) != 0 || !strstr(err.text, says))
        fail_msg("got '%s', wanted '%s...%s'", err.text, start, says);
}

#define SPOIL(base, change, says)                                                                  \
    do {                                                                                           \
        msw_param e = *entry(base);                                                                \
        e.change;                                                                                  \
        check_spoilt(&e, says);                                                                    \
    } while (0)

#define SPOIL_LIST(list, says)                                                                     \
    do {                                                                                           \
        msw_param e = *entry("policy");                                                            \
        e.choices = list;                                                                          \
        e.choice_count = sizeof list / sizeof *list;                                               \
        check_spoilt(&e, says);                                                                    \
    } while (0)

static void bad_names_are_found(void **state)
{
    (void)state;
    SPOIL("share", name = "ptw_count", "declared twice");
    SPOIL("share", name = "Share", "lower-case");
    SPOIL("share", name = "2share", "lower-case");
    SPOIL("share", name = "sh are", "lower-case");
    SPOIL("share", name = "", "lower-case");
    SPOIL("share", name = "group", "SQL keyword");
    SPOIL("share", name = "index", "SQL keyword");
    SPOIL("share", name = "key", "keeps for itself");
    SPOIL("share", name = "design_index", "keeps for itself");
    SPOIL("share", name = "kib", "keeps for itself");
    SPOIL("share", name = "slowdown_hw", "half-widths");
}

static void bad_ranges_are_found(void **state)
{
    (void)state;
    SPOIL("share", min = 2, "range 2 .. 1");
    SPOIL("share", max = INFINITY, "range -1 .. inf");
    SPOIL("share", def = 2, "default: share = 2 is out of range: -1 .. 1");
    SPOIL("share", def = NAN, "default: share = nan is out of range");
    SPOIL("share", neutral = MSW_NEUTRAL(3), "neutral: share = 3 is out of range");
    SPOIL("slots", def = 1.5, "not a whole number");
    SPOIL("slots", min = 0.5, "not whole");
    SPOIL("slots", max = 1e17, "beyond 2^53");
    SPOIL("slots", min = -1, "pow2 scale");
    SPOIL("latency", scale = MSW_LOG, "log scale");
    SPOIL("latency", plausible_max = 0, "plausible range 0.1 .. 0");
    SPOIL("latency", plausible_max = 1001, "plausible range 0.1 .. 1001");
    SPOIL("share", source = MSW_UNKNOWN, "needs a plausible range");
    SPOIL("slots", max_word = "9", "word '9'");
    SPOIL("bypass", max_word = "all", "word 'all'");
    SPOIL("bypass", def = 2, "default: bypass = 2 is out of range: off, on");
    SPOIL("policy", def = 3, "default: policy = 3 is out of range: lru, fifo, random");
}

/* What a row forgets is told from what it says: 0 is a neutral value, too. */
static void a_forgotten_neutral_is_found(void **state)
{
    (void)state;
    SPOIL("latency", neutral = NULL, "says nothing of a neutral value");
    assert_true(msw_param_neutral(entry("latency")) == 0);
    assert_true(isnan(msw_param_neutral(entry("share"))));
    msw_param silent = {.name = "silent"};
    assert_true(isnan(msw_param_neutral(&silent)));
}

static void bad_words_are_found(void **state)
{
    (void)state;
    static const msw_choice TWICE[] = {{"a", "b"}, {"a", "c"}, {NULL, NULL}};
    static const msw_choice SILENT[] = {{"a", NULL}, {NULL, NULL}};
    static const msw_choice NONE[] = {{NULL, NULL}};
    static const msw_choice HOLE[] = {{"a", "b"}, {NULL, NULL}, {"c", "d"}, {NULL, NULL}};
    static const msw_choice ENDLESS[] = {{"a", "b"}, {"c", "d"}};
    SPOIL_LIST(TWICE, "'a' is listed twice");
    SPOIL_LIST(SILENT, "'a' needs one doc line");
    SPOIL_LIST(NONE, "empty list");
    SPOIL_LIST(HOLE, "has a hole in its list of choices: there is none at 1");
    SPOIL_LIST(ENDLESS, "list of choices without an end");
    SPOIL("policy", choice_count = 0, "use MSW_CHOICES");
    SPOIL("policy", choices = NULL, "has no choices");
    SPOIL("share", choices = POLICIES, "has choices but");
    SPOIL("share", doc = NULL, "doc line");
    SPOIL("share", doc = "", "doc line");
    SPOIL("share", doc = "part.", "final point");
    SPOIL("share", reference = NULL, "needs a reference");
    SPOIL("share", reference = "", "needs a reference");
    SPOIL("share", unit = NULL, "has no unit");
    SPOIL("share", unit = "us", "declare it in 'ns'");
    SPOIL("share", unit = "KiB", "declare it in 'B'");
    SPOIL("share", unit = "?!", "unknown unit '?!'");
    SPOIL("bypass", unit = "ns", "has no unit");
    SPOIL("page_size", unit = "", "needs the unit B");
}

static void bad_offsets_are_found(void **state)
{
    (void)state;
    SPOIL("share", offset = sizeof(config), "no field");
    SPOIL("share", offset = 4, "no field");
    SPOIL("share", offset = 0, "shares its field with 'ptw_count'");
}

static void values_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        double value;
    } CASES[] = {
        {"ptw_count", "1", 1},
        {"ptw_count", "4096", 4096},
        {"ptw_count", "1e3", 1000},
        {"latency", "0.25", 0.25},
        {"latency", "500ps", 0.5},
        {"share", "50%", 0.5},
        {"share", "-0", 0},
        {"policy", "lru", 0},
        {"policy", "random", 2},
        {"page_size", "64KiB", 65536},
        {"page_size", "4.5KiB", 4608},
        {"page_size", "2 MiB", 2097152},
        {"page_size", "4096", 4096},
        {"bypass", "on", 1},
        {"bypass", "off", 0},
        {"bypass", "true", 1},
        {"bypass", "false", 0},
        {"bypass", "yes", 1},
        {"bypass", "no", 0},
        {"bypass", "1", 1},
        {"bypass", "0", 0},
        {"slots", "unlimited", 1048576},
        {"slots", "0", 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_err err;
        double value = -1;
        assert_ok(msw_param_parse(entry(CASES[i].name), CASES[i].text, &value, &err), err);
        assert_true(value == CASES[i].value);
        assert_false(signbit(value) && value == 0);
    }
}

static void bad_values_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *message;
    } CASES[] = {
        {"ptw_count", "0", "ptw_count = 0 is out of range: 1 .. 4096"},
        {"ptw_count", "1.5", "ptw_count = 1.5 is not a whole number: 1 .. 4096"},
        {"ptw_count", "many", "ptw_count: 'many' is not a number"},
        {"ptw_count", "", "ptw_count: '' is not a number"},
        {"ptw_count", "nan", "ptw_count: 'nan' is not a number"},
        {"ptw_count", "unlimited", "ptw_count: 'unlimited' is not a number"},
        {"latency", "2 us", "latency = 2000 is out of range: 0 .. 1000 ns"},
        {"page_size", "2KiB", "page_size = 2KiB is out of range: 4KiB .. 1GiB"},
        {"page_size", "4096.5", "page_size = 4096.5B is not a whole number: 4KiB .. 1GiB"},
        {"slots", "2097152", "slots = 2097152 is out of range: 0 .. 1048576 (unlimited) requests"},
        {"policy", "fifi",
         "policy = fifi is not a choice, did you mean 'fifo'? allowed: "
         "lru, fifo, random"},
        {"policy", "plru-tree", "policy = plru-tree is not a choice: lru, fifo, random"},
        {"policy", "0", "policy = 0 is not a choice: lru, fifo, random"},
        {"bypass", "maybe", "bypass = maybe is not a switch: off, on"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_err err = {0};
        double value = -1;
        assert_int_equal(msw_param_parse(entry(CASES[i].name), CASES[i].text, &value, &err), -1);
        assert_string_equal(err.text, CASES[i].message);
        assert_true(value == -1);
    }
}

static void values_are_printed(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
        const char *text;
    } CASES[] = {
        {"ptw_count", 128, "128"},
        {"latency", 0.1, "0.1"},
        {"latency", 1.0 / 3, NULL},
        {"latency", 1e-7, "1e-07"},
        {"share", -0.0, "0"},
        {"policy", 1, "fifo"},
        {"page_size", 4096, "4KiB"},
        {"page_size", 4097, "4097B"},
        {"page_size", 1073741824, "1GiB"},
        {"page_size", 1536 * 1024, "1536KiB"},
        {"bypass", 0, "off"},
        {"bypass", 1, "on"},
        {"slots", 1048576, "unlimited"},
        {"slots", 0, "0"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[MSW_PARAM_TEXT];
        msw_param_print(entry(CASES[i].name), CASES[i].value, text);
        if (CASES[i].text)
            assert_string_equal(text, CASES[i].text);
        msw_err err;
        double back;
        assert_ok(msw_param_parse(entry(CASES[i].name), text, &back, &err), err);
        assert_true(back == CASES[i].value);
    }
}

static void kinds_have_types_and_names(void **state)
{
    (void)state;
    assert_int_equal(msw_param_type(entry("ptw_count")), MSW_EXPR_INTEGER);
    assert_int_equal(msw_param_type(entry("page_size")), MSW_EXPR_INTEGER);
    assert_int_equal(msw_param_type(entry("bypass")), MSW_EXPR_INTEGER);
    assert_int_equal(msw_param_type(entry("latency")), MSW_EXPR_REAL);
    assert_int_equal(msw_param_type(entry("policy")), MSW_EXPR_TEXT);
    assert_int_equal(msw_param_choices(entry("policy")), 3);
    assert_int_equal(msw_param_choices(entry("bypass")), 2);
    assert_int_equal(msw_param_choices(entry("latency")), 0);
    assert_string_equal(msw_source_name(MSW_UNKNOWN), "unknown");
    assert_string_equal(msw_kind_name(MSW_FLAG), "flag");
}

/* Off, although what it is when it is on does not reach down to off: half of the draws. A range
 * that holds the neutral value is drawn from evenly. */
static void what_is_off_is_drawn_off_half_of_the_time(void **state)
{
    (void)state;
    msw_param p = *entry("latency");
    p.plausible_min = 100;
    p.plausible_max = 200;
    assert_true(msw_param_draw(&p, 0) == 0 && msw_param_draw(&p, 0.499) == 0);
    assert_near(msw_param_draw(&p, 0.5), 100, 1e-9);
    assert_near(msw_param_draw(&p, 0.75), 150, 1e-9);
    p.plausible_min = 0;
    assert_near(msw_param_draw(&p, 0.25), 50, 1e-9);
    assert_true(msw_param_draw(entry("ptw_count"), 0) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_table_passes),
        cmocka_unit_test(conditions_are_checked),
        cmocka_unit_test(defaults_reach_the_fields),
        cmocka_unit_test(bad_names_are_found),
        cmocka_unit_test(bad_ranges_are_found),
        cmocka_unit_test(a_forgotten_neutral_is_found),
        cmocka_unit_test(bad_words_are_found),
        cmocka_unit_test(bad_offsets_are_found),
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(bad_values_are_explained),
        cmocka_unit_test(values_are_printed),
        cmocka_unit_test(kinds_have_types_and_names),
        cmocka_unit_test(what_is_off_is_drawn_off_half_of_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
