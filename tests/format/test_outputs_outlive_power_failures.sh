#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 786. An output took its place before its bytes were on the disk, and its folder was never
# synchronised: a power failure after the command had ended left an empty file, or the old one.
faults=${MEMSWEEP_BUILD:?}/tests/faults
[ -x "$faults" ] || exit 77
[ -n "${TMPDIR:-}" ] || ! [ -w /dev/shm ] || export TMPDIR=/dev/shm
"$faults" --only export,report --power
