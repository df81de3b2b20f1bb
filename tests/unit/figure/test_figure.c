/* SPDX-License-Identifier: MIT */
/* Do the words of a recipe become what they stand for, do factors lie on axes as people draw them,
 * and do strings from a database stay strings in gnuplot's hands? */
#include "finished.h"

#include "memsweep/figure/figure.h"

#include <stdlib.h>
#include <string.h>

static const char GRID[] = "sweep: grid\nmechanism: null\nworkloads: [synth/even, synth/small]\n"
                           "fidelity: analytic\n"
                           "vary: {gain: [1, 2, 4, 8], x1: [0, 0.5, 1], cost_kind: all}\n"
                           "objectives: {minimize: [y, cycles]}\n";
static const char RANGE[] = "sweep: range\nmechanism: null\nworkloads: [synth/small]\n"
                            "fidelity: analytic\nvary: {x1: {from: 0, to: 1}}\n"
                            "design: {kind: lhs, points: 64}\n";

typedef struct drawing {
    finished f;
    msw_plot plot;
    msw_figure figure;
} drawing;

static int open_plot(drawing *d, const char *text, const msw_figure_options *ask)
{
    *d = (drawing){0};
    finished_open(&d->f);
    finished_run(&d->f, "it.db", text, NULL);
    d->plot = (msw_plot){.context = &d->f.context, .options = *ask, .err = &d->f.err};
    d->figure = (msw_figure){.plot = &d->plot, .name = "test", .query_path = (char *)"test.sql"};
    return msw_plot_open(&d->plot, "it");
}

static void close_plot(drawing *d)
{
    msw_text_free(&d->figure.sql);
    msw_text_free(&d->figure.axes_list);
    msw_text_free(&d->figure.stack);
    msw_table_free(&d->figure.table);
    msw_plot_free(&d->plot);
    finished_close(&d->f);
}

static void words_stand_for_columns_of_the_sweep(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"SELECT :metric, :metric2 FROM x", "SELECT \"y\", \"cycles\" FROM x"},
        {":metric_hw", "y_hw"},
        {":metric2_hw",
         "CASE WHEN cycles_low IS NULL THEN NULL ELSE max(cycles_high - cycles, cycles - "
         "cycles_low, 0) END"},
        {":factor", "\"gain\""},
        {":factor2_at", "\"x1\""},
        {":workload_step", "(point / 24)"},
        {":sweep", "1"},
        {":points", "\"points_null\""},
        {":stack", ", avg(\"busy\") AS \"busy\", avg(\"stall\") AS \"stall\""},
        {"':metric' \":factor\" -- :rows\n1", "':metric' \":factor\" -- :rows\n1"},
        {"a :1 b:", "a :1 b:"},
        {"'not closed :metric", "'not closed :metric"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        drawing d;
        msw_figure_options ask = {0};
        assert_ok(open_plot(&d, GRID, &ask), d.f.err);
        assert_ok(msw_plot_fill(&d.figure, CASES[i][0]), d.f.err);
        assert_string_equal(msw_text_str(&d.figure.sql), CASES[i][1]);
        close_plot(&d);
    }
}

static void words_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *query, *text, *said;
    } CASES[] = {
        {":metrik", GRID,
         "test.sql: no word ':metrik' in queries of figures, did you mean ':metric'?"},
        {":a_word_of_far_more_than_sixty_four_letters_which_no_table_could_ever_hold", GRID,
         "no word ':a_word_of_far_more"},
        {":metric2", RANGE, "there is one objective only: name two by --metric a,b"},
        {":factor2", RANGE, "only one parameter varies: name two by --factor a,b"},
        {":front", RANGE, "a front takes two objectives"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        drawing d;
        msw_figure_options ask = {0};
        assert_ok(open_plot(&d, CASES[i].text, &ask), d.f.err);
        assert_int_equal(msw_plot_fill(&d.figure, CASES[i].query), -1);
        assert_said(&d.f.err, CASES[i].said);
        close_plot(&d);
    }
}

static void a_series_without_a_second_factor_is_one_line(void **state)
{
    (void)state;
    drawing d;
    msw_figure_options ask = {0};
    assert_ok(open_plot(&d, RANGE, &ask), d.f.err);
    assert_ok(msw_plot_fill(&d.figure, ":series :series_step"), d.f.err);
    assert_string_equal(msw_text_str(&d.figure.sql), "'' 0");
    close_plot(&d);
}

/* f: lowest y at lowest cycles is the one point of the front, of each workload. */
static void the_front_of_a_figure_is_that_of_its_metrics(void **state)
{
    (void)state;
    drawing d;
    msw_figure_options ask = {.filter = "cost_kind = 'spin'"};
    assert_ok(open_plot(&d, GRID, &ask), d.f.err);
    assert_ok(msw_plot_need_front(&d.plot, false), d.f.err);
    assert_int_equal(d.plot.front.count, 2);
    assert_ok(msw_plot_fill(&d.figure, ":front"), d.f.err);
    assert_non_null(strstr(msw_text_str(&d.figure.sql), "(SELECT value FROM json_each('["));
    assert_true(d.figure.front_used);
    close_plot(&d);
}

static void axes_lie_as_people_draw_them(void **state)
{
    (void)state;
    drawing d;
    msw_figure_options ask = {0};
    msw_axis gain = {0}, kind = {0}, x1 = {0};
    assert_ok(open_plot(&d, GRID, &ask), d.f.err);
    assert_ok(msw_plot_axis(&d.plot, "gain", 16, &gain), d.f.err);
    assert_true(gain.log2);
    assert_string_equal(msw_text_str(&gain.tics), "\"1\" 1, \"2\" 2, \"4\" 4, \"8\" 8");
    assert_string_equal(
        msw_text_str(&gain.step),
        "CASE \"gain\" WHEN 1 THEN 0 WHEN 2 THEN 1 WHEN 4 THEN 2 WHEN 8 THEN 3 END");
    assert_ok(msw_plot_axis(&d.plot, "cost_kind", 16, &kind), d.f.err);
    assert_string_equal(msw_text_str(&kind.at), msw_text_str(&kind.step));
    assert_non_null(strstr(msw_text_str(&kind.steps), "\"spin\""));
    assert_ok(msw_plot_axis(&d.plot, "x1", 16, &x1), d.f.err);
    assert_false(x1.log2 || x1.bins);
    assert_string_equal(msw_text_str(&x1.at), "\"x1\"");
    msw_axis_free(&gain);
    msw_axis_free(&kind);
    msw_axis_free(&x1);
    close_plot(&d);
}

static void a_range_lies_in_bins(void **state)
{
    (void)state;
    drawing d;
    msw_figure_options ask = {0};
    msw_axis axis = {0};
    assert_ok(open_plot(&d, RANGE, &ask), d.f.err);
    assert_ok(msw_plot_axis(&d.plot, "x1", 4, &axis), d.f.err);
    assert_true(axis.bins);
    assert_string_equal(msw_text_str(&axis.step), "min(3, CAST((\"x1\" - (0)) / 0.25 AS INTEGER))");
    assert_string_equal(msw_text_str(&axis.steps), "\"0\" -0.5, \"0.25\" 0.5, \"0.5\" 1.5, "
                                                   "\"0.75\" 2.5, \"1\" 3.5");
    msw_axis_free(&axis);
    close_plot(&d);
}

static void what_does_not_vary_has_no_axis(void **state)
{
    (void)state;
    drawing d;
    msw_figure_options ask = {.filter = "gain = 2"};
    msw_axis axis = {0};
    assert_ok(open_plot(&d, GRID, &ask), d.f.err);
    assert_int_equal(msw_plot_axis(&d.plot, "gain", 16, &axis), -1);
    assert_said(&d.f.err, "gain has only one value in the rows that take part");
    msw_err_clear(&d.f.err);
    assert_int_equal(msw_plot_axis(&d.plot, "gian", 16, &axis), -1);
    assert_said(&d.f.err, "sweep 'grid' has no column 'gian', did you mean 'gain'?");
    msw_axis_free(&axis);
    close_plot(&d);
}

static void wrong_names_are_refused_at_the_door(void **state)
{
    (void)state;
    static const struct {
        msw_figure_options ask;
        const char *said;
    } CASES[] = {
        {{.metrics = "y,cycels"}, "no column 'cycels', did you mean 'cycles'?"},
        {{.factors = "x77"}, "no column 'x77'"},
        {{.sweep = "gird"}, "gird"},
        {{.filter = "gain ="}, "the expression stops after '='"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        drawing d;
        assert_int_equal(open_plot(&d, GRID, &CASES[i].ask), -1);
        assert_said(&d.f.err, CASES[i].said);
        close_plot(&d);
    }
}

static void strings_stay_strings_in_gnuplot(void **state)
{
    (void)state;
    static const char HOSTILE[] = "\"; system(\"touch x\") #`id`%d\n@x";
    msw_text quoted = MSW_TEXT_EMPTY, cell = MSW_TEXT_EMPTY;
    msw_plot_quote(HOSTILE, &quoted);
    const char *s = msw_text_str(&quoted);
    assert_true(s[0] == '"' || s[0] == '\'');
    assert_int_equal(s[quoted.size - 1], s[0]);
    for (size_t i = 1; i + 1 < quoted.size; i++) {
        assert_true(s[i] != '\n');
        assert_true(s[i] != s[0] || s[i - 1] == '\\');
    }
    msw_plot_cell("50 %", &cell);
    assert_null(strchr(msw_text_str(&cell), '%'));
    msw_text_free(&quoted);
    msw_text_free(&cell);
}

static void the_script_tells_gnuplot_what_is_shown(void **state)
{
    (void)state;
    drawing d;
    msw_figure_options ask = {.format = "svg", .filter = "x1 = 0.5"};
    msw_text script = MSW_TEXT_EMPTY;
    assert_ok(open_plot(&d, GRID, &ask), d.f.err);
    assert_ok(msw_plot_fill(&d.figure, ":factor :metric"), d.f.err);
    d.figure.row_count = 16;
    msw_plot_script(&d.figure, &script);
    static const char *const LINES[] = {
        "format = \"svg\"\n",
        "figure = \"test\"\n",
        "objective_count = 2\n",
        "metric_name = \"y\"\n",
        "metric2_name = \"cycles\"\n",
        "panel_count = 1\n",
        "filter = \"where x1 = 0.5\"\n",
        "set logscale x 2",
        "load \"recipe.gp\"\n",
        "analytic, 16 rows",
    };
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        if (!strstr(msw_text_str(&script), LINES[i]))
            fail_msg("no '%s' in\n%s", LINES[i], msw_text_str(&script));
    msw_text_free(&script);
    close_plot(&d);
}

static void recipes_are_found_the_users_own_first(void **state)
{
    (void)state;
    drawing d;
    msw_figure_options ask = {0};
    msw_table names = {0};
    assert_ok(open_plot(&d, GRID, &ask), d.f.err);
    finished_write(&d.f, "lines.sql", "SELECT 1");
    finished_write(&d.f, "lines.gp", "");
    finished_write(&d.f, "mine.sql", "SELECT 2");
    d.plot.options.recipes = d.f.folder;
    assert_ok(msw_plot_recipes(&d.plot, &names), d.f.err);
    bool mine = false;
    for (size_t i = 0; i < names.columns[0].label_count; i++) {
        mine |= strcmp(names.columns[0].labels[i], "mine") == 0;
        assert_true(!i || strcmp(names.columns[0].labels[i - 1], names.columns[0].labels[i]) < 0);
    }
    assert_true(mine);
    msw_figure figure = {.plot = &d.plot, .name = "lines"};
    assert_ok(msw_plot_find(&figure), d.f.err);
    assert_int_equal(strncmp(figure.query_path, d.f.folder, strlen(d.f.folder)), 0);
    free(figure.query_path);
    free(figure.gnuplot_path);
    figure = (msw_figure){.plot = &d.plot, .name = "mine"};
    assert_int_equal(msw_plot_find(&figure), -1);
    assert_said(&d.f.err, "there is no mine.gp next to it");
    free(figure.query_path);
    figure = (msw_figure){.plot = &d.plot, .name = "linse"};
    msw_err_clear(&d.f.err);
    assert_int_equal(msw_plot_find(&figure), -1);
    assert_said(&d.f.err, "no figure 'linse', did you mean 'lines'?");
    free(figure.gnuplot_path);
    msw_table_free(&names);
    close_plot(&d);
}

static void figures_lie_beside_their_database(void **state)
{
    (void)state;
    static const char *const FOLDERS[][2] = {
        {"a/b/x.db", "a/b"}, {"/x.db", "/"}, {"./x.db", "."}, {"x.db", "."}};
    finished f;
    finished_open(&f);
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        char *folder = msw_plot_folder(&f.context, FOLDERS[i][0]);
        assert_string_equal(folder, FOLDERS[i][1]);
        free(folder);
    }
    finished_run(&f, "it.db", GRID, NULL);
    char *folder = msw_plot_folder(&f.context, "it");
    assert_string_equal(folder, f.folder);
    free(folder);
    finished_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_stand_for_columns_of_the_sweep),
        cmocka_unit_test(words_that_mean_nothing_are_refused),
        cmocka_unit_test(a_series_without_a_second_factor_is_one_line),
        cmocka_unit_test(the_front_of_a_figure_is_that_of_its_metrics),
        cmocka_unit_test(axes_lie_as_people_draw_them),
        cmocka_unit_test(a_range_lies_in_bins),
        cmocka_unit_test(what_does_not_vary_has_no_axis),
        cmocka_unit_test(wrong_names_are_refused_at_the_door),
        cmocka_unit_test(strings_stay_strings_in_gnuplot),
        cmocka_unit_test(the_script_tells_gnuplot_what_is_shown),
        cmocka_unit_test(recipes_are_found_the_users_own_first),
        cmocka_unit_test(figures_lie_beside_their_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
