#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does the closed form of camdn count translations as the cycle model does? Known answers are those
# of the cycle model: walks and misses of private TLBs within 2 %, cycles within 15 %; where every
# translation is known nothing but the counts differs from none; where one walker serves all, cycles
# are those of all walks one after the other; and a pool whose registers others overwrite is doubtful.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# row FIDELITY SETTING...: metrics of one evaluation, a line "name value" each
row() {
    "$memsweep" eval camdn -w mix/small tasks=2 "${@:2}" --fidelity "$1" -f tsv >out 2>err ||
        fail "eval $*: exit code $?, $(cat err)"
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
        NR == 2 { for (i = 1; i <= NF; i++) print name[i], $i }' out
}
value() { awk -v name="$2" '$1 == name { print $2 }' "$1"; }
# near NAME SHARE: the files closed and full agree
near() {
    awk -v a="$(value closed "$1")" -v b="$(value full "$1")" -v most="$2" \
        'BEGIN { exit !(a >= b * (1 - most) && a <= b * (1 + most)) }' ||
        fail "$settings: $1 is $(value closed "$1"), $(value full "$1") at full"
}

row analytic tenants=4 translation=none | grep -vE '^(transl|tlb_hits|walker_|error_)' >none
row analytic tenants=4 translation=ideal | grep -vE '^(transl|tlb_hits|walker_|error_)' >ideal
cmp -s none ideal || fail "ideal: $(diff none ideal | head -4)"

for settings in "tlb_entries=32" "tlb_entries=32 ptw_count=2" "tlb_entries=64 ptw_count=4" \
    "tlb_entries=16 prmb_slots=8 slots_full=block"; do
    row analytic tenants=4 translation=private $settings >closed
    row full tenants=4 translation=private $settings >full
    near translations 0
    near tlb_misses 0.02
    near walks 0.02
    near cycles 0.15
done

settings="one walker"
one="tenants=4 translation=shared tlb_entries=16 ptw_count=1 walk_cycles=400 path_cache=none"
row analytic $one >closed
row full $one >full
near walks 0.05
near cycles 0.06
row analytic tenants=8 translation=shared_walkers tlb_entries=8 ptw_count=1 >closed
grep -q "walkers are busy" out || fail "a pool that is always busy is not doubtful: $(cat out)"

# The counts of tenants add up to the metrics.
settings="tenants=4 translation=shared tlb_entries=16 ptw_count=4"
row full $settings >full
"$memsweep" eval camdn -w mix/small tasks=2 $settings --details translated -f tsv >tenants 2>err ||
    fail "details: $(cat err)"
for name in translations tlb_hits tlb_misses walks merged walk_accesses wait:wait_translation; do
    sum=$(awk -F '\t' -v name="${name%:*}" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
        NR > 1 { sum += $at } END { print sum }' tenants)
    [ "$sum" = "$(value full "${name#*:}")" ] || fail "tenants: $name is $sum, $(value full "${name#*:}")"
done
finish
