/* SPDX-License-Identifier: MIT */
/* Private to program: the folder of a run, and the files it is made of. */
#ifndef MSW_PROGRAM_FOLDER_H
#define MSW_PROGRAM_FOLDER_H

#include "memsweep/base/file.h"
#include "memsweep/program/program.h"

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
