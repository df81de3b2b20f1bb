#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 782. A sweep file that is there and cannot be read, and memory that runs out while it is
# read, were called wrong usage (exit code 2), in an empty message at times; later steps of the
# loader crashed.
faults=${MEMSWEEP_BUILD:?}/tests/faults
[ -x "$faults" ] || exit 77
[ -n "${TMPDIR:-}" ] || ! [ -w /dev/shm ] || export TMPDIR=/dev/shm
"$faults" --only run --calls open --first 1 && "$faults" --only kept --calls memory --first 130
