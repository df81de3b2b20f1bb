#!/usr/bin/env bash
# Bars of a sensitivity figure with groups bore other bars' names, printed over one another, and
# only in the first panel.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
. "$MEMSWEEP_SOURCE/tests/cli/svg.sh"
sweep bars
sed -i 's|\[synth/small\]|[synth/small, synth/even]|' bars.yaml
gives 0 "$memsweep" run bars.yaml -o bars.db -q
gives 0 "$memsweep" sensitivity bars.db -m 'f1 + f2 * gain' -g workload --second --save \
    --groups 'pair = x1 + x2, gain + x2'
gives 0 "$memsweep" plot bars.db --figure sensitivity,interactions -f svg -o .
in_order bars-sensitivity.svg gain x1 x2 pair 'gain + x2' gain x1 x2 pair 'gain + x2'
inside_frame bars-sensitivity.svg
inside_frame bars-interactions.svg
# each name stands under its bar: from left to right, at the same height
texts bars-sensitivity.svg | awk -F '\t' '$3 > 0 && $6 != "share of the variance" { print $1 }' >at
sort -n at | cmp -s - at || fail "names are not from left to right: $(tr '\n' ' ' <at)"
# groups of several columns are several panels
gives 0 "$memsweep" sensitivity bars.db -m f2 -g workload,gain --save
gives 0 "$memsweep" plot bars.db --figure sensitivity -f svg -o .
in_order bars-sensitivity.svg 'synth/small, 1' 'synth/small, 2' 'synth/small, 3' 'synth/even, 1' \
    'synth/even, 2' 'synth/even, 3'
finish
