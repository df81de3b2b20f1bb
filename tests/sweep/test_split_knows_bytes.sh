#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 140. `split` wanted the bytes of an entry from the user, and took any: 8 KiB became more
# than 17 KiB.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
budget() {
    cat >"$1.yaml" <<END
sweep: $1
mechanism: $2
workloads: [$3]
fidelity: analytic
split:
  sram: {total: 8KiB, parts: 8, min: 1KiB, over: $4}
fix: {$5}
END
}
both='path_cache: shared, scoreboard: off, prmb_slots: 0'
budget known neummu alexnet/b1 '[tlb_entries, path_entries]' "$both"
gives 0 "$memsweep" run known.yaml -o known.db -q
lacks "$err" warning
gives 0 "$memsweep" query known.db --sql \
    'SELECT count(*) AS n, max(sram_bytes) <= 8192 AND min(sram_bytes) > 8100 AS fits FROM known' -f tsv
same "$(tail -n 1 out)" "7$(printf '\t')1" 'levels, and whether they keep the budget'
# what the user says is taken, and told where it is not so
budget wrong neummu alexnet/b1 '{tlb_entries: 4, path_entries: 16}' "$both"
told="split 'sram': one tlb_entries is given 4 bytes and takes 12.75; of sram_bytes the levels take"
for command in check plan run; do
    gives 0 "$memsweep" $command wrong.yaml $([ $command = run ] && echo -o wrong.db)
    has "$err" "wrong.yaml:6:3: $told 10432 to 23872 for a total of 8192"
done
gives 0 "$memsweep" query wrong.db --sql 'SELECT max(sram_bytes) AS most FROM wrong' -f tsv
same "$(tail -n 1 out)" 23872 'what is taken'
budget right neummu alexnet/b1 '{tlb_entries: 12.75, path_entries: {cost: 16}}' "$both"
gives 0 "$memsweep" check right.yaml
same "$err" '' 'nothing to warn of'
# the same of another mechanism, whose formats are parameters
budget formats htmmu kgcn/b128 '{l1_entries: ~, l2_entries: {min: 2KiB}, tpc_entries: }' 'tpc_entry_bytes: 64, streams: 1'
gives 0 "$memsweep" plan formats.yaml --trial 0
has "$out" 'tpc_entries'
# an entry that has no one size, and one that has none
budget open neummu alexnet/b1 '[ptw_count, prmb_slots]' 'path_cache: register'
gives 2 "$memsweep" check open.yaml
has "$err" "the bytes of one 'ptw_count' depend on 'prmb_slots', which is not fixed; write a 'cost'"
budget none null synth/small '[x1, x2]' 'function: linear'
gives 2 "$memsweep" check none.yaml
has "$err" "no 'cost' for 'x1', and null counts no bytes for it here"
finish
