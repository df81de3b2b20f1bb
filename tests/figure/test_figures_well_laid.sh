#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 830. Is every text of every type of figure within the picture and clear of the others, one
# column wide and two, for few panels and many, and is a figure at most a page high? Names and
# numbers stood on one another.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
. "$MEMSWEEP_SOURCE/tests/cli/svg.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
# make NAME MECHANISM WORKLOADS FIDELITY REST...
make() {
    printf 'sweep: %s\nmechanism: %s\nworkloads: [%s]\nfidelity: %s\n' "${@:1:4}" >"$1.yaml"
    printf '%s\n' "${@:5}" >>"$1.yaml"
    gives 0 "$memsweep" run "$1.yaml" -o "${5%%:*}.db" -q
}
# draw FOLDER DATABASE SWEEP FIGURES OPTION...
draw() {
    gives 0 "$memsweep" plot "$2" -s "$3" -F "$4" -f svg -o "$1" "${@:5}"
}
pages() {
    local file high
    for file in "$@"; do
        well_laid "$file"
        high=$(grep -oE 'viewBox="[^"]*"' "$file" | head -n 1 | tr -dc '0-9. ' | awk '{ print $4 }')
        awk -v high="$high" 'BEGIN { exit high <= 8.8 * 96 + 1 ? 0 : 1 }' || fail "$file is $high high"
    done
}
# The long form: twelve panels, and both widths of every figure.
kernels='axpy/n=64Ki, "conv/h=32,w=1024", gemv/rows=64, ttrans/h=64, upsamp/h=16' widths=1 mmu=lines,heat,front,parallel,tornado
if [ -n "${MEMSWEEP_FULL:-}" ]; then
    kernels='axpy, blur, conv, gemv, hist, kmeans, knn, maxp, nw, pr, ttrans, upsamp' widths='1 2'
    kernels=${kernels//,//paper_counted,}/paper_counted
    mmu=lines,heat,front,stack,parallel,tornado,sensitivity,interactions
fi
make grid mpu "$kernels" analytic \
    'vary: {row_buffers: [1, 2, 8], near_rf_bytes: [4KiB, 32KiB], policy: [annotation, all_far]}' \
    'objectives: {maximize: speedup_v100, minimize: [area_mm2, energy_nj]}'
mv vary.db mpu.db
gives 0 "$memsweep" sensitivity mpu.db -m speedup_v100 --method oat -g workload --save
gives 0 "$memsweep" sensitivity mpu.db -m speedup_v100 --second -g workload --save
make walkers neummu 'alexnet/b1, resnet50/b1, rnn2/b1' analytic \
    'vary: {ptw_count: {from: 1, to: 1024, scale: pow2}, prmb_slots: [0, 1, 4, 32], page_size: [4KiB, 2MiB]}' \
    'objectives: {minimize: [slowdown, sram_bytes]}'
mv vary.db mmu.db
gives 0 "$memsweep" sensitivity mmu.db -m slowdown --method oat -g workload --save
gives 0 "$memsweep" sensitivity mmu.db -m slowdown --second --save
both=lines,heat,front,stack,parallel,tornado,sensitivity,interactions
for width in $widths; do
    draw "mpu$width" mpu.db grid $both --width $width
    draw "swap$width" mpu.db grid lines,heat --width $width -m energy_nj -x policy,near_rf_bytes
    draw "mmu$width" mmu.db walkers $mmu --width $width
done
[ "$widths" = 1 ] && draw mpu2 mpu.db grid front,tornado --width 2
make shares null 'synth/even, synth/skewed' analytic 'design: {kind: saltelli, base_rows: 64, scrambles: 4}' \
    'vary: {gain: {from: 1, to: 4}, x1: {from: 0, to: 1}, carry: {from: 0, to: 1}}'
gives 0 "$memsweep" sensitivity design.db -m cycles --convergence -g workload --save
draw null design.db shares settling,sensitivity
make effects null 'synth/even, synth/skewed' analytic 'design: {kind: morris, trajectories: 10}' \
    'vary: {gain: {from: 1, to: 4}, x1: {from: 0, to: 1}, carry: {from: 0, to: 1}}'
gives 0 "$memsweep" sensitivity design.db -s effects -m cycles -g workload --save
draw null design.db effects morris
make two null 'synth/even, synth/skewed' sampled 'sampling: {target: 10%, pilot: 20}' \
    'vary: {gain: [1, 2, 4], x1: [0, 0.5, 1]}' 'fix: {carry: 20%}' 'derive: {price: 100 / gain}' \
    'objectives: {minimize: [slowdown, price]}'
gives 0 "$memsweep" run two.yaml -o sampling.db -q --fidelity full
draw null sampling.db two agreement
draw null sampling.db two@sampled uncertain,convergence,detail
pages */*.svg
[ "$(ls */*.svg | wc -l)" -ge 24 ] || fail "$(ls */*.svg | wc -l) figures drawn"
finish
