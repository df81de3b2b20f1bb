#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does the local cluster end all that it started: after use, when a daemon has lost the file with its
# number, and when one of them does not start?
source "$(dirname "$0")/common.sh"

# left FOLDER: its daemons that are still there.
left() {
    pgrep -af "$work/$1/" | grep -E '(munged|slurmctld|slurmd) ' || true
}

[ "$(left cluster | wc -l)" = 4 ] || fail "not four daemons: $(left cluster)"
gives 0 sinfo -h -o %D
rm -f cluster/munge/pid cluster/slurmctld.pid
gives 0 "$cluster" stop cluster
same "$(left cluster)" "" "daemons after stop"

mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/slurmctld
chmod +x bin/slurmctld
PATH=$work/bin:$PATH gives 1 "$cluster" start broken
same "$(left broken)" "" "daemons after a failed start"
finish
