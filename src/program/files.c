/* SPDX-License-Identifier: MIT */
/* The files and executables of a definition must stay what they were when the sweep was planned. */
#include "program/folder.h"

#include "memsweep/base/file.h"

#include <stdlib.h>
#include <string.h>

static const msw_program_file *file_at(const msw_program *p, size_t i)
{
    return i < p->file_count ? &p->files[i] : &p->tools[i - p->file_count];
}

static int look(const msw_program_file *file, msw_file_info *info, msw_err *err)
{
    char *real = msw_file_real(file->path, err);
    int rc = real ? msw_file_look(real, info, err) : -1;
    free(real);
    return rc;
}

static int changed(const msw_program_file *file, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "%s is no longer the file that this sweep was planned with: rows so far "
                         "stand; a new run has other keys",
                         file->path);
}

/* Once by content, so that a plan of another rank, job or day meets the same program. */
int program_files_look(const msw_program *p, msw_file_info **seen, msw_err *err)
{
    char digest[MSW_DIGEST_TEXT];
    msw_file_info *list = *seen = calloc(p->file_count + p->tool_count + 1, sizeof *list);
    if (!list)
        return msw_fail_memory(err);
    for (size_t i = 0; i < p->file_count + p->tool_count; i++) {
        const msw_program_file *file = file_at(p, i);
        if (look(file, &list[i], err) || msw_program_identify(file->path, digest, err)) {
            err->kind = MSW_ERR_IO;
            return -1;
        }
        if (strcmp(digest, file->digest) != 0)
            return changed(file, err);
    }
    return 0;
}

int program_files_check(const msw_program *p, const msw_file_info *seen, msw_err *err)
{
    for (size_t i = 0; i < p->file_count + p->tool_count; i++) {
        msw_file_info info;
        if (look(file_at(p, i), &info, NULL) || !msw_file_unchanged(&seen[i], &info))
            return changed(file_at(p, i), err);
    }
    return 0;
}
