/* SPDX-License-Identifier: MIT */
/* The page of a calibration, as Markdown, and its table of settings. The same rows give the same
 * bytes. */
#include "memsweep/format/format.h"
#include "memsweep/format/outfile.h"
#include "reproduce/calibrate/calibration.h"

#include "memsweep/base/quote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

static void add_table(const msw_table *table, msw_text *out)
{
    for (size_t i = 0; i < table->column_count; i++)
        msw_text_add(out, "| %s ", table->columns[i].name);
    msw_text_add(out, "|\n");
    for (size_t i = 0; i < table->column_count; i++)
        msw_text_add(out, "| --- ");
    msw_text_add(out, "|\n");
    for (size_t row = 0; row < table->rows; row++) {
        for (size_t i = 0; i < table->column_count; i++) {
            msw_text cell = MSW_TEXT_EMPTY;
            msw_format_cell(&table->columns[i], row, false, &cell);
            msw_text_add(out, "| ");
            msw_text_add_markdown(out, msw_text_str(&cell));
            msw_text_add(out, " ");
            out->failed = out->failed || cell.failed;
            msw_text_free(&cell);
        }
        msw_text_add(out, "|\n");
    }
    msw_text_add(out, "\n");
}

static int add_part(const msw_calibration *c, msw_calibrate_table which, msw_text *out)
{
    msw_table_builder builder = {.err = c->paper->err};
    msw_calibrated_rows(c, which, &builder);
    if (!builder.failed && builder.table.rows) {
        const char *title = msw_calibrated_title(which);
        msw_text_add(out, "## %c%s\n\n", title[0] - 'a' + 'A', title + 1);
        add_table(&builder.table, out);
    }
    msw_table_free(&builder.table);
    return builder.failed ? -1 : 0;
}

static void add_words(const msw_calibration *c, msw_text *out)
{
    msw_text words = MSW_TEXT_EMPTY;
    msw_calibrated_words(c, &words);
    char *line = words.failed ? NULL : words.data;
    for (char *end; line && *line; line = end + 1) {
        end = strchr(line, '\n');
        if (!end)
            break;
        *end = 0;
        msw_text_add(out, "- ");
        msw_text_add_markdown(out, line);
        msw_text_add(out, "\n");
    }
    out->failed = out->failed || words.failed;
    msw_text_add(out, "\n");
    msw_text_free(&words);
}

/* ---- settings ---- */

static void add_head(const msw_calibration *c, msw_text *out)
{
    msw_text_add(out, "setting\tfidelity\tleft\tworst\tweight");
    for (size_t u = 0; u < c->unknowns; u++)
        msw_text_add(out, "\t%s", c->paper->spread.unknowns[u].param->name);
    for (size_t q = 0; q < c->quantities; q++)
        msw_text_add(out, "\t%s", c->paper->claims.list[c->claim[q]].id);
    msw_text_add(out, "\n");
}

static void add_setting(const msw_calibration *c, size_t k, msw_text *out)
{
    msw_text_add(out, "%zu\t%s\t%d\t", k, c->at[MSW_WHOLE][k] ? "full" : "analytic", c->left[k]);
    msw_text_add_double(out, c->worst[k].distance[0]);
    msw_text_add(out, "\t");
    msw_text_add_double(out, c->weights ? c->weights[k] : 0);
    for (size_t u = 0; u < c->unknowns; u++) {
        char text[MSW_PARAM_TEXT];
        msw_text_add(
            out, "\t%s",
            msw_param_print(c->paper->spread.unknowns[u].param, msw_setting_value(c, k, u), text));
    }
    for (size_t q = 0; q < c->quantities; q++) {
        double value = msw_calibration_value(c, k, c->claim[q]);
        msw_text_add(out, "\t");
        if (!isnan(value))
            msw_text_add_double(out, value * msw_claim_scale(&c->paper->claims.list[c->claim[q]]));
    }
    msw_text_add(out, "\n");
}

/* Beside the databases: it is long, and no page. */
static int write_settings(msw_calibration *c)
{
    const msw_paper *p = c->paper;
    msw_text table = MSW_TEXT_EMPTY;
    char *path = p->ask->results
                     ? msw_strfmt("%s/%s-settings.tsv", p->ask->results, p->name)
                     : msw_strfmt("%s/paper/%s-settings.tsv", p->context->results_dir, p->name);
    add_head(c, &table);
    for (size_t k = 0; k < c->count; k++)
        add_setting(c, k, &table);
    int rc = path ? msw_outfile_write(path, MSW_OUTPUT_TABLE, NULL, &table, c->paper->err)
                  : msw_fail_memory(c->paper->err);
    if (rc == 0)
        msw_text_add(&c->paper->drawn, "%s\n", path);
    msw_text_free(&table);
    free(path);
    return rc;
}

/* ---- all ---- */

static int write_page(msw_calibration *c, const char *stem)
{
    msw_paper *p = c->paper;
    msw_text page = MSW_TEXT_EMPTY;
    char *path = msw_strfmt("%s.md", stem);
    int rc = path ? 0 : msw_fail_memory(p->err);
    msw_text_add(&page, "# %s: what is not said\n\n<!-- made by ", p->name);
    msw_calibration_command(c, &page);
    msw_text_add(&page, " -->\n\nMade by `");
    msw_calibration_command(c, &page);
    msw_text_add(&page, "`; what the columns mean: docs/models/calibrate.md.\n\n");
    add_words(c, &page);
    if (p->images.size)
        msw_text_add(&page, "%s", msw_text_str(&p->images));
    for (int which = 0; rc == 0 && which < MSW_CALIBRATED_COUNT; which++)
        rc = add_part(c, (msw_calibrate_table)which, &page);
    if (rc == 0)
        rc = msw_outfile_write(path, MSW_OUTPUT_REGION, NULL, &page, p->err);
    if (rc == 0)
        msw_text_add(&p->drawn, "%s\n", path);
    msw_text_free(&page);
    free(path);
    return rc;
}

int msw_calibrated_page(msw_calibration *c)
{
    const msw_paper *p = c->paper;
    char *folder =
        p->ask->docs ? msw_strdup(p->ask->docs) : msw_strfmt("%s/paper", p->context->results_dir);
    char *stem = folder ? msw_strfmt("%s/%s-region", folder, p->name) : NULL;
    int rc = stem ? msw_calibration_figures(c, stem) : msw_fail_memory(p->err);
    if (rc == 0)
        rc = msw_calibration_keep(c) || write_page(c, stem) || write_settings(c) ? -1 : 0;
    free(stem);
    free(folder);
    return rc;
}
