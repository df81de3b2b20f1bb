#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a search over a function that only Python can call propose what it would propose if memsweep
# computed it, one round after the other, also where the loop is killed, and at fidelity auto?
source "$(dirname "$0")/common.sh"
command -v python3 >/dev/null || exit 77
export MEMSWEEP=$memsweep PYTHONPATH=${MEMSWEEP_SOURCE:?}/analysis/python PYTHONDONTWRITEBYTECODE=1
cat >lab.yaml <<'END'
program: lab
by: hand
parameters: {x: {from: 0, to: 500, default: 1}, y: {from: 0, to: 500, default: 1}}
metrics: {f: {goal: lower}, g: {goal: lower}}
fidelities: {analytic: {}, full: {}}
END
# The same function as a program.
sed 's/^by: hand/command: [sh, f.sh, "@x@", "@y@"]\nfiles: [f.sh]/; s/lower}/lower, read: {key: K}}/g; s/K/f/; s/read: {key: K/read: {key: g/' lab.yaml >run.yaml
echo 'echo "f = $((1 + ($1 - 300) * ($1 - 300) + $2))"; echo "g = $((1 + ($1 - 200) * ($1 - 200) + 2 * $2))"' >f.sh
for kind in lab run; do
    cat >$kind-sweep.yaml <<END
sweep: mine
mechanism: {program: $kind.yaml}
fidelity: full
design: {kind: search, evaluations: 24, batch: 8, audit: 4}
vary: {x: {from: 0, to: 500, step: 1}, y: {from: 0, to: 500, step: 1}}
objectives: {minimize: [f, g]}
END
done
cat >loop.py <<'P'
import os, sys
import memsweep as ms
study = ms.open(sys.argv[1], sweep=sys.argv[2])
left, again = int(sys.argv[3]), True
while points := study.ask(6, again=again):
    again = False
    answers = []
    for p in points:
        x, y = p.values["x"], p.values["y"]
        off = x % 3 if p.fidelity == "analytic" else 0
        answers.append((p, {"f": 1 + (x - 300) ** 2 + y + off, "g": 1 + (x - 200) ** 2 + 2 * y}))
    left -= 1
    if left == 0:
        os._exit(9)
    study.tell_all(answers)
P
python3 loop.py whole.db lab-sweep.yaml 0 2>err || fail "loop: $(tail -n 2 err)"
python3 loop.py killed.db lab-sweep.yaml 3 2>err
same $? 9 "exit code of a killed loop"
gives 0 "$memsweep" query killed.db --sql 'SELECT count(*) FROM mine' -f tsv
[ "$(sed 1d out)" -ge 6 ] && [ "$(sed 1d out)" -lt 24 ] || fail "rows of a loop that was killed: $(sed 1d out)"
python3 loop.py killed.db lab-sweep.yaml 0 2>err || fail "loop: $(tail -n 2 err)"
same "$("$memsweep" digest killed.db)" "$("$memsweep" digest whole.db)" "digest of a killed loop"
gives 0 "$memsweep" run run-sweep.yaml -q --program run.yaml -o run.db -t 2
values() { "$memsweep" query "$1" -c 'point, x, y, f, g' -f tsv; }
same "$(values whole.db | wc -l)" 25 "rows of a search"
same "$(values whole.db)" "$(values run.db)" "rows of a search that memsweep computes"
has "$("$memsweep" pareto whole.db)" 'the rows were chosen by a search'

# At fidelity auto the search goes by the answers of analytic, and full has rounds of its own.
sed 's/^fidelity: full/fidelity: auto\nauto: {budget: 10, batch: 5}/' lab-sweep.yaml >auto.yaml
python3 loop.py auto.db auto.yaml 0 2>err || fail "loop: $(tail -n 2 err)"
gives 0 "$memsweep" query auto.db -s mine@auto --sql 'SELECT fidelity, count(*) FROM mine GROUP BY 1 ORDER BY 1' -f tsv
same "$(sed 1d out | tr '\t\n' '  ')" 'analytic 14 full 10 ' "rows at fidelity auto"
finish
