#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 780. A commit counted when the removal of its journal was not yet on the disk, and a folder
# made for a database was never synchronised: a power failure brought the journal back, which undid
# the commit, or took the folder away.
faults=${MEMSWEEP_BUILD:?}/tests/faults
[ -x "$faults" ] || exit 77
[ -n "${TMPDIR:-}" ] || ! [ -w /dev/shm ] || export TMPDIR=/dev/shm
"$faults" --only run --power
