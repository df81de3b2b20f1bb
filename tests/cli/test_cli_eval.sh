#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does one question get the answer that a sweep gives, in every form, and a wrong word a message that
# names it?
source "$(dirname "$0")/common.sh"

# The same numbers as a run of the same point.
cat >one.yaml <<'Y'
sweep: one
mechanism: neummu
workloads: [alexnet/b1]
fidelity: full
fix: {ptw_count: 8, page_size: 64KiB}
Y
gives 0 "$memsweep" run one.yaml -o one.db --quiet
gives 0 "$memsweep" query one.db -c 'cycles, slowdown, walks, bound_by' -f tsv
stored=$(tail -n 1 <<<"$out")
gives 0 "$memsweep" eval neummu ptw_count=8 page_size=64KiB -f tsv
asked=$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 2 { print $at["cycles"] "\t" $at["slowdown"] "\t" $at["walks"] "\t" $at["bound_by"] }' <<<"$out")
[ "$asked" = "$stored" ] || fail "asked: $asked; stored: $stored"

# People see what was set, units, where the cycles go, the bound.
gives 0 "$memsweep" eval neummu -w resnet50/b1 ptw_count=8 page_size=64KiB
has "$out" "neummu, resnet50/b1, full: 54 of 54 units measured"
has "$out" "page_size=64KiB"
has "$out" "where the cycles go"
has "$out" "no array can do it in fewer than"
has "$out" "  0: tlb2_hits, "
lacks "$out" "prefetches                          0"
has "$(grep -A4 'what resources need at least' out)" "walkers "
has "$(grep -A1 'beside the references' out)" "this takes 1.02696 times as much (slowdown)"
has "$out" "further tables (--details NAME): bursts, layers"
gives 0 "$memsweep" eval null -w synth/small synth_units=2000 --fidelity sampled
has "$out" "+-"

# Several workloads, presets, seeds, details, JSON.
gives 0 "$memsweep" eval neummu -w alexnet/b1,resnet50/b1 --preset oracle --fidelity analytic -f json
[ "$(grep -c '"slowdown": 1,' <<<"$out")" = 2 ] || fail "the oracle is no slower than itself: $out"
gives 0 "$memsweep" eval neummu --details layers -f tsv # what writes it is set by itself
[ "$(wc -l <<<"$out")" = 9 ] || fail "AlexNet has eight layers: $out"
gives 0 "$memsweep" eval null gain=2 --seed 5

# A configuration that cannot be is an answer, and not the one that was wanted.
gives 1 "$memsweep" eval neummu tlb_entries=3 tlb_ways=2
has "$out" "infeasible: "

wrong() { # wrong WANTED WORD...
    local wanted=$1
    shift
    gives 2 "$memsweep" eval "$@"
    has "$err" "$wanted"
}
wrong "ptw_cuont=8: unknown parameter 'ptw_cuont', did you mean 'ptw_count'?" neummu ptw_cuont=8
wrong "ptw_count=9999: ptw_count = 9999 is out of range" neummu ptw_count=9999
wrong "memsweep: unknown mechanism 'neumu', did you mean 'neummu'?" neumu
[ "$(wc -l <<<"$err")" = 1 ] || fail "more than one message: $err"
wrong "memsweep: no workload 'nope'" neummu -w nope
wrong "memsweep: unknown preset 'nope'" neummu --preset nope
wrong "found 'ptw_count', allowed: NAME=VALUE" neummu ptw_count
wrong "found 'nope', allowed for neummu: bursts, layers" neummu --details nope
wrong "see profile_layers" neummu --details layers profile_layers=off
wrong "see profile_window" neummu --details walkers
wrong "neummu\\nx: 3: unknown mechanism" "neummu
x: 3"

# A sweep around the point runs, and what is there already stays.
gives 0 "$memsweep" eval neummu ptw_count=8 --sweep around.yaml
[ "$(head -c 1 <<<"$out")" ] || fail "no answer beside the sweep"
for mech in camdn mpu uvm; do
    [ $mech = camdn ] || [ "${MEMSWEEP_FULL:-}" ] || continue
    gives 0 "$memsweep" eval $mech --fidelity analytic --sweep around-$mech.yaml
    gives 0 "$memsweep" check around-$mech.yaml
done
has "$(cat around-camdn.yaml)" "cache_control: [tags, pages]"
has "$(cat around.yaml)" "ptw_count: [4, 8, 16]"
lacks "$(cat around.yaml)" "oracle"
gives 0 "$memsweep" check around.yaml
before=$(cat around.yaml)
gives 3 "$memsweep" eval neummu --sweep around.yaml
has "$err" "is there already"
[ "$(cat around.yaml)" = "$before" ] || fail "the file was changed"

# Of an answer of the closed form, each metric with a goal has an interval or is said to be unknown.
gives 0 "$memsweep" eval neummu -w ncf/b1 --fidelity analytic
grep -Eq '^ *energy_nj .*\.\.' out || grep -Eq 'errors unknown: .*energy_nj' out ||
    fail "nothing says how far energy_nj is off"
finish
