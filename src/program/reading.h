/* SPDX-License-Identifier: MIT */
/* Private to program: a definition while it is read, and the folder of a run. */
#ifndef MSW_PROGRAM_READING_H
#define MSW_PROGRAM_READING_H

#include "memsweep/base/file.h"
#include "memsweep/base/yaml.h"
#include "memsweep/program/program.h"

typedef struct msw_reading {
    msw_program *p;
    const msw_node *root;
    const msw_program_source *source;
    msw_err *err;
} msw_reading;

/* Says what is wrong at a place of the definition. Returns -1. */
int msw_reading_wrong(msw_reading *r, const msw_node *at, const char *fmt, ...) MSW_PRINTF(3, 4);

/* Refuses keys that are not listed. Returns 0, or -1. */
int msw_reading_keys(msw_reading *r, const msw_node *map, const char *what,
                     const char *const *keys);

/* The text of a key, copied; NULL where it is not there. Each returns 0, or -1. */
int msw_reading_word(msw_reading *r, const msw_node *map, const char *key, const char **word);
int msw_reading_text(msw_reading *r, const msw_node *at, const char **word);
int msw_reading_number(msw_reading *r, const msw_node *map, const char *key, const char *unit,
                       double *value);
int msw_reading_flag(msw_reading *r, const msw_node *map, const char *key, bool *value);
int msw_reading_choice(msw_reading *r, const msw_node *map, const char *key,
                       const char *const *names, int *value);
int msw_reading_list(msw_reading *r, const msw_node *list, const char *what,
                     const char *const **words, size_t *count);

/* Zeroed room in the arena of the definition. Returns it, or NULL with the error. */
void *msw_reading_room(msw_reading *r, size_t count, size_t size);

/* A name of a file in the run's folder: relative, without "..". Returns 0, or -1. */
int msw_reading_inside(msw_reading *r, const msw_node *at, const char *name);

/* The steps: reader of a metric; files, tools and environment; limits and causes. */
int msw_reading_reader(msw_reading *r, const msw_node *map, msw_reader *reader);
int msw_reading_patterns(msw_reading *r, const char *key, size_t *count, msw_pattern **patterns);
int msw_reading_files(msw_reading *r);
int msw_reading_environment(msw_reading *r);
int msw_reading_limits(msw_reading *r);

/* The folder of a run, and the files it is made of. */

/* Makes a folder for an attempt at a point below `work`, with templates filled in and files linked.
 * Returns 0 with its name in `folder` (MSW_PROGRAM_PATH), or -1. */
int program_folder_make(const char *work, const msw_program_scope *scope, char *folder,
                        msw_err *err);

/* Whether the disk of a folder is full, or its user's quota. Returns the answer. */
bool program_folder_is_full(const char *folder);

/* Looks at the files and executables of a definition, which must have its digests. Returns 0 with
 * what they are, to be freed, or -1. */
int program_files_look(const msw_program *program, msw_file_info **seen, msw_err *err);

/* Checks that they still are that. Returns 0, or -1. */
int program_files_check(const msw_program *program, const msw_file_info *seen, msw_err *err);

#endif
