#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 843. Is the front over workloads on a page, which is found in one pass over the rows, that
# of `pareto --over workload`: designs, deciding workloads, also where rows are missing, fail, or
# repeat?
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
cat >three.yaml <<'END'
sweep: three
mechanism: null
workloads: [synth/skewed, synth/even, synth/small]
fidelity: sampled
sampling: {target: 5%}
replicates: 2
vary: {x1: {from: 0, to: 1, count: 9}, gain: [1, 1.5, 2], carry: [0, 0.5]}
fix: {function: zdt1, fail_share: 0.03}
objectives: {minimize: [slowdown, f1, f2], maximize: rate}
END
"$memsweep" run three.yaml -o whole.db -q >/dev/null 2>&1
"$memsweep" run three.yaml -o part.db -q --shard 1/3 >/dev/null 2>&1
"$memsweep" run three.yaml -o part.db -q --shard 2/3 >/dev/null 2>&1
"$memsweep" report whole.db --no-figures >/dev/null 2>err || {
    grep -q node-d3 err && exit 77
    fail "$(cat err)"
}
for name in whole part; do
    gives 0 "$memsweep" report $name.db --no-figures
    json=$(sed -n '/id="data">/,/<\/script>/p' $name.html | sed "s/.*id=\"data\">//; s/<\/script>.*//; s/'/''/g")
    "$memsweep" query $name.db -f tsv --sql "SELECT json_extract(value, '\$[4]') || ' ' || json_extract(value, '\$[5]') AS d
        FROM json_each('$json', '\$.insight[0].table.rows')" | tail -n +2 | sort >page.txt
    "$memsweep" pareto $name.db --over workload -f tsv -c 'point, decided_by' >front.tsv
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["point"] " " $at["decided_by"] }' \
        front.tsv | sort >front.txt
    [ "$(wc -l <front.txt)" -gt 2 ] || fail "$name: hardly a front: $(cat front.txt)"
    cmp -s page.txt front.txt || fail "$name: $(diff page.txt front.txt | head -n 5)"
    grep -q 'Front over workloads' $name.html || fail "$name: no front over workloads"
done
finish
