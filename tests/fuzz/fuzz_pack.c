/* SPDX-License-Identifier: MIT */
/* Any bytes are an archive, or what stands in one, that is read or refused with a message; nothing
 * crashes and no plan reads a file of the machine. The first byte says what the others are: the
 * archive, its versions.json, its sweep file, or changes to a sound archive (place and value). */
#include "memsweep/pack/packed.h"
#include "pack_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHANGE_BYTES = 3 };

static void said(int rc, const msw_err *err)
{
    if (rc < 0 && !*err->text) {
        fprintf(stderr, "refused without a message\n");
        abort();
    }
}

static void plan(const msw_packed *packed)
{
    msw_err err = {0};
    msw_messages messages = {0};
    msw_plan_options options;
    msw_plan *found = NULL;
    msw_text lines = MSW_TEXT_EMPTY;
    int rc = msw_packed_options(packed, &options, &err);
    said(rc, &err);
    if (rc == 0 && msw_plan_load(packed->sweep, &options, &found, &messages) == 0)
        msw_packed_differ(packed, found, "x86_64", &lines);
    msw_text_free(&lines);
    msw_text_free(&messages.text);
    msw_plan_free(found);
}

static void take(const char *bytes, size_t size)
{
    msw_packed packed;
    msw_err err = {0};
    int rc = msw_packed_read(&packed, "a.zip", bytes, size, &err);
    said(rc, &err);
    if (rc == 0) {
        plan(&packed);
        msw_packed_close(&packed);
    }
}

/* An archive with these texts in the place of the sound ones; NULL keeps one. */
static void take_archive(const char *versions, const char *sweep, const uint8_t *changes,
                         size_t size)
{
    const pack_content files[] = {{"inputs/s.yaml", sweep ? sweep : pack_sweep},
                                  {"results.db", "none"}};
    msw_text sound = MSW_TEXT_EMPTY;
    char *bytes = NULL;
    size_t total = 0;
    pack_versions(NULL, files, 2, &sound);
    pack_archive(versions ? versions : msw_text_str(&sound), files, 2, &bytes, &total);
    for (size_t i = 0; i + CHANGE_BYTES <= size; i += CHANGE_BYTES)
        bytes[((size_t)changes[i] << 8 | changes[i + 1]) % total] = (char)changes[i + 2];
    take(bytes, total);
    free(bytes);
    msw_text_free(&sound);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    char *text = malloc(size);
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (data[0] % 4 == 0)
        take(text, size - 1);
    else if (data[0] % 4 == 1)
        take_archive(text, NULL, NULL, 0);
    else if (data[0] % 4 == 2)
        take_archive(NULL, text, NULL, 0);
    else
        take_archive(NULL, NULL, data + 1, size - 1);
    free(text);
    return 0;
}
