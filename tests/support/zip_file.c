/* SPDX-License-Identifier: MIT */
#include "zip_file.h"

#include <string.h>

static void put(msw_text *out, uint64_t value, unsigned bytes)
{
    for (; bytes; bytes--, value >>= 8) {
        char byte = (char)value;
        msw_text_add_bytes(out, &byte, 1);
    }
}

static uint32_t sum_of(const uint8_t *data, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

void zip_add(zip_file *zip, const char *name, const void *data, size_t size, unsigned method)
{
    uint32_t crc = sum_of(data, size);
    size_t local = zip->bytes.size, packed = size + (method ? 5 : 0);
    put(&zip->bytes, 0x04034b50, 4);
    put(&zip->bytes, 20 | 0 << 16, 4);
    put(&zip->bytes, method, 2);
    put(&zip->bytes, 0, 4);
    put(&zip->bytes, crc, 4);
    put(&zip->bytes, packed, 4);
    put(&zip->bytes, size, 4);
    put(&zip->bytes, strlen(name), 2);
    put(&zip->bytes, 0, 2);
    msw_text_add_bytes(&zip->bytes, name, strlen(name));
    if (method) {
        put(&zip->bytes, 1, 1);
        put(&zip->bytes, size, 2);
        put(&zip->bytes, ~size, 2);
    }
    if (size)
        msw_text_add_bytes(&zip->bytes, data, size);
    msw_text *d = &zip->directory;
    put(d, 0x02014b50, 4);
    put(d, 20 | 20 << 16, 4);
    put(d, 0, 2);
    put(d, method, 2);
    put(d, 0, 4);
    put(d, crc, 4);
    put(d, zip->wide ? UINT32_MAX : packed, 4);
    put(d, zip->wide ? UINT32_MAX : size, 4);
    put(d, strlen(name), 2);
    put(d, zip->wide ? 28 : 0, 2);
    put(d, 0, 2 + 2 + 2 + 4);
    put(d, zip->wide ? UINT32_MAX : local, 4);
    msw_text_add_bytes(d, name, strlen(name));
    if (zip->wide) {
        put(d, 1 | 24 << 16, 4);
        put(d, size, 8);
        put(d, packed, 8);
        put(d, local, 8);
    }
    zip->entries++;
}

void zip_end(zip_file *zip)
{
    size_t from = zip->bytes.size, length = zip->directory.size;
    if (length)
        msw_text_add_bytes(&zip->bytes, zip->directory.data, length);
    if (zip->wide) {
        size_t at = zip->bytes.size;
        put(&zip->bytes, 0x06064b50, 4);
        put(&zip->bytes, 44, 8);
        put(&zip->bytes, 45 | 45 << 16, 4);
        put(&zip->bytes, 0, 8);
        put(&zip->bytes, zip->entries, 8);
        put(&zip->bytes, zip->entries, 8);
        put(&zip->bytes, length, 8);
        put(&zip->bytes, from, 8);
        put(&zip->bytes, 0x07064b50, 4);
        put(&zip->bytes, 0, 4);
        put(&zip->bytes, at, 8);
        put(&zip->bytes, 1, 4);
    }
    put(&zip->bytes, 0x06054b50, 4);
    put(&zip->bytes, 0, 4);
    put(&zip->bytes, zip->entries, 2);
    put(&zip->bytes, zip->entries, 2);
    put(&zip->bytes, zip->wide ? UINT32_MAX : length, 4);
    put(&zip->bytes, zip->wide ? UINT32_MAX : from, 4);
    put(&zip->bytes, 0, 2);
}

void zip_patch(zip_file *zip, size_t at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        zip->bytes.data[at + i] = (char)(value >> (8 * i));
}

void zip_free(zip_file *zip)
{
    msw_text_free(&zip->bytes);
    msw_text_free(&zip->directory);
}
