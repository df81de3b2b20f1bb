/* SPDX-License-Identifier: MIT */
/* Private to workload: from the tokens of a workload file to arrays and stages. */
#ifndef MSW_WORKLOAD_SIMT_FILE_READER_H
#define MSW_WORKLOAD_SIMT_FILE_READER_H

#include "memsweep/workload/simt.h"
#include "workload/simt/file/expr.h"

/* What a workload's name sets: "n=16Mi,ptx=paper_unrolled" of "axpy/n=16Mi,ptx=paper_unrolled". */
typedef struct msw_simt_setting {
    const char *name, *value;
    uint32_t name_size, value_size;
} msw_simt_setting;

enum { MSW_SIMT_SETTINGS_MAX = 16 };

typedef struct msw_simt_settings {
    const char *workload; /* the whole name, for messages */
    msw_simt_setting list[MSW_SIMT_SETTINGS_MAX];
    size_t count;
} msw_simt_settings;

/* Splits the settings off a workload's name; `head_size` gets the length of what is before them.
 * Returns 0, or -1. */
int msw_simt_settings_read(const char *name, msw_simt_settings *settings, size_t *head_size,
                           msw_err *err);

/* Returns the setting of a name, or NULL. */
const msw_simt_setting *msw_simt_settings_find(const msw_simt_settings *settings, const char *name,
                                               size_t size);

/* Which .ptx the file and the settings choose: its name goes into `name`. Returns 0, or -1. */
int msw_simt_choose_ptx(const msw_simt_tokens *tokens, const msw_simt_settings *settings,
                        char *name, size_t name_size, msw_err *err);

/* Growing lists, in an arena. */
typedef struct msw_simt_list {
    void *items;
    size_t count, room;
} msw_simt_list;

enum {
    MSW_SIMT_ARRAYS_MAX = 1024,
    MSW_SIMT_LOOPS_DEPTH = 8,
    MSW_SIMT_STAGES_MAX = 1 << 20,
    MSW_SIMT_STATEMENTS_MAX = 1 << 20
};

typedef struct msw_simt_loop {
    const msw_simt_token *body;
    size_t variable; /* of the names */
    int64_t last, step;
} msw_simt_loop;

typedef struct msw_simt_reader {
    msw_simt_cursor c;
    msw_simt_names names;
    const msw_simt_settings *settings;
    const msw_simt_program *program;
    uint64_t alignment, next_address;
    const char *title;
    msw_digest sizes; /* of all sizes, as they came out */
    msw_simt_loop loops[MSW_SIMT_LOOPS_DEPTH];
    size_t loop_count;
    uint64_t statements;
    msw_simt_list arrays, stages;
} msw_simt_reader;

/* Runs all statements. Returns 0, or -1 with file, line and column. */
int msw_simt_reader_run(msw_simt_reader *r);

/* One statement each, behind its first word (statements.c, launch.c). Returns 0, or -1. */
int msw_simt_read_size(msw_simt_reader *r);
int msw_simt_read_array(msw_simt_reader *r);
int msw_simt_read_launch(msw_simt_reader *r);
int msw_simt_read_host(msw_simt_reader *r);

/* Helpers of statements. Return 0, or -1 with the token at fault. */
int msw_simt_expect(msw_simt_reader *r, const char *text);
bool msw_simt_take(msw_simt_reader *r, const char *text);
int msw_simt_read_name(msw_simt_reader *r, const msw_simt_token **name);
int msw_simt_give_name(msw_simt_reader *r, const msw_simt_token *name, msw_simt_number number);
int msw_simt_add_array(msw_simt_reader *r, const msw_simt_token *at, msw_simt_array array);
int msw_simt_add_stage(msw_simt_reader *r, const msw_simt_token *at, msw_simt_stage stage);

/* Makes room for one more item. Returns it, zeroed, or NULL when memory runs out. */
void *msw_simt_list_add(msw_simt_list *list, size_t size, msw_arena *arena);

#endif
