/* SPDX-License-Identifier: MIT */
/* memsweep: finds the command, gets the process ready, runs it. */
#include "cli/cli.h"
#include "cli/run/launch.h"

#include "memsweep/run/ranks.h"

#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Commands of earlier versions, and where their work is done now. */
static const char *renamed_to(const char *word)
{
    return strcmp(word, "predict") == 0 ? "surrogate --at POINT (or --points FILE)" : NULL;
}

static int fail_unknown(const cli *c, const char *word)
{
    msw_err err = {0};
    if (renamed_to(word)) {
        msw_fail(&err, "'%s' is now 'memsweep %s'", word, renamed_to(word));
        return cli_fail(&err);
    }
    const char *best = cli_nearest_command(c, word);
    bool option = word[0] == '-';
    msw_fail(&err, "no %s '%s'%s%s%s ('memsweep help' shows all commands)",
             option ? "option" : "command", word, best ? ", did you mean '" : "", best ? best : "",
             best ? "'?" : "");
    return cli_fail(&err);
}

/* "--help all" shows all options. */
static int print_help(const cli_command *command, int argc, char **argv)
{
    msw_text text = MSW_TEXT_EMPTY;
    bool all = false, asked = false;
    for (int i = 0; i < argc; i++) {
        all = all || (asked && strcmp(argv[i], "all") == 0);
        asked = strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
    }
    cli_help(command, all, &text);
    return cli_print(&text);
}

/* Ranks of one command got the same words: rank 0 says what is wrong with them. Ranks of different
 * words say so each. */
static int fail_words(const cli_command *command, msw_err *err)
{
    msw_ranks ranks;
    msw_err ignored = {0};
    if (!command->on_ranks || msw_ranks_open(&ranks, &ignored))
        return cli_fail(err);
    bool said = msw_ranks_agree(&ranks, "command line", err->text, &ignored) == 0 && ranks.rank;
    int code = said ? cli_exit_code(err->kind) : cli_fail(err);
    msw_ranks_close(&ranks);
    return code;
}

static int run_command(const cli *c, const cli_command *command, int argc, char **argv)
{
    msw_err err = {0};
    void *settings = calloc(1, command->settings_size + 1);
    if (!settings) {
        msw_fail_memory(&err);
        return cli_fail(&err);
    }
    char *input = NULL;
    int parsed = cli_parse(command, argc, argv, settings, &input, &err);
    int code = parsed < 0   ? fail_words(command, &err)
               : parsed > 0 ? print_help(command, argc, argv)
                            : command->run(c, settings);
    free(settings);
    free(input);
    return code;
}

/* "memsweep --version" and "memsweep -h" are the commands of that name. */
static const char *command_word(const char *word)
{
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
        return "help";
    return strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 ? "version" : word;
}

/* With less the process would end by a signal, without a word. Threads get as much. */
#define STACK_LEAST (512 << 10)

static int check_stack(msw_err *err)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur >= STACK_LEAST)
        return 0;
    return msw_fail_kind(
        err, MSW_ERR_IO,
        "the stack may have %llu KiB, and at least %d are needed: 'ulimit -s 8192' "
        "is usual",
        (unsigned long long)limit.rlim_cur >> 10, STACK_LEAST >> 10);
}

static int prepare_process(cli *c, msw_err *err)
{
    gsl_set_error_handler_off();
    MSW_TRY(check_stack(err));
    signal(SIGPIPE, SIG_IGN); /* a reader that goes away must not stop a run */
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error with words */
    c->context.log.level = MSW_LOG_WARN;
    return cli_find_data(c, err);
}

int main(int argc, char **argv)
{
    cli c = {.argc = argc, .argv = argv, .commands = cli_commands};
    msw_err err = {0};
    if (argc == 2 && strcmp(argv[1], MSW_CHILD_COMMAND) == 0)
        return cli_supervise();
    if (prepare_process(&c, &err))
        return cli_fail(&err);
    int code;
    if (argc < 2) {
        msw_text text = MSW_TEXT_EMPTY;
        cli_overview(&c, &text);
        fputs(msw_text_str(&text), stderr);
        msw_text_free(&text);
        code = EXIT_USAGE;
    } else {
        const cli_command *command = cli_find_command(&c, command_word(argv[1]));
        code = command ? run_command(&c, command, argc - 2, argv + 2) : fail_unknown(&c, argv[1]);
    }
    cli_free_data(&c);
    return cli_finish(code);
}
