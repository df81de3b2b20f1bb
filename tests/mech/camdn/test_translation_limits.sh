#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does translation in front of the cache reach its limits, to the last bit? Known at once or held by
# warm TLBs it is as if there were none; one NPU shares with nobody; parts of everything are each
# tenant's own run (with banks but for the rows in which its memory lies); a tile list behind a free
# cache and flat memory is translated as neummu does it, whatever the channels.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# row SETTING...: metrics of one evaluation, a line "name value" each
row() {
    "$memsweep" eval -f tsv "$@" >out 2>err || fail "eval $*: exit code $?, $(cat err)"
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
        NR == 2 { for (i = 1; i <= NF; i++) print name[i], $i }' out
}
value() { awk -v name="$2" '$1 == name { print $2 }' "$1"; }
# what no translation changes
plain() { row camdn "$@" | grep -E '^(cycles|compute|wait_|requests|hits|memory_|traffic|energy)'; }
# same WHAT A B: two files with the same lines
same() { cmp -s "$2" "$3" || fail "$1: $(diff "$2" "$3" | head -4)"; }

limits=0
for settings in "tenants=4 npus=3 share=ways" "tenants=4 memory_model=banks" \
    "tenants=4 cache_control=pages memory_model=banks bank_colours=4" \
    "tenants=4 arrivals=poisson load=1.2 npu_policy=maxmin multicast=off" \
    "tenants=4 arrivals=poisson npu_policy=aurora cache_control=pages" \
    "tenants=3 throttle=on single_buffer=on mesh_width=2" \
    "tenants=4 memory_model=banks stores=waited bypass=on cache_size=1MiB" \
    "tenants=3 memory_model=banks stores=waited cache_control=pages single_buffer=on"; do
    plain -w mix/small tasks=2 $settings >none
    plain -w mix/small tasks=2 $settings translation=ideal >ideal
    same "ideal, $settings" none ideal
    limits=$((limits + 1))
done

warm="-w mix/small tenants=1 tasks=1 first_tasks=2"
plain $warm >none
plain $warm translation=private tlb_entries=65536 tlb_cycles=0 translate_width=64 >held
sed -i '/^energy_\(translation_\)\?nj /d' none held # looking up has a price
same "TLBs hold all" none held

one="-w mix/small tenants=1 tasks=2 ptw_count=4 tlb_entries=32 tlb2_entries=128"
row camdn $one translation=private | sed '/^translation /d; /^walker_/d' >private
for kind in shared_walkers shared "shared walker_share=parts" \
    "shared_walkers walker_share=stealing walker_most=2"; do
    row camdn $one translation=$kind | sed '/^translation /d; /^walker_/d' >shared
    same "one NPU: $kind" private shared
done

half="tasks=1 first_tasks=0 draw=pinned ptw_count=4 tlb_entries=16 stores=waited"
own="tenants=1 cache_size=256KiB cache_slices=4 memory_channels=2 memory_bandwidth=51.2"
for kind in none private "private memory_model=banks"; do
    row camdn -w mix:ncf/b16 $half translation=$kind $own >first
    row camdn -w mix:dlrm_rm1/b4 $half translation=$kind $own >second
    row camdn -w mix:ncf/b16+dlrm_rm1/b4 tenants=2 $half translation=$kind cache_size=512KiB \
        channels_share=parts >both
    most=0
    [ "$kind" = "${kind%banks}" ] || most=0.01
    for name in memory_read memory_written cycles walks tlb_misses wait_translation; do
        sum=$(($(value first $name) + $(value second $name)))
        case $name in cycles | wait_*) apart=$most ;; *) apart=0 ;; esac
        awk -v a="$(value both $name)" -v b=$sum -v most=$apart \
            'BEGIN { exit !(a >= b * (1 - most) && a <= b * (1 + most)) }' ||
            fail "parts, $kind: $name is $(value both $name), alone $sum"
    done
    [ "$(value both memory_written)" -gt 0 ] || fail "parts: nothing goes to memory"
done

row camdn -w mix/small tenants=2 tasks=2 translation=shared translate=at_miss cache_control=pages \
    memory_model=banks walk_memory=memory >miss
[ "$(value miss translations)" = $(($(value miss requests) - $(value miss hits))) ] ||
    fail "at_miss: $(value miss translations) translations"
row camdn -w mix/small tenants=3 tasks=2 translation=shared_walkers walk_memory=cache walk_ways=2 \
    memory_model=banks >walks
[ "$(value walks translations)" = "$(value walks requests)" ] || fail "a line is not translated"
[ "$(value walks tlb_misses)" = $(($(value walks walks) + $(value walks merged))) ] ||
    fail "misses neither walk nor merge"

cat >tiles.csv <<'END'
layer,tile,operand,base,rows,row_bytes,stride,compute_cycles,overlap
a,0,activation,0x100000000,1,300032,,1000,off
a,0,weight,0x100080000,40,4992,8960,,
a,0,output,0x100180000,1,65536,,,
a,1,activation,0x100010000,1,300032,,500,off
a,1,output,0x100190000,7,640,4096,,
a,1,output,0x1001a8000,1,8960,,,
b,2,activation,0x100180000,1,65536,,300,off
b,2,output,0x1001c0000,1,4096,,,
END
printf 'network,dispatch_ms\ntiles.csv,0\n' >list.csv
for settings in "ptw_count=1 prmb_slots=32 walk_queue=0" "ptw_count=8 prmb_slots=2 walk_queue=16" \
    "ptw_count=64 scoreboard=off walk_queue=0" "ptw_count=4 tlb_policy=bit slots_full=block"; do
    mmu="page_size=4096 tlb_entries=64 tlb_ways=8 walk_level_cycles=100 $settings"
    row neummu -w tiles.csv $mmu dma_bytes=64 bandwidth=64 memory_cycles=100 reprobe=on >alone
    for channels in 1 8; do
        row camdn -w mix:list.csv $mmu arrivals=list tasks=1 first_tasks=0 tenants=1 bypass=on \
            cache_cycles=0 slice_bytes=1024 cache_slices=1 port_bytes=1024 in_flight=1024 burst=1 \
            stores=waited memory_bandwidth=64 memory_channels=$channels memory_cycles=100 \
            translation=private translate_ahead=65536 >chip
        for name in translations tlb_hits tlb_misses walks merged walk_accesses; do
            [ "$(value alone $name)" = "$(value chip $name)" ] ||
                fail "$settings: $name $(value chip $name), neummu $(value alone $name)"
        done
        awk -v a="$(value alone cycles)" -v b="$(value chip cycles)" \
            'BEGIN { exit !(b > 0.995 * a && b < 1.005 * a) }' ||
            fail "$settings: $(value chip cycles) cycles, neummu $(value alone cycles)"
    done
done
[ $limits = 8 ] || fail "$limits limits"
finish
