/* SPDX-License-Identifier: MIT */
/* Does a page hold what was run and nothing that a browser would run, whatever the database says?
 */
#include "finished.h"

#include "memsweep/base/text.h"
#include "memsweep/report/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HOSTILE "</script><img src=x onerror=alert(1)><!--"

static const char SWEEP[] =
    "sweep: it\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\n"
    "description: \"" HOSTILE "\"\n"
    "fix: {feasible_sum: 1.5}\nvary: {gain: [1, 2, 4, 8], x1: [0, 1], x2: [0, 1]}\n"
    "derive: {label: \"iif(x1 > 0, '" HOSTILE "', 'plain')\", none: \"x1 / 0\"}\n"
    "objectives: {minimize: [y, cycles]}\n";

typedef struct page {
    finished f;
    msw_report report;
    char library[128];
} page;

static int make(page *p, const msw_figure_options *ask)
{
    *p = (page){0};
    finished_open(&p->f);
    finished_run(&p->f, "it.db", SWEEP, NULL);
    finished_write(&p->f, "d3.min.js", "/* d3 */");
    p->report = (msw_report){.plot = {.context = &p->f.context, .options = *ask, .err = &p->f.err},
                             .options.file = "it",
                             .options.library = finished_path(&p->f, "d3.min.js", p->library)};
    return msw_report_find(&p->report) || msw_plot_open(&p->report.plot, "it") ||
                   msw_report_rows(&p->report) || msw_report_data(&p->report)
               ? -1
               : 0;
}

static void end(page *p)
{
    msw_report_free(&p->report);
    finished_close(&p->f);
}

static void assert_holds(const char *text, const char *wanted)
{
    if (!strstr(text, wanted))
        fail_msg("no '%s' in\n%.4000s", wanted, text);
}

static void rows_front_and_counts_are_those_of_the_sweep(void **state)
{
    (void)state;
    page p;
    msw_figure_options ask = {.format = "svg"};
    assert_ok(make(&p, &ask), p.f.err);
    assert_int_equal(p.report.chosen.total,
                     12); /* x1 + x2 = 2 is infeasible at each of four gains */
    assert_int_equal(p.report.chosen.left_out, 4);
    assert_int_equal(p.report.chosen.front, 1);
    const char *data = msw_text_str(&p.report.parts.data);
    assert_holds(data, "{\"shown\": 12");
    assert_holds(data, "\"objectives\": [\"y\", \"cycles\"]");
    assert_holds(data, "\"front_note\": \"1 of 12 points\"");
    assert_holds(data, "4 rows have no value for an objective.");
    assert_holds(data, "\"next_fidelity\": \"sampled\"");
    assert_true(p.report.chosen.whole);
    assert_int_equal(p.report.chosen.shown, 12);
    assert_holds(data, "{\"name\": \"gain\", \"unit\": \"\"");
    assert_holds(data, "\"factors\": [\"x1\", \"x2\", \"gain\"]");
    assert_holds(data, "\"title\": \"Importance of factors for y\"");
    assert_null(strstr(data, "\"name\": \"cost_us\""));
    end(&p);
}

static void nothing_from_the_database_ends_the_data(void **state)
{
    (void)state;
    page p;
    msw_figure_options ask = {.format = "svg"};
    assert_ok(make(&p, &ask), p.f.err);
    const char *data = msw_text_str(&p.report.parts.data);
    assert_null(strchr(data, '<'));
    assert_holds(data, "\\u003c/script>");
    end(&p);
}

static void the_page_is_one_file_that_runs_only_its_own_scripts(void **state)
{
    (void)state;
    page p;
    char path[128], *html = NULL;
    size_t size;
    msw_figure_options ask = {.format = "svg"};
    assert_ok(make(&p, &ask), p.f.err);
    finished_path(&p.f, "it.html", path);
    assert_ok(msw_report_write(&p.report, path, "it.db"), p.f.err);
    assert_ok(msw_read_file(path, &html, &size, &p.f.err), p.f.err);
    assert_null(strstr(html, "<img"));
    assert_null(strstr(html, "@DATA@"));
    assert_holds(html, "<title>it");
    assert_holds(html, "/* d3 */");
    free(html);
    end(&p);
}

static void only_what_passes_the_filter_is_shown(void **state)
{
    (void)state;
    page p;
    msw_figure_options ask = {.format = "svg", .filter = "gain = 8 AND x1 = 0", .metrics = "y"};
    assert_ok(make(&p, &ask), p.f.err);
    assert_int_equal(p.report.chosen.table.rows, 2);
    assert_true(msw_report_is_factor(&p.report, "x2"));
    assert_false(msw_report_is_factor(&p.report, "y"));
    end(&p);
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    page p;
    static const char *const NOWHERE[] = {"/nowhere", NULL};
    msw_figure_options ask = {.format = "svg", .metrics = "why"};
    assert_int_equal(make(&p, &ask), -1);
    assert_said(&p.f.err, "no column 'why'");
    msw_err_clear(&p.f.err);
    p.f.context.data_dirs = NOWHERE;
    assert_int_equal(msw_report_find(&p.report), -1);
    assert_said(&p.f.err, "no analysis/report/page.html in the data folders: set MEMSWEEP_DATA");
    p.f.context.data_dirs = p.f.data_dirs;
    p.report.options.library = "/nowhere/d3.min.js";
    msw_err_clear(&p.f.err);
    assert_int_equal(msw_report_find(&p.report), -1);
    assert_said(&p.f.err, "the report needs D3");
    end(&p);
}

static void a_page_is_made_beside_its_database(void **state)
{
    (void)state;
    page p = {0};
    bool drawn = true;
    char wanted[128];
    struct stat info;
    finished_open(&p.f);
    finished_run(&p.f, "it.db", SWEEP, NULL);
    finished_write(&p.f, "d3.min.js", "/* d3 */");
    p.report = (msw_report){
        .plot = {.context = &p.f.context, .options = {.format = "svg"}, .err = &p.f.err},
        .options.no_figures = true,
        .options.library = finished_path(&p.f, "d3.min.js", p.library)};
    char *path = msw_report_path(&p.f.context, "it");
    assert_string_equal(path, finished_path(&p.f, "it.html", wanted));
    assert_ok(msw_report_make(&p.report, "it", path, &drawn), p.f.err);
    assert_true(drawn); /* nobody asked for figures, so none is missing */
    assert_int_equal(stat(path, &info), 0);
    free(path);
    end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_front_and_counts_are_those_of_the_sweep),
        cmocka_unit_test(nothing_from_the_database_ends_the_data),
        cmocka_unit_test(the_page_is_one_file_that_runs_only_its_own_scripts),
        cmocka_unit_test(only_what_passes_the_filter_is_shown),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(a_page_is_made_beside_its_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
