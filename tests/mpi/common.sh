# SPDX-License-Identifier: MIT
# What the scripts of this folder share, on top of what those of tests/cli do: starting ranks and
# killing them. Skips where there is no MPI.
source "$(dirname "${BASH_SOURCE[0]}")/../cli/common.sh"
command -v mpirun >/dev/null || {
    echo "skipped: no mpirun"
    exit 77
}
grep -q 'MEMSWEEP_MPI:BOOL=ON' "$MEMSWEEP_BUILD/CMakeCache.txt" || {
    echo "skipped: built without MPI"
    exit 77
}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1

# ranks N COMMAND...: runs it on N ranks.
ranks() {
    local count=$1
    shift
    mpirun --oversubscribe --bind-to none -n "$count" "$memsweep" "$@"
}

# digest FILE
digest() {
    "$memsweep" digest "$1"
}

# begin N COMMAND...: the same in the background; `launcher` is its mpirun.
begin() {
    ranks "$@" >out 2>err </dev/null &
    shell=$!
    launcher=
    while [ -z "$launcher" ] && kill -0 $shell 2>/dev/null; do
        launcher=$(pgrep -P $shell -x mpirun | head -n 1)
        [ -n "$launcher" ] || sleep 0.02
    done
}

# await_end: waits for what `begin` started and returns its exit code. Open MPI 4.1's launcher can lock
# up when a rank is killed while others still start: it is ended when no rank has lived for 20 s.
await_end() {
    local dead=0
    while kill -0 $shell 2>/dev/null && [ $dead -lt 200 ]; do
        if pgrep -P "$launcher" -r R,S,D >/dev/null; then dead=0; else dead=$((dead + 1)); fi
        sleep 0.1
    done
    [ $dead -lt 200 ] || kill -KILL "$launcher"
    wait $shell
}

# process RANK: the process of a rank of what `begin` started.
process() {
    local pid
    for pid in $(pgrep -P "$launcher"); do
        tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null |
            grep -qx "OMPI_COMM_WORLD_RANK=$1" && echo "$pid"
    done
}

# rows FILE: rows committed so far, 0 before there is a file.
rows() {
    "$memsweep" query "$1" --sql 'SELECT count(*) AS n FROM points_null' -f tsv 2>/dev/null |
        tail -n 1 | grep -E '^[0-9]+$' || echo 0
}

# sound FILE: the database is whole and no row is there twice.
sound() {
    if command -v sqlite3 >/dev/null; then
        gives 0 sqlite3 "$1" 'PRAGMA integrity_check'
        same "$out" ok "integrity of $1"
    fi
    gives 0 "$memsweep" query "$1" -f tsv \
        --sql 'SELECT count(*) - count(DISTINCT key) AS n FROM points_null'
    same "$(echo "$out" | tail -n 1)" 0 "rows that are there twice in $1"
}
