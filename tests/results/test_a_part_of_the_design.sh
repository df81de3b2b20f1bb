#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 098. Base rows that the filter leaves out as a whole were counted among those dropped for
# want of a value, with a warning of bias. They are no failures; those cut in two are said apart.
source "$(dirname "$0")/../cli/common.sh"

for design in 'saltelli, base_rows: 64' 'morris, trajectories: 64'; do
    name=${design%%,*}
    printf 'sweep: %s\nmechanism: null\nworkloads: [synth/small]\nfidelity: analytic\n' "$name" >"$name.yaml"
    printf 'design: {kind: %s}\nvary: {x1: {from: 0, to: 1}, x2: {from: 0, to: 1}}\n' "$design" >>"$name.yaml"
    gives 0 "$memsweep" run -q "$name.yaml"
done
# 32 base rows of 4 points, 32 trajectories of 3.
for case in 'saltelli:128:base rows' morris:96:trajectories; do
    IFS=: read -r name points unit <<<"$case"
    gives 0 "$memsweep" sensitivity $name -m x1+x2 --resamples 0 -w "design_index < $points"
    same "$err" "" "warnings for a part of $name"
    has "$out" "32 $unit used, 0 dropped, 32 not among"
    gives 0 "$memsweep" sensitivity $name -m x1+x2 --resamples 0 -w "x1 < 0.8"
    has "$err" "are there in part only"
    lacks "$err" "for want of a value"
done
gives 0 "$memsweep" sensitivity saltelli -m '1/(x1 > 0.05) + x2' --resamples 0
has "$err" "for want of a value"
finish
