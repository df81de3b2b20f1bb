#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 097. "factor 1 is a combination of the factors before it": which one is factor 1?
source "$(dirname "$0")/../cli/common.sh"

cat >line.yaml <<'END'
sweep: line
mechanism: null
workloads: [synth/small]
fidelity: analytic
design: {kind: list, points: [{x1: 0, x2: 0.1}, {x1: 0.1, x2: 0.2}, {x1: 0.15, x2: 0.25}, {x1: 0.5, x2: 0.6},
  {x1: 0.9, x2: 1}, {x1: 0.3, x2: 0.4}]}
END
gives 0 "$memsweep" run -q line.yaml
gives 2 "$memsweep" sensitivity line -m 'x1*x2' --method regression
has "$err" "'x2' is a combination"
has "$err" "--factors"
gives 0 "$memsweep" sensitivity line -m 'x1*x2' --method regression --factors x1
finish
