#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 851. Does a sweep at fidelity auto give the same choices, rows and statement on any number
# of threads, killed at random moments, in shards, stopped after a round, and with rows that were
# there before? The full form (MEMSWEEP_FULL) kills more often.
set -euo pipefail
memsweep=$MEMSWEEP_BUILD/memsweep
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0
cat >a.yaml <<'YAML'
sweep: a
mechanism: null
workloads: [synth/small]
fidelity: auto
auto: {budget: 12%, batch: 24, tolerance: 2%}
vary:
  x1: {from: 0.1, to: 0.9, count: 9}
  x2: {from: 0, to: 1, count: 5}
  x3: {from: 0, to: 1, count: 5}
fix: {function: zdt1, planted_error: 20%, planted_spikes: 3%, cost: 200 us}
subject_to: "f2 < 6"
objectives: {minimize: [f1, f2]}
YAML
command -v sqlite3 >/dev/null || exit 77

# print DATABASE: digests of the sweep and its parts, and all choices.
print() {
    for sweep in a@auto a@auto-analytic a@auto-full; do
        "$memsweep" digest "$1" -s "$sweep"
    done
    sqlite3 "$1" 'SELECT chosen, round, role, state, margin FROM msw_choice ORDER BY 1'
}

# same DATABASE WHAT: it holds what the first does.
same() {
    print "$1" >"$1.txt"
    cmp -s one.db.txt "$1.txt" || { echo "$2: not the same" && bad=1; }
}

"$memsweep" run a.yaml -o one.db -t 1 >one.out 2>/dev/null
print one.db >one.db.txt
grep -q 'with 95 % confidence at most' one.out || { cat one.out && bad=1; }
[ "$(sqlite3 one.db "SELECT count(*) FROM msw_choice WHERE role = 'audit'")" -gt 0 ] || { echo "no audit" && bad=1; }
[ "$(sqlite3 one.db "SELECT count(*) FROM msw_analysis WHERE kind = 'auto'")" = 1 ] || { echo "no statement" && bad=1; }

# The whole shows the full row where a point was chosen, and no other.
[ "$(sqlite3 one.db "SELECT sum(fidelity = 'full') = sum(role IS NOT NULL) AND sum((fidelity = 'full') <> (role IS NOT NULL)) = 0 AND count(*) = 225 FROM a")" = 1 ] ||
    { echo "the rows of the whole are not those that were chosen" && bad=1; }

"$memsweep" run a.yaml -o three.db -t 3 -q
same three.db threads

# Killed and taken up again.
for ((i = 0; i < ${MEMSWEEP_FULL:+20} + 5; i++)); do
    timeout -s KILL "0.$((RANDOM % 3))$((RANDOM % 10))" "$memsweep" run a.yaml -o killed.db -t 2 -q --take-over || true
done 2>/dev/null
"$memsweep" run a.yaml -o killed.db -t 2 -q --take-over
same killed.db killed

# Every design in full before: nothing is computed, and nothing is chosen otherwise.
"$memsweep" run a.yaml -o warm.db --fidelity full -q
"$memsweep" run a.yaml -o warm.db 2>/dev/null >warm.out
same warm.db 'rows there before'
"$memsweep" status warm.db -f tsv | awk -F '\t' '$1 == "a" { found = $3 } END { exit found != "full" }' ||
    { echo "a is not its full rows" && bad=1; }

# In shards, round by round.
rounds=$(sqlite3 one.db 'SELECT max(round) FROM msw_choice')
for i in 0 1; do "$memsweep" run a.yaml -o "part$i.db" --shard "$i/2" -q; done
"$memsweep" merge parts.db part0.db part1.db >/dev/null
for ((r = 1; r <= rounds; r++)); do
    for i in 0 1; do "$memsweep" run a.yaml -o parts.db --round "$r" --shard "$i/2" -q; done
    "$memsweep" merge parts.db "parts.round-$r.shard-"*-of-2.db >/dev/null
done
[ "$("$memsweep" run a.yaml -o parts.db | grep -c ' 0 infeasible in\| ok, ')" = 0 ] || { echo "rounds of shards were computed again" && bad=1; }
same parts.db shards

# A round that is not there or not complete is refused.
code=0
"$memsweep" run a.yaml -o parts.db --round 99 --shard 0/2 -q 2>err.txt || code=$?
[ $code = 2 ] && grep -q "the choice ended with round $rounds" err.txt || { echo "code $code:" && cat err.txt && bad=1; }
code=0
"$memsweep" run a.yaml -o part0.db --round 1 --shard 0/2 -q 2>err.txt || code=$?
[ $code = 2 ] && grep -q 'round 0 comes first' err.txt || { echo "code $code:" && cat err.txt && bad=1; }

# Stopped after a round, and taken up.
"$memsweep" run a.yaml -o stopped.db --round 2 -q
"$memsweep" run a.yaml -o stopped.db -q
same stopped.db stopped

# The part in full counts towards the budget while rounds are to come; it is complete when they are over.
sed 's/12%/70%/' a.yaml >long.yaml
"$memsweep" run long.yaml -o long.db --round 1 -q
# part: its state, and whether all that it counts is answered
part() { "$memsweep" status long.db -f tsv | awk -F '\t' '$1 == "a@auto-full" { print $8, $4 == $5, $9 == 100 }'; }
[ "$(part)" = 'chosen points 0 0' ] || { echo "rounds to come: $(part)" && bad=1; }
"$memsweep" run long.yaml -o long.db -q
[ "$(part)" = 'complete 1 1' ] || { echo "rounds over: $(part)" && bad=1; }
exit $bad
