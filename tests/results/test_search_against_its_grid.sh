#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A search takes workloads together and a grid does not: compared with it, the grid is asked as the
# search was. In a space that can be listed this says how far a search's front is from the true one.
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}

cat >search.yaml <<'END'
sweep: some
mechanism: neummu
workloads: [ncf/b1, dlrm_rm1/b1]
design: {kind: search, evaluations: 24, audit: 0, over: workload, by: worst}
vary: {ptw_count: {from: 1, to: 64, scale: pow2}, prmb_slots: [0, 4, 16], tlb_entries: [32, 64, 128]}
objectives: {minimize: [slowdown, sram_bytes]}
END
printf 'extends: search.yaml\nsweep: every\ndesign: grid\n' >grid.yaml
gives 0 "$memsweep" run -q search.yaml -o search.db
gives 0 "$memsweep" run -q grid.yaml -o grid.db
column() { # FILE NAME
    awk -F'\t' -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at[name] }' "$1"
}
gives 0 "$memsweep" pareto search.db --against grid.db -f tsv
echo "$out" >against.tsv
gives 0 "$memsweep" pareto grid.db --over workload --hypervolume -f tsv
echo "$out" >own.tsv
# The same front as the grid's own over workloads, and a part of it covered.
"$memsweep" pareto grid.db --over workload --reference \
    "slowdown=$(column against.tsv reference_slowdown),sram_bytes=$(column against.tsv reference_sram_bytes)" \
    --hypervolume -f tsv >own.tsv || fail "own front"
same "$(column against.tsv other_hypervolume)" "$(column own.tsv hypervolume)" "the grid's front"
awk -v s="$(column against.tsv hypervolume)" -v g="$(column own.tsv hypervolume)" \
    'BEGIN { exit !(s > 0.5 * g && s <= g) }' || fail "a front of a search beyond the true one"

# The other way round the grid has a front for each workload: it is said what makes it one.
gives 2 "$memsweep" pareto grid.db --against search.db
has "$err" "--over workload"
gives 0 "$memsweep" pareto grid.db --against search.db --over workload -f tsv
echo "$out" >back.tsv
same "$(column back.tsv coverage_back)" "$(column against.tsv coverage)" "coverage, both ways round"
finish
