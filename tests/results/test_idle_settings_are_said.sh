#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 928. A factor that acts at no point of its sweep, and a setting that changes nothing: do
# check, plan, run and eval say so?
source "$(dirname "$0")/../cli/common.sh"

printf 'sweep: idle\nmechanism: neummu\nworkloads: [ncf/b1]\nfidelity: analytic\nfix: {scoreboard: off}\nvary: {prmb_slots: [0, 8], ptw_count: [8, 16]}\n' >idle.yaml
sed 's/scoreboard: off/scoreboard: on/' idle.yaml >acts.yaml
wanted='note: prmb_slots changes nothing at any of 4 points tried: it acts where '
for command in check plan run; do
    gives 0 "$memsweep" $command idle.yaml
    has "$out" "$wanted"
    lacks "$out" 'note: ptw_count'
    gives 0 "$memsweep" $command acts.yaml
    lacks "$out" 'changes nothing'
done
gives 0 "$memsweep" eval neummu -w ncf/b1 scoreboard=off prmb_slots=4 --fidelity analytic
has "$out" 'note: prmb_slots changes nothing at any of 1 point tried'
gives 0 "$memsweep" eval neummu -w ncf/b1 prmb_slots=4 --fidelity analytic
lacks "$out" 'changes nothing'
finish
