#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 481. Does replay ask a predictor that is trained once for all policies, do later
# predictions cost time, and is the predictor's key of no concern to prefetchers that do not learn?
source "$(dirname "$0")/../../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
{
    printf 'sweep: asked\nmechanism: uvm\nworkloads: [uvm/nw/n=128]\nfidelity: full\n'
    printf 'fix: {prefetcher: learned, predict_holds: fault, predict_distance: 30, bypass: 2, cluster: sm,\n'
    printf '  feed: 32, train_batch: 32, visits: 512, classes_most: 64, learning_rate: 0.01}\n'
    printf 'vary: {predict_latency: [0, 1us, 2us, 5us, 10us, 100us], link: [pcie3, pcie5]}\n'
} >asked.yaml
gives 0 "$memsweep" run asked.yaml -t 2 -o asked.db
has "$out" "1 kept artifact built in"
for link in pcie3 pcie5; do
    gives 0 "$memsweep" query asked.db -f tsv \
        --sql "SELECT cycles FROM points_uvm WHERE link = '$link' ORDER BY predict_latency"
    same "$(tail -n +2 <<<"$out")" "$(tail -n +2 <<<"$out" | sort -n)" "cycles by the time of a prediction"
    same "$(tail -n +2 <<<"$out" | wc -l)" 6 "rows"
done
gives 0 "$memsweep" query asked.db --sql 'SELECT max(cycles) > min(cycles) + 1000 AS later FROM points_uvm' -f tsv
same "$(echo "$out" | tail -n 1)" 1 "predictions take time"

# Others know nothing of it: the same keys, whatever is said of the predictor.
for visits in 256 1024; do
    {
        printf 'sweep: others\nmechanism: uvm\nworkloads: [uvm/nw/n=128]\nfidelity: full\n'
        printf 'fix: {visits: %d}\nvary: {prefetcher: [none, block, tree]}\n' $visits
    } >others$visits.yaml
    gives 0 "$memsweep" run others$visits.yaml -o others$visits.db
    lacks "$out" "kept artifact"
done
rows() {
    "$memsweep" query "$1" -f tsv -c 'prefetcher, cycles, far_faults, bytes_in'
}
same "$(rows others256.db)" "$(rows others1024.db)" "rows of prefetchers that do not learn"
finish
