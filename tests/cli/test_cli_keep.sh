#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a sweep that keeps what decides give the front, the effects and the answers that one with all
# rows gives, whoever computed it and however often it was killed, and does it refuse the rest?
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

cat >all.yaml <<'END'
sweep: grid
mechanism: neummu
workloads: [alexnet/b1, rnn1/b1]
fidelity: analytic
design: grid
vary:
  ptw_count: {from: 1, to: 512, scale: pow2}
  prmb_slots: [0, 1, 2, 4, 8, 16, 32]
  page_size: [4KiB, 2MiB]
  walk_level_cycles: {from: 10, to: 500, step: 10}
objectives: {minimize: [slowdown, sram_bytes]}
END
{ cat all.yaml; echo 'keep: {front: 5%, sample: 1000, summary: on}'; } >keep.yaml
"$memsweep" run all.yaml -q -o all.db || fail "all rows"
"$memsweep" run keep.yaml -q -o keep.db || fail "kept rows"
digest=$("$memsweep" digest keep.db)

# ---- the same front ----
same "$("$memsweep" pareto keep.db -f tsv | sort)" "$("$memsweep" pareto all.db -f tsv | sort)" "front"
has "$("$memsweep" pareto keep.db)" "of 14,000 points"
# Every row that none beats by more than 5 % in one objective is there: by a plain loop over all rows.
"$memsweep" query all.db -f tsv -c 'workload, point, slowdown, sram_bytes' | tail -n +2 >rows.tsv
"$memsweep" query keep.db -f tsv -w 'NOT sampled' -c point 2>/dev/null | tail -n +2 | sort >near.txt
"$memsweep" query keep.db -f tsv -w sampled -c point 2>/dev/null | tail -n +2 | sort >random.txt
awk -F'\t' '{ w[NR] = $1; p[NR] = $2; x[NR] = $3; y[NR] = $4
              if (!($1 SUBSEP $4 in least) || $3 < least[$1, $4]) least[$1, $4] = $3 }
  END { for (i = 1; i <= NR; i++) { out = 0
      for (k in least) { split(k, part, SUBSEP)
          if (part[1] == w[i] && part[2] <= y[i] && least[k] <= x[i] &&
              (part[2] + 0 < y[i] - 0.05 * y[i] || least[k] < x[i] - 0.05 * x[i])) { out = 1; break } }
      if (!out) print p[i] } }' rows.tsv | sort >wanted.txt
same "$(comm -23 near.txt wanted.txt | wc -l)" 0 "rows that are beaten, and no sample"
same "$(comm -13 <(sort near.txt random.txt) wanted.txt | wc -l)" 0 "rows near the front that are not kept"

# ---- the same effects ----
for metric in slowdown sram_bytes; do
    ask="-m $metric --group-by workload --second -f tsv"
    # shellcheck disable=SC2086
    for file in all keep; do
        "$memsweep" sensitivity $file.db $ask |
            awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
                { split($at["factor"], f, / \* /)
                  name = f[2] == "" || f[1] < f[2] ? $at["factor"] : f[2] " * " f[1]
                  printf "%s %s %.9f %.9f %.8g\n", $at["workload"], name,
                      $at["first"], $at["interaction"], $at["variance"] }' |
            sed 's/-0\.000000000/0.000000000/g' | sort >$file.effects
    done
    same "$(cat keep.effects)" "$(cat all.effects)" "effects of $metric"
done
has "$("$memsweep" sensitivity keep.db -m slowdown --group-by workload)" "the summary is looked at"
has "$("$memsweep" sensitivity keep.db -m tlb_misses --group-by workload)" "the random ones are looked at"
# A design is drawn with all its workloads: what holds over them can be asked of the sample.
"$memsweep" query keep.db -f tsv -w sampled -c 'ptw_count, prmb_slots, page_size, walk_level_cycles' 2>/dev/null |
    tail -n +2 | sort | uniq -c | awk '{ n[$1]++ } END { exit n[2] < 400 || length(n) > 1 }' ||
    fail "designs of the sample lack a workload"
has "$("$memsweep" sensitivity keep.db -m tlb_misses)" "each the mean over 2 workloads"

# Doubtful rows take no part, where all rows are kept or some.
sed 's/from: 10, to: 500/from: 5, to: 495/' all.yaml >doubt.yaml
"$memsweep" run doubt.yaml -q -o doubt.db || fail "doubtful rows"
has "$("$memsweep" sensitivity doubt.db -m slowdown -g workload --method regression)" "13,987 points used, 13 dropped"

# ---- what a row would have held ----
for point in 0 4711 13999; do
    "$memsweep" eval --of keep.db --point $point -f json >eval.json
    "$memsweep" query all.db -w "point = $point" -f json >row.json
    gives 0 python3 -c '
import json
rows = [json.load(open(f)) for f in ("eval.json", "row.json")]
a, b = [(r if isinstance(r, list) else r["rows"])[0] for r in rows]
both = [k for k in a if k in b]
assert len(both) > 100 and all(a[k] == b[k] for k in both), [k for k in both if a[k] != b[k]]'
done
gives 2 "$memsweep" eval --of keep.db --point 14000
has "$err" "the sweep has 14000"

# ---- whoever computed it ----
kills=0 # that hit a run while it computed
for i in 1 2 3 4 5 6 7 8; do
    "$memsweep" run keep.yaml -q -t 1 -o killed.db >out 2>&1 &
    pid=$!
    if catches $pid; then
        sleep 0.0$((i * 7 % 10))
        kill -KILL $pid 2>/dev/null
    fi
    wait $pid 2>/dev/null
    [ $? -ne 137 ] || kills=$((kills + 1))
done
[ $kills -ge 2 ] || fail "only $kills kills hit a run"
"$memsweep" run keep.yaml -q -o killed.db || fail "going on"
same "$("$memsweep" digest killed.db)" "$digest" "killed $kills times"
"$memsweep" run keep.yaml -q --shard 0/2 -o 0.db && "$memsweep" run keep.yaml -q --shard 1/2 -o 1.db ||
    fail "shards"
gives 2 "$memsweep" pareto 0.db
has "$err" "is not done"
"$memsweep" merge both.db 1.db 0.db >out || fail "merge"
"$memsweep" run keep.yaml -q -t 3 --shuffle -o both.db || fail "the merged file"
same "$("$memsweep" digest both.db)" "$digest" "two shards"
# A damaged part is computed again.
sqlite3 both.db "UPDATE msw_summary SET bytes = zeroblob(length(bytes)) WHERE workload = 1" || exit 77
"$memsweep" run keep.yaml -q -o both.db || fail "mending"
same "$("$memsweep" digest both.db)" "$digest" "mended"

# ---- what is refused, and what would answer it ----
refused() {
    local change=$1
    shift
    gives 2 "$memsweep" "$@"
    has "$err" "rows are kept of 14,000 points"
    has "$err" "write '$change' into the sweep file"
}
refused 'where: "..."' pareto keep.db --filter 'ptw_count > 8'
refused 'objectives: {minimize: [...]}' pareto keep.db --minimize cycles
refused 'keep: all' pareto keep.db --over workload
refused 'keep: all' pareto keep.db --ranks 2
{ cat all.yaml; echo 'keep: {front: 0%}'; } >front.yaml
"$memsweep" run front.yaml -q -o front.db || fail "front alone"
same "$("$memsweep" pareto front.db -f tsv | sort)" "$("$memsweep" pareto all.db -f tsv | sort)" "front alone"
refused 'keep: {..., sample: 100000}' sensitivity front.db -m cycles
sed 's/sample.*/sample: 500}/' keep.yaml | sed 's/front: 5%, //' >sample.yaml
"$memsweep" run sample.yaml -q -o sample.db || fail "sample alone"
refused 'keep: {..., front: 5%}' pareto sample.db

# ---- the sweep file ----
wrong() {
    { cat all.yaml; echo "$1"; } >wrong.yaml
    gives 2 "$memsweep" check wrong.yaml
    has "$err$out" "$2"
}
wrong 'keep: {}' "nothing is named"
wrong 'keep: {metrics: [slowdwn]}' "did you mean 'slowdown'"
wrong 'keep: {front: 5%, metrics: [cycles]}' "lacks the objective 'slowdown'"
sed 's/^design: grid/design: {kind: morris, trajectories: 100}/' keep.yaml >wrong.yaml
sed -i 's/sample: 1000/sample: 100/' wrong.yaml
gives 2 "$memsweep" check wrong.yaml
has "$err$out" "tears the groups"
has "$("$memsweep" status keep.db -f tsv)" "	complete	100"
has "$("$memsweep" status keep.db)" "rows are kept of 14,000 points"
gives 2 "$memsweep" check keep.yaml --fidelity full
has "$err$out" "say 'fidelity: analytic', or 'keep: all'"
same "$(sed 's/^keep.*/keep: all/' keep.yaml >same.yaml; "$memsweep" check same.yaml)" \
    "$("$memsweep" check all.yaml)" "keep: all"

# Rows of some metrics are smaller, and no answer to a sweep that wants all.
{ cat all.yaml; echo 'keep: {metrics: [cycles, slowdown, sram_bytes]}'; } >some.yaml
cp all.db both.db
"$memsweep" run some.yaml -q -o some.db || fail "some metrics"
has "$("$memsweep" run some.yaml -o both.db 2>/dev/null)" "14,000 to evaluate"
[ "$(stat -c %s some.db)" -lt "$(($(stat -c %s all.db) * 4 / 5))" ] || fail "rows of three metrics are large"
same "$("$memsweep" query some.db -f tsv -c 'point, ptw_count, slowdown, sram_bytes')" \
    "$("$memsweep" query all.db -f tsv -c 'point, ptw_count, slowdown, sram_bytes')" "some metrics"
gives 2 "$memsweep" query some.db -c tlb_misses
# What is not in the rows is not compared, and it is said which rows are.
sed 's/sample: 1000/sample: 14000, metrics: [cycles, slowdown, sram_bytes]/' keep.yaml >pair.yaml
{ sed 's/analytic/full/; s/^design.*/where: walk_level_cycles = 100 and ptw_count > 64/' all.yaml; } >pair-full.yaml
"$memsweep" run pair.yaml -q -o pair.db && "$memsweep" run pair-full.yaml -q -o pair.db || fail "pairs"
out=$("$memsweep" agree pair.db)
has "$out" "rows are kept of 14,000 points"
same "$("$memsweep" agree pair.db -f tsv | cut -f 3 | tail -n +2 | tr '\n' ' ')" "cycles slowdown slowdown - 1 sram_bytes bound_by " "metrics"
"$memsweep" eval --of some.db --point 17 -f json | grep -q '"tlb_misses": [0-9]' || fail "eval --of some metrics"

# Limits of parameters alone are known before a point is evaluated.
{ cat keep.yaml; echo 'subject_to: ["ptw_count <= 64", "slowdown < 3"]'; } >limits.yaml
{ cat all.yaml; echo 'subject_to: ["ptw_count <= 64", "slowdown < 3"]'; } >limits-all.yaml
out=$("$memsweep" run limits.yaml -o limits.db 2>/dev/null)
has "$out" "4,200 not evaluated"
"$memsweep" run limits-all.yaml -q -o limits-all.db || fail "limits"
same "$("$memsweep" pareto limits.db -f tsv | sort)" "$("$memsweep" pareto limits-all.db -f tsv | sort)" "front within limits"
# So are limits of metrics that the config alone decides.
sed 's/"ptw_count <= 64"/"sram_bytes <= 32*KiB"/' limits.yaml >priced.yaml
sed 's/"ptw_count <= 64"/"sram_bytes <= 32*KiB"/' limits-all.yaml >priced-all.yaml
out=$("$memsweep" run priced.yaml -o priced.db 2>/dev/null)
has "$out" "4,000 not evaluated"
"$memsweep" run priced-all.yaml -q -o priced-all.db || fail "limits of prices"
same "$("$memsweep" query priced-all.db -f tsv -w 'sram_bytes > 32*1024' -c point | tail -n +2 | wc -l)" 4000 "beyond"
same "$("$memsweep" pareto priced.db -f tsv | sort)" "$("$memsweep" pareto priced-all.db -f tsv | sort)" "front within prices"

# The page and the plan know what is kept.
"$memsweep" report keep.db --no-figures -o page.html >out 2>&1 || fail "page"
has "$(grep -A1 'Density of all points' page.html)" '"alexnet/b1", "slowdown", "7000"'
has "$("$memsweep" plan keep.yaml --trial 0.01 -n 0)" "and rows near the front"
finish
