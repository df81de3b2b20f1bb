#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 717. Does a point that fails leave no detail rows, and does an event budget end a point of
# uvm while it runs, not after it?
source "$(dirname "$0")/../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
{
    printf 'sweep: budget\nmechanism: uvm\nworkloads: [uvm/bicg/n=512]\nfidelity: full\nsampling: {event_budget: 5000}\n'
    printf 'vary: {prefetcher: [none, tree]}\n'
} >budget.yaml
gives 1 "$memsweep" run budget.yaml -q -o budget.db -t 1
has "$err" "event budget of 5000 spent"
same "$("$memsweep" query budget.db --sql 'SELECT count(*) FROM detail_uvm_link' -f tsv | tail -n +2)" 0 "rows of points that failed"
finish
