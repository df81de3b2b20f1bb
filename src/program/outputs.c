/* SPDX-License-Identifier: MIT */
/* Files that a run left in its folder, which may be anything: links, pipes, devices, of any size.
 */
#include "memsweep/program/program.h"

#include "memsweep/base/disk.h"
#include "memsweep/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Every folder on the way and the file itself must be what it is called: nobody writes there any
 * more when this is asked. */
static int look(char *path, size_t folder, msw_file_info *info, msw_err *err)
{
    for (char *c = path + folder + 1;; c++) {
        if (*c != '/' && *c)
            continue;
        char here = *c;
        *c = '\0';
        int rc = msw_file_look(path, info, err);
        *c = here;
        MSW_TRY(rc);
        if (info->kind == MSW_FILE_NONE || !here)
            return 0;
        if (info->kind != MSW_FILE_FOLDER)
            return msw_fail(err, "'%s' is not in a folder of the run", path + folder + 1);
    }
}

static int read_whole(int fd, size_t size, char **bytes, msw_err *err)
{
    size_t got = 0;
    if (!(*bytes = malloc(size + 1)))
        return msw_fail_memory(err);
    while (got < size) {
        ssize_t more = msw_disk_read(fd, *bytes + got, size - got);
        if (more < 0) {
            free(*bytes);
            return msw_fail_kind(err, MSW_ERR_IO, "cannot be read: %s", strerror(errno));
        }
        if (more == 0)
            break;
        got += (size_t)more;
    }
    memset(*bytes + got, 0, size - got + 1);
    return 0;
}

int msw_program_output(const char *folder, const char *name, char **bytes, size_t *size,
                       msw_err *err)
{
    static const char *const KINDS[] = {"missing", "a file", "a folder", "a link",
                                        "a pipe or a device"};
    msw_file_info info;
    char *path = msw_strfmt("%s/%s", folder, name);
    if (!path)
        return msw_fail_memory(err);
    int rc = look(path, strlen(folder), &info, err), fd = -1;
    if (rc == 0 && info.kind == MSW_FILE_NONE)
        rc = 1;
    else if (rc == 0 && info.kind != MSW_FILE_PLAIN)
        rc = msw_fail(err, "'%s' is %s, no file", name, KINDS[info.kind]);
    else if (rc == 0 && info.bytes > MSW_PROGRAM_OUTPUT_MOST)
        rc = msw_fail(err, "'%s' has more than 64 MiB", name);
    if (rc == 0 && (fd = msw_disk_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0)) < 0)
        rc = msw_fail(err, "'%s': %s", name, strerror(errno));
    if (rc == 0)
        rc = read_whole(fd, (size_t)info.bytes, bytes, err);
    if (fd >= 0)
        close(fd);
    *size = (size_t)info.bytes;
    free(path);
    return rc;
}

/* The metrics of one file: it is read once for each, because readers change the text. */
static int read_one(const msw_program *p, size_t m, const char *folder, double *value, msw_err *err)
{
    const msw_reader *r = &p->readers[m];
    const msw_metric *metric = &p->external->metrics[m];
    char *bytes = NULL;
    size_t size;
    int rc = msw_program_output(folder, r->file, &bytes, &size, err);
    *value = NAN;
    if (rc > 0)
        return r->optional ? 0 : msw_fail(err, "metric %s: no file '%s'", metric->name, r->file);
    if (rc == 0)
        rc = msw_reader_read(r, metric->unit, bytes, size, value, err)
                 ? msw_fail_prefix(err, "%s: ", r->file)
                 : 0;
    free(bytes);
    return rc ? msw_fail_prefix(err, "metric %s: ", metric->name) : 0;
}

int msw_program_metrics(const msw_program *p, const char *folder, double *metrics, msw_err *err)
{
    for (size_t m = 0; m < p->external->metric_count; m++)
        MSW_TRY(read_one(p, m, folder, &metrics[m], err));
    return 0;
}

static int match_lines(char *bytes, size_t size, const char *line, msw_err *err)
{
    regex_t regex;
    char why[128], *at = bytes, *end = bytes + size, *text;
    int rc = regcomp(&regex, line, REG_EXTENDED | REG_NOSUB), found = 0;
    bool cut = false, cuts = false;
    if (rc) {
        regerror(rc, &regex, why, sizeof why);
        return msw_fail(err, "'%s': %s", line, why);
    }
    for (char *zero = bytes; (zero = memchr(zero, '\0', (size_t)(end - zero)));)
        *zero = ' ';
    while (!found && (text = msw_program_line(&at, end, &cut))) {
        found = regexec(&regex, text, 0, NULL, 0) == 0;
        cuts = cuts || cut;
    }
    regfree(&regex);
    return found || !cuts
               ? found
               : msw_fail(err, "a line has more than %d KiB", MSW_PROGRAM_LINE_MOST >> 10);
}

int msw_program_matches(const char *folder, const char *file, const char *line, msw_err *err)
{
    char *bytes = NULL;
    size_t size;
    int rc = msw_program_output(folder, file, &bytes, &size, err);
    int found = rc > 0 ? 0 : rc ? -1 : match_lines(bytes, size, line, err);
    free(bytes);
    return found < 0 ? msw_fail_prefix(err, "'%s' cannot be looked for in %s: ", line, file)
                     : found;
}

void msw_program_last_words(const char *folder, char *text, size_t size)
{
    enum { TAIL = 2048 };
    char tail[TAIL + 1];
    char *path = msw_strfmt("%s/stderr", folder);
    int fd = path ? msw_disk_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0) : -1;
    off_t end = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
    off_t from = end > TAIL ? end - TAIL : 0;
    ssize_t got = fd >= 0 ? msw_disk_read_at(fd, tail, TAIL, from) : 0;
    free(path);
    if (fd >= 0)
        close(fd);
    size_t last = got > 0 ? (size_t)got : 0;
    while (last && (unsigned char)tail[last - 1] <= ' ')
        last--;
    tail[last] = '\0';
    size_t first = last;
    while (first && tail[first - 1] != '\n')
        first--;
    msw_text_fit(text, size, tail + first);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = ' ';
}
