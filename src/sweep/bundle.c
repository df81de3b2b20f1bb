/* SPDX-License-Identifier: MIT */
/* A bundle is a list of records: the sizes of path and content, then both. */
#include "memsweep/sweep/bundle.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { IDENTITY_LABEL = 1200 };

typedef struct record {
    uint64_t path_size, size; /* the path's includes its final zero */
} record;

static bool is_file(void *context, const char *path)
{
    const msw_file_source *from = ((const msw_recorder *)context)->from;
    struct stat info;
    if (from)
        return from->exists(from->context, path);
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool msw_bundle_next(const msw_text *bytes, size_t *at, msw_bundle_file *file)
{
    record head;
    if (bytes->size < sizeof head || *at > bytes->size - sizeof head)
        return false;
    memcpy(&head, bytes->data + *at, sizeof head);
    *at += sizeof head;
    if (!head.path_size || head.path_size > bytes->size - *at ||
        head.size > bytes->size - *at - head.path_size ||
        bytes->data[*at + head.path_size - 1] != '\0')
        return false;
    *file = (msw_bundle_file){bytes->data + *at, bytes->data + *at + head.path_size, head.size};
    *at += head.path_size + head.size;
    return true;
}

/* Finds the content of a recorded file. Returns NULL when there is none of that path. */
static const char *find(const msw_text *bytes, const char *path, size_t *size)
{
    msw_bundle_file file;
    for (size_t at = 0; msw_bundle_next(bytes, &at, &file);)
        if (strcmp(file.path, path) == 0) {
            *size = file.size;
            return file.content;
        }
    return NULL;
}

/* Cuts the label off a request for the identity of a file. Returns the file, or NULL. */
static const char *identity_of(const char *path, char label[IDENTITY_LABEL])
{
    const char *end = strchr(path, '\n');
    if (!end || strncmp(end + 1, MSW_IDENTITY, strlen(MSW_IDENTITY)) != 0)
        return NULL;
    snprintf(label, IDENTITY_LABEL, "%.*s", (int)(end - path), path);
    return end + 1 + strlen(MSW_IDENTITY);
}

static int read_identity(const char *path, char **data, size_t *size, msw_err *err)
{
    *data = calloc(1, MSW_DIGEST_TEXT);
    *size = MSW_DIGEST_TEXT - 1;
    if (!*data)
        return msw_fail_memory(err);
    if (msw_program_identify(path, *data, err) == 0)
        return 0;
    free(*data);
    *data = NULL;
    return -1;
}

void msw_bundle_add(msw_text *bytes, const char *path, const char *content, size_t size)
{
    record head = {strlen(path) + 1, size};
    msw_text_add_bytes(bytes, (const char *)&head, sizeof head);
    msw_text_add_bytes(bytes, path, head.path_size);
    msw_text_add_bytes(bytes, content, size);
}

static int record_file(void *context, const char *path, size_t most, char **data, size_t *size,
                       msw_err *err)
{
    msw_recorder *recorder = context;
    msw_text *bytes = &recorder->bytes;
    const msw_file_source *from = recorder->from;
    size_t known;
    char label[IDENTITY_LABEL];
    const char *identity = identity_of(path, label);
    if (identity && !from ? read_identity(identity, data, size, err)
        : from            ? from->read(from->context, path, most, data, size, err)
                          : msw_read_input(path, most, data, size, err))
        return -1;
    path = identity ? label : path;
    if (recorder->limited && bytes->size + *size > recorder->most) {
        msw_text_free(bytes);
        recorder->forgot = true;
    }
    if (recorder->forgot || find(bytes, path, &known))
        return 0;
    msw_bundle_add(bytes, path, *data, *size);
    if (!bytes->failed)
        return 0;
    free(*data);
    *data = NULL;
    return msw_fail_memory(err);
}

static bool is_recorded(void *context, const char *path)
{
    size_t size;
    return find(context, path, &size) != NULL;
}

static int play_file(void *context, const char *path, size_t most, char **data, size_t *size,
                     msw_err *err)
{
    (void)most; /* checked when it was recorded */
    const char *content = find(context, path, size);
    if (!content)
        return msw_fail_kind(err, MSW_ERR_IO, "%s: was not sent by the first rank", path);
    *data = malloc(*size + 1);
    if (!*data)
        return msw_fail_memory(err);
    memcpy(*data, content, *size);
    (*data)[*size] = '\0';
    return 0;
}

msw_file_source msw_bundle_recorder(msw_recorder *recorder)
{
    return (msw_file_source){recorder, recorder->from && recorder->from->recorded, is_file,
                             record_file};
}

msw_file_source msw_bundle_player(const msw_text *bytes)
{
    return (msw_file_source){(void *)bytes, true, is_recorded, play_file};
}

void msw_bundle_paths(const char *path, const char *const *dirs, msw_text *paths)
{
    msw_text_add(paths, "%s", path);
    for (; *dirs; dirs++)
        msw_text_add(paths, "\n%s", *dirs);
}

void msw_bundle_cut_paths(char *paths, const char *dirs[MSW_BUNDLE_DIRS + 1])
{
    int count = 0;
    for (char *end = strchr(paths, '\n'); end && count < MSW_BUNDLE_DIRS; end = strchr(end, '\n')) {
        *end++ = '\0';
        dirs[count++] = end;
    }
    dirs[count] = NULL;
}
