#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 160. sensitivity --baseline with a misspelt factor or a value that is no level was ignored
# without a word: the usual level was taken.
source "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
cat >oat.yaml <<'END'
sweep: oat
mechanism: null
vary: {x1: [0, 0.5, 1], x2: [0, 0.5, 1]}
END
gives 0 "$memsweep" run oat.yaml -o oat.db -q
gives 2 "$memsweep" sensitivity oat.db --method oat --baseline x1=7
has "$err" "'x1=7': not a level of x1, which has 3 from 0 to 1"
gives 2 "$memsweep" sensitivity oat.db --method oat --baseline y1=0
has "$err" "'y1=0': write factor=level"
gives 0 "$memsweep" sensitivity oat.db --method oat --baseline "x1=0.5, x2=0"
has "$out" "0.5"
finish
