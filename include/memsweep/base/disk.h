/* SPDX-License-Identifier: MIT */
/* disk: every call of the system that opens, reads, writes or names a file, for all files but those
 * that SQLite has open. Nothing else below src makes one (tests/lint/test_calls.sh).
 *
 * The functions do what those of the system do, and report errors by errno; what a name means is
 * for base/file.h, where an output goes for format/outfile.h. They are one place so that a test can
 * stand in for the system: docs/internals/decisions/injected-faults.md. */
#ifndef MEMSWEEP_BASE_DISK_H
#define MEMSWEEP_BASE_DISK_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Opens a file that no program started later sees; a new one gets `mode` less the umask. Returns
 * the descriptor, or -1. */
int msw_disk_open(const char *path, int flags, mode_t mode);

/* Reads up to `size` bytes at the descriptor's position, or at an offset. Returns how many, or -1.
 */
ssize_t msw_disk_read(int fd, void *bytes, size_t size);
ssize_t msw_disk_read_at(int fd, void *bytes, size_t size, off_t offset);

/* Writes all bytes at the descriptor's position, or at an offset. Returns 0, or -1: then a part may
 * be written. */
int msw_disk_write(int fd, const void *bytes, size_t size);
int msw_disk_write_at(int fd, const void *bytes, size_t size, off_t offset);

/* Cuts a file to `size` bytes. Returns 0, or -1. */
int msw_disk_truncate(int fd, off_t size);

/* Waits until a file, or the names in a folder, are on the disk; what cannot be synchronised at all
 * counts as done. Returns 0, or -1. */
int msw_disk_sync(int fd);

/* Locks a file for its descriptor alone, without waiting. Returns 0, or -1. */
int msw_disk_lock(int fd);

/* Names. Each returns 0, or -1. */
int msw_disk_rename(const char *from, const char *to);
int msw_disk_remove(const char *path);
int msw_disk_remove_in(int folder, const char *name);
int msw_disk_link(const char *target, const char *path);
int msw_disk_set_mode(const char *path, mode_t mode);
int msw_disk_set_mode_open(int fd, mode_t mode);
int msw_disk_make_folder(const char *path, mode_t mode);
int msw_disk_remove_folder(const char *path);

/* Makes a new private folder of a name that ends in XXXXXX, and puts its name there. */
int msw_disk_make_own_folder(char *pattern);

/* A stream on a descriptor, which is its own from then on; or on a file to read. Returns it, or
 * NULL. */
FILE *msw_disk_stream(int fd, const char *mode);
FILE *msw_disk_read_stream(const char *path);

/* Closes a stream that was written to, with `sync` down to the disk. Returns 0, or -1 when any of
 * its bytes did not arrive. */
int msw_disk_finish(FILE *stream, bool sync);

#endif
