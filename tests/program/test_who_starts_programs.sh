#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do only `run` and `eval` start a program, and only with the user's consent? A marker file gets a
# line from every start.
source "$(dirname "$0")/common.sh"
files=', mark'
echo "$work/started" >mark
define 'cost: 2s' 'version: [./sim.sh, ok, "1"]'
sweep marks 'a: {from: 1, to: 3}'
untouched() { [ ! -e started ] || fail "$* started the program"; }

gives 0 "$memsweep" check marks.yaml
gives 0 "$memsweep" plan marks.yaml
gives 0 "$memsweep" submit marks.yaml -n -o marks.db
gives 0 "$memsweep" eval sim.yaml a=2 --dry
has "$out" './sim.sh ok 2'
has "$out" 'HOME=. TMPDIR=.'
untouched check, plan, submit, --dry

# Without consent the message shows the command; nothing else is done.
gives 2 "$memsweep" run marks.yaml -o marks.db
has "$err" './sim.sh @told@ @a@'
gives 2 "$memsweep" run marks.yaml -o marks.db --program mark
untouched a refused run

gives 0 memsweep_runs marks.yaml -o marks.db --program sim.yaml -t 1
# Three points, the first of them twice, and the version.
same "$(wc -l <started)" 5 "starts of a run"
rm started
gives 0 memsweep_runs marks.yaml -o marks.db --program sim.yaml
same "$(wc -l <started)" 1 "starts of a run that has all rows"
rm started
for command in status query pareto verify digest report; do
    gives 0 "$memsweep" "$command" marks.db
done
gives 0 "$memsweep" merge all.db marks.db
"$memsweep" replay marks.db --only-check >out 2>err
gives 2 "$memsweep" replay marks.db --anyway -o again.db
has "$err" 'needs your consent'
untouched what reads a database

# Consent is for a definition as it is.
gives 0 "$memsweep" allow sim.yaml
gives 0 memsweep_runs marks.yaml -o other.db
define 'limits: {timeout: 9s}'
gives 2 memsweep_runs marks.yaml -o other.db
finish
