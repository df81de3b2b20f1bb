/* SPDX-License-Identifier: MIT */
/* Private to program: the folder of a run. */
#ifndef MSW_PROGRAM_FOLDER_H
#define MSW_PROGRAM_FOLDER_H

#include "memsweep/program/program.h"

/* Makes a folder for an attempt at a point below `work`, with templates filled in and files linked.
 * Returns 0 with its name in `folder` (MSW_PROGRAM_PATH), or -1. */
int program_folder_make(const char *work, const msw_program_scope *scope, char *folder,
                        msw_err *err);

/* Removes a folder with all that is in it, whatever a program did to it. */
void program_folder_remove(const char *folder);

/* Whether the disk of a folder is full. Returns the answer. */
bool program_folder_is_full(const char *folder);

#endif
