/* SPDX-License-Identifier: MIT */
/* What a power failure leaves: the record is played again, but for what was not sure and did not
 * make it. */
#include "power.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512 };

typedef struct content {
    char *bytes;
    size_t size;
} content;

typedef struct entry {
    char name[256];
    int file; /* -1: a folder */
    bool there;
} entry;

typedef struct replay {
    const power_log *log;
    size_t end;
    power_way way;
    uint64_t random;
    const char *folder;
    content files[POWER_FILES];
    entry names[POWER_FILES * 2];
    size_t name_count;
} replay;

static const char *text(const replay *r, size_t at)
{
    return r->log->bytes + at;
}

static bool draw(replay *r)
{
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    return r->random >> 63;
}

/* ---- what is sure ---- */

static bool in_folder(const char *name, const char *folder)
{
    const char *slash = strrchr(name, '/');
    size_t size = slash ? (size_t)(slash - name) : 0;
    return slash ? strlen(folder) == size && strncmp(name, folder, size) == 0
                 : strcmp(folder, ".") == 0;
}

static bool name_is_sure(const replay *r, size_t i)
{
    const power_event *e = &r->log->list[i];
    const char *name = text(r, e->what == POWER_RENAME ? e->to : e->text);
    for (size_t k = i + 1; k < r->end; k++)
        if (r->log->list[k].what == POWER_SYNC_FOLDER &&
            in_folder(name, text(r, r->log->list[k].text)))
            return true;
    return false;
}

static bool bytes_are_sure(const replay *r, size_t i)
{
    for (size_t k = i + 1; k < r->end; k++)
        if (r->log->list[k].what == POWER_SYNC && r->log->list[k].file == r->log->list[i].file)
            return true;
    return false;
}

static bool made_it(replay *r, bool sure)
{
    return sure || r->way == POWER_ALL || (r->way == POWER_SOME && draw(r));
}

/* ---- contents ---- */

static void resize(content *c, size_t size)
{
    char *bytes = realloc(c->bytes, size + 1);
    if (!bytes)
        abort();
    if (size > c->size)
        memset(bytes + c->size, 0, size - c->size);
    c->bytes = bytes;
    c->size = size;
}

static void put(content *c, const char *bytes, size_t size, size_t at)
{
    if (at + size > c->size)
        resize(c, at + size);
    memcpy(c->bytes + at, bytes, size);
}

/* Each 512 bytes of a write that is not sure have their own luck. */
static void apply_write(replay *r, size_t i)
{
    const power_event *e = &r->log->list[i];
    content *c = &r->files[e->file];
    bool sure = bytes_are_sure(r, i);
    for (size_t from = 0; from < e->size; from += SECTOR) {
        size_t size = e->size - from < SECTOR ? e->size - from : SECTOR;
        if (made_it(r, sure))
            put(c, text(r, e->text) + from, size, e->at + from);
    }
}

static void load(replay *r, int file, const char *name)
{
    char path[PATH_MAX], block[65536];
    size_t got;
    snprintf(path, sizeof path, "%s/%s", r->folder, name);
    FILE *in = fopen(path, "rb");
    while (in && (got = fread(block, 1, sizeof block, in)) > 0)
        put(&r->files[file], block, got, r->files[file].size);
    if (in)
        fclose(in);
}

/* ---- names ---- */

static entry *name_of(replay *r, const char *name, bool make)
{
    for (size_t i = 0; i < r->name_count; i++)
        if (strcmp(r->names[i].name, name) == 0)
            return &r->names[i];
    if (!make)
        return NULL;
    entry *e = &r->names[r->name_count++];
    snprintf(e->name, sizeof e->name, "%s", name);
    return e;
}

static bool on_disk(const replay *r, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", r->folder, name);
    return access(path, F_OK) == 0;
}

/* A name seen for the first time that is on the disk was there before. */
static void apply_make(replay *r, size_t i)
{
    const power_event *e = &r->log->list[i];
    const char *name = text(r, e->text);
    entry *known = name_of(r, name, false);
    bool before = !known && on_disk(r, name);
    if (before)
        load(r, e->file, name);
    if (!before && !made_it(r, name_is_sure(r, i)))
        return;
    known = name_of(r, name, true);
    known->file = e->file;
    known->there = true;
}

static void apply_name(replay *r, size_t i)
{
    const power_event *e = &r->log->list[i];
    const char *name = text(r, e->text);
    entry *to;
    if (!made_it(r, name_is_sure(r, i)))
        return;
    if (e->what == POWER_FOLDER) {
        to = name_of(r, name, true);
        *to = (entry){.file = -1, .there = true};
        snprintf(to->name, sizeof to->name, "%s", name);
        return;
    }
    name_of(r, name, true)->there = false;
    if (e->what == POWER_REMOVE)
        return;
    to = name_of(r, text(r, e->to), true);
    to->file = e->file;
    to->there = true;
}

static void apply(replay *r, size_t i)
{
    const power_event *e = &r->log->list[i];
    switch (e->what) {
    case POWER_MAKE:
        apply_make(r, i);
        break;
    case POWER_FOLDER:
    case POWER_REMOVE:
    case POWER_RENAME:
        apply_name(r, i);
        break;
    case POWER_WRITE:
        apply_write(r, i);
        break;
    case POWER_TRUNCATE:
        if (made_it(r, bytes_are_sure(r, i)))
            resize(&r->files[e->file], e->size);
        break;
    default:
        break;
    }
}

/* ---- onto the disk ---- */

static int write_out(const replay *r, const entry *e)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", r->folder, e->name);
    if (e->there && e->file < 0) {
        mkdir(path, 0700); /* unless the folder around it did not make it */
        return 0;
    }
    unlink(path);
    if (!e->there)
        return 0;
    FILE *out = fopen(path, "wb");
    if (!out)
        return 0; /* its folder did not make it */
    const content *c = &r->files[e->file];
    size_t written = fwrite(c->bytes ? c->bytes : "", 1, c->size, out);
    return fclose(out) == 0 && written == c->size ? 0 : -1;
}

int power_fail(const power_log *log, size_t end, power_way way, uint64_t seed, const char *folder)
{
    replay *r = calloc(1, sizeof *r);
    if (!r)
        return -1;
    *r = (replay){.log = log, .end = end, .way = way, .random = seed * 2 + 1, .folder = folder};
    int rc = 0;
    for (size_t i = 0; i < end; i++)
        apply(r, i);
    for (size_t i = 0; i < r->name_count; i++)
        rc |= write_out(r, &r->names[i]);
    for (int i = 0; i < log->files; i++)
        free(r->files[i].bytes);
    free(r);
    return rc;
}
