#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 331. Does `plan` say what is predicted, how much is measured, which intervals widen, and
# where sampling does not pay? Are the metrics named in `sampling: {metrics: ...}` checked?
source "$(dirname "$0")/../../cli/common.sh"

sweep() {
    printf 'sweep: predicted\nmechanism: null\nworkloads: [synth/skewed]\nfix: {predict_law: small, unit_events: 100, synth.units: %s}\nsampling: {target: 5%%%s}\nvary: {gain: [2, 3]}\n' \
        "$1" "$2" >few.yaml
}
sweep 5000 ''
gives 0 "$memsweep" plan few.yaml --trial 60s --fidelity sampled
has "$out" "sampling   predicts cycles, busy at 2 of 2 points tried, and measures "
has "$out" "fewer units widen the intervals of p90: 'sampling: {metrics: [...]}' names"
lacks "$out" "saves nothing"
gives 0 "$memsweep" plan few.yaml --trial 60s --fidelity full
lacks "$out" "predicts"
sweep 5000 ', metrics: [p90, rate]'
gives 0 "$memsweep" plan few.yaml --trial 60s --fidelity sampled
lacks "$out" "fewer units widen"
sweep 6 ''
gives 0 "$memsweep" plan few.yaml --trial 60s --fidelity sampled
has "$out" "sampling   saves nothing at 2 of 2 points tried: every unit is measured there, in order, as at full"
sweep 5000 ', metrics: [p91]'
gives 2 "$memsweep" plan few.yaml --trial 60s --fidelity sampled
has "$err" "did you mean 'p90'?"
sweep 5000 ', metrics: [peak]'
gives 2 "$memsweep" plan few.yaml --trial 60s --fidelity sampled
has "$err" "sampling.metrics: 'peak' is a maximum, which has no interval"
finish
