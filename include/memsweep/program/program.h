/* SPDX-License-Identifier: MIT */
/* program: a simulator of the user's as a mechanism: how its command is made of a config, and how
 * its answer is read from what it writes.
 *
 * A definition is data: reading one starts nothing. Its record is an msw_external; what decides an
 * answer (command, templates, readers, units, environment, content of files, the executables) has a
 * digest, which is in the key of every point. */
#ifndef MEMSWEEP_PROGRAM_PROGRAM_H
#define MEMSWEEP_PROGRAM_PROGRAM_H

#include "memsweep/mech/engine.h"
#include "memsweep/program/external.h"
#include "memsweep/workload/workload.h"

#include <regex.h>

enum {
    MSW_PROGRAM_WORDS = 256, /* of a command */
    MSW_PROGRAM_PATH = 1024,
    MSW_PROGRAM_OUTPUT_MOST = 64 << 20, /* bytes of a file that is read */
    MSW_PROGRAM_LINE_MOST = 64 << 10,   /* bytes of a line of one */
};

/* A name and the text it stands for. */
typedef struct msw_program_pair {
    const char *name, *text;
} msw_program_pair;

/* Values of placeholders: of a fidelity, or of a case. */
typedef struct msw_program_set {
    const char *name;
    const char *const *command; /* of a fidelity with one of its own; else NULL */
    size_t count;
    msw_program_pair *pairs;
    double cost_us; /* expected of a point; NaN: unknown */
    bool declared;
} msw_program_set;

typedef enum msw_reader_kind {
    MSW_READ_JSON,
    MSW_READ_CSV,
    MSW_READ_KEY,
    MSW_READ_LINE,
    MSW_READ_NAMES,
    MSW_READ_GEM5
} msw_reader_kind;

typedef enum msw_take { MSW_TAKE_ONLY, MSW_TAKE_FIRST, MSW_TAKE_LAST, MSW_TAKE_SUM } msw_take;

/* Where a metric's number stands in what the program wrote. */
typedef struct msw_reader {
    msw_reader_kind kind;
    const char *file;        /* in the run's folder */
    const char *at;          /* JSON path, column, key, statistic, or regular expression */
    const char *values;      /* names + values: the line of values */
    const char *where_name;  /* CSV: the row whose column of this name ... */
    const char *where_value; /* ... holds this */
    size_t sum_count;
    const char *const *sum; /* names + values: summed */
    msw_take take;
    size_t dump;     /* gem5: this dump, from 1; 0: `take` says */
    bool dump_said;  /* gem5: several dumps are fine */
    bool with_unit;  /* the number is followed by its unit */
    char thousands;  /* between groups of three digits; '\0': nothing is */
    double scale;    /* what is read is multiplied by it */
    bool optional;   /* may be missing, nan or inf: then it has no value */
    bool measured;   /* differs from run to run, such as a time */
    regex_t line[2]; /* compiled: `at`, `values` */
    bool compiled[2];
} msw_reader;

/* A line of a file that must be there, or that says how a run ended. */
typedef struct msw_pattern {
    const char *file, *line;
    int exit; /* -1: any */
} msw_pattern;

/* A file that runs see: written from a template, or linked. */
typedef struct msw_program_file {
    const char *name; /* in the run's folder */
    const char *path; /* of the file itself */
    const char *text; /* of a template; else NULL */
    char digest[MSW_DIGEST_TEXT];
} msw_program_file;

typedef enum msw_keep { MSW_KEEP_FAILED, MSW_KEEP_ALL, MSW_KEEP_NONE } msw_keep;

typedef struct msw_program_limits {
    double timeout_s, grace_s; /* 0: no timeout; grace: between TERM and KILL */
    double memory, output;     /* bytes; 0: no limit */
    int64_t cpus, processes;   /* processes: at once, of a run */
    int retries;
    unsigned retry_causes;
    msw_keep keep; /* folders */
} msw_program_limits;

/* Causes that a run is tried again for. */
enum {
    MSW_RETRY_SIGNAL = 1,
    MSW_RETRY_EXIT = 2,
    MSW_RETRY_TIMEOUT = 4,
    MSW_RETRY_OUTPUT = 8,
    MSW_RETRY_MEMORY = 16
};

typedef struct msw_program {
    msw_arena arena;
    msw_external *external;
    const char *path; /* of the definition */
    const char *const *command, *const *version;
    msw_program_set fidelities[MSW_FIDELITY_COUNT];
    size_t case_count;
    msw_program_set *cases; /* at least one: what workloads are */
    msw_reader *readers;    /* one per metric */
    size_t file_count, template_count, tool_count;
    msw_program_file *files, *templates, *tools; /* tools: executables found in PATH */
    size_t env_count, pass_count;
    msw_program_pair *env;   /* with PATH, HOME, TMPDIR and LC_ALL */
    const char *const *pass; /* names taken over from the caller's environment */
    size_t expect_count, infeasible_count, failed_count;
    msw_pattern *expect, *infeasible, *failed;
    msw_program_limits limits;
    bool random, leftovers; /* leftovers: processes may be left behind */
    bool by_hand;           /* nothing is started: answers are told */
    msw_digest consent;     /* of definition and templates, with the path */
} msw_program;

/* Where the files are that a definition names: the sweep's files, or the disk. `identify` writes
 * the digest of a file of any size; a recorded one is known by its label. */
typedef struct msw_program_source {
    void *context;
    bool recorded; /* the files may not be here: nothing is looked for in PATH */
    int (*read)(void *context, const char *path, char **data, size_t *size, msw_err *err);
    int (*identify)(void *context, const char *label, const char *path,
                    char digest[MSW_DIGEST_TEXT], msw_err *err);
} msw_program_source;

/* Reads a definition. Returns 0, or -1 with file, line and column of what is wrong. */
int msw_program_parse(const char *path, const char *text, size_t size,
                      const msw_program_source *source, msw_program **program, msw_err *err);
void msw_program_free(msw_program *program);

/* The front end of programs: a workload is a case of the definition, without a product. */
extern const msw_frontend msw_frontend_case;

/* Finds a case by name. Returns it, or NULL. */
const msw_program_set *msw_program_case(const msw_program *program, const char *name);

/* Writes all that decides an answer at a fidelity, one line of a canonical text. */
void msw_program_print(const msw_program *program, msw_fidelity fidelity, msw_text *out);

/* Digest of a case: its name, and what its placeholders stand for. */
msw_digest msw_program_case_digest(const msw_program_set *one);

/* Digest of a file of any size. Returns 0, or -1. */
int msw_program_identify(const char *path, char digest[MSW_DIGEST_TEXT], msw_err *err);

/* ---- a command ---- */

/* A point, as placeholders see it. */
typedef struct msw_program_scope {
    const msw_program *program;
    const void *config;
    const msw_program_set *fidelity, *workload;
    uint64_t seed, replicate;
} msw_program_scope;

/* Fills in the placeholders of a text. Returns 0, or -1 with the one that is not known. */
int msw_program_fill(const msw_program_scope *scope, const char *text, msw_text *out, msw_err *err);

/* The command of a point, word by word: each ends with a zero byte. A word that only a value made
 * an option is refused. Returns 0 and the number of words, or -1. */
int msw_program_command(const msw_program_scope *scope, msw_text *words, size_t *count,
                        msw_err *err);

/* The environment of a run, NAME=VALUE each with a zero byte. Returns 0, or -1. */
int msw_program_environment(const msw_program *program, msw_text *words, size_t *count,
                            msw_err *err);

/* Prints what a run would start: words, environment, files. Returns 0, or -1. */
int msw_program_dry(const msw_program_scope *scope, msw_text *out, msw_err *err);

/* ---- its answer ---- */

/* Reads all metrics from a run's folder. Returns 0, or -1 with what is missing or wrong. */
int msw_program_metrics(const msw_program *program, const char *folder, double *metrics,
                        msw_err *err);

/* Reads one number from a text, which a reader describes, into its metric's unit; NaN where an
 * optional one is not there. Returns 0, or -1. */
int msw_reader_number(const msw_reader *reader, const char *text, const char *unit, double *value,
                      msw_err *err);

/* Reads a metric from the content of its file, which is changed on the way. Returns 0, or -1. */
int msw_reader_read(const msw_reader *reader, const char *unit, char *bytes, size_t size,
                    double *value, msw_err *err);

/* Cuts the next line off a text that ends at `end`, behind which is a byte; '\r' ends a line, too,
 * as a terminal shows it. A longer one than MSW_PROGRAM_LINE_MOST is cut to that, so that nothing
 * takes long on it. Returns it and whether it was `cut`, or NULL at the end. */
char *msw_program_line(char **at, char *end, bool *cut);

/* Whether a line of a file in the folder matches. Returns 1, 0 (also where there is no such file),
 * or -1 where nobody can know. */
int msw_program_matches(const char *folder, const char *file, const char *line, msw_err *err);

/* Reads a plain file of a run's folder: never through a link, never a pipe or a device. Returns 0
 * with the bytes, to be freed, 1 when there is none, or -1. */
int msw_program_output(const char *folder, const char *name, char **bytes, size_t *size,
                       msw_err *err);

/* Removes the folder of a run with all that is in it, whatever a program did to it. */
void msw_program_remove(const char *folder);

/* Removes the folder of all runs of a process where nothing is kept in it, and the one around it,
 * whose name is left in `work` then. */
void msw_program_remove_work(char *work);

/* The last line of what a run said on standard error, for a reason; "" when it said nothing. */
void msw_program_last_words(const char *folder, char *text, size_t size);

#endif
