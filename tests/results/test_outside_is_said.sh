#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 927. Points outside the region in which a mechanism states that its closed form agrees: do
# check, run, status, eval, pareto and the page say so? Only plan did.
source "$(dirname "$0")/../cli/common.sh"

cat >out.yaml <<END
sweep: out
mechanism: camdn
workloads: [mix/small]
fidelity: analytic
vary: {throttle: [off, on], memory_bandwidth: [50, 100]}
objectives: {minimize: [cycles]}
END
gives 0 "$memsweep" check out.yaml
has "$out" '2 of 4 points tried lie outside the region in which camdn states'
gives 0 "$memsweep" run out.yaml -o out.db
has "$out" '2 of 4 points tried lie outside the region in which camdn states'
gives 0 "$memsweep" status out.db
has "$out" 'out: 2 rows lie outside the region of one or more statements about the closed form'
gives 0 "$memsweep" pareto out.db
has "$out" '; 2 outside the region of one or more statements about the closed form'
gives 0 "$memsweep" pareto out.db -w 'NOT throttle'
lacks "$out" 'outside'
gives 0 "$memsweep" report out.db --no-figures -o page.html
has "$(cat page.html)" '2 rows, where the closed form is not stated to agree'
gives 0 "$memsweep" eval camdn throttle=on --fidelity analytic
has "$out" 'outside the region in which camdn states'
gives 0 "$memsweep" eval camdn --fidelity analytic
lacks "$out" 'outside the region'

# Each statement by itself: uvm states cycles where memory is short, bytes only where it is not.
cat >each.yaml <<END
sweep: each
mechanism: uvm
workloads: [uvm/nw/n=64]
fidelity: analytic
vary: {oversubscription: [1, 1.5], run_share: [1, 0.5]}
END
gives 0 "$memsweep" check each.yaml
has "$out" '3 of 4 points tried lie outside'
has "$out" 'it states cycles at 2, bytes_in at 1, pages_touched at 1'
gives 0 "$memsweep" eval uvm -w uvm/nw/n=64 oversubscription=1.5 --fidelity analytic
has "$out" 'agrees with its cycle model in bytes_in, pages_touched; stated here: cycles'
gives 0 "$memsweep" eval uvm -w uvm/nw/n=64 run_share=0.5 --fidelity analytic
lacks "$out" 'stated here'
finish
