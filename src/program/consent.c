/* SPDX-License-Identifier: MIT */
/* Definitions that the user allowed, one line each in a file of the user's own: the digest, then
 * the path for people. A definition that changed, or lies elsewhere, has another digest. */
#include "memsweep/program/program.h"

#include "memsweep/base/context.h"
#include "memsweep/base/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALLOWED_MOST = 16 << 20 };

static char *allowed_path(void)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0] == '/')
        return msw_strfmt("%s/memsweep/allowed", config);
    return home && home[0] == '/' ? msw_strfmt("%s/.config/memsweep/allowed", home) : NULL;
}

bool msw_program_is_allowed(const msw_program *program)
{
    char digest[MSW_DIGEST_TEXT], *text = NULL, *path = allowed_path();
    size_t size, digits = MSW_DIGEST_TEXT - 1;
    bool found = false;
    msw_digest_text(program->consent, digest);
    if (path && msw_read_file_most(path, ALLOWED_MOST, &text, &size, NULL) == 0)
        for (const char *at = text; at && !found; at = strchr(at, '\n')) {
            at += *at == '\n';
            found = strncmp(at, digest, digits) == 0 && at[digits] == ' ';
        }
    free(text);
    free(path);
    return found;
}

int msw_program_allow(const msw_program *program, msw_err *err)
{
    char digest[MSW_DIGEST_TEXT], *path = allowed_path();
    if (!path)
        return msw_fail_kind(err, MSW_ERR_IO, "neither HOME nor XDG_CONFIG_HOME names a folder");
    char *real = realpath(program->path, NULL);
    char *line = msw_strfmt("%s %s\n", msw_digest_text(program->consent, digest),
                            real ? real : program->path);
    int rc = line ? msw_make_folder(path, err) : msw_fail_memory(err);
    int fd = rc ? -1 : msw_disk_open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (rc == 0 && (fd < 0 || msw_disk_write(fd, line, strlen(line))))
        rc = msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    free(line);
    free(real);
    free(path);
    return rc;
}
