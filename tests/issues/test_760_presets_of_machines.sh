#!/usr/bin/env bash
# Do presets set parameters of the front end too, and do machines by their public figures reach their
# peaks? A preset could only set what the mechanism itself has.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
memsweep=$MEMSWEEP_BUILD/memsweep
cat >big.csv <<'EOF'
Layer, M, N, K,
a, 65536, 8192, 8192,
EOF
# 65536 x 8192 x 8192 multiplications, two operations each, at 80 % of the peak or more
while read -r preset peak; do
    "$memsweep" eval neummu -w big.csv -p "$preset" oracle=on bandwidth=16384 >out 2>err ||
        { cat err; echo "$preset: refused"; exit 1; }
    cycles=$(awk '$1 == "cycles" { print $2; exit }' out)
    "$memsweep" describe "$preset" >said
    clock=$(grep -o 'frequency=[0-9.]*' said | head -n 1 | cut -d = -f 2)
    awk -v c="$cycles" -v p="$peak" -v n="$preset" -v g="$clock" 'BEGIN {
        macs = 65536 * 8192 * 8192; ops = 2 * macs / (c / (g * 1e9)) / 1e12
        if (ops > 1.01 * p || ops < 0.5 * p) { print n ": " ops " of " p; exit 1 } }'
done <<'EOF'
tpu_v1 92
tpu_v3 140
tpu_v4 275
tpu_v5e 197
tpu_v5p 459
gaudi2 432
gaudi3 1835
EOF
"$memsweep" eval neummu -w big.csv -p h100_copy >/dev/null
