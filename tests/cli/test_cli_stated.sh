#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do rows, plans and comparisons say where a mechanism states nothing about its closed form?
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

cat >outside.yaml <<'END'
sweep: outside
mechanism: neummu
workloads: [ncf/b1, ncf/b4]
fidelity: analytic
vary:
  tlb_policy: [lru, fifo]
  table_lines: [0, 64]
END
out=$("$memsweep" plan outside.yaml --trial 0 --first 0)
has "$out" "warning    7 of 8 points tried lie outside"
has "$out" "in_stated_region"
out=$("$memsweep" plan outside.yaml --trial 0 --first 0 --fidelity full)
lacks "$out" "warning"

"$memsweep" run outside.yaml -q -o all.db || fail "run"
out=$("$memsweep" query all.db -f tsv -c 'workload, tlb_policy, table_lines, in_stated_region')
same "$(printf '%s\n' "$out" | awk -F '\t' '$4 == 1' | tr '\t' ' ')" "ncf/b1 lru 0 1" "rows inside"
same "$(printf '%s\n' "$out" | awk -F '\t' '$4 == 0' | wc -l)" 7 "rows outside"
same "$("$memsweep" query all.db -f tsv -c point -w 'NOT in_stated_region' | tail -n +2 | wc -l)" 7 "filter"

# Nothing of it is stored, so the digest does not know it, and other programs' views are as they were.
stored=$(grep -ac in_stated_region all.db)
same "$stored" 0 "mentions in the file"

# Only points inside are judged; other fidelities have no such column.
"$memsweep" run outside.yaml -q -o all.db --fidelity full || fail "run at full"
out=$("$memsweep" agree all.db -f tsv -m cycles)
same "$(printf '%s\n' "$out" | awk -F '\t' '
    NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i}
    NR == 2 {print $at["stated"], $at["of"], $at["within"], $at["verdict"]}')" "0.06 0.95 1 holds" "agree"
out=$("$memsweep" query all.db -c in_stated_region 2>&1) && fail "a column at full"
has "$out" "no parameter or metric 'in_stated_region'"

# A sweep's own column of that name stays what it says.
sed 's/^sweep: .*/sweep: own/; $a derive: {in_stated_region: 40 + 2}' outside.yaml >own.yaml
"$memsweep" run own.yaml -q -o own.db || fail "run with an own column"
same "$("$memsweep" query own.db -f tsv -c in_stated_region | sort -u | tail -n 1)" in_stated_region "heading"
same "$("$memsweep" query own.db -f tsv -c in_stated_region | sort -u | head -n 1)" 42 "own column"

out=$("$memsweep" describe neummu --all)
has "$out" "Stated agreement"
has "$out" "closed form"
finish
