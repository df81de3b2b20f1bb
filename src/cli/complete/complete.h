/* SPDX-License-Identifier: MIT */
/* Private to cli: completion of command lines. The shells' scripts ask the program, which knows its
 * tables and can look into databases. */
#ifndef MSW_CLI_COMPLETE_COMPLETE_H
#define MSW_CLI_COMPLETE_COMPLETE_H

#include "cli/cli.h"

/* A command line up to the word that is to be completed. */
typedef struct cli_line {
    const cli *c;
    const cli_command *command;
    const char *operands[8]; /* those before that word; the first ones when there are more */
    size_t operand_count;
    const char *sweep, *fidelity; /* given so far, or NULL */
    const char *before;           /* what of the word stays as it is: a list up to its last comma */
    size_t before_size;
    const char *part; /* what is to be completed of it */
    msw_text *out;    /* a line per word that fits; ":files yaml" asks for files, too */
} cli_line;

/* script.c: what the shells read. */
void cli_completion_bash(msw_text *out);
void cli_completion_zsh(msw_text *out);

/* line.c: prints what the last of `words` ("memsweep", command, ...) can become. */
void cli_complete(const cli *c, char *const *words, size_t count, msw_text *out);

/* offers.c: one of them. */
void cli_offer(cli_line *line, const char *word);
void cli_offer_files(cli_line *line, const char *ending);

/* What the value of an option, or an operand, can be. */
void cli_offer_option(cli_line *line, const cli_option *option);
void cli_offer_operand(cli_line *line, const cli_operand *operand);

#endif
