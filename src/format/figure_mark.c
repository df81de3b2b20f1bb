/* SPDX-License-Identifier: MIT */
/* The mark by which a figure is known to be ours: a comment, or what a format has instead. */
#include "memsweep/format/outfile.h"

#include <stdint.h>
#include <string.h>

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
