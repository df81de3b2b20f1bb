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

void cli_say(const char *words)
{
    /* Where memory runs out for that, the words are better than nothing. */
    msw_text text = MSW_TEXT_EMPTY;
    msw_text_add_visible_lines(&text, words);
    fputs(text.failed ? words : msw_text_str(&text), stderr);
    msw_text_free(&text);
}

int cli_fail(const msw_err *err)
{
    char words[MSW_ERR_TEXT_BYTES + 16];
    snprintf(words, sizeof words, "memsweep: %s\n", err->text);
    fflush(stdout);
    cli_say(words);
    return cli_exit_code(err->kind);
}

/* Names of files may hold anything. Whole lines and tabs are what a text is made of. */
static bool commands_terminal(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if ((*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7f ||
            (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0))
            return true;
    return false;
}

int cli_print(msw_text *text)
{
    msw_err err = {0};
    if (text->failed) {
        msw_text_free(text);
        msw_fail_memory(&err);
        return cli_fail(&err);
    }
    msw_text visible = MSW_TEXT_EMPTY;
    if (commands_terminal(msw_text_str(text)))
        msw_text_add_visible_lines(&visible, msw_text_str(text));
    fputs(msw_text_str(visible.size && !visible.failed ? &visible : text), stdout);
    msw_text_free(&visible);
    msw_text_free(text);
    return EXIT_OK;
}

void cli_printf(const char *format, ...)
{
    msw_text text = MSW_TEXT_EMPTY;
    va_list args;
    va_start(args, format);
    msw_text_add_args(&text, format, args);
    va_end(args);
    cli_print(&text);
}

int cli_fail_output(const msw_err *err)
{
    return reader_gone() ? EXIT_OK : cli_fail(err);
}

int cli_print_table(const msw_table *table, const char *format, const msw_format_style *style)
{
    msw_err err = {0};
    int found = msw_format_find(format);
    if (msw_format_write(table, (msw_format)found, style, stdout, &err) == 0)
        return EXIT_OK;
    return cli_fail_output(&err);
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
