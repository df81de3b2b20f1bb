#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 1230. Does a search give the same rows and statement on any number of threads, killed at
# random moments, in shards, stopped after a round, and continued with more evaluations? What cannot
# be searched is refused.
set -euo pipefail
memsweep=$MEMSWEEP_BUILD/memsweep
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0
cat >a.yaml <<'YAML'
sweep: a
mechanism: "null"
workloads: [synth/small, synth/even]
design: {kind: search, evaluations: 150, audit: 20}
vary:
  x1: {from: 0.1, to: 0.9}
  x2: {from: 0, to: 1, count: 9}
  x3: {from: 0, to: 1, count: 9}
fix: {function: zdt1}
subject_to: "f2 < 6"
objectives: {minimize: [f1, f2]}
YAML

# statement DATABASE
statement() {
    "$memsweep" query "$1" --sql "SELECT result FROM msw_analysis WHERE kind = 'search' ORDER BY id DESC LIMIT 1" -f csv
}

# same DATABASE WHAT: it holds what the first does.
same() {
    [ "$("$memsweep" digest "$1" -s a)" = "$("$memsweep" digest one.db -s a)" ] || { echo "$2: not the same" && bad=1; }
    cmp -s <(statement one.db) <(statement "$1") || { echo "$2: another statement" && bad=1; }
}

"$memsweep" run a.yaml -o one.db -t 1 >one.out 2>/dev/null
grep -q 'of 15 designs drawn at random extend the front: with 95 % confidence' one.out || { cat one.out && bad=1; }
"$memsweep" run a.yaml -o four.db -t 4 -q
same four.db threads

# What was spared could not have joined the front; the file and status know how much it is.
spared=$("$memsweep" status one.db -f csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "spared") c = i } NR == 2 { print $c + 0 }')
rows=$("$memsweep" query one.db --sql "SELECT count(*) FROM a" -f csv | tail -1)
[ "$spared" -gt 20 ] && [ $((rows + spared)) = 300 ] || { echo "$spared spared, $rows rows" && bad=1; }
wrong=$("$memsweep" query one.db -f csv --sql "SELECT count(*) FROM (SELECT max(f1) AS u, max(f2) AS v
    FROM a GROUP BY design_index HAVING count(*) < 2) WHERE NOT EXISTS (SELECT 1 FROM \"a@worst\" AS w
    WHERE w.f1 <= u AND w.f2 <= v AND w.within_limits)" | tail -1)
[ "$wrong" = 0 ] || { echo "$wrong designs were spared that may be on the front" && bad=1; }
sed 's/audit: 20/audit: 20, spare: off/' a.yaml >all.yaml
"$memsweep" run all.yaml -o all.db -q
[ "$("$memsweep" query all.db --sql "SELECT count(*) FROM a" -f csv | tail -1)" = 300 ] || { echo "spare: off spares" && bad=1; }

for ((i = 0; i < ${MEMSWEEP_FULL:+20} + 4; i++)); do
    timeout -s KILL "0.$((RANDOM % 2))$((RANDOM % 10))" "$memsweep" run a.yaml -o killed.db -t 2 -q --take-over || true
done 2>/dev/null
"$memsweep" run a.yaml -o killed.db -t 2 -q --take-over
same killed.db killed

for r in 1 2; do
    for i in 0 1; do "$memsweep" run a.yaml -o parts.db --round $r --shard "$i/2" -q; done
    "$memsweep" merge parts.db "parts.round-$r.shard-"*-of-2.db >/dev/null
done
"$memsweep" run a.yaml -o parts.db --round 4 -q
"$memsweep" run a.yaml -o parts.db -q
same parts.db 'shards and rounds'

# More evaluations go on from the rows that are there: those before the audit are the same.
sed 's/evaluations: 150/evaluations: 300/' a.yaml >b.yaml
"$memsweep" run b.yaml -o one.db -q
"$memsweep" run b.yaml -o fresh.db -q
[ "$("$memsweep" digest one.db -s a)" = "$("$memsweep" digest fresh.db -s a)" ] || { echo "continued: not the same" && bad=1; }

# A model proposes the same on any number of threads and after a kill, and other designs than moves.
sed '/spare/!s/evaluations: 150, audit: 20/evaluations: 96, audit: 0, spare: off, proposals: model/' a.yaml >model.yaml
"$memsweep" run model.yaml -o model.db -t 1 -q
OMP_NUM_THREADS=1 "$memsweep" run model.yaml -o model4.db -t 4 -q
timeout -s KILL 0.4 "$memsweep" run model.yaml -o modelled.db -t 2 -q --take-over || true
"$memsweep" run model.yaml -o modelled.db -t 2 -q --take-over
for other in model4 modelled; do
    [ "$("$memsweep" digest model.db)" = "$("$memsweep" digest $other.db)" ] || { echo "$other: not the same" && bad=1; }
done
sed 's/proposals: model/proposals: auto/' model.yaml >auto.yaml # at analytic: moves
"$memsweep" run auto.yaml -o auto.db -q
vectors() { "$memsweep" query "$1" --sql "SELECT group_concat(f1 || ' ' || f2) FROM a" -f csv; }
[ "$(vectors model.db)" != "$(vectors auto.db)" ] || { echo "the model proposes what moves do" && bad=1; }

# What is said of such rows.
"$memsweep" pareto fresh.db >/dev/null 2>pareto.txt || bad=1
"$memsweep" pareto fresh.db 2>&1 | grep -q 'the rows were chosen by a search: ' || { echo "pareto says nothing" && bad=1; }
code=0
"$memsweep" sensitivity fresh.db -m f2 --method anova >/dev/null 2>err.txt || code=$?
[ $code = 2 ] && grep -q 'were chosen by a search' err.txt || { echo "sensitivity: code $code:" && cat err.txt && bad=1; }

# refused WORDS: the file is refused so.
refused() {
    code=0
    "$memsweep" check wrong.yaml >err.txt 2>&1 || code=$?
    [ $code = 2 ] && grep -q "$1" err.txt || { echo "not refused: $1, code $code" && cat err.txt && bad=1; }
}
sed '/objectives/d' a.yaml >wrong.yaml && refused "name 'objectives'"
sed 's/fix: {/fix: {/; $a where: "x1 > 2"' a.yaml >wrong.yaml && refused 'belongs to the space'
sed '$a replicates: 2' a.yaml >wrong.yaml && refused 'takes every design once'
sed '/  x2/,/  x3/d; /  x1/a\  x2: {from: 0, to: 1}\n  x3: {from: 0, to: 1}\n  x4: {from: 0, to: 1}\n  x5: {from: 0, to: 1}\n  x6: {from: 0, to: 1}\n  x7: {from: 0, to: 1}' a.yaml >wrong.yaml &&
    refused 'at most 2^127'
exit $bad
