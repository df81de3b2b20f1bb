#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 420. Is a design over its workloads what its rows say: worst, mean, geometric and weighted
# mean, with half-widths, in every command? Has it no value where a workload's row is not there?
source "$(dirname "$0")/../cli/common.sh"

cat >three.yaml <<'END'
sweep: three
mechanism: null
workloads: [synth/even, synth/skewed, synth/small]
fidelity: sampled
sampling: {target: 2%}
vary: {gain: [1, 1.5, 2], carry: [0, 0.5]}
objectives: {minimize: [slowdown], maximize: [rate]}
END
gives 0 "$memsweep" run three.yaml -o three.db -q

# value CONDITION QUERY: one number of the file
value() {
    "$memsweep" query three.db -f tsv --sql "$1" | tail -n 1
}
# agree WHAT VIEW EXPRESSION-OVER-ROWS COLUMN: no design is more than 1e-12 apart
agree() {
    same "$(value "SELECT count(*) AS n FROM (SELECT design_index AS d, $3 AS x FROM three GROUP BY 1)
        JOIN \"three@$2\" ON d = design_index WHERE abs(x - $4) <= 1e-12 * abs(x)")" 6 "$1"
}
agree 'worst of a cost' worst 'max(slowdown)' slowdown
agree 'worst of a gain' worst 'min(rate)' rate
agree 'mean' mean 'avg(slowdown)' slowdown
agree 'geometric mean' geomean 'exp(avg(ln(slowdown)))' slowdown
agree 'weighted mean' 'weighted(synth/even=3, synth/small=1)' \
    "sum(CASE workload WHEN 'synth/even' THEN 3 WHEN 'synth/small' THEN 1 END * slowdown) / 4" slowdown
agree 'two of three' 'worst(synth/even, synth/small)' \
    "max(CASE WHEN workload <> 'synth/skewed' THEN slowdown END)" slowdown
agree 'half-width of a mean' mean 'sqrt(sum(slowdown_hw * slowdown_hw)) / 3' slowdown_hw
agree 'half-width of a geometric mean' geomean \
    'exp(avg(ln(slowdown))) * sqrt(sum(power(slowdown_hw / slowdown, 2))) / 3' slowdown_hw
agree 'half-width of the worst' worst \
    'max(max(slowdown + slowdown_hw) - max(slowdown), max(slowdown) - max(slowdown - slowdown_hw))' \
    slowdown_hw

# first-class: fronts, effects, figures by data, the page
gives 0 "$memsweep" pareto three.db --over workload -f tsv
has "$out" "decided_by"
has "$out" "worst of 3"
same "$(wc -l <out)" "$(("$(value 'SELECT count(*) AS n FROM "three@worst" AS a WHERE NOT EXISTS(SELECT 1
    FROM "three@worst" AS b WHERE b.slowdown <= a.slowdown AND b.rate >= a.rate AND
    (b.slowdown < a.slowdown OR b.rate > a.rate))')" + 1))" 'front over workloads'
gives 0 "$memsweep" sensitivity three.db --over workload --by mean -m slowdown
has "$out" "rows are designs over their workloads (mean)"
gives 0 "$memsweep" surrogate three.db --over workload -m slowdown
gives 0 "$memsweep" report three.db --over workload --no-figures -o page.html
has "$(cat page.html)" "designs over their workloads (worst)"

# words that are wrong
gives 2 "$memsweep" pareto three.db --by 'worst(synth/evn)'
has "$err" "did you mean 'synth/even'?"
gives 2 "$memsweep" pareto three.db --by 'weighted(synth/even=0)'
has "$err" "a number above 0"
gives 2 "$memsweep" pareto three.db --by 'worst(synth/even=2)'
has "$err" "worst takes no weights"
gives 2 "$memsweep" pareto three.db --by weighted
has "$err" "weighted needs weights"
gives 2 "$memsweep" pareto three.db --by median
has "$err" "worst, mean, geomean or weighted"

# a part of the rows: what is not whole has no value and says why
gives 0 "$memsweep" run three.yaml -o half.db -q --shard 1/4
gives 0 "$memsweep" query half.db --over workload -f tsv -c 'status, reason, slowdown'
has "$out" "missing"
has "$out" "of 3 workloads have no row"
gives 0 "$memsweep" query half.db --over workload -w "status = 'missing' AND slowdown IS NOT NULL" -f tsv -c point
same "$(wc -l <out)" 1 'designs with a value that are not whole'
finish
