/* SPDX-License-Identifier: MIT */
/* The parts of the front end `simt`. */
#ifndef MSW_WORKLOAD_SIMT_FRONT_PARTS_H
#define MSW_WORKLOAD_SIMT_FRONT_PARTS_H

#include "workload/simt/file/reader.h"

/* What the two files hold, and what the name says about them. */
typedef struct msw_simt_content {
    msw_simt_settings settings;
    msw_simt_tokens tokens;
    const msw_simt_program *program;
    const char *ptx;                /* the text of it */
    const msw_workload_file *files; /* that arrays come from */
    size_t file_count;
    msw_simt_list ends; /* what each `until` found when the plan was made */
} msw_simt_content;

extern const char *const msw_simt_workload_names[];
extern const char *const msw_simt_workload_docs[];

/* Runs the statements with arrays at multiples of `alignment`; with `finder` it is found how often
 * loops that depend on results turn. Returns what they gave, or NULL. */
msw_simt_reader *msw_simt_content_run(const msw_simt_content *content, uint64_t alignment,
                                      msw_simt_finder *finder, msw_arena *arena, msw_err *err);

/* Adds the module's variables to the arrays, with their initial values. Returns their addresses, or
 * NULL. */
uint64_t *msw_simt_add_variables(msw_simt_reader *r, msw_err *err);

/* Finds elements by running the stages so far; `*self` starts as NULL. */
msw_simt_finder msw_simt_find_element;

/* Runs a stage of any kind in values. Returns 0, or -1. */
int msw_simt_run_values(const msw_simt_product *product, const msw_simt_stage *stage,
                        const msw_simt_memory *memory, msw_err *err);

/* Makes the product but for its summary. Returns 0, or -1. */
int msw_simt_product_make(const msw_simt_content *content, const msw_simt_config *config,
                          msw_arena *arena, msw_simt_product *product, msw_err *err);

/* Finds the slice of the whole program: fills `needed` and `builds` of stages and `dropped` of
 * arrays, which are those of the product. Returns 0, or -1. */
int msw_simt_slice_program(msw_simt_product *product, msw_simt_array *arrays,
                           msw_simt_stage *stages, msw_arena *arena, msw_err *err);

/* Estimates what the launches will access from some of their CTAs. Returns 0, or -1. */
int msw_simt_summarise(const msw_simt_product *product, msw_arena *arena, msw_summary *summary,
                       msw_err *err);

/* See msw_frontend. */
int msw_simt_describe(const void *content, const void *config, msw_text *out, msw_err *err);

#endif
