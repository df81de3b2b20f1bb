#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 072. A figure without data said that the file has nothing to show in it, and not what to
# do.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
gives 0 "$memsweep" run small.yaml -o x.db -q
first() {
    gives 2 "$memsweep" plot x.db --figure $1
    has "$err" "figure '$1': nothing to show yet: say '$2"
}
first sensitivity "memsweep sensitivity DATABASE --save' first"
first interactions "memsweep sensitivity DATABASE --second --save' first"
first tornado "memsweep sensitivity DATABASE --method oat --save' first"
first convergence "memsweep run SWEEP --fidelity sampled -o DATABASE' first"
finish
