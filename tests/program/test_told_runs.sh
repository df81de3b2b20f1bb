#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do answers of a program that somebody else ran become rows of its own sweep, with the keys of a run,
# and are wrong ones refused? Does fidelity auto work with a program some of whose runs in full fail?
source "$(dirname "$0")/common.sh"
define
sweep mine 'a: {from: 1, to: 6}, told: [ok, unfit]'
tell() { # CODE LINE
    echo "$2" | "$memsweep" tell mine.yaml -o mine.db >out 2>err
    same $? "$1" "exit code of $2"
    err=$(cat err)
}
tell 0 '{"values": {"a": 1, "told": "ok"}, "metrics": {"cycles": 3, "time": "1 ns"}}'
tell 0 '{"values": {"a": 2, "told": "unfit"}, "infeasible": "not a power of two"}'
tell 2 '{"values": {"a": 7, "told": "ok"}, "metrics": {"cycles": 3, "time": 1}}'
has "$err" 'no point with these values'
tell 2 '{"values": {"a": 2}, "metrics": {"cycles": 3, "time": 1}}'
has "$err" 'told, which the sweep varies, is missing'
tell 2 '{"values": {"a": 2, "told": "ok", "b": 1}, "metrics": {"cycles": 6, "time": 2}}'
has "$err" "no parameter 'b'"
tell 2 '{"values": {"a": 2, "told": "okay"}, "metrics": {"cycles": 6, "time": 2}}'
tell 2 '{"values": {"a": 1, "told": "ok"}, "metrics": {"cycles": 4, "time": 1}}'
has "$err" 'told before, with another answer'
gives 0 "$memsweep" run mine.yaml -o mine.db --program sim.yaml -t 2
has "$out" '2 answered before; 10 to evaluate'
gives 0 memsweep_runs mine.yaml -o whole.db --program sim.yaml -t 2
same "$("$memsweep" query mine.db -f tsv -c 'key, cycles, time, status')" \
    "$("$memsweep" query whole.db -f tsv -c 'key, cycles, time, status')" "rows of which two were told"
define 'version: [echo, "1"]'
tell 2 '{"values": {"a": 3, "told": "ok"}, "metrics": {"cycles": 9, "time": 3}}'
has "$err" "leave 'version' out"

# At auto: small runs are wrong by a little, and three of those in full fail.
cat >two.sh <<'END'
#!/bin/sh
case $1$2 in full12 | full30 | full31) echo "out of licences" >&2; exit 3 ;; esac
echo "f = $(($2 * 4))"; echo "g = $((200 - $2 * 3 + $2 % 3 * $3))"
END
chmod +x two.sh
cat >two.yaml <<'END'
program: two
parameters: {a: {from: 0, to: 1000, default: 1}}
metrics: {f: {goal: lower, read: {key: f}}, g: {goal: lower, read: {key: g}}}
command: [./two.sh, "@name@", "@a@", "@off@"]
files: [two.sh]
fidelities: {analytic: {name: small, off: 1}, full: {name: full, off: 0}}
END
printf 'sweep: auto\nmechanism: {program: two.yaml}\nfidelity: auto\nauto: {budget: 20}\nvary: {a: {from: 1, to: 40, step: 1}}\nobjectives: {minimize: [f, g]}\n' >auto.yaml
"$memsweep" run auto.yaml -o auto.db --program two.yaml -t 2 -q >out 2>err
case $? in 0 | 1) ;; *) fail "auto with failures: $(cat err)" ;; esac
gives 0 "$memsweep" query auto.db --sql "SELECT count(*), sum(fidelity = 'full'), sum(status = 'failed') > 0 FROM auto" -f tsv
same "$(sed 1d out | tr '\t' ' ')" '40 20 1' "rows, those in full, and whether some failed"
gives 0 "$memsweep" pareto auto.db
finish
