#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 632. Do the rows of fig. 9 go together with its sweeps? They are asked of two small
# networks on two NPUs; a policy that changes nothing would give ratios of one, and one list
# of arrivals no interval.
source "$(dirname "$0")/../../cli/common.sh"
from=$MEMSWEEP_SOURCE/sweeps/paper/camdn
mkdir -p nine
printf 'network,qos_ms\nmobilenet_v2,0.9\nefficientnet_b0,1.5\n' >nine/two.csv
for name in service service_light; do
    load=0.6
    [ $name = service ] || load=0.9
    sed -e 's,^workloads:.*,workloads: ["mix:two.csv"],' -e "s/load: .*/load: [$load]/" -e 's/tasks: 2/tasks: 1/' -e 's/^replicates:.*/replicates: 2/' \
        -e 's/target_scale: .*/target_scale: [0.8, 1]/' -e 's/^fix:/fix:\n  tenants: 2\n  cache_size: 2MiB/' \
        "$from/$name.yaml" >nine/$name.yaml
done
{
    grep '^id,' "$from/published.csv"
    sed -n '/^service-sla,/,/^table-area,/p' "$from/published.csv" | sed '$d'
} >nine/published.csv
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
gives 0 "$memsweep" reproduce ./nine -f tsv --no-figures
same "$(cut -f 1 out | grep -c service-)" 11 "rows of fig. 9"
awk -F'\t' '$1 ~ /^service-(stp|fairness)$/ { n += $7 > 1.02 || $7 < 0.98 } END { exit n != 2 }' out ||
    fail "ratios of one: $(cut -f 1,7 out)"
awk -F'\t' '$1 ~ /^service-(stp|fairness)$/ { n += $8 > 0 } END { exit n != 2 }' out ||
    fail "no interval: $(cut -f 1,7,8 out)"
finish
