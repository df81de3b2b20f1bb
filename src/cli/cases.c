/* SPDX-License-Identifier: MIT */
#include "cli/cases.h"

#include "cli/save.h"

int cli_open_cases(const cli *c, const char *file, const cli_which *which, bool save,
                   msw_cases *cases)
{
    cli_sweep found;
    MSW_TRY(cli_sweep_word(which, &found, cases->err));
    MSW_TRY(msw_cases_open(&c->context, file, found.word, save ? MSW_STORE_WRITE : MSW_STORE_READ,
                           cases));
    MSW_TRY(msw_cases_read(cases));
    return 0;
}

int cli_save_cases(const msw_cases *cases, msw_table_builder *builder, const cli_command *command,
                   const void *settings)
{
    return cli_save_groups(builder, &cases->grouping, cases->ask.group_by, cases->store,
                           cases->sweep.id, command, settings);
}

int cli_close_cases(msw_cases *cases, int rc)
{
    MSW_TRY(msw_store_close(cases->store, rc ? NULL : cases->err));
    MSW_TRY(rc);
    return 0;
}

int cli_show_cases(msw_cases *cases, msw_table_builder *builder, msw_text *note, int rc,
                   const char *format)
{
    msw_format_style style = {
        .width = cli_terminal_width(), .hide_same = true, .note = msw_text_str(note)};
    int code = rc ? cli_fail(cases->err) : cli_print_table(&builder->table, format, &style);
    msw_text_free(note);
    msw_table_free(&builder->table);
    msw_cases_free(cases);
    return code;
}
