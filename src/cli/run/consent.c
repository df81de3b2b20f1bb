/* SPDX-License-Identifier: MIT */
/* Definitions that the user allowed, one line each in a file of the user's own: the digest, then
 * the path for people. A definition that changed, or lies elsewhere, has another digest. */
#include "cli/run/launch.h"

#include "memsweep/base/context.h"
#include "memsweep/format/outfile.h"

#include <stdlib.h>
#include <string.h>

enum { ALLOWED_MOST = 16 << 20 };

static char *allowed_path(void)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0] == '/')
        return msw_strfmt("%s/memsweep/allowed", config);
    return home && home[0] == '/' ? msw_strfmt("%s/.config/memsweep/allowed", home) : NULL;
}

/* Reads the file; what is not there is empty. */
static void read_allowed(const char *path, msw_text *text)
{
    char *bytes = NULL;
    size_t size;
    if (path && msw_read_file_most(path, ALLOWED_MOST, &bytes, &size, NULL) == 0)
        msw_text_add_bytes(text, bytes, size);
    free(bytes);
}

bool cli_is_allowed(const msw_program *program)
{
    char digest[MSW_DIGEST_TEXT], *path = allowed_path();
    size_t digits = MSW_DIGEST_TEXT - 1;
    msw_text text = MSW_TEXT_EMPTY;
    bool found = false;
    msw_digest_text(program->consent, digest);
    read_allowed(path, &text);
    for (const char *at = msw_text_str(&text); at && !found; at = strchr(at, '\n')) {
        at += *at == '\n';
        found = strncmp(at, digest, digits) == 0 && at[digits] == ' ';
    }
    msw_text_free(&text);
    free(path);
    return found;
}

int cli_allow(const msw_program *program, msw_err *err)
{
    char digest[MSW_DIGEST_TEXT], *path = allowed_path();
    msw_text text = MSW_TEXT_EMPTY;
    if (!path)
        return msw_fail_kind(err, MSW_ERR_IO, "neither HOME nor XDG_CONFIG_HOME names a folder");
    char *real = realpath(program->path, NULL);
    read_allowed(path, &text);
    msw_text_add(&text, "%s %s\n", msw_digest_text(program->consent, digest),
                 real ? real : program->path);
    int rc = msw_make_folder(path, err);
    if (rc == 0)
        rc = msw_outfile_write(path, MSW_OUTPUT_TABLE, NULL, &text, err);
    msw_text_free(&text);
    free(real);
    free(path);
    return rc;
}
