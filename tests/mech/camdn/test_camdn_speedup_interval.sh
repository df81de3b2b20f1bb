#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 581. Does the paper's mean speed-up come with the interval of its paired tasks at full, the
# one that the README defines, and with none at the closed form, whose tasks do not differ?
source "$(dirname "$0")/../../cli/common.sh"
from=$MEMSWEEP_SOURCE/sweeps/paper/camdn
mkdir -p pair
for name in shared dynamic; do
    preset=camdn_soc
    [ $name = shared ] || preset=camdn_full
    cat >pair/$name.yaml <<END
sweep: pair-$name
mechanism: camdn
preset: $preset
workloads: ["mix:mobilenet_v2+efficientnet_b0"]
fidelity: full
fix: {draw: deck, tenants: 2, tasks: 3, first_tasks: 0, cache_size: 1MiB}
END
    gives 0 "$memsweep" eval camdn -p $preset -w mix:mobilenet_v2+efficientnet_b0 -d tasks -f tsv \
        draw=deck tenants=2 tasks=3 first_tasks=0 cache_size=1MiB
    grep '^[0-9]' out >$name.tsv
done
{
    grep '^id,' "$from/published.csv"
    sed -n '/^speedup,/,/^speedup-most,/p' "$from/published.csv" | sed '$d; s/,tiles-speedup channels,/,,/'
} >pair/published.csv
gives 0 "$memsweep" reproduce ./pair -f tsv --no-figures
told=$(awk -F'\t' 'NR == 2 { printf "%.6f %.6f", $7, $8 }' out)

# Ratios of means by network; errors of the pairs about them.
wanted=$(paste shared.tsv dynamic.tsv | awk '
    { n = $2; x[NR] = $3; y[NR] = $7; of[NR] = n; k[n]++; a[n] += $3; b[n] += $7 }
    END {
        for (i = 1; i <= NR; i++) { n = of[i]; d = x[i] - a[n] / b[n] * y[i]; e[n] += d * d }
        for (n in k) {
            mean += a[n] / b[n]; nets++; free += k[n] - 1
            sum += e[n] / (k[n] - 1) / k[n] / (b[n] / k[n]) ^ 2
        }
        printf "%.6f %.6f", mean / nets, (1.96 + 2.37 / free) * sqrt(sum) / nets
    }')
same "$told" "$wanted" "mean speed-up and half-width"
lacks "$wanted" " 0.000000"
gives 0 "$memsweep" reproduce ./pair -f tsv --no-figures --fidelity analytic
same "$(awk -F'\t' 'NR == 2 { print $8 }' out)" "" "half-width at the closed form"
finish
