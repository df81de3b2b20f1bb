#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 926. A list of workloads was cut at every comma, also at those between the settings of one
# workload: `eval -w blur/h=64,w=64` was refused, and so was a weight of such a workload.
source "$(dirname "$0")/../common.sh"
m=$memsweep

"$m" describe blur/h=64,w=64 >/dev/null || fail "describe does not take two sizes"
"$m" eval mpu -w blur/h=64,w=64 >one.txt || fail "eval does not take two sizes"
"$m" eval mpu -w blur/h=64,w=64,axpy/n=64Ki --format csv >two.csv || fail "nor with a second workload"
[ "$(grep -c ok two.csv)" = 2 ] || fail "two workloads are $(grep -c ok two.csv)"
"$m" eval mpu -w axpy/n=64Ki,ptx=paper,knn/n=64Ki --format csv >two.csv || fail "a word as a setting"

printf 'sweep: s\nmechanism: mpu\nworkloads: ["blur/h=64,w=64", "axpy/n=64Ki"]\n%s\n' \
    'fidelity: analytic
vary: {row_buffers: [1, 2]}
objectives: {minimize: [cycles]}' >s.sweep
"$m" run s.sweep -q -o s.db || fail "the sweep does not run"
"$m" query s.db -s s --by 'weighted(blur/h=64,w=64=2, axpy/n=64Ki=1)' >/dev/null ||
    fail "a weight of a workload with two sizes"
"$m" query s.db -s s --by 'worst(axpy/n=64Ki,blur/h=64,w=64)' >/dev/null || fail "worst of both"
! "$m" query s.db -s s --by 'worst(axpy/n=64Ki,blur/h=64)' >/dev/null 2>&1 || fail "half a name"
finish
