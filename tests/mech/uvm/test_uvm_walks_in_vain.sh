#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 715. Does a point of uvm end, and say why, where memory is so short that pages leave before
# the accesses that they came for have walked again, instead of going on until time or memory is
# over?
source "$(dirname "$0")/../../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# ask N RATIO [SETTING]...
ask() {
    timeout 60 "$memsweep" eval uvm -w "uvm/bicg/n=$1" --fidelity full replay_walks=on fault_charge=batched "oversubscription=$2" "${@:3}"
}
any=(victims=any victims_leave=chosen)
gives 1 ask 128 16 "${any[@]}"
has "$out" "pages leave memory for 2 of them before accesses walk again; less oversubscription, or replay_walks: off"
gives 1 ask 512 16 "${any[@]}"
gives 0 ask 512 2 "${any[@]}"
# what walks again is in use, and stays
gives 0 ask 512 16
# Warps evict each other's pages, each in a block that is asked for whole: the other watch.
gives 1 "$memsweep" eval uvm -w uvm/nw/n=64 --fidelity full replay_walks=on fault_charge=batched prefetcher=block \
    oversubscription=4 eviction=lru_block victims_leave=chosen walk_of=page
has "$out" "warps evict each other's pages, and none goes on: 65895 pages asked for without an access; more memory"
# All that use a page wait for room themselves: the oldest leaves. Nothing moved there for two
# million steps, and the points were infeasible, or did not end.
idle=(--fidelity full replay_walks=on oversubscription=8 eviction=lru_page fault_charge=excluded)
gives 0 "$memsweep" eval uvm -w uvm/nw/n=64 "${idle[@]}" prefetcher=none replay=batch victims_leave=chosen walk_of=page
gives 0 "$memsweep" eval uvm -w uvm/bicg/n=128 "${idle[@]}" prefetcher=block fault_registers=8
finish
