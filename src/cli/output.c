/* SPDX-License-Identifier: MIT */
/* Standard output and standard error: what all commands print goes through here. */
#include "cli/cli.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const char *const cli_formats[] = {"text", "tsv", "csv", "json", "record", NULL};

int cli_exit_code(msw_err_kind kind)
{
    switch (kind) {
    case MSW_ERR_NONE:
        return EXIT_OK;
    case MSW_ERR_USAGE:
    case MSW_ERR_UNFIT:
        return EXIT_USAGE;
    case MSW_ERR_IO:
        return EXIT_TROUBLE;
    default:
        return EXIT_INTERNAL;
    }
}

/* Whether standard output is a pipe that nobody reads any more ("| head"): no reason to complain.
 */
static bool reader_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

int cli_fail(const msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    msw_text_add_visible_lines(&text, err->text);
    fflush(stdout);
    /* Where memory ran out for that, too, the words are better than nothing. */
    fprintf(stderr, "memsweep: %s\n", text.failed ? err->text : msw_text_str(&text));
    msw_text_free(&text);
    return cli_exit_code(err->kind);
}

int cli_print(msw_text *text)
{
    msw_err err = {0};
    if (text->failed) {
        msw_text_free(text);
        msw_fail_memory(&err);
        return cli_fail(&err);
    }
    fputs(msw_text_str(text), stdout);
    msw_text_free(text);
    return EXIT_OK;
}

int cli_print_table(const msw_table *table, const char *format, const msw_format_style *style)
{
    msw_err err = {0};
    int found = msw_format_find(format);
    if (msw_format_write(table, (msw_format)found, style, stdout, &err) == 0)
        return EXIT_OK;
    return reader_gone() ? EXIT_OK : cli_fail(&err);
}

bool cli_for_eyes(const char *format)
{
    int found = msw_format_find(format);
    return found == MSW_FORMAT_TEXT || found == MSW_FORMAT_RECORD;
}

int cli_terminal_width(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO))
        return 0;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

int cli_finish(int code)
{
    if ((fflush(stdout) == 0 && !ferror(stdout)) || reader_gone())
        return code;
    fprintf(stderr, "memsweep: standard output took not everything\n");
    return (int)msw_max_i64(code, EXIT_TROUBLE);
}
