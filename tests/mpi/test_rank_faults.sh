#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a call of the system that fails in one rank of several, each of two threads, end the whole run:
# with a message, the right exit code and a sound file, and gives the next run the usual digest? Calls
# fail at random, of one kind in each trial, in rank 0 (which reads and writes) or in another (which
# asks for memory and nothing else). All but the moment follows from the trial's number, which a
# failure prints: MEMSWEEP_TRIAL=NUMBER repeats that one. MEMSWEEP_TRIALS is how many there are (14;
# with MEMSWEEP_FULL 420), from number MEMSWEEP_TRIAL_FIRST. What happened stays in rank-faults.tsv in
# the build folder.
source "$(dirname "$0")/common.sh"
faults=$MEMSWEEP_BUILD/tests/faults
[ -x "$faults" ] || {
    echo "skipped: no $faults"
    exit 77
}
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
seconds=60 # of a trial, which takes one: who takes longer hangs
sweep small 'x3: 0'
gives 0 "$memsweep" run small.yaml --fidelity sampled -q -t 1 -o one.db
wanted=$(digest one.db)
declare -A times went told

# Kinds of calls with rates at which about one of them fails in a run.
kinds=('write 0.012' 'sync 0.05' 'open 0.1' 'read 0.008' 'lock 0.025' 'name 0.15' 'memory 0.0001')

# count ARRAY NAME
count() {
    local -n array=$1
    array[$2]=$((${array[$2]:-0} + 1))
}

# sound_file: whole, and nothing in it is damaged.
sound_file() {
    [ -s x.db ] || return
    if command -v sqlite3 >/dev/null; then
        gives 0 sqlite3 x.db 'PRAGMA integrity_check'
        same "$out" ok "trial $n: integrity"
    fi
    "$memsweep" verify -q x.db >out 2>err || grep -q "no sweep was run into it" err ||
        fail "trial $n: verify: $(head -c 300 err)"
}

# told_once: one message, and no word of a crash.
told_once() {
    local words
    words=$(grep -c -E '^(memsweep: |small.yaml|out of memory)' trial.err)
    [ "$words" -ge 1 ] || fail "trial $n: exit code $code without a message: $(head -c 600 trial.err)"
    ! grep -qE 'signal [0-9]|Segmentation|MPI_ERR|ERROR: AddressSanitizer' trial.err ||
        fail "trial $n: a crash: $(head -c 900 trial.err)"
}

trial() {
    n=$1
    local kind rate in_rank=0 size=$((2 + n % 2)) hits before=$bad
    read -r kind rate <<<"${kinds[n % ${#kinds[@]}]}"
    if [ "$kind" = memory ] && [ $((n / 7 % 3)) != 0 ]; then in_rank=1 rate=0.0003; fi
    rm -f x.db*
    timeout -k 5 $seconds mpirun --oversubscribe --bind-to none -n $size \
        "$faults" --program $kind $rate $n $in_rank run small.yaml --fidelity sampled -q -t 2 -o x.db \
        >trial.out 2>trial.err </dev/null
    code=$?
    hits=$(sed -n "s/^-- $kind: \([0-9]*\) of .* failed/\1/p" trial.err | sort -n | tail -n 1)
    # A rank that is ended cannot say how many calls failed.
    [ $code -ne 0 ] || [ "${hits:-1}" -gt 0 ] || return
    name="$kind, in rank $([ $in_rank = 0 ] && echo 0 || echo 'above 0')"
    count times "$name"
    case $code in
    0) count went "$name" ;;
    1 | 3) count told "$name" && told_once ;;
    124 | 137) fail "trial $n: still there after $seconds s: $(head -c 600 trial.err)" ;;
    *) fail "trial $n: exit code $code: $(head -c 900 trial.err)" ;;
    esac
    sound_file
    gives 0 "$memsweep" run small.yaml --fidelity sampled -q -t 2 --retry -o x.db
    same "$(digest x.db)" "$wanted" "trial $n ($kind, rank $in_rank of $size): digest"
    [ $bad = $before ] || echo "    trial $n: calls of $kind at $rate in rank $in_rank of $size"
}

trials=14
[ -z "${MEMSWEEP_FULL:-}" ] || trials=420
trials=${MEMSWEEP_TRIALS:-$trials}
first=${MEMSWEEP_TRIAL_FIRST:-0}
if [ -n "${MEMSWEEP_TRIAL:-}" ]; then
    first=$MEMSWEEP_TRIAL trials=1
fi
for ((i = first; i < first + trials; i++)); do
    trial $i
done
{
    printf 'kind\tfault\ttimes\toutcome\tcount\n'
    for name in "${!times[@]}"; do
        [ "${went[$name]:-0}" = 0 ] ||
            printf 'ranks\t%s\t%d\twent on, with the usual result\t%d\n' "$name" "${times[$name]}" "${went[$name]}"
        [ "${told[$name]:-0}" = 0 ] ||
            printf 'ranks\t%s\t%d\tall ranks end, a message, next run as usual\t%d\n' "$name" "${times[$name]}" \
                "${told[$name]}"
    done | sort
} >"$MEMSWEEP_BUILD/rank-faults.tsv"
tail -n +2 "$MEMSWEEP_BUILD/rank-faults.tsv"
finish
