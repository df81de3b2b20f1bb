/* SPDX-License-Identifier: MIT */
/* power: a record of everything a command does to files, and what a power failure at any moment may
 * leave of it.
 *
 * What was written and not synchronised may be there, not be there, or be there in part: in pieces
 * of 512 bytes and in any order. A name that was made, removed or renamed is sure when its folder
 * was synchronised after that. */
#ifndef MEMSWEEP_FAULTS_POWER_H
#define MEMSWEEP_FAULTS_POWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum power_what {
    POWER_MAKE,   /* a file of the name `text`, number `file` */
    POWER_FOLDER, /* a folder of the name */
    POWER_WRITE,
    POWER_TRUNCATE,
    POWER_SYNC,        /* of a file */
    POWER_SYNC_FOLDER, /* of the names in it */
    POWER_REMOVE,
    POWER_RENAME, /* `text` to `to` */
    POWER_COMMIT, /* so many rows were told to be safe: `size` */
    POWER_END     /* the command said it was done */
} power_what;

typedef struct power_event {
    power_what what;
    int file;
    uint64_t at, size;
    size_t text, to; /* offsets of names or bytes in the record */
} power_event;

enum { POWER_EVENTS = 1 << 16, POWER_BYTES = 1 << 27, POWER_FILES = 1024 };

/* In memory that parent and child share. */
typedef struct power_log {
    size_t events, used;
    int files;
    power_event list[POWER_EVENTS];
    char bytes[POWER_BYTES];
} power_log;

/* Records from now on what is done below `folder`, where the files that are there are safe. */
void power_begin(power_log *log, const char *folder);

bool power_is_on(void);

/* Each does nothing where nothing is recorded. */
int power_open(const char *path);
void power_write(int file, const void *bytes, size_t size, uint64_t at);
void power_truncate(int file, uint64_t size);
void power_sync(int file, bool folder_too);
void power_sync_folder(const char *path);
void power_sync_folder_of(const char *path);
void power_folder(const char *path);
void power_remove(const char *path);
void power_rename(const char *from, const char *to);
void power_mark(power_what what, uint64_t size);

/* How much of what is not sure is there: nothing, all, or what a seed draws. */
typedef enum power_way { POWER_NOTHING, POWER_ALL, POWER_SOME } power_way;

/* Puts into `folder`, which holds the files of the beginning, what a power failure just before
 * event `end` may leave. Returns 0, or -1. */
int power_fail(const power_log *log, size_t end, power_way way, uint64_t seed, const char *folder);

#endif
