#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 144. Panels were sorted as text: b16 before b4, and workloads not as the sweep lists them.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
. "$MEMSWEEP_SOURCE/tests/cli/svg.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
cat >order.yaml <<END
sweep: order
mechanism: neummu
workloads: [rnn2/b1, alexnet/b1, alexnet/b4, alexnet/b16]
fidelity: analytic
vary: {ptw_count: [8, 16, 32], page_size: [4KiB, 64KiB, 2MiB]}
END
gives 0 "$memsweep" run order.yaml -o order.db -q
gives 0 "$memsweep" sensitivity order.db --save -g workload --method oat
gives 0 "$memsweep" sensitivity order.db --save -g workload
figures=lines,heat,stack,front,parallel,sensitivity,tornado
gives 0 "$memsweep" plot order.db --figure $figures -m slowdown,sram_bytes -f svg -o .
for figure in ${figures//,/ }; do
    in_order order-$figure.svg rnn2/b1 alexnet/b1 alexnet/b4 alexnet/b16
done
gives 0 "$memsweep" sensitivity order.db --save -g page_size
gives 0 "$memsweep" plot order.db --figure sensitivity -f svg -o .
in_order order-sensitivity.svg 4096 65536 2097152
finish
