#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 784. When memory ran out while a database was closed it was taken for one that had been
# moved away, and all of it was copied to a rescue file.
faults=${MEMSWEEP_BUILD:?}/tests/faults
[ -x "$faults" ] || exit 77
[ -n "${TMPDIR:-}" ] || ! [ -w /dev/shm ] || export TMPDIR=/dev/shm
"$faults" --only kept --calls memory --last 30
