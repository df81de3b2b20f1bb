#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 909. Does calibrate run all rows that a value may come from? A largest ratio between two
# points, over two workloads, comes from one of them at the defaults and from the other one
# elsewhere.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'
# u is 1 at x3 = 0, and 0.25 + x1 at x3 = 1. Of one workload the ratio is u(1) / u(0), of the other one the
# inverse, so the largest is the greater of 0.25 + x1 and 1 / (0.25 + x1): at x1 = 0.5 the inverse.
toy_sweep pair 'function: linear' 'vary: {x3: [0, 1]}'
sed -i 's|\[synth/small\]|[synth/small, synth/even]|' $toy/pair.yaml
echo 'derive: {u: 1 - x3 + x3 * (0.25 + x1)}' >>$toy/pair.yaml
cat >>$toy/published.csv <<'END'
ratio,fig. 4,the largest ratio,,1.5,stated,text,0.5,2.5,"SELECT max(CASE WHEN a.workload = 'synth/small'
THEN a.u / b.u ELSE b.u / a.u END) AS value FROM :pair AS a JOIN :pair AS b ON a.workload = b.workload
WHERE a.x3 = 1 AND b.x3 = 0",,,
rows,fig. 4,rows of three points and one workload,,3,stated,text,2,4,SELECT count(*) AS value FROM :counted,,,
END
toy_sweep counted 'function: linear' 'vary: {x3: [0, 0.5, 1]}'
gives 0 "$memsweep" calibrate toy $small --waves 1 --directed 0 --conclusions 0
settings=results/paper/toy-settings.tsv
wrong=$(paste <(cells x1 <$settings) <(cells ratio <$settings) | awk '{ u = 0.25 + $1; r = u > 1 ? u : 1 / u
    if (u > 1.05) above++
    if ($2 - r > 1e-3 || r - $2 > 1e-3) wrong++ } END { print wrong + 0, (above > 9) }')
same "$wrong" "0 1" "ratios that are not the largest of both workloads, and enough that come from the first"
same "$(cells rows <$settings | sort -u)" 3 "rows that are counted"
finish
