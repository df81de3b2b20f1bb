#include "cli/cases.h"

int cli_show_cases(msw_cases *cases, msw_table_builder *builder, int rc, const char *format,
                   msw_format_style style)
{
    msw_text note = MSW_TEXT_EMPTY;
    if (msw_store_close(cases->store, rc ? NULL : cases->err))
        rc = -1;
    msw_text_add(&note, "%s", style.note); /* lines, each with its end */
    if (rc == 0)
        msw_cases_note(cases, &note);
    style.width = cli_terminal_width();
    style.note = msw_text_str(&note);
    int code = rc ? cli_fail(cases->err) : cli_print_table(&builder->table, format, &style);
    msw_text_free(&note);
    msw_table_free(&builder->table);
    msw_cases_free(cases);
    return code;
}
