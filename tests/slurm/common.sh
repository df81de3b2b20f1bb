# SPDX-License-Identifier: MIT
# What the scripts of this folder share: a Slurm of their own with two virtual nodes. Skips where
# Slurm is not installed.
source "$(dirname "${BASH_SOURCE[0]}")/../mpi/common.sh"
chmod 755 "$work" # munge has a user of its own
cluster=$MEMSWEEP_SOURCE/slurm/local-cluster
if ! "$cluster" start cluster >start.log 2>&1; then
    cat start.log
    echo "skipped: no Slurm of our own"
    exit 77
fi
trap '"$cluster" stop "$work/cluster"; rm -rf "$work"' EXIT
export SLURM_CONF=$work/cluster/slurm.conf OMPI_MCA_rmaps_base_oversubscribe=1

# submit ARGUMENT...: leaves the job's number in `job`.
submit() {
    gives 0 "$memsweep" submit "$@" --mem 100
    job=$(sed -nE 's/^job ([0-9]+) submitted.*/\1/p' out)
    [ -n "$job" ] || fail "no job number in '$out'"
}

# asks FILE KEYS: what the sweep's jobs want of the site, in place of what they wanted.
asks() {
    sed -i '/^submit: /d' "$1"
    echo "submit: {$2}" >>"$1"
}

# log FILE JOB: of a job that is no array.
log() {
    printf '%s.%08d.log' "$1" "$2"
}

# state JOB: of all its tasks, in one line; nothing once it is forgotten.
state() {
    squeue -h --states=all -j "$1" -o %T 2>/dev/null | sort -u | paste -sd ' '
}

# until_state JOB STATE SECONDS
until_state() {
    local i
    for ((i = 0; i < $3 * 5; i++)); do
        [ "$(state "$1")" != "$2" ] || return 0
        sleep 0.2
    done
    fail "job $1 is '$(state "$1")' after $3 s, wanted $2: $(tail -n 5 ./results/*.log)"
}

# until_rows FILE COUNT SECONDS
until_rows() {
    local i
    for ((i = 0; i < $3 * 5; i++)); do
        [ "$(rows "$1")" -lt "$2" ] || return 0
        sleep 0.2
    done
    fail "$1 has $(rows "$1") rows after $3 s, wanted $2: $(tail -n 5 ./results/*.log)"
}

# supervisors: how many watch programs of this test; other tests have theirs.
supervisors() {
    local pid
    for pid in $(pgrep -f "memsweep supervise"); do
        readlink "/proc/$pid/cwd"
    done | grep -cF "$work"
}
