/* SPDX-License-Identifier: MIT */
/* Writes files for commands: replaces only what is ours, marks figures (a comment, or what a
 * format has instead) so that they are known to be ours, and makes temporary folders. */
#include "memsweep/format/outfile.h"

#include "memsweep/base/context.h"
#include "memsweep/base/disk.h"
#include "memsweep/base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *msw_temp_folder(msw_err *err)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = msw_strfmt("%s/memsweep-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!folder) {
        msw_fail_memory(err);
        return NULL;
    }
    if (msw_disk_make_own_folder(folder) == 0)
        return folder;
    msw_fail_kind(err, MSW_ERR_IO, "a folder for temporary files: %s: %s%s", folder,
                  strerror(errno), tmp && *tmp ? " (TMPDIR says where)" : "");
    free(folder);
    return NULL;
}

void msw_temp_remove(char *folder)
{
    DIR *dir = folder ? opendir(folder) : NULL;
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir))
        msw_disk_remove_in(dirfd(dir), entry->d_name);
    if (dir)
        closedir(dir);
    if (folder)
        msw_disk_remove_folder(folder);
    free(folder);
}

static const char MARK[] = "memsweep figure";

static void insert(msw_text *bytes, size_t at, const msw_text *what)
{
    msw_text all = MSW_TEXT_EMPTY;
    msw_text_add_bytes(&all, bytes->data, at);
    msw_text_add_bytes(&all, msw_text_str(what), what->size);
    msw_text_add_bytes(&all, bytes->data + at, bytes->size - at);
    all.failed = all.failed || what->failed;
    msw_text_free(bytes);
    *bytes = all;
}

/* The cyclic redundancy check of PNG (ISO 3309). */
static uint32_t crc32_of(const char *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~crc;
}

static void add_word(msw_text *out, uint32_t word)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        msw_text_add_bytes(out, (const char[]){(char)(word >> shift & 0xff)}, 1);
}

/* A text chunk behind the header chunk, which has a fixed size. */
static void mark_png(msw_text *bytes)
{
    enum { BEHIND_HEADER = 33 };
    static const char KEY[] = "tEXtSoftware"; /* its final zero ends the key */
    msw_text chunk = MSW_TEXT_EMPTY, body = MSW_TEXT_EMPTY;
    if (bytes->size < BEHIND_HEADER)
        return;
    msw_text_add_bytes(&body, KEY, sizeof KEY);
    msw_text_add_bytes(&body, MARK, sizeof MARK - 1);
    add_word(&chunk, (uint32_t)body.size - 4);
    msw_text_add_bytes(&chunk, msw_text_str(&body), body.size);
    add_word(&chunk, crc32_of(msw_text_str(&body), body.size));
    insert(bytes, BEHIND_HEADER, &chunk);
    msw_text_free(&chunk);
    bytes->failed = bytes->failed || body.failed;
    msw_text_free(&body);
}

static void mark_svg(msw_text *bytes)
{
    msw_text comment = MSW_TEXT_EMPTY;
    size_t line = strcspn(msw_text_str(bytes), "\n");
    msw_text_add(&comment, "<!-- %s -->\n", MARK);
    if (line < bytes->size)
        insert(bytes, line + 1, &comment);
    msw_text_free(&comment);
}

void msw_figure_mark(const char *format, msw_text *bytes)
{
    if (strcmp(format, "png") == 0)
        mark_png(bytes);
    else if (strcmp(format, "svg") == 0)
        mark_svg(bytes);
    else
        msw_text_add(bytes, "%% %s\n", MARK);
}

enum { HEAD_BYTES = 4096, TAIL_BYTES = 512, MOST_PARTS = 1000 };

/* How our own files are known. The figures' mark is put in by msw_figure_mark, the others are in
 * the templates and pages. */
static const struct {
    const char *name, *mark;
} KINDS[] = {
    [MSW_OUTPUT_TABLE] = {"table", NULL},
    [MSW_OUTPUT_SWEEP] = {"sweep file", "sweep"},
    [MSW_OUTPUT_PAGE] = {"page", "<meta name=\"generator\" content=\"memsweep\">"},
    [MSW_OUTPUT_FIGURE] = {"figure", "memsweep figure"},
    [MSW_OUTPUT_SCRIPT] = {"job script", "# Written by 'memsweep submit'"},
    [MSW_OUTPUT_PAPER] = {"page", "<!-- made by memsweep reproduce"},
    [MSW_OUTPUT_ERRORS] = {"table of errors", "# memsweep: errors of a closed form"},
    [MSW_OUTPUT_REGION] = {"page", "<!-- made by memsweep calibrate"},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

/* What no table starts with: databases, images, archives, programs, pages. */
static const char *const OTHERS[] = {"SQLite format 3", "\x89PNG", "%PDF", "\x7f\x45LF", "\x1f\x8b",
                                     "PK\x03\x04",      "#!",      "<",    "%YAML"};

/* ---- what is there already ---- */

static bool holds(const char *bytes, size_t size, const char *mark)
{
    size_t length = strlen(mark);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(bytes + i, mark, length) == 0)
            return true;
    return false;
}

/* Reads the start and the end of a file, one after the other. Returns how many bytes, or -1. */
static ssize_t read_ends(const char *path, char bytes[HEAD_BYTES + TAIL_BYTES])
{
    FILE *file = msw_disk_read_stream(path);
    if (!file)
        return -1;
    size_t head = fread(bytes, 1, HEAD_BYTES, file), tail = 0;
    if (head == HEAD_BYTES && fseek(file, -(long)TAIL_BYTES, SEEK_END) == 0)
        tail = fread(bytes + head, 1, TAIL_BYTES, file);
    bool bad = ferror(file);
    fclose(file);
    return bad ? -1 : (ssize_t)(head + tail);
}

/* Fields of a line that ends at `*at`, which goes on behind it; quotes keep separators and lines
 * together. Returns how many, or 0 where no whole line is left. */
static size_t count_fields(const char *bytes, size_t size, char separator, size_t *at)
{
    size_t fields = 1;
    bool quoted = false;
    for (; *at < size && (quoted || bytes[*at] != '\n'); ++*at) {
        if (bytes[*at] == '"' && separator == ',')
            quoted = !quoted;
        fields += bytes[*at] == separator && !quoted;
    }
    return (*at)++ < size ? fields : 0;
}

/* Whether all whole lines have as many fields as the first, of several. */
static bool is_even(const char *bytes, size_t size, char separator)
{
    size_t at = 0, first = count_fields(bytes, size, separator, &at);
    while (first > 1 && at < size && memchr(bytes + at, '\n', size - at)) {
        size_t fields = count_fields(bytes, size, separator, &at);
        bool cut = !fields && at >= size; /* the start of a longer file may end within quotes */
        if (fields != first && !cut)
            return false;
    }
    return first > 1;
}

/* Prose has one column, too: a table's has the name of a column at its head and no blanks. */
static bool is_column(const char *bytes, size_t size)
{
    static const char NAME[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_()*";
    const char *end = memchr(bytes, '\n', size);
    size_t head = end ? (size_t)(end - bytes) : 0;
    for (size_t i = 0; i < head; i++)
        if (!strchr(NAME, bytes[i]))
            return false;
    return head && head + 1 < size && !memchr(bytes, ' ', size) && !memchr(bytes, '\t', size);
}

static bool looks_like_table(const char *bytes, size_t size)
{
    bool json = size > 1 && bytes[0] == '[' && (bytes[1] == '\n' || bytes[1] == '{');
    return json || is_even(bytes, size, '\t') || is_even(bytes, size, ',') ||
           is_column(bytes, size);
}

/* A table has no mark: it is text, nothing that is known to be something else, and in columns. */
static bool may_be_table(const char *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (size >= strlen(OTHERS[i]) && memcmp(bytes, OTHERS[i], strlen(OTHERS[i])) == 0)
            return false;
    for (size_t kind = 0; kind < KIND_COUNT; kind++)
        if (kind != MSW_OUTPUT_SWEEP && KINDS[kind].mark && holds(bytes, size, KINDS[kind].mark))
            return false;
    return memchr(bytes, '\0', size) == NULL &&
           looks_like_table(bytes, size < HEAD_BYTES ? size : HEAD_BYTES);
}

static int refuse_content(const char *path, msw_output_kind content, msw_err *err)
{
    static const char DATABASE[] = "SQLite format 3";
    char bytes[HEAD_BYTES + TAIL_BYTES];
    ssize_t size = read_ends(path, bytes);
    if (size < 0)
        return msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno));
    const char *name = KINDS[content].name, *mark = KINDS[content].mark;
    if (size >= (ssize_t)sizeof DATABASE && memcmp(bytes, DATABASE, sizeof DATABASE) == 0)
        return msw_fail(err, "%s: is a database, which a %s cannot replace: name another file",
                        path, name);
    if (size == 0 || (mark ? holds(bytes, (size_t)size, mark) : may_be_table(bytes, (size_t)size)))
        return 0;
    return msw_fail(err, "%s: is no %s that memsweep wrote: remove it, or name another file", path,
                    name);
}

static int refuse_input(const char *path, const struct stat *info, const char *input, msw_err *err)
{
    struct stat read;
    return input && stat(input, &read) == 0 && read.st_dev == info->st_dev &&
                   read.st_ino == info->st_ino
               ? msw_fail(err, "%s: is the file that is read: name another one", path)
               : 0;
}

/* A file of that name would be taken for a part of the database beside it. */
static int refuse_companion(const char *path, msw_err *err)
{
    static const char *const ENDINGS[] = {"-journal", "-wal", "-shm", ".lock"};
    size_t size = strlen(path);
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++) {
        size_t ending = strlen(ENDINGS[i]);
        char *base = size > ending && strcmp(path + size - ending, ENDINGS[i]) == 0
                         ? msw_strfmt("%.*s", (int)(size - ending), path)
                         : NULL;
        bool taken = base && access(base, F_OK) == 0;
        free(base);
        if (taken)
            return msw_fail(err, "%s: a file of that name belongs to a database: name another one",
                            path);
    }
    return 0;
}

/* ---- opening ---- */

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_standard_output(const struct stat *info)
{
    struct stat standard;
    return fstat(STDOUT_FILENO, &standard) == 0 && same_file(&standard, info);
}

/* Pipes, terminals, /dev/null; standard output under another name, whatever is behind it. Returns
 * whether `out` is open or has failed. */
static bool open_stream(msw_outfile *out, const char *path, int *rc, msw_err *err)
{
    bool is_standard = is_standard_output(&out->before);
    if (!out->existed || (S_ISREG(out->before.st_mode) && !is_standard))
        return false;
    if (S_ISDIR(out->before.st_mode) || S_ISBLK(out->before.st_mode)) {
        *rc = msw_fail_kind(err, MSW_ERR_IO, "%s: is a %s: name a file", path,
                            S_ISDIR(out->before.st_mode) ? "folder" : "disk");
        return true;
    }
    int fd = is_standard ? dup(STDOUT_FILENO) : msw_disk_open(path, O_WRONLY | O_NOCTTY, 0);
    out->file = fd < 0 ? NULL : msw_disk_stream(fd, "wb");
    *rc = out->file ? 0 : msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno));
    return true;
}

/* Links are followed to the file they mean. */
static int find_path(msw_outfile *out, const char *path, msw_err *err)
{
    struct stat link;
    out->existed = stat(path, &out->before) == 0;
    if (!out->existed && lstat(path, &link) == 0)
        return msw_fail_kind(err, MSW_ERR_IO, "%s: is a link to a file that is not there", path);
    bool regular = out->existed && S_ISREG(out->before.st_mode);
    out->path = regular ? realpath(path, NULL) : msw_strdup(path);
    return out->path ? 0 : msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno));
}

static int open_part(msw_outfile *out, msw_err *err)
{
    const char *slash = strrchr(out->path, '/');
    int fd = -1;
    for (int n = 0; fd < 0 && n < MOST_PARTS; n++) {
        free(out->part);
        out->part =
            msw_strfmt("%.*s.memsweep-%ld-%d.part", slash ? (int)(slash + 1 - out->path) : 0,
                       out->path, (long)getpid(), n);
        if (!out->part)
            return msw_fail_memory(err);
        fd = msw_disk_open(out->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    out->file = fd < 0 ? NULL : msw_disk_stream(fd, "wb");
    if (!out->file) {
        msw_fail_kind(err, MSW_ERR_IO, "%s: %s", out->path, strerror(errno));
        free(out->part);
        out->part = NULL;
        return -1;
    }
    if (out->existed)
        msw_disk_set_mode_open(fd, out->before.st_mode & 07777);
    return 0;
}

static int check_old(const msw_outfile *out, msw_output_kind content, const char *input,
                     msw_err *err)
{
    if (!out->existed)
        return 0;
    if (refuse_input(out->path, &out->before, input, err) ||
        refuse_content(out->path, content, err))
        return -1;
    return access(out->path, W_OK) == 0
               ? 0
               : msw_fail_kind(err, MSW_ERR_IO, "%s: %s", out->path, strerror(errno));
}

int msw_outfile_open(msw_outfile *out, const char *path, msw_output_kind content, const char *input,
                     msw_err *err)
{
    int rc = 0;
    *out = (msw_outfile){0};
    if (find_path(out, path, err))
        return -1;
    if (!open_stream(out, path, &rc, err)) {
        rc = refuse_companion(out->path, err);
        if (rc == 0)
            rc = check_old(out, content, input, err);
        if (rc == 0)
            rc = open_part(out, err);
    }
    if (rc)
        msw_outfile_drop(out);
    return rc;
}

int msw_outfile_check(const char *path, msw_output_kind content, const char *input, msw_err *err)
{
    msw_outfile out = {0};
    int rc = find_path(&out, path, err) ? -1 : refuse_companion(out.path, err);
    if (rc == 0 && S_ISREG(out.before.st_mode) && !is_standard_output(&out.before))
        rc = check_old(&out, content, input, err);
    msw_outfile_drop(&out);
    return rc;
}

/* ---- closing ---- */

/* Whether what was looked at is what will be replaced. */
static bool is_unchanged(const msw_outfile *out)
{
    struct stat now;
    bool there = lstat(out->path, &now) == 0;
    return there == out->existed && (!there || same_file(&now, &out->before));
}

/* A name is on the disk when its folder is: until then a power failure brings the old one back. */
static int replace_old(msw_outfile *out, msw_err *err)
{
    if (msw_disk_rename(out->part, out->path))
        return msw_fail_kind(err, MSW_ERR_IO, "%s: %s", out->path, strerror(errno));
    free(out->part);
    out->part = NULL;
    return msw_file_sync_name(out->path, err);
}

int msw_outfile_keep(msw_outfile *out, msw_err *err)
{
    int rc = 0;
    bool good = msw_disk_finish(out->file, out->part != NULL) == 0;
    out->file = NULL;
    if (!good)
        rc = msw_fail_kind(err, MSW_ERR_IO, "%s: %s", out->path,
                           errno ? strerror(errno) : "cannot be written");
    else if (out->part && !is_unchanged(out))
        rc = msw_fail_kind(err, MSW_ERR_IO, "%s: somebody else changed it meanwhile", out->path);
    else if (out->part)
        rc = replace_old(out, err);
    msw_outfile_drop(out);
    return rc;
}

void msw_outfile_drop(msw_outfile *out)
{
    if (out->file)
        fclose(out->file);
    if (out->part)
        msw_disk_remove(out->part);
    free(out->part);
    free(out->path);
    *out = (msw_outfile){0};
}

int msw_outfile_write(const char *path, msw_output_kind content, const char *input,
                      const msw_text *bytes, msw_err *err)
{
    msw_outfile out;
    if (bytes->failed)
        return msw_fail_memory(err);
    if (msw_make_folder(path, err) || msw_outfile_open(&out, path, content, input, err))
        return -1;
    fwrite(msw_text_str(bytes), 1, bytes->size, out.file);
    return msw_outfile_keep(&out, err);
}
