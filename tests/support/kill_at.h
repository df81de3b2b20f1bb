/* SPDX-License-Identifier: MIT */
/* A process that is killed just before the n-th time it changes anything on a disk: functions of
 * the system library are replaced by ones that count. Nothing is synchronised, which a kill cannot
 * distinguish from the real thing. A program that
 * includes this is linked with kill_at.c, which is no part of the library. */
#ifndef MEMSWEEP_KILL_AT_H
#define MEMSWEEP_KILL_AT_H

#include <stdbool.h>
#include <stdint.h>

/* Runs `body`, which reports how many rows are safe by writing numbers to a pipe, and kills it
 * before its n-th change. Returns whether it came to its end, and the last number reported. */
bool kill_at(long n, int (*body)(void *context, int report), void *context, uint64_t *safe);

#endif
