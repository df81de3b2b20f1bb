/* SPDX-License-Identifier: MIT */
#include "folder.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void die(const char *what)
{
    perror(what);
    abort();
}

static void read_bytes(folder_file *file, const char *path, size_t size)
{
    FILE *in = fopen(path, "rb");
    file->bytes = malloc(size + 1);
    if (!in || !file->bytes || fread(file->bytes, 1, size, in) != size)
        die(path);
    file->size = size;
    fclose(in);
}

static void read_below(folder *f, const char *path, const char *prefix)
{
    DIR *dir = opendir(path);
    if (!dir)
        die(path);
    for (struct dirent *e; (e = readdir(dir));) {
        char full[PATH_MAX], name[256];
        struct stat info;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        snprintf(full, sizeof full, "%s/%s", path, e->d_name);
        snprintf(name, sizeof name, "%.100s%.150s", prefix, e->d_name);
        if (lstat(full, &info) != 0)
            die(full);
        if (f->count == FOLDER_FILES)
            die("too many files");
        folder_file *file = &f->files[f->count++];
        *file = (folder_file){.bytes = NULL};
        snprintf(file->name, sizeof file->name, "%s", name);
        if (S_ISREG(info.st_mode)) {
            read_bytes(file, full, (size_t)info.st_size);
        } else if (S_ISDIR(info.st_mode)) {
            char below[300];
            snprintf(below, sizeof below, "%s/", name);
            read_below(f, full, below);
        }
    }
    closedir(dir);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const folder_file *)a)->name, ((const folder_file *)b)->name);
}

void folder_read(folder *f, const char *path)
{
    f->count = 0;
    read_below(f, path, "");
    qsort(f->files, f->count, sizeof *f->files, by_name);
}

void folder_clear(const char *path)
{
    folder now;
    folder_read(&now, path);
    for (size_t i = now.count; i-- > 0;) {
        char full[PATH_MAX];
        snprintf(full, sizeof full, "%s/%s", path, now.files[i].name);
        if (remove(full) != 0)
            die(full);
    }
    folder_free(&now);
}

void folder_write(const folder *f, const char *path)
{
    folder_clear(path);
    for (size_t i = 0; i < f->count; i++) {
        const folder_file *file = &f->files[i];
        char full[PATH_MAX];
        snprintf(full, sizeof full, "%s/%s", path, file->name);
        if (!file->bytes) {
            if (mkdir(full, 0700) != 0)
                die(full);
            continue;
        }
        FILE *out = fopen(full, "wb");
        if (!out || fwrite(file->bytes, 1, file->size, out) != file->size || fclose(out))
            die(full);
    }
}

void folder_free(folder *f)
{
    for (size_t i = 0; i < f->count; i++)
        free(f->files[i].bytes);
    f->count = 0;
}

static uint64_t add(uint64_t hash, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
    return hash;
}

uint64_t folder_digest(const folder *f)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < f->count; i++) {
        hash = add(hash, f->files[i].name, strlen(f->files[i].name) + 1);
        hash = add(hash, f->files[i].bytes ? "f" : "d", 1);
        hash = add(hash, f->files[i].bytes, f->files[i].size);
    }
    return hash;
}

const folder_file *folder_find(const folder *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->files[i].name, name) == 0)
            return &f->files[i];
    return NULL;
}

/* SQLite removes a journal that is not to be played back when it next writes. */
static bool is_journal(const char *name)
{
    size_t size = strlen(name);
    return size > 8 && strcmp(name + size - 8, "-journal") == 0;
}

void folder_extra(const folder *now, const folder *usual, bool parts_may_stay, char *text,
                  size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < now->count; i++)
        if (!folder_find(usual, now->files[i].name) && !is_journal(now->files[i].name) &&
            !(parts_may_stay && strstr(now->files[i].name, ".part")))
            snprintf(text + strlen(text), size - strlen(text), " %s", now->files[i].name);
}
