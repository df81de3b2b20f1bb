/* SPDX-License-Identifier: MIT */
/* Are the claims of a paper asked of the rows of its sweeps, judged, shown, and asked again over
 * what nobody knows? */
#include "finished.h"

#include "memsweep/base/text.h"
#include "memsweep/reproduce/paper.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HEADER "id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note\n"

/* y = x1 + 9 / 2: 4.5 and 5.5. */
static const char SWEEP[] = "sweep: lines\nmechanism: null\nworkloads: [synth/small]\n"
                            "fidelity: analytic\nvary: {x1: [0, 1]}\n";
static const char CLAIMS[] =
    HEADER "mean,fig. 1,mean of y,cycles,5,stated,page 1,4.9,5.1,SELECT avg(y) FROM :line,why,\n"
           "high,fig. 1,largest y,cycles,5,stated,page 1,4.9,5.1,SELECT max(y) FROM :line,,\n"
           "wide,fig. 1,y with an error,cycles,5,stated,page 1,4.9,5.1,"
           "\"SELECT 5, 1 AS hw, 'about five' AS shown FROM :line LIMIT 1\",,\n"
           "none,fig. 2,no number,cycles,5,stated,page 2,4.9,5.1,SELECT NULL FROM :line LIMIT 1,,\n"
           "seen,fig. 2,a trend,yes/no,,bars,page 2,1,,SELECT min(y) < max(y) FROM :line,,\n"
           "why,fig. 3,why,,,experiment,,,,SELECT count(*) FROM :line,,said so\n";

typedef struct study {
    finished f;
    msw_paper_options ask;
    msw_paper_watch watch;
    msw_paper paper;
    int started;
} study;

static void started(void *context, const msw_plan *plan, const msw_todo *todo)
{
    (void)plan;
    (void)todo;
    ((study *)context)->started++;
}

static void ended(void *context, const msw_plan *plan, const msw_run_result *result)
{
    (void)context;
    (void)plan;
    (void)result;
}

static int begin_run(void *context, msw_store *store, int64_t sweep, int ranks, int threads,
                     int64_t *run, msw_err *err)
{
    static const msw_run_info RUN = {"0.1.0", "test", "here", "memsweep reproduce", 1, 1, NULL};
    (void)context;
    (void)ranks;
    (void)threads;
    return msw_store_begin_run(store, sweep, &RUN, run, err);
}

static int open_study_of(study *s, const char *sweep, const char *claims,
                         const msw_paper_options *ask)
{
    *s = (study){.ask = *ask};
    finished_open(&s->f);
    finished_write(&s->f, "published.csv", claims);
    finished_write(&s->f, "line.yaml", sweep);
    s->ask.threads = 1;
    s->watch =
        (msw_paper_watch){.context = s, .started = started, .ended = ended, .begin_run = begin_run};
    s->paper = (msw_paper){.context = &s->f.context,
                           .ask = &s->ask,
                           .watch = &s->watch,
                           .name = msw_strdup("it"),
                           .folder = msw_strdup(s->f.folder),
                           .err = &s->f.err};
    return msw_paper_open(&s->paper);
}

static int open_study(study *s, const char *claims, const msw_paper_options *ask)
{
    return open_study_of(s, SWEEP, claims, ask);
}

static void close_study(study *s)
{
    msw_paper_free(&s->paper);
    finished_close(&s->f);
}

static void claims_are_answered_and_judged(void **state)
{
    (void)state;
    study s;
    msw_paper_options ask = {0};
    static const double VALUES[] = {5, 5.5, 5, NAN, 1, 2};
    static const msw_judgement VERDICTS[] = {MSW_PASS, MSW_MISS, MSW_UNCLEAR,
                                             MSW_MISS, MSW_PASS, MSW_NO_VERDICT};
    assert_ok(open_study(&s, CLAIMS, &ask), s.f.err);
    assert_ok(msw_paper_answer(&s.paper), s.f.err);
    for (size_t i = 0; i < s.paper.claims.count; i++) {
        const msw_claim_answer *a = &s.paper.answers[i];
        if (!isnan(VALUES[i]) || !isnan(a->value))
            assert_near(a->value, VALUES[i], 1e-12);
        assert_int_equal(a->verdict, VERDICTS[i]);
    }
    assert_string_equal(s.paper.answers[2].shown, "about five");
    msw_tally tally = msw_paper_tally(&s.paper);
    assert_int_equal(tally.count[MSW_BY_CLOSED][MSW_PASS], 2);
    assert_int_equal(tally.count[MSW_BY_CLOSED][MSW_MISS], 1);
    assert_int_equal(tally.count[MSW_TWO_SIDED][MSW_MISS], 1); /* of no metric */
    assert_false(msw_paper_passes(&s.paper));
    for (size_t i = 0; i < s.paper.claims.count; i++)
        if (s.paper.answers[i].verdict == MSW_MISS || s.paper.answers[i].verdict == MSW_UNCLEAR)
            s.paper.answers[i].verdict = MSW_NO_VERDICT;
    assert_true(msw_paper_passes(&s.paper));
    close_study(&s);
}

static void what_was_run_is_not_run_again(void **state)
{
    (void)state;
    study s;
    msw_paper_options ask = {.figures = "fig. 2"};
    assert_ok(open_study(&s, CLAIMS, &ask), s.f.err);
    assert_ok(msw_paper_answer(&s.paper), s.f.err);
    assert_false(s.paper.answers[0].wanted); /* another figure */
    assert_true(s.paper.answers[3].wanted);
    assert_false(s.paper.some_failed || s.paper.interrupted);
    int before = s.started;
    assert_ok(msw_paper_answer(&s.paper), s.f.err);
    assert_int_equal(s.started, before + 1);
    close_study(&s);
}

static void a_figure_is_a_table(void **state)
{
    (void)state;
    study s;
    msw_paper_options ask = {0};
    msw_text reasons = MSW_TEXT_EMPTY;
    assert_ok(open_study(&s, CLAIMS, &ask), s.f.err);
    assert_ok(msw_paper_answer(&s.paper), s.f.err);
    msw_table_builder builder = {.err = &s.f.err};
    assert_int_equal(msw_paper_figure(&s.paper, 0, &builder, &reasons), 3);
    assert_int_equal(builder.table.rows, 3);
    msw_table_free(&builder.table);
    builder = (msw_table_builder){.err = &s.f.err};
    msw_paper_rows(&s.paper, &builder);
    assert_int_equal(builder.table.rows, 6);
    msw_table_free(&builder.table);
    msw_text_free(&reasons);
    close_study(&s);
}

static void the_page_says_what_came_out(void **state)
{
    (void)state;
    study s;
    char path[128], *text = NULL;
    size_t size;
    msw_paper_options ask = {.no_figures = true};
    assert_ok(open_study(&s, CLAIMS, &ask), s.f.err);
    s.ask.docs = s.f.folder;
    assert_ok(msw_paper_answer(&s.paper), s.f.err);
    assert_ok(msw_paper_page(&s.paper), s.f.err);
    assert_ok(msw_read_file(finished_path(&s.f, "it.md", path), &text, &size, &s.f.err), s.f.err);
    assert_non_null(strstr(text, "# it: published against the model"));
    assert_non_null(strstr(text, "two-sided: 0 pass, 1 miss, 1 unclear; "
                                 "by the closed form: 2 pass, 1 miss; 0 without verdict"));
    assert_non_null(strstr(text, "about five"));
    free(text);
    close_study(&s);
}

static void wrong_tables_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *claims, *figures, *said;
    } CASES[] = {
        {HEADER "a,f,q,,1,stated,s,,,SELECT 1 FROM :lien,,\n", NULL,
         "published.csv:2: no sweep lien.yaml"},
        {CLAIMS, "fig. 9", "--figure 'fig. 9': none of fig. 1, fig. 2, fig. 3"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        study s;
        msw_paper_options ask = {.figures = CASES[i].figures};
        assert_int_equal(open_study(&s, CASES[i].claims, &ask), -1);
        assert_said(&s.f.err, CASES[i].said);
        close_study(&s);
    }
}

static void wrong_queries_are_refused_with_their_line(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"SELECT y FROM :line", "published.csv:2: a: the query gives 2 rows instead of one"},
        {"SELECT why FROM :line", "published.csv:2: a: "},
        {"DELETE FROM :line", "published.csv:2: a: "},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        study s;
        msw_paper_options ask = {0};
        char *claims = msw_strfmt(HEADER "a,f,q,,1,stated,s,,,%s,,\n", CASES[i][0]);
        assert_ok(open_study(&s, claims, &ask), s.f.err);
        assert_int_equal(msw_paper_answer(&s.paper), -1);
        assert_said(&s.f.err, CASES[i][1]);
        free(claims);
        close_study(&s);
    }
}

static int add_word(void *context, const char *word, size_t size, msw_text *out)
{
    (void)context;
    msw_text_add(out, "<%.*s>", (int)size, word);
    return size == 3 && strncmp(word, "bad", 3) == 0 ? -1 : 0;
}

static void words_of_a_query_are_filled_in_outside_quotes(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"FROM :line, :b2_c;", "FROM <line>, <b2_c>;"},
        {"':line' \":line\" :x", "':line' \":line\" <x>"},
        {"'it''s :a' :a", "'it''s :a' <a>"},
        {"a : b :", "a : b :"},
        {"'open :a", "'open :a"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_text out = MSW_TEXT_EMPTY;
        assert_int_equal(msw_paper_fill(CASES[i][0], add_word, NULL, &out), 0);
        assert_string_equal(msw_text_str(&out), CASES[i][1]);
        msw_text_free(&out);
    }
    msw_text out = MSW_TEXT_EMPTY;
    assert_int_equal(msw_paper_fill(":good :bad :never", add_word, NULL, &out), -1);
    assert_null(strstr(msw_text_str(&out), "never"));
    msw_text_free(&out);
}

static void a_list_names_whole_words(void **state)
{
    (void)state;
    assert_true(msw_paper_lists(NULL, "fig. 1"));
    assert_true(msw_paper_lists("fig. 1, fig. 2", "fig. 2"));
    assert_false(msw_paper_lists("fig. 12", "fig. 1"));
    assert_false(msw_paper_lists("fig. 1", "fig. 12"));
    assert_false(msw_paper_lists("", "fig. 1"));
}

static void papers_are_found_by_name_and_by_path(void **state)
{
    (void)state;
    finished f;
    finished_open(&f);
    char **names = msw_paper_names(&f.context);
    bool found = false;
    for (size_t i = 0; names[i]; i++)
        found |= strcmp(names[i], "neummu") == 0;
    assert_true(found);
    msw_paper_names_free(names);
    char *folder = msw_paper_folder(&f.context, "neummu", &f.err);
    assert_non_null(folder);
    free(folder);
    assert_null(msw_paper_folder(&f.context, "numneu", &f.err));
    assert_said(&f.err, "no paper 'numneu'");
    finished_write(&f, "published.csv", CLAIMS);
    char path[128];
    folder = msw_paper_folder(&f.context, finished_path(&f, "/", path), &f.err);
    assert_string_equal(folder, f.folder);
    free(folder);
    finished_close(&f);
}

/* From the path of a folder to the page, as the command asks for it. */
static void a_paper_is_made_in_one_call(void **state)
{
    (void)state;
    study s = {.ask = {.threads = 1, .no_figures = true}};
    char path[128];
    struct stat info;
    finished_open(&s.f);
    finished_write(&s.f, "published.csv", CLAIMS);
    finished_write(&s.f, "line.yaml", SWEEP);
    s.ask.docs = s.ask.results = s.f.folder;
    s.watch = (msw_paper_watch){
        .context = &s, .started = started, .ended = ended, .begin_run = begin_run};
    s.paper =
        (msw_paper){.context = &s.f.context, .ask = &s.ask, .watch = &s.watch, .err = &s.f.err};
    assert_ok(msw_paper_make(&s.paper, s.f.folder), s.f.err);
    assert_string_equal(s.paper.name, strrchr(s.f.folder, '/') + 1);
    assert_int_equal(s.started, 1);
    char name[80];
    snprintf(name, sizeof name, "%s.md", s.paper.name);
    assert_int_equal(stat(finished_path(&s.f, name, path), &info), 0);
    close_study(&s);
}

/* Which of several free banks a request is turned to, the paper does not say. */
static const char UNKNOWN[] = "sweep: lines\nmechanism: htmmu\nworkloads: [karate]\n"
                              "fidelity: analytic\nvary: {l1_entries: [32, 64]}\n";
static const char COUNT[] = HEADER "n,f,q,,2,stated,s,2,2,SELECT count(*) FROM :line,,\n"
                                   "m,f,q,,2,stated,s,3,,SELECT count(*) FROM :line,,\n";

static void claims_are_asked_over_samples_of_what_nobody_knows(void **state)
{
    (void)state;
    study s;
    msw_text page = MSW_TEXT_EMPTY;
    msw_paper_options ask = {.samples = 3, .seed = 1, .unknowns = "divert,free_choice"};
    assert_ok(open_study_of(&s, UNKNOWN, COUNT, &ask), s.f.err);
    assert_ok(msw_paper_answer(&s.paper), s.f.err);
    assert_ok(msw_paper_spread(&s.paper), s.f.err);
    const msw_spread *spread = &s.paper.spread;
    assert_int_equal(spread->samples, 3);
    assert_int_equal(spread->unknown_count, 2);
    for (size_t i = 0; i < 3; i++) {
        assert_near(spread->values[i], 2, 0); /* each sample has the whole sweep */
        assert_int_equal(spread->verdicts[i], MSW_PASS);
        assert_int_equal(spread->verdicts[3 + i], MSW_MISS);
    }
    msw_spread_page(&s.paper, &page);
    assert_non_null(strstr(msw_text_str(&page), "divert"));
    msw_text_free(&page);
    close_study(&s);
}

static void unknowns_that_are_known_are_refused(void **state)
{
    (void)state;
    study s;
    msw_paper_options ask = {.samples = 3, .seed = 1, .unknowns = "l1_entries"};
    assert_ok(open_study_of(&s, UNKNOWN, COUNT, &ask), s.f.err);
    assert_int_equal(msw_paper_spread(&s.paper), -1);
    assert_said(&s.f.err, "l1_entries");
    close_study(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_are_answered_and_judged),
        cmocka_unit_test(what_was_run_is_not_run_again),
        cmocka_unit_test(a_figure_is_a_table),
        cmocka_unit_test(the_page_says_what_came_out),
        cmocka_unit_test(wrong_tables_are_refused_with_their_line),
        cmocka_unit_test(wrong_queries_are_refused_with_their_line),
        cmocka_unit_test(words_of_a_query_are_filled_in_outside_quotes),
        cmocka_unit_test(a_list_names_whole_words),
        cmocka_unit_test(papers_are_found_by_name_and_by_path),
        cmocka_unit_test(a_paper_is_made_in_one_call),
        cmocka_unit_test(claims_are_asked_over_samples_of_what_nobody_knows),
        cmocka_unit_test(unknowns_that_are_known_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
