#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do answers from elsewhere become the rows that a program's would be: under leases that expire, told
# twice, all lines or none, from two askers at once, at fidelity auto? Nothing computes them.
source "$(dirname "$0")/common.sh"
command -v python3 >/dev/null || exit 77
export MEMSWEEP=$memsweep PYTHONPATH=${MEMSWEEP_SOURCE:?}/analysis/python PYTHONDONTWRITEBYTECODE=1
cat >lab.yaml <<'END2'
program: lab
by: hand
parameters:
  a: {from: 0, to: 1000, default: 5}
  mode: {choices: [fast, slow], default: fast}
metrics:
  yield: {goal: higher}
  time: {unit: ns, goal: lower}
  note: {optional: yes}
fidelities: {analytic: {}, full: {}}
END2
hand() { # NAME VARY [LINE...]
    printf 'sweep: %s\nmechanism: {program: lab.yaml}\ndesign: grid\nvary: {%s}\nobjectives: {maximize: [yield], minimize: [time]}\n' "$1" "$2" >"$1.yaml"
    printf '%s\n' "${@:3}" >>"$1.yaml"
}
told() { # CODE LINE...
    printf '%s\n' "${@:2}" >lines
    "$memsweep" tell one.yaml -o one.db <lines >out 2>err
    same $? "$1" "exit code of tell ${*:2}"
    out=$(cat out) err=$(cat err)
}
hand one 'a: {from: 1, to: 3}, mode: all' 'fidelity: full'

# Nothing starts or computes it.
for command in run submit; do
    gives 2 "$memsweep" $command one.yaml -o one.db
    has "$err" "'memsweep ask' gives"
done
gives 2 "$memsweep" eval lab.yaml a=2
gives 0 "$memsweep" plan one.yaml

# Everybody gets other points, until a lease expires; that makes no row.
gives 0 "$memsweep" ask one.yaml -o one.db -n 4 -f tsv
first=$(sed 1d out | cut -f1)
same "$(wc -l <<<"$first")" 4 "points"
gives 0 "$memsweep" ask one.yaml -o one.db -n 9 --lease 0s -f tsv
rest=$(sed 1d out | cut -f1)
same "$(grep -cF "$first" <<<"$rest")" 0 "points that were given twice"
same "$(wc -l <<<"$rest")" 2 "points that were left"
gives 0 "$memsweep" ask one.yaml -o one.db -n 9 -f tsv
same "$(sed 1d out | cut -f1)" "$rest" "points whose lease has expired"
gives 0 "$memsweep" ask one.yaml -o one.db -n 9 -f json
same "$out" '[]' "what is left when all is handed out"
mine=$(head -n 1 <<<"$rest")
same "$("$memsweep" query one.db --sql 'SELECT count(*) FROM one' -f tsv | sed 1d)" 0 "rows of leases"

# What is told is checked; all lines count, or none.
key=$(head -n 1 <<<"$first")
told 2 '{"key": "00000000000000000000000000000000", "failed": "x"}'
has "$err" 'never asked for'
told 2 "{\"key\": \"$key\", \"metrics\": {\"yield\": 1}}"
has "$err" 'metric time is missing'
told 2 "{\"key\": \"$key\", \"metrics\": {\"yield\": 1, \"time\": \"3 KiB\"}}"
has "$err" "'KiB' is not a unit here"
told 2 "{\"key\": \"$key\", \"metrics\": {\"yield\": 1, \"time\": 1, \"tmie\": 2}}"
told 2 "{\"key\": \"$key\", \"metrics\": {\"yield\": 1e999, \"time\": 1}}"
told 2 "{\"key\": \"$key\", \"metrics\": {\"yield\": null, \"time\": 1}}"
told 2 "{\"key\": \"$key\", \"metrics\": {\"yield\": \"1 m\", \"time\": 1}}"
has "$err" "metric yield: found '1 m', expected a number"
told 2 "{\"key\": \"$key\", \"metrics\": {\"yield\": 1, \"time\": 1}, \"failed\": \"x\"}"
has "$err" 'both "metrics" and "failed"'
told 2 "{\"key\": \"$key\", \"metrics\": {\"yield\": 1, \"time\": 1}, \"status\": \"failed\"}"
has "$err" 'unknown name "status"'
told 2 "{\"key\": \"$mine\", \"metrics\": {\"yield\": 1, \"time\": 1}}" 'nonsense'
told 2 "{\"key\": \"$mine\", \"metrics\": {\"yield\": 1, \"time\": 1}}" "{\"key\": \"$mine\", \"failed\": \"x\"}"
same "$("$memsweep" query one.db --sql 'SELECT count(*) FROM one' -f tsv | sed 1d)" 0 "rows of refused lines"
told 0 "{\"key\": \"$key\", \"metrics\": {\"yield\": 0.5, \"time\": \"3 us\"}}" "{\"key\": \"$mine\", \"failed\": \"spilled\"}"
told 0 "{\"key\": \"$key\", \"metrics\": {\"yield\": 0.5, \"time\": 3000}}"
has "$out" '0 told, 1 as before'
told 2 "{\"key\": \"$key\", \"metrics\": {\"yield\": 0.6, \"time\": 3000}}"
has "$err" 'told before, with another answer'
told 2 "{\"key\": \"$key\", \"failed\": \"no\"}"
same "$("$memsweep" query one.db -c 'yield, time, status, reason' -f tsv | sed '1d; s/\t/ /g' | sort)" \
    "$(printf '  failed spilled\n0.5 3000 ok ' | sort)" "rows"
gives 0 "$memsweep" ask one.yaml -o one.db -n 9 --retry --again -f tsv
has "$out" "$mine"
told 0 "{\"key\": \"$mine\", \"infeasible\": \"does not fit\"}"
gives 0 "$memsweep" verify one.db

# A loop of Python at auto, killed in the middle and gone on with: the rows of one never killed. Two
# at once share the points.
hand loop 'a: {from: 0, to: 39}, mode: all' 'fidelity: auto' 'auto: {budget: 24, batch: 6}'
cat >loop.py <<'P'
import os, sys, time
import memsweep as ms
study = ms.open(sys.argv[1], sweep="loop.yaml")
left = int(sys.argv[2])
again = True
while points := study.ask(16, again=again):
    again = False
    answers = []
    for p in points:
        a, slow = p.values["a"], p.values["mode"] == "slow"
        off = 0 if p.fidelity == "analytic" else a * 7 % 5
        answers.append((p, {"yield": 1 + a * (2 if slow else 1) + off, "time": 10 + a * a / 10 + off}))
    left -= 1
    if left == 0:
        os._exit(9)
    study.tell_all(answers)
P
python3 loop.py whole.db 0 2>err || fail "loop: $(tail -n 2 err)"
python3 loop.py killed.db 8 2>err
same $? 9 "exit code of a killed loop"
python3 loop.py killed.db 0 2>err || fail "loop: $(tail -n 2 err)"
same "$("$memsweep" digest killed.db -s loop@auto | cut -d' ' -f1)" \
    "$("$memsweep" digest whole.db -s loop@auto | cut -d' ' -f1)" "digest of a killed loop"
gives 0 "$memsweep" query whole.db --sql "SELECT count(*) AS n FROM msw_choice" -f tsv
[ "$(sed 1d out)" -gt 6 ] || fail "points in full: $out"

hand two 'a: {from: 0, to: 99}' 'fidelity: full'
cat >two.py <<'P'
import sys
import memsweep as ms
study, mine = ms.open("two.db", sweep="two.yaml"), 0
while points := study.ask(5):
    study.tell_all([(p, {"yield": p.values["a"], "time": 1}) for p in points])
    mine += len(points)
print(mine)
P
python3 two.py >one.txt 2>err1 &
python3 two.py >two.txt 2>err2
wait $!
same $(($(cat one.txt) + $(cat two.txt))) 100 "points of two askers: $(cat err1 err2)"
same "$("$memsweep" query two.db --sql "SELECT count(*) FROM two WHERE status = 'ok' AND yield = a" -f tsv | sed 1d)" 100 "rows"

# A mechanism of memsweep's own: told rows have other keys than computed ones.
printf 'sweep: own\nmechanism: null\nfidelity: full\nby: hand\nvary: {x1: [0, 1]}\nobjectives: {minimize: [y]}\n' >own.yaml
sed '/by:/d' own.yaml >computed.yaml
gives 2 "$memsweep" run own.yaml -o own.db
gives 2 "$memsweep" ask computed.yaml -o own.db
has "$err" "'by: hand' in the sweep"
gives 0 memsweep_runs computed.yaml -o own.db
gives 0 "$memsweep" ask own.yaml -o own.db -n 2 -f json
same "$(grep -c '"x1"' out)" 2 "points that a computed row does not answer"
sed -E 's/.*("key": "[0-9a-f]*").*/{\1, "metrics": {"y": 7}}/' out | grep key >lines
"$memsweep" tell own.yaml -o own.db <lines >out 2>err || fail "tell: $(cat err)"
gives 0 "$memsweep" query own.db --sql 'SELECT DISTINCT y FROM own WHERE y = 7' -f tsv
has "$out" 7
finish
