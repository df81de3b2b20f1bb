#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 760. Do presets set parameters of the front end too, and have machines by their public
# figures the peaks that are published? A preset could only set what the mechanism itself has.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
memsweep=$MEMSWEEP_BUILD/memsweep
while read -r preset peak; do
    "$memsweep" describe "$preset" >said
    awk -v p="$peak" -v n="$preset" '{
        for (i = 1; i <= NF; i++) if (split($i, part, "=") == 2) value[part[1]] = part[2]
    } END {
        tera = 2 * value["npu_rows"] * value["npu_cols"] * value["frequency"] / 1000
        if (tera < 0.995 * p || tera > 1.005 * p) { print n ": " tera " of " p; exit 1 }
    }' said
done <<'EOF'
tpu_v1 91.75
tpu_v3 140
tpu_v4 275
tpu_v5e 197
tpu_v5p 459
gaudi2 432
gaudi3 1835
EOF
printf 'Layer, M, N, K,\na, 4096, 1024, 1024,\n' >net.csv
eval_preset() {
    "$memsweep" eval neummu -w net.csv --fidelity analytic "$@" >out 2>err || { cat err; exit 1; }
}
eval_preset -p tpu_v4
grep -q 'npu_cols=1024' out || { cat out; echo "the preset's columns do not act"; exit 1; }
eval_preset -p tpu_v4 npu_cols=64
grep -q 'npu_cols=64' out || { cat out; echo "a setting does not stand over the preset"; exit 1; }
eval_preset -p h100_copy
grep -q 'bandwidth=64' out
