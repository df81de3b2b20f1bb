#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defects 928 and 1262. A factor or a fixed value that acts at no point of its sweep, a preset that
# switches one off, a level that the rules forbid everywhere, points that are equal: do check, plan,
# run and eval say so, and is an equal point answered as if it had been computed?
source "$(dirname "$0")/../cli/common.sh"

printf 'sweep: idle\nmechanism: neummu\nworkloads: [ncf/b1]\nfidelity: analytic\nfix: {scoreboard: off}\nvary: {prmb_slots: [0, 8], ptw_count: [8, 16]}\n' >idle.yaml
sed 's/scoreboard: off/scoreboard: on/' idle.yaml >acts.yaml
wanted='note: prmb_slots changes nothing at any of 4 points tried: it acts where '
for command in check plan run; do
    gives 0 "$memsweep" $command idle.yaml
    has "$out" "$wanted"
    has "$out" '(here oracle = off, scoreboard = off)'
    has "$out" 'note: 2 of 4 points equal one before them, and are not computed again: prmb_slots acts at 0 of 4'
    lacks "$out" 'note: ptw_count'
    gives 0 "$memsweep" $command acts.yaml
    lacks "$out" 'note:'
done
gives 0 "$memsweep" eval neummu -w ncf/b1 scoreboard=off prmb_slots=4 --fidelity analytic
has "$out" 'note: prmb_slots changes nothing at any of 1 point tried'
gives 0 "$memsweep" eval neummu -w ncf/b1 prmb_slots=4 --fidelity analytic
lacks "$out" 'changes nothing'

# Points drawn twice are told apart from those that differ in what does not act, by one count with the run.
printf 'sweep: drawn\nmechanism: neummu\nworkloads: [ncf/b1]\nfidelity: analytic\ndesign: {kind: random, points: 1200}\nfix: {scoreboard: off}\nvary: {prmb_slots: [0, 8], ptw_count: [8, 16]}\n' >drawn.yaml
gives 0 "$memsweep" run drawn.yaml
has "$out" 'drawn: 1,200 points, 1,196 with the settings of others; 4 to evaluate'
has "$out" 'note: 1,198 of 1,200 points equal one before them, and are not computed again: 1,196 with the same settings, 2 with others that do not act: prmb_slots acts at 0 of 1,200'

# A value that is fixed, and one that a preset switches off.
sed 's/fix: .*/fix: {tlb2_ways: 8}/' acts.yaml >fixed.yaml
gives 0 "$memsweep" check fixed.yaml
has "$out" 'note: tlb2_ways changes nothing at any of 4 points tried: it acts where NOT oracle AND tlb2_entries > 1 (here oracle = off, tlb2_entries = 0)'
sed 's/fix: .*/preset: iommu/' acts.yaml >preset.yaml
gives 0 "$memsweep" check preset.yaml
has "$out" 'scoreboard = off, by the preset)'

# Levels: one that cannot be, and all.
printf 'sweep: levels\nmechanism: "null"\nworkloads: [synth/small]\nfidelity: analytic\nfix: {feasible_sum: 1}\nvary: {x1: [0.25, 0.375], x2: [0.5, 0.875, 1]}\n' >levels.yaml
gives 0 "$memsweep" check levels.yaml
has "$out" 'note: x2 = 0.875 is infeasible at all of 2 points tried: x1 + x2 = 1.125 is above'
has "$out" 'note: x2 = 1 is infeasible at all of 2 points tried'
lacks "$out" 'x1 = '
sed 's/feasible_sum: 1/feasible_sum: 0.5/' levels.yaml >none.yaml
gives 0 "$memsweep" check none.yaml
has "$out" 'note: all of 6 points tried are infeasible, the first: x1 + x2 = 0.75'

# 40 levels in step with every 200th of 8,000 points: all levels are looked at.
printf 'sweep: step\nmechanism: neummu\nworkloads: [ncf/b1]\nfidelity: analytic\nvary: {ptw_count: {values: [%s]}, prmb_slots: {values: [%s]}, scoreboard: [off, on]}\n' \
    "$(seq -s, 1 100)" "$(seq -s, 1 40)" >step.yaml
gives 0 "$memsweep" check step.yaml
lacks "$out" 'changes nothing'

# Equal points have the answer of a run of their own, at any fidelity.
for fidelity in analytic sampled full; do
    sed 's/fix: .*//; s/vary: {/vary: {scoreboard: [off, on], /' idle.yaml >both.yaml
    gives 0 "$memsweep" run both.yaml -q -t 1 --fidelity $fidelity -o both-$fidelity.db
    gives 0 "$memsweep" query both-$fidelity.db --filter 'NOT scoreboard AND prmb_slots = 8 AND ptw_count = 16' \
        -c 'prmb_slots, cycles, cycles_hw, slowdown, slowdown_hw, units_measured, units_total, events' -f tsv
    shared=$out
    printf 'sweep: one\nmechanism: neummu\nworkloads: [ncf/b1]\nfix: {scoreboard: off, prmb_slots: 8}\nvary: {ptw_count: [16]}\n' >one.yaml
    gives 0 "$memsweep" run one.yaml -q --fidelity $fidelity -o one-$fidelity.db
    gives 0 "$memsweep" query one-$fidelity.db \
        -c 'prmb_slots, cycles, cycles_hw, slowdown, slowdown_hw, units_measured, units_total, events' -f tsv
    same "$shared" "$out" "a point equal to another at $fidelity"
done
finish
