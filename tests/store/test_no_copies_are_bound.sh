#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 783. A value that SQLite was to copy when it was bound became NULL when memory ran out for
# the copy: a row without its key was stored, and the run ended well. What is bound stays where it
# is until it is written, which needs no memory and cannot fail.
cd "${MEMSWEEP_SOURCE:?}" || exit 1
! grep -rnE 'sqlite3_bind_[a-z0-9]+\([^;]*SQLITE_TRANSIENT' src
