#include "sheet.h"

#include "memsweep/quote.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void cli_sheet_row(cli_sheet *sheet)
{
    if (msw_table_resize(&sheet->table, sheet->table.rows + 1, sheet->err))
        sheet->failed = true;
}

static msw_column *find_column(cli_sheet *sheet, const char *name, bool text)
{
    if (sheet->failed)
        return NULL;
    int c = msw_table_find(&sheet->table, name);
    if (c < 0 && text && cli_text_column(&sheet->table, name, sheet->err) == 0)
        c = (int)sheet->table.column_count - 1;
    else if (c < 0 && !text)
        c = msw_table_add_column(&sheet->table, name, "", MSW_GOAL_NONE, sheet->err);
    sheet->failed = c < 0;
    return c < 0 ? NULL : &sheet->table.columns[c];
}

void cli_sheet_number(cli_sheet *sheet, const char *name, double value)
{
    msw_column *column = find_column(sheet, name, false);
    if (column)
        column->values[sheet->table.rows - 1] = value;
}

void cli_sheet_count(cli_sheet *sheet, const char *name, uint64_t count)
{
    msw_column *column = find_column(sheet, name, false);
    if (!column)
        return;
    column->integer = true;
    column->values[sheet->table.rows - 1] = (double)count;
}

void cli_sheet_text(cli_sheet *sheet, const char *name, const char *text)
{
    msw_column *column = find_column(sheet, name, true);
    int label = column && text ? msw_column_label(column, text, sheet->err) : 0;
    if (label < 0)
        sheet->failed = true;
    else if (column && text)
        column->values[sheet->table.rows - 1] = label;
}

/* ---- what is kept in the file ---- */

static int print_json(const msw_table *table, char **json, msw_err *err)
{
    size_t size = 0;
    FILE *out = open_memstream(json, &size);
    if (!out)
        return msw_fail_memory(err);
    int rc = msw_report_write(table, MSW_FORMAT_JSON, NULL, out, err);
    return fclose(out) && rc == 0 ? msw_fail_memory(err) : rc;
}

static void add_value(const cli_option *o, const void *field, msw_text *out)
{
    if (o->kind == CLI_FLAG)
        msw_text_add(out, *(const bool *)field ? "true" : "false");
    else if (o->kind == CLI_INTEGER)
        msw_text_add(out, "%" PRId64, *(const int64_t *)field);
    else if (o->kind == CLI_SECONDS)
        msw_text_add_double(out, *(const double *)field);
    else if (*(const char *const *)field)
        msw_text_add_json(out, *(const char *const *)field);
    else
        msw_text_add(out, "null");
}

/* How a result is shown and kept does not change it. */
static bool is_about_output(const cli_option *o)
{
    static const char *const NAMES[] = {"format", "save", "all", NULL};
    for (const char *const *name = NAMES; *name; name++)
        if (strcmp(o->name, *name) == 0)
            return true;
    return false;
}

static void print_settings(const cli_command *command, const void *settings, msw_text *out)
{
    const char *before = "{";
    for (const cli_option *o = command->options; o->name; o++) {
        if (is_about_output(o))
            continue;
        msw_text_add(out, "%s", before);
        msw_text_add_json(out, o->name);
        msw_text_add(out, ": ");
        add_value(o, (const char *)settings + o->offset, out);
        before = ", ";
    }
    msw_text_add(out, "}");
}

int cli_sheet_save(const cli_sheet *sheet, msw_store *store, int64_t sweep,
                   const cli_command *command, const void *settings)
{
    char *json = NULL;
    msw_text asked = MSW_TEXT_EMPTY;
    print_settings(command, settings, &asked);
    int rc =
        asked.failed ? msw_fail_memory(sheet->err) : print_json(&sheet->table, &json, sheet->err);
    if (rc == 0)
        rc = msw_store_save_analysis(store, sweep, command->name, msw_text_str(&asked), json,
                                     sheet->err);
    msw_text_free(&asked);
    free(json);
    return rc;
}
