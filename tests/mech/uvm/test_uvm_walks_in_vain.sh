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
finish
