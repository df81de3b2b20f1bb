#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a sweep give the same bits on one thread and two, in file order and shuffled, in one go and
# killed at random moments and resumed? After each kill the file must be sound and hold every row
# that was reported as committed. MEMSWEEP_KILLS kills (6).
set -uo pipefail
memsweep=$MEMSWEEP_BUILD/memsweep
kills=${MEMSWEEP_KILLS:-6}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >bits.yaml <<'YAML'
sweep: bits
mechanism: null
workloads: [synth/even, synth/skewed]
fidelity: sampled
sampling: {target: 5%, pilot: 100}
vary:
  gain: {from: 1, to: 4, count: 24}
  x1: [0, 0.25, 0.5, 0.75]
  x2: [0.1, 0.9]
where: "gain * x1 < 2.5"
fix: {feasible_sum: 1.5, fail_share: 0.05, nan_share: 0.05, carry: "x1 / 10"}
replicates: 2
seed: 7
YAML

fail() {
    echo "FAILED: $*"
    exit 1
}

# Some points fail on purpose: exit code 1 is the good end.
run() {
    "$memsweep" run bits.yaml "$@" >log 2>&1
    local code=$?
    [ $code = 1 ] || { cat log; fail "run $* ended with $code"; }
}

digest() {
    "$memsweep" digest "$1" | grep -oE '[0-9a-f]{32}' | head -n 1
}

run -o one.db --threads 1
wanted=$(digest one.db)
[ ${#wanted} = 32 ] || fail "no digest: $("$memsweep" digest one.db)"
run -o two.db --threads 2
[ "$(digest two.db)" = "$wanted" ] || fail "two threads: $(digest two.db), wanted $wanted"
run -o shuffled.db --threads 2 --shuffle
[ "$(digest shuffled.db)" = "$wanted" ] || fail "shuffled: $(digest shuffled.db), wanted $wanted"
echo "digest $wanted on 1 thread, on 2, and shuffled"

# A slower copy of the sweep, so that kills hit it at work: it sleeps, since others test at that time. Its own digest is the reference.
sed -e 's/^sweep: bits/sweep: slow/' -e 's/carry:/cost: 3ms, cost_kind: sleep, carry:/' bits.yaml >slow.yaml
"$memsweep" run slow.yaml -o whole.db --threads 2 >log 2>&1
wanted=$(digest whole.db)

committed() {
    # The last "N committed" that was printed; 0 when nothing was.
    grep -oE '[0-9,]+ committed' "$1" | tail -n 1 | tr -dc 0-9
}

survived=0
killed=0
while [ $killed -lt "$kills" ]; do
    rm -f killed.db*
    for round in 1 2 3; do
        "$memsweep" run slow.yaml -o killed.db --threads 2 >log 2>&1 &
        pid=$!
        sleep "0.$((RANDOM % 6 + 1))$((RANDOM % 10))"
        kill -KILL $pid 2>/dev/null && killed=$((killed + 1))
        wait $pid 2>/dev/null
        [ -f killed.db ] || continue
        [ "$(sqlite3 killed.db 'PRAGMA integrity_check')" = ok ] || fail "integrity after a kill"
        rows=$(sqlite3 killed.db 'SELECT count(*) FROM points_null' 2>/dev/null || echo 0)
        told=$(committed log)
        [ "${rows:-0}" -ge "${told:-0}" ] || fail "$rows rows, but $told were committed"
        [ "$(sqlite3 killed.db 'SELECT count(*) - count(DISTINCT key) FROM points_null' 2>/dev/null || echo 0)" = 0 ] ||
            fail "a row twice after a kill (round $round)"
    done
    "$memsweep" run slow.yaml -o killed.db --threads 2 >log 2>&1
    [ "$(digest killed.db)" = "$wanted" ] || fail "killed and resumed: $(digest killed.db), wanted $wanted"
    survived=$((survived + 1))
done
echo "$killed kills in $survived runs: every file sound, no row lost or twice, digest $wanted"
