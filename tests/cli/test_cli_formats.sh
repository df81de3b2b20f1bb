#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do all formats say the same, and can programs read them?
source "$(dirname "$0")/common.sh"
sweep quick 'feasible_sum: 1.5'
gives 0 "$memsweep" run quick.yaml
has "$out" "363 points; 363 to evaluate"
has "$out" "318 ok, 45 infeasible"
has "$out" "results: results/quick.db"

gives 0 "$memsweep" query quick
has "$out" "(363 rows)"
has "$out" "same in all:"
has "$out" "workload synth/small"
lacks "$out" "row_id  "
gives 0 "$memsweep" query quick -c 'x1, x2, f1 * 2 AS twice' -w "x1 < 0.15 AND gain = 1 AND status = 'ok'" \
    --order 'x1 DESC, x2' -n 3 -f tsv
same "$out" $'x1\tx2\ttwice\n0.1\t0\t0.2\n0.1\t0.1\t0.2\n0.1\t0.2\t0.2' "a query"
gives 0 "$memsweep" query quick --sql 'SELECT status, count(*) AS n FROM quick GROUP BY status' -f csv
same "$out" $'status,n\ninfeasible,45\nok,318' "raw SQL"
gives 2 "$memsweep" query quick --sql 'DELETE FROM msw_run'
gives 2 "$memsweep" query quick --sql 'SELECT 1' --limit 3

for format in tsv csv json; do
    gives 0 "$memsweep" export quick -o "all.$format"
    has "$out" "363 rows"
    gives 0 "$memsweep" export quick --format "$format"
    same "$out" "$(cat "all.$format")" "export -o and export to standard output ($format)"
done
[ "$(wc -l <all.tsv)" -eq 364 ] || fail "all.tsv has $(wc -l <all.tsv) lines"
[ "$(awk -F'\t' '{ print NF }' all.tsv | sort -u | wc -l)" -eq 1 ] || fail "all.tsv is ragged"
gives 2 "$memsweep" export quick -o all.xml
gives 3 "$memsweep" export quick -o nowhere/all.tsv
[ ! -e all.tsv.part ] || fail "a partial file was left"

# The front is known: x2 = 0 for each x1, three gains that do not matter to f1 and f2.
gives 0 "$memsweep" pareto quick -f tsv -c 'x1, x2, gain'
[ "$(wc -l <<<"$out")" -eq 34 ] || fail "the front has $(($(wc -l <<<"$out") - 1)) rows, wanted 33"
same "$(awk -F'\t' 'NR > 1 { print $5 }' <<<"$out" | sort -u)" 0 "x2 on the front"
gives 0 "$memsweep" pareto quick
has "$out" "front: 33 of 318 points, 22 of them equal to another; "
has "$out" "; without a value: 45"
gives 0 "$memsweep" pareto quick --group-by gain --knee --ranks 2 -w 'x1 > 0' -f json
gives 0 "$memsweep" pareto quick --minimize f1 --maximize f2 -f tsv
# Highest f2 at the lowest f1: x1 = 0, x2 = 1.
same "$(awk -F'\t' 'NR > 1 { print $1 }' <<<"$out" | sort -u)" 0 "f1 of the upper front"
gives 2 "$memsweep" pareto quick --minimize status
gives 0 "$memsweep" pareto quick --save
gives 0 "$memsweep" query quick --sql "SELECT kind FROM msw_analysis" -f tsv
same "$out" $'kind\npareto' "the saved analysis"

if command -v python3 >/dev/null; then
    for words in "list" "list parameters" "status quick" "query quick" "pareto quick" \
        "plan quick.yaml" "query quick --filter x1<0"; do
        # shellcheck disable=SC2086
        "$memsweep" $words --format json | python3 -m json.tool >/dev/null || fail "JSON: $words"
    done
    python3 -m json.tool all.json >/dev/null || fail "JSON: export"
fi

gives 0 "$memsweep" plan quick.yaml

# However many ranks there are, a run takes as long as its longest turn.
sweep slow 'cost: 200ms' 'cost_kind: sleep'
gives 0 "$memsweep" plan slow.yaml --ranks 512 --threads 16 --trial 0.3s -n 0
has "$out" "about 0.2"
has "$out" "on 512 ranks x 16 threads"
has "$out" "363 = 1 workload x 363 of grid x 1 replicate"
has "$out" "memory     about"
gives 0 "$memsweep" plan quick.yaml -n 2 -f tsv
same "$(head -n 1 <<<"$out")" $'point\tworkload\treplicate\tgain\tx1\tx2' "columns of plan"
[ "$(wc -l <<<"$out")" -eq 3 ] || fail "plan -n 2 printed $(wc -l <<<"$out") lines"
gives 0 "$memsweep" describe gain
has "$out" "parameter gain of null"
gives 0 "$memsweep" describe synth_cv
gives 0 "$memsweep" describe null --all
has "$out" "Metrics"
gives 0 "$memsweep" describe synth/even
gives 0 "$memsweep" describe sobol
gives 0 "$memsweep" list workloads 'synth/s*' -f tsv
[ "$(wc -l <<<"$out")" -eq 3 ] || fail "list of two workloads: $out"
finish
