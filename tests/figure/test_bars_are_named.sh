#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 142. Bars of a sensitivity figure with groups bore other bars' names, printed over one
# another, and only in the first panel.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
. "$MEMSWEEP_SOURCE/tests/cli/svg.sh"
sweep bars
sed -i 's|\[synth/small\]|[synth/small, synth/even]|' bars.yaml
gives 0 "$memsweep" run bars.yaml -o bars.db -q
gives 0 "$memsweep" sensitivity bars.db -m 'f1 + f2 * gain' -g workload --second --save \
    --groups 'pair = x1 + x2, gain + x2'
gives 0 "$memsweep" plot bars.db --figure sensitivity,interactions -f svg -o . --data
# the factor with the largest total shares on top: summed over both panels, which stand side by side
awk -F '\t' 'NR == 1 { for (c = 1; c <= NF; c++) at[$c] = c; next }
    { sum[$at["series"]] += $at["total"] }
    END { for (name in sum) print sum[name] "\t" name }' bars-sensitivity.tsv | sort -rn | cut -f 2 >names
same "$(wc -l <names)" 5 'names of bars'
mapfile -t names <names
in_order bars-sensitivity.svg "${names[@]}"
inside_frame bars-sensitivity.svg
inside_frame bars-interactions.svg
# each name stands at the left of its bars, one below the other
texts bars-sensitivity.svg | awk -F '\t' '$4 == "end" { print $1 "\t" $2 }' >at
same "$(cut -f 1 at | sort -u | wc -l)" 1 'edges that names end at'
cut -f 2 at | sort -n | cmp -s - <(cut -f 2 at) || fail "names are not from top to bottom"
# groups of several columns are several panels
gives 0 "$memsweep" sensitivity bars.db -m f2 -g workload,gain --save
gives 0 "$memsweep" plot bars.db --figure sensitivity -f svg -o .
in_order bars-sensitivity.svg 'synth/small, 1' 'synth/small, 2' 'synth/small, 3' 'synth/even, 1' \
    'synth/even, 2' 'synth/even, 3'
finish
