#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Are points of the front drawn that stand apart on paper: in panels with axes of their own (the energy
# of axpy is a fourteenth of the other's range) and where a slowdown near 1 has a scale of its excess?
# Has a plane of two objectives no bar of colours?
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
make() { # NAME, MECHANISM, MORE LINES, POINTS OF THE FRONT
    printf 'sweep: %s\nmechanism: "%s"\nfidelity: analytic\n%s\n' "${@:1:3}" >"$1.yaml"
    gives 0 "$memsweep" run "$1.yaml" -o "$1.db" -q
    gives 0 "$memsweep" plot "$1.db" -F front --data -o fig
    same "$(awk -F '\t' '$1 !~ /gemv/ && $2 == 1' "fig/$1-front.tsv" | wc -l)" "$4" "points of the front of $1"
}
make panels mpu 'workloads: ["axpy/n=64Ki", "gemv/rows=64"]
vary: {row_buffers: [1, 2, 8], near_rf_bytes: [4KiB, 32KiB], policy: [annotation, all_far]}
objectives: {maximize: speedup_v100, minimize: [area_mm2, energy_nj]}' 3
make excess null 'workloads: [synth/even, synth/small]
vary: {gain: [1, 1.00001, 1.0001, 1.001, 1.01, 1.1, 10]}
derive: {price: "-log(gain - 1 + 1e-6)"}
objectives: {minimize: [slowdown, price]}' 14
# The darkest colour of a bar that nobody chose.
lacks "$(cat fig/excess-front.svg)" 'rgb( 68,   1,  84)'
finish
