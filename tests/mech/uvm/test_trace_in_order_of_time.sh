#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 811. Does a predictor whose trace is in order of time learn from the walks that the machine
# tells of, in the order in which they end? Its samples, classes and commonest label are counted
# here anew from the detail table of walks; on any number of threads they are the same, and another
# order of walks has others.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"

# metric NAME FILE: of a row that eval printed as tsv.
metric() {
    awk -F '\t' -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i} NR == 2 {print $c}' "$2"
}

# Labels of the first 99 % of the samples of clusters of an SM, repeats kept: samples, classes (one
# for all others) and how often the commonest came.
count_labels() {
    tail -n +2 "$1" | awk -F, '{ print NR "," $0 }' | sort -t, -k2,2n -k3,3n -k1,1n |
        awk -F, '{ if ($3 in last && $3 in seen) label[index_of[$3]] = $6 - last[$3]
                   if ($3 in last) { seen[$3] = 1; index_of[$3] = NR }
                   last[$3] = $6; rows = NR }
            END { for (i = 1; i <= rows; i++) if (i in label) samples++
                  learned = int(0.99 * samples)
                  for (i = 1; i <= rows && done < learned; i++)
                      if (i in label) { done++; of[label[i]]++ }
                  for (l in of) { classes++; if (of[l] > most) most = of[l] }
                  print learned, classes + 1, most }'
}

for workload in uvm/srad_v2/side=128 uvm/hotspot/side=128; do
    for order in tree demand; do
        [ $order = tree ] && prefetcher=tree || prefetcher=none
        "$memsweep" eval uvm -w $workload -d pages -f csv page_trace=walk prefetcher=$prefetcher >told.csv ||
            fail "the walks of $workload"
        "$memsweep" eval uvm_predictor -w $workload -f tsv trace_order=$order trace_walks=65536 cluster=sm \
            repeats=kept protocol=p1 train_share=0.99 visits=0 classes_most=8192 >$order.tsv ||
            fail "samples of $workload, $order"
        same "$(metric walks $order.tsv)" "$(($(wc -l <told.csv) - 1))" "walks of $workload, $order"
        same "$(metric learned $order.tsv) $(metric classes $order.tsv) $(metric dominant $order.tsv)" \
            "$(count_labels told.csv)" "samples, classes and commonest label of $workload, $order"
    done
    [ "$(metric dominant tree.tsv)" != "$(metric dominant demand.tsv)" ] ||
        [ "$(metric classes tree.tsv)" != "$(metric classes demand.tsv)" ] || fail "orders are alike: $workload"
done

# A trace is cut at its walks; what is learned from it is the same on any number of threads.
cat >cut.yaml <<'END'
sweep: cut
mechanism: uvm_predictor
workloads: [uvm/srad_v2/side=128, uvm/nw/n=128]
fidelity: analytic
vary: {trace_order: [turns, tree, demand]}
fix: {trace_walks: 128, visits: 256, train_batch: 32, feed: 8}
END
gives 0 "$memsweep" run cut.yaml -o one.db --threads 1
gives 0 "$memsweep" run cut.yaml -o three.db --threads 3
same "$("$memsweep" digest one.db)" "$("$memsweep" digest three.db)" "the digest by threads"
same "$("$memsweep" query one.db -w "trace_order <> 'turns'" -c walks -f csv | sort -u | tr '\n' ' ')" "128 walks " "walks of a cut trace"
finish
