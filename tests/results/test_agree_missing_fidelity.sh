#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 071. agree hinted at the fidelity that is there already.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small
for pair in full:sampled sampled:full analytic:full; do
    there=${pair%:*} missing=${pair#*:}
    rm -f x.db
    gives 0 "$memsweep" run small.yaml -o x.db -q --fidelity $there
    gives 2 "$memsweep" agree x.db
    has "$err" "at one fidelity only ($there)"
    has "$err" "--fidelity $missing -o x.db"
done
finish
