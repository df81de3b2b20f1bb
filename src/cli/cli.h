/* SPDX-License-Identifier: MIT */
/* Private to cli: what a command is, and what all commands share.
 *
 * A command is one const record. Its option table is the only place where an option is written
 * down: parsing, --help, the man page and shell completion are made from it. */
#ifndef MSW_CLI_CLI_H
#define MSW_CLI_CLI_H

#include "memsweep/base/context.h"
#include "memsweep/base/err.h"
#include "memsweep/base/log.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/text.h"
#include "memsweep/format/format.h"
#include "memsweep/param/param.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXIT_OK = 0, EXIT_SOME_FAILED = 1, EXIT_USAGE = 2, EXIT_TROUBLE = 3, EXIT_INTERNAL = 4 };

/* What a word means; also decides what completion offers. */
typedef enum cli_kind {
    CLI_FLAG,       /* bool */
    CLI_TEXT,       /* const char * */
    CLI_EXPRESSION, /* const char *: "-" reads standard input */
    CLI_FILE,       /* const char * */
    CLI_DATABASE,   /* const char *: a database file */
    CLI_SWEEP,      /* const char *: a sweep file */
    CLI_NAME,       /* const char *: anything `describe` knows */
    CLI_CHOICE,     /* const char *: one of `choices` */
    CLI_INTEGER,    /* int64_t, from min to max */
    CLI_SECONDS     /* double: "10", "10s", "500ms" */
} cli_kind;

typedef struct cli_option {
    const char *name; /* long form without its dashes; a table ends with name NULL */
    char letter;      /* short form, 0: none */
    cli_kind kind;
    const char *arg; /* placeholder in help, NULL for a flag */
    const char *def; /* as a user would write it; NULL: not set (zero, NULL, false) */
    const char *help;
    size_t offset; /* of its field in the command's settings */
    const char *const *choices;
    int64_t min, max;
} cli_option;

typedef enum cli_count { CLI_ONE, CLI_OPTIONAL, CLI_MANY, CLI_ANY } cli_count;

/* The words of an operand that may be given more than once (CLI_MANY: at least once; CLI_ANY: or
 * not at all), the last of its table. */
typedef struct cli_words {
    char **list;
    size_t count;
} cli_words;

typedef struct cli_operand {
    const char *name; /* a table ends with name NULL */
    cli_kind kind;
    cli_count count;
    const char *help;
    size_t offset; /* const char * (CLI_MANY, CLI_ANY: cli_words) in the command's settings */
    const char *const *choices;
} cli_operand;

/* What every command gets. */
typedef struct cli {
    int argc;
    char **argv;
    char *dirs[5]; /* owned: data folders found at start, ended by NULL */
    msw_context context;
    const struct cli_command *const *commands; /* in the order of help, ended by NULL */
} cli;

typedef struct cli_command {
    const char *name, *doc; /* one line, no final point */
    const char *about;      /* paragraphs for help and man page */
    const char *first;      /* options that help shows first, with spaces between; NULL: all */
    const cli_operand *operands;
    const cli_option *options;
    const char *const *examples; /* command lines, ended by NULL */
    size_t settings_size;
    bool on_ranks; /* mpirun and srun start it on several ranks */
    /* Returns an exit code. */
    int (*run)(const cli *c, const void *settings);
} cli_command;

/* The list of main.c. */
extern const cli_command *const cli_commands[];

/* Finds a command by name. Returns it, or NULL. */
const cli_command *cli_find_command(const cli *c, const char *name);

/* Returns the name nearest to a wrong one, or NULL. */
const char *cli_nearest_command(const cli *c, const char *wrong);

/* ---- options.c ---- */

/* Reads a command's words into its settings (zeroed, settings_size bytes). `input` is what they
 * took from standard input, to be freed after use. Returns 0, 1 when --help was asked for, or -1.
 */
int cli_parse(const cli_command *command, int argc, char **argv, void *settings, char **input,
              msw_err *err);

/* ---- help.c: all made from the tables ---- */
/* Breaks a text at spaces; the first line starts at column `at`, the others at `indent`. */
void cli_add_wrapped(const char *text, size_t at, size_t indent, msw_text *out);
void cli_usage_line(const cli_command *command, msw_text *out);
void cli_help(const cli_command *command, bool all, msw_text *out);
void cli_overview(const cli *c, msw_text *out);
void cli_man(const cli *c, msw_text *out);
extern const char *const cli_exit_codes[];  /* one line per code, ended by NULL */
extern const char *const cli_environment[]; /* name, text, ..., ended by NULL */

/* ---- output.c: standard output and error ---- */

/* The exit code of a kind of error. */
int cli_exit_code(msw_err_kind kind);

/* Prints lines on standard error such that a terminal obeys nothing of them. */
void cli_say(const char *words);

/* Says "memsweep: ..." on standard error. Returns the exit code of its kind. */
int cli_fail(const msw_err *err);

/* The same of writing to standard output: whoever read it may have seen enough. */
int cli_fail_output(const msw_err *err);

/* Prints a text to standard output and frees it. Returns an exit code. */
int cli_print(msw_text *text);

/* The same of a format: as printf, but a terminal obeys nothing of what is filled in. */
void cli_printf(const char *format, ...) MSW_PRINTF(1, 2);

/* Prints a table in a format named by an option (CLI_FORMAT). Returns an exit code. */
int cli_print_table(const msw_table *table, const char *format, const msw_format_style *style);

/* Columns of the terminal that standard output goes to, 0 when it is not a terminal. */
int cli_terminal_width(void);

/* Last words: whether everything printed has arrived. Returns `code`, or EXIT_TROUBLE. */
int cli_finish(int code);

/* Whether a form is for people: text or record. */
bool cli_for_eyes(const char *format);

/* Names of the forms a table is printed in, ended by NULL. */
extern const char *const cli_formats[];

/* ---- words.c: sweeps of a file, names of tables, plan files ---- */

/* What --sweep and --fidelity mean together: a word that the store finds a sweep by. */
typedef struct cli_sweep {
    const char *word; /* NULL: the only sweep */
    char text[4096];
} cli_sweep;

/* What a user says of the rows wanted; NULL where nothing was said. */
typedef struct cli_which {
    const char *sweep, *fidelity;
    const char *over, *by; /* over workloads, and how: "worst", "weighted(a=2, b=1)" */
    bool distinct;         /* one line for rows that are alike */
} cli_which;

/* Makes the word. Returns 0, or -1 when two of them say the same thing. */
int cli_sweep_word(const cli_which *which, cli_sweep *out, msw_err *err);

/* ---- process.c: where data and results are ---- */

/* Finds the data folders and the results folder (MEMSWEEP_RESULTS, or "results"). Returns 0, or
 * -1. */
int cli_find_data(cli *c, msw_err *err);
void cli_free_data(cli *c);

/* Folder of result files: MEMSWEEP_RESULTS or "results". Returns its path. */
const char *cli_results_dir(void);

/* ---- words.c: names from the tables ---- */

typedef enum cli_what {
    CLI_MECHANISM,
    CLI_WORKLOAD,
    CLI_FRONTEND,
    CLI_DESIGN,
    CLI_PRESET,
    CLI_PARAMETER,
    CLI_METRIC,
    CLI_WHAT_COUNT
} cli_what;

extern const char *const cli_what_names[]; /* "mechanism", ... */

/* One thing with a name, and who owns it ("" when nobody). */
typedef struct cli_named {
    cli_what what;
    const char *name, *owner, *doc;
    const void *thing; /* msw_mech, msw_frontend, msw_design, msw_preset, msw_param or msw_metric */
} cli_named;

/* The list ends with name NULL. */
typedef struct cli_names {
    size_t count, capacity;
    cli_named *list;
} cli_names;

/* Lists all names of all tables, those of examples when they are asked for. Returns 0, or -1. */
int cli_names_all(cli_names *names, bool examples, msw_err *err);
void cli_names_free(cli_names *names);

/* Reads a share such as 95% or 0.95, more than 0 and less than 1, for the option `name`. Returns 0,
 * or -1. */
int cli_share(const char *name, const char *text, double *share, msw_err *err);

/* ---- words.c: plan files ---- */

struct msw_plan;

/* Loads a sweep file; says what is wrong with it. Returns EXIT_OK and the plan, or an exit code. */
int cli_load_plan(const cli *c, const char *word, const char *fidelity, int64_t seed,
                  struct msw_plan **plan);

/* Says what is wrong with a sweep file. Returns EXIT_USAGE, or EXIT_TROUBLE when it is no fault of
 * the file. */
struct msw_messages;
int cli_fail_plan(const struct msw_messages *messages);

/* Says what a sweep file is warned of; cli_load_plan does. */
void cli_warn_plan(const cli *c, const struct msw_plan *plan);

/* Names of the fidelities, ended by NULL, for option tables. */
extern const char *const cli_fidelities[];
extern const char *const cli_plan_fidelities[]; /* and `auto`, which sweeps can have */

/* ---- process.c: threads ---- */

/* Threads to use when nobody says: OMP_NUM_THREADS, or the CPUs this process may run on. */
int cli_default_threads(void);

/* OMP_NUM_THREADS, 0 when it is not set. */
int cli_threads_asked(void);

/* CPUs this process may run on, and whether those are all of the machine. */
int cli_allowed_cpus(void);
bool cli_may_use_all(void);

#endif
