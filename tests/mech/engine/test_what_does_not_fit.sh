#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 926. A CTA that fits no core cannot exist: is it infeasible at every fidelity? It was a
# failure, and sweeps over such configs ended with exit code 1 for ever.
source "$(dirname "$0")/../../cli/common.sh"

fits() { # MECHANISM WORKLOAD PARAMETER TOO-FEW ENOUGH
    printf 'sweep: %s\nmechanism: %s\nworkloads: [%s]\nvary: {%s: {values: [%s, %s]}}\n' \
        "$1" "$1" "$2" "$3" "$4" "$5" >$1.yaml
    for fidelity in analytic sampled full; do
        gives 0 "$memsweep" run $1.yaml -q -o $1.db --fidelity $fidelity
        gives 0 "$memsweep" query $1.db -s $1@$fidelity -c 'status, reason' -f tsv
        has "$out" $'infeasible\t'
        has "$out" 'fit'
        has "$out" $'\nok'
    done
}
fits uvm uvm/bicg/n=64 sm_warps 4 64
fits mpu hist/natural/n=16Ki warps 1 4
finish
