#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# write_databases.sh PROGRAM FOLDER: how databases/*.db came about. They were written by the version
# of memsweep that the first of these tests found, and are not written again: what they stand for is
# a file of an older version. A later generation goes into a folder of its own.
# Each file holds one sweep at three fidelities. The last, full, was interrupted half-way; that of
# null was killed. The host's name is made neutral (as root, in a UTS namespace of its own).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
folder=$2
if [ "${3:-}" != inside ]; then
    exec unshare --uts bash "$here/write_databases.sh" "$program" "$folder" inside
fi
hostname golden
export MEMSWEEP_DATA=${MEMSWEEP_DATA:-$(cd "$here/../.." && pwd)}
mkdir -p "$folder"
cd "$folder"
cp "$here"/sweeps/*-store.yaml .

rows() {
    "$program" query "$1" --sql "SELECT count(*) FROM points_$2" -f tsv 2>/dev/null | tail -n 1
}

# cut_short SWEEP MECHANISM SIGNAL SECONDS: a run at full that a signal ends.
cut_short() {
    "$program" run "$1.yaml" -o "$2.db" -t 1 -q --fidelity full &
    local pid=$!
    sleep "$4"
    kill -"$3" $pid
    wait $pid 2>/dev/null || true
    rm -f "$2.db.lock"
}

write() {
    local sweep=$1 mechanism=$2 signal=$3 seconds=$4 before
    rm -f "$mechanism.db"
    "$program" run "$sweep.yaml" -o "$mechanism.db" -t 1 -q --fidelity analytic || [ $? = 1 ]
    "$program" run "$sweep.yaml" -o "$mechanism.db" -t 1 -q --fidelity sampled || [ $? = 1 ]
    before=$(rows "$mechanism.db" "$mechanism")
    cut_short "$sweep" "$mechanism" "$signal" "$seconds"
    echo "$mechanism.db: $(($(rows "$mechanism.db" "$mechanism") - before)) of $((before / 2)) points at full"
    [ ! -e "$mechanism.db-journal" ] || echo "$mechanism.db: a journal was left"
}

write null-store null KILL "${NULL_SECONDS:-1.3}"
write forward-store null_forward TERM "${FORWARD_SECONDS:-0.25}"
write neummu-store neummu TERM "${NEUMMU_SECONDS:-0.2}"
write sparse-store neummu_sparse TERM "${SPARSE_SECONDS:-0.3}"
write htmmu-store htmmu TERM "${HTMMU_SECONDS:-0.2}"
