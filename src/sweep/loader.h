/* SPDX-License-Identifier: MIT */
/* loader: the steps that turn the tree of a sweep file into a plan.
 *
 * Each step reads its keys, reports what is wrong with them and goes on; a step whose ground is
 * missing (no mechanism, no schema) leaves its keys alone. */
#ifndef MSW_SWEEP_LOADER_H
#define MSW_SWEEP_LOADER_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"
#include "memsweep/base/yaml.h"
#include "memsweep/sweep/sweep.h"

#include <stdbool.h>
#include <stddef.h>

/* A sweep file as a tree, and the messages about it, collected while it is read and printed in file
 * order. */

enum { MSW_DIAGNOSTICS_MAX = 50 };

typedef struct msw_diagnostic {
    const char *file;
    int line, column; /* from 1; line 0: the file as a whole */
    char *text;
} msw_diagnostic;

/* Start from a zeroed struct. */
typedef struct msw_diagnostics {
    size_t count, dropped;
    bool trouble; /* of files or memory, which is no fault of what was read */
    msw_diagnostic list[MSW_DIAGNOSTICS_MAX];
} msw_diagnostics;

/* Reads a sweep file; `file` must outlive the nodes. Returns 0 and its root, a map, or -1 with the
 * reason in `diagnostics`. */
int msw_sweep_parse(const char *file, const char *text, size_t size, msw_arena *arena,
                    msw_diagnostics *diagnostics, msw_node **root);

/* Adds a message; `file` must outlive the notes. Messages over the limit are only counted. */
void msw_diagnostics_add(msw_diagnostics *diagnostics, const char *file, int line, int column,
                         const char *fmt, ...) MSW_PRINTF(5, 6);

/* Prints all messages, sorted by position, one line each. */
void msw_diagnostics_print(msw_diagnostics *diagnostics, msw_messages *out);

/* Frees the messages. */
void msw_diagnostics_free(msw_diagnostics *diagnostics);

/* Limits of a plan. Constraints are tried point by point when the plan is made. */
enum { MSW_PARAMS_MAX = 512, MSW_LEVELS_MAX = 1000000, MSW_WHOLE_MAX = 65536 };

/* An expression that is checked once everything it may name is known. */
typedef struct msw_pending {
    const msw_node *at;
    const char *what;  /* "where", "when" or "fix" */
    const char *text;  /* with canonical names */
    int target;        /* parameter it sets or switches, or -1 */
    size_t used_count; /* filled by the check */
    int *used;
    bool good;
} msw_pending;

/* What an entry of `workloads` sets of its own workload. */
typedef struct msw_own_setting {
    size_t workload;
    const msw_param *param;
    double value;
    const msw_node *at;
} msw_own_setting;

typedef struct msw_loader {
    msw_arena arena; /* nodes, texts and lists, gone when loading ends */
    msw_diagnostics diagnostics;
    const msw_plan_options *options;
    const char *path;
    const msw_node *root;
    msw_plan *plan;
    bool ready;           /* the schema is complete */
    bool workloads_wrong; /* some workload was not understood: parameters may be unknown for that */
    const msw_node **entry_at; /* per workload: its entry in the file */
    size_t own_count, own_room;
    msw_own_setting *own;
    const msw_node **setter;  /* per parameter: the key that fixes or varies it */
    const char **setter_word; /* "fixed", "varied", "split" */
    bool *differs;            /* per parameter: workloads disagree about its value */
    size_t pending_count, pending_capacity;
    msw_pending *pending;
    const msw_node **factor_at; /* per factor of the plan: its key */
    uint64_t combinations;      /* of the ranges of a grid so far; 0 before the first */
    const char **expanded;      /* per derived column: its text over the columns of rows */
} msw_loader;

/* Messages and reading (read.c). Readers return whether the value is good. */
void msw_loader_say(msw_loader *l, const msw_node *at, const char *fmt, ...) MSW_PRINTF(3, 4);
/* The same of an error met on the way, which may be no fault of the file's. */
void msw_loader_fail(msw_loader *l, const msw_err *err, const msw_node *at, const char *fmt, ...)
    MSW_PRINTF(4, 5);
void msw_loader_warn(msw_loader *l, const msw_node *at, const char *fmt, ...) MSW_PRINTF(3, 4);
void msw_loader_memory(msw_loader *l);
void msw_loader_unknown(msw_loader *l, const msw_node *at, const char *what,
                        const char *const *names, size_t stride);
void msw_loader_check_keys(msw_loader *l, const msw_node *map, const char *const *names);
bool msw_loader_is(msw_loader *l, const msw_node *node, msw_node_kind kind, const char *what);
const char *msw_loader_word(msw_loader *l, const msw_node *node, const char *what);
bool msw_loader_value(msw_loader *l, const msw_param *param, const msw_node *node, double *value);
void msw_loader_table(msw_loader *l, const msw_node *map, const msw_param *table, void *config,
                      const char *what, const char *const *others);
const msw_param *msw_loader_setting(const msw_param *table, const char *key);
const msw_node *msw_loader_top(const msw_loader *l, const char *key);
const msw_node *msw_loader_key(const msw_loader *l, const char *key);
char *msw_loader_copy(msw_loader *l, const char *text);

/* Parameters (params.c). Both return the index in the schema, or -1 after a message. */
int msw_loader_param(msw_loader *l, const msw_node *key);
int msw_loader_claim(msw_loader *l, const msw_node *key, const char *word);

/* Expressions (rules.c). Clean text has single blanks and npu_batch for "npu.batch"; the second
 * function also remembers the expression to be checked. Both return NULL after a message. */
const char *msw_loader_clean(msw_loader *l, const msw_node *at, const char *what, const char *text);
msw_pending *msw_loader_expr(msw_loader *l, const msw_node *at, const char *what, const char *text,
                             int target);

/* Files (files.c): finds a file from the folder of `at`, then from the data folders;
 * reads it from wherever the options say. Of msw_loader_file a file that is not there is a wrong
 * name in the sweep, not trouble with files. */
char *msw_loader_find(msw_loader *l, const msw_node *at, const char *name);
enum { MSW_SWEEP_FILE_MAX = 16 << 20 };
int msw_loader_file(const msw_plan_options *options, const char *path, size_t most, char **data,
                    size_t *size, msw_err *err);

/* Reads the file, its ancestors by `extends`, and merges them (files.c). */
msw_node *msw_loader_read(msw_loader *l, const char *text, size_t size);

/* Factors (factor.c, vary.c, split.c, list.c). All they point to is heap memory. */
bool msw_factor_make(msw_loader *l, const char *name, size_t targets, msw_factor *factor);
bool msw_factor_values(msw_loader *l, uint64_t levels, msw_factor *factor);
void msw_factor_free(msw_factor *factor);
void msw_loader_add_factor(msw_loader *l, const msw_node *key, msw_factor *factor);
bool msw_loader_range(msw_loader *l, const msw_param *param, const msw_node *map,
                      msw_factor *factor);
/* A range of whole numbers that cannot distinguish this many places gets the values it has. */
bool msw_factor_settle(msw_loader *l, uint64_t positions, msw_factor *factor);
void msw_loader_auto(msw_loader *l); /* the key `auto` (auto.c) */
/* `over` and `by` of a design that searches. */
void msw_loader_over(msw_loader *l, const msw_node *design);
void msw_loader_list(msw_loader *l, const msw_node *design);
void msw_loader_groups(msw_loader *l); /* of the design (groups.c) */
size_t msw_repeated(const double *values, size_t count);

/* A program as the mechanism, and its cases as workloads (program.c). */
void msw_loader_program(msw_loader *l, const msw_node *node);
void msw_loader_cases(msw_loader *l);
int msw_loader_identify(const msw_plan_options *options, const char *label, const char *path,
                        char digest[MSW_DIGEST_TEXT], msw_err *err);

/* Steps, in this order (load.c calls them). */
void msw_step_head(msw_loader *l);
void msw_step_workloads(msw_loader *l);
void msw_step_corpus(msw_loader *l);
void msw_step_schema(msw_loader *l);
void msw_step_preset(msw_loader *l);
void msw_step_fix(msw_loader *l);
void msw_step_vary(msw_loader *l);
void msw_step_split(msw_loader *l);
void msw_step_design(msw_loader *l);
void msw_step_overlay(msw_loader *l);
void msw_step_content(msw_loader *l);
void msw_step_rules(msw_loader *l);
void msw_step_order(msw_loader *l);
void msw_step_derive(msw_loader *l);
void msw_step_objectives(msw_loader *l);
void msw_step_cluster(msw_loader *l);
void msw_step_points(msw_loader *l);
void msw_step_distinct(msw_loader *l);
void msw_step_search(msw_loader *l);
void msw_step_auto(msw_loader *l);
void msw_step_keep(msw_loader *l);
void msw_step_canonical(msw_loader *l);
void msw_step_errors(msw_loader *l);
void msw_step_lint(msw_loader *l);

/* What one more of a parameter takes of a budget of bytes, as the mechanism counts. */

typedef struct msw_split_size {
    double least, most;       /* bytes; both 0: the mechanism counts none */
    const msw_param *depends; /* a parameter that is not fixed and changes it, or NULL */
} msw_split_size;

/* Asks the mechanism about parameter `index` of the schema. Returns what it says. */
msw_split_size msw_split_size_of(msw_loader *l, size_t index);

/* The bytes that the parameters of a dealt factor really take, over all its levels. Returns false
 * where the mechanism counts none. */
bool msw_split_takes(msw_loader *l, const msw_factor *factor, double *least, double *most);

#endif
