#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# When is a store over that is waited for? With banks when the queue of its channel has taken it. By
# hand: of 2,048 lines each of eight channels gets 256, of which its queue of 32 holds the last; the
# 224 before them take two cycles each, from the end of computing on, and some 30 for rows that open.
# Posted, they are over after 2,048 / 16 cycles of the port. What moves is the same.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# row SETTING...: metrics of one evaluation, a line "name value" each
row() {
    "$memsweep" eval camdn -f tsv "$@" >out 2>err || fail "eval $*: exit code $?, $(cat err)"
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
        NR == 2 { for (i = 1; i <= NF; i++) print name[i], $i }' out
}
value() { awk -v name="$2" '$1 == name { print $2 }' "$1"; }
# between NAME LOW HIGH: the metric of the file now
between() {
    awk -v x="$(value now "$1")" -v low="$2" -v high="$3" 'BEGIN { exit !(x >= low && x <= high) }' ||
        fail "$settings: $1 is $(value now "$1"), wanted $2 to $3"
}

cat >tiles.csv <<'END_OF_LIST'
layer,tile,operand,base,rows,row_bytes,stride,compute_cycles,overlap
a,0,activation,0x100000000,1,64,,100,off
a,0,output,0x100100000,1,131072,,,
END_OF_LIST
printf 'network,dispatch_ms\ntiles.csv,0\n' >list.csv
alone="-w mix:list.csv -p mnpusim_d tenants=1 npus=1 arrivals=list tasks=1 first_tasks=0 frames=linear"
for settings in "translation=none" "translation=ideal" "translation=none in_flight=32"; do
    row $alone $settings stores=waited >now
    between wait_cache $((224 * 2)) $((224 * 2 + 40))
    between memory_written 131072 131072
done
settings="translation=none"
row $alone $settings stores=posted >now
between wait_cache $((2048 / 16)) $((2048 / 16 + 2))

# Translated, stalled by blocked misses and beside others: every line is there once, and no bound is
# passed.
for settings in "translation=private" "translation=shared_walkers ptw_count=2 tlb_entries=8" \
    "translation=shared walk_memory=memory" \
    "translation=shared_walkers walk_memory=cache prmb_slots=8 slots_full=block" \
    "translation=shared_walkers cache_control=pages translate=at_miss" \
    "translation=private single_buffer=on in_flight=8 burst=8"; do
    for stores in posted waited; do
        row -w mix/small tenants=3 tasks=2 memory_model=banks bypass=on cache_size=1MiB draw=pinned \
            $settings stores=$stores >$stores
    done
    cp waited now
    for name in compute requests; do
        same "$(value posted $name)" "$(value waited $name)" "$settings: $name"
    done
    between translations 1 "$(value now requests)"
    between tlb_hits "$(($(value now translations) - $(value now tlb_misses)))" \
        "$(($(value now translations) - $(value now tlb_misses)))"
    for bound in least_array least_port least_memory least_flight least_walk; do
        between cycles "$(value now $bound)" 1e12
    done
done

# What is under way takes memory: so much of all tenants together.
gives 1 "$memsweep" eval camdn -w mix/small tenants=32 in_flight=65536 --fidelity full
has "$err$out" "in_flight 65536: 32 tenants have 2097152 lines under way; allowed: 1048576 of all"
finish
