/* SPDX-License-Identifier: MIT */
#include "power.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Who stands in for the system has no context. */
static struct {
    power_log *log;
    char folder[PATH_MAX];
    char names[POWER_FILES][256]; /* of the files there are now, relative to the folder; "": gone */
} now;

void power_begin(power_log *log, const char *folder)
{
    log->events = log->used = 0;
    log->files = 0;
    now.log = log;
    snprintf(now.folder, sizeof now.folder, "%s", folder);
}

bool power_is_on(void)
{
    return now.log != NULL;
}

/* The name below the folder, NULL when it is elsewhere. */
static const char *inside(const char *path)
{
    size_t size = strlen(now.folder);
    if (!now.log)
        return NULL;
    if (*path != '/')
        return strncmp(path, "./", 2) == 0 ? path + 2 : path;
    if (strcmp(path, now.folder) == 0)
        return ".";
    return strncmp(path, now.folder, size) == 0 && path[size] == '/' ? path + size + 1 : NULL;
}

static size_t keep(const void *bytes, size_t size)
{
    size_t at = now.log->used;
    if (at + size > POWER_BYTES)
        abort();
    memcpy(now.log->bytes + at, bytes, size);
    now.log->used += size;
    return at;
}

static size_t keep_name(const char *name)
{
    return keep(name, strlen(name) + 1);
}

static void add(power_event event)
{
    if (now.log->events == POWER_EVENTS)
        abort();
    now.log->list[now.log->events++] = event;
}

static int find(const char *name)
{
    for (int i = 0; i < now.log->files; i++)
        if (strcmp(now.names[i], name) == 0)
            return i;
    return -1;
}

/* A file that is seen for the first time has been there before if anything is in it. */
int power_open(const char *path)
{
    const char *name = inside(path);
    if (!name || strchr(name, '\n'))
        return -1;
    int file = find(name);
    if (file >= 0)
        return file;
    if (now.log->files == POWER_FILES)
        abort();
    file = now.log->files++;
    snprintf(now.names[file], sizeof now.names[file], "%s", name);
    add((power_event){.what = POWER_MAKE, .file = file, .text = keep_name(name)});
    return file;
}

void power_write(int file, const void *bytes, size_t size, uint64_t at)
{
    if (now.log && file >= 0)
        add((power_event){
            .what = POWER_WRITE, .file = file, .at = at, .size = size, .text = keep(bytes, size)});
}

void power_truncate(int file, uint64_t size)
{
    if (now.log && file >= 0)
        add((power_event){.what = POWER_TRUNCATE, .file = file, .size = size});
}

void power_sync(int file, bool folder_too)
{
    if (!now.log || file < 0)
        return;
    add((power_event){.what = POWER_SYNC, .file = file});
    if (folder_too)
        power_sync_folder_of(now.names[file]);
}

void power_sync_folder(const char *path)
{
    const char *name = inside(path);
    if (name)
        add((power_event){.what = POWER_SYNC_FOLDER, .text = keep_name(name)});
}

void power_sync_folder_of(const char *path)
{
    char folder[PATH_MAX];
    const char *name = inside(path);
    if (!name)
        return;
    snprintf(folder, sizeof folder, "%s", name);
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    power_sync_folder(slash ? folder : ".");
}

void power_folder(const char *path)
{
    const char *name = inside(path);
    if (name)
        add((power_event){.what = POWER_FOLDER, .text = keep_name(name)});
}

void power_remove(const char *path)
{
    const char *name = inside(path);
    int file = name ? find(name) : -1;
    if (!name)
        return;
    if (file >= 0)
        now.names[file][0] = '\0';
    add((power_event){.what = POWER_REMOVE, .file = file, .text = keep_name(name)});
}

void power_rename(const char *from, const char *to)
{
    const char *a = inside(from), *b = inside(to);
    if (!a || !b)
        return;
    int file = power_open(from), old = find(b);
    if (old >= 0)
        now.names[old][0] = '\0';
    snprintf(now.names[file], sizeof now.names[file], "%s", b);
    add((power_event){
        .what = POWER_RENAME, .file = file, .text = keep_name(a), .to = keep_name(b)});
}

void power_mark(power_what what, uint64_t size)
{
    if (now.log)
        add((power_event){.what = what, .size = size});
}
