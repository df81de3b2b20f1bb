#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 673. Do thinning, goals and distances between fronts hold in the command what they say,
# over workloads and within limits; and is the study of eleven networks what its page concludes, in
# small?
source "$(dirname "$0")/../cli/common.sh"

cat >small.yaml <<END
extends: ${MEMSWEEP_SOURCE:?}/sweeps/studies/neummu-eleven.yaml
workloads: [alexnet/b1, rnn2/b1, ncf/b1]
vary: {ptw_count: [8, 32, 128], prmb_slots: [0, 8], tlb_entries: [64], path_cache: [none, shared]}
END
gives 0 "$memsweep" run -q small.yaml -o all.db
pareto() {
    "$memsweep" pareto all.db --over workload -f tsv "$@" 2>&1
}
column() { # NAME: of the table printed last
    awk -F'\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at[name] }' <<<"$table"
}

table=$(pareto --distinct)
front=$table
same "$(column sram_bytes | awk '$1 > 8192' | wc -l)" 0 'designs beyond the limit'
same "$(column alike | sort -n | tail -1)" 2 'designs that differ in nothing'
table=$(pareto --thin 4)
same "$(column slowdown | wc -l)" 4 'points of a thinned front'
same "$(column slowdown | grep -vxFf <(table=$front && column slowdown) | wc -l)" 0 'points that are not on the front'
# alike ones come along, so that they can be told as one
table=$(pareto --thin 4 --distinct)
same "$(column slowdown | wc -l)" 4 'lines of a thinned front'

table=$(pareto --goals slowdown=2,sram_bytes=2KiB)
has "$table" "--goals 'sram_bytes=2KiB': not a number"
table=$(pareto --goals slowdown=2,sram_bytes=2048 --weights sram_bytes=2)
same "$(column miss | sort -g)" "$(column miss)" 'order of misses'
while IFS=$'\t' read -r miss by slowdown bytes _; do
    awk -v m="$miss" -v b="$by" -v s="$slowdown" -v r="$bytes" 'BEGIN {
        x = (s - 2) / 2; y = 2 * (r - 2048) / 2048; most = x > y ? x : y
        exit !(m - most < 1e-9 && most - m < 1e-9 && b == (x > y ? "slowdown" : "sram_bytes")) }' ||
        fail "miss $miss by $by of $slowdown, $bytes"
done < <(tail -n +2 <<<"$table")
gives 2 "$memsweep" pareto all.db --over workload --goals cycles=1
has "$err" "--goals: 'cycles' is no objective here; they are slowdown, sram_bytes"
gives 2 "$memsweep" pareto all.db --over workload --weights slowdown=-1
has "$err" 'a weight is 0 or more'
gives 2 "$memsweep" pareto all.db --over workload --thin 3 --ranks 2
has "$err" '--thin is about one front: leave --ranks out'

# a front is as far from itself as nothing; a worse one is farther, seen from it
table=$(pareto --against-sweep neummu-eleven@worst)
same "$(column gd) $(column igd_plus)" '0 0' 'distance from itself'
same "$(column r2)" "$(column other_r2)" 'R2 of itself'
table=$("$memsweep" pareto all.db --over workload -f tsv -w 'prmb_slots = 0' --against-sweep neummu-eleven@mean 2>&1)
same "$(awk -v a="$(column r2)" -v b="$(column other_r2)" 'BEGIN { print (a > b) }')" 1 'R2 of the worst case and of the mean'

# rows as they are, or within the limits only
gives 0 "$memsweep" query all.db --over workload --limits on -w 'sram_bytes > 8192' -c point -f csv
same "$out" 'point' 'rows beyond the limits'
gives 0 "$memsweep" query all.db --over workload -w 'sram_bytes > 8192' -c point -f csv
[ "$(wc -l <<<"$out")" -gt 1 ] || fail 'no row beyond the limits without the option'
# what varies, and nothing else
gives 0 "$memsweep" export all.db --over workload --varying --columns 'ptw_count, prmb_slots, page_size, slowdown' -f csv
same "$(head -1 <<<"$out")" 'ptw_count,prmb_slots,slowdown' 'columns that vary'
has "$err" 'the same in all rows: page_size'
finish
