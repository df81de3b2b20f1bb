#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rows of the closed form and what is known of its errors: do they get their intervals from a table,
# does every command say where there is none, and do strata survive every way that rows take?
source "$(dirname "$0")/../cli/common.sh"

# A table by hand, of two strata: gain up to 1 and above. The head is this program's own.
mkdir errors
gives 0 "$memsweep" agree --learn null --points 8 --workloads synth/small -o head.tsv
grep -E '^(# |mechanism|closed|machine|model|frontends|confidence)' head.tsv >errors/null.tsv
printf 'largest\t1e9\nnode\t0\tparam gain\t1\t1\t2\nleaf\t1\t3\nleaf\t2\t4\n' >>errors/null.tsv
printf 'error\t3\tcycles\t50\t0.5\t2\nerror\t3\tf2\t50\t0.9\t1.5\n' >>errors/null.tsv
cat >known.yaml <<END
sweep: known
mechanism: null
workloads: [synth/small]
fidelity: analytic
fix: {function: zdt1, x2: 0.5}
vary:
  gain: [1, 1.5]
  x1: {values: [0.1, 0.2, 0.3, 0.4]}
objectives: {minimize: [f1, f2]}
END
gives 0 "$memsweep" run known.yaml -o all.db
has "$out" 'errors unknown here: 4 of 8 rows (too few points like it)'
is='cycles_low = cycles * 0.5 AND cycles_high = cycles * 2 AND f2_high = f2 * 1.5'
same "$("$memsweep" query all.db -c point -w "$is AND errors_from = 'table'" -f tsv | tail -n +2 | wc -l)" 4 'rows with intervals'
same "$("$memsweep" query all.db -c point -w 'gain > 1 AND cycles_low IS NULL' -f tsv | tail -n +2 | wc -l)" 4 'rows without'
for command in pareto 'sensitivity -m f2' 'surrogate -m f2'; do
    gives 0 "$memsweep" $command all.db
    has "$out" 'errors unknown here: 4 of 8 rows (too few points like it)'
done
for command in query 'query -c f2' status; do
    gives 0 "$memsweep" $command all.db
    has "$out" 'errors unknown here: 4 of 8 rows (too few points like it)'
done
gives 0 "$memsweep" query all.db -w 'gain = 1'
lacks "$out" 'errors unknown'
gives 0 "$memsweep" query all.db --order 'gain, point' --limit 5
has "$out" 'errors unknown here: 1 of 5 rows'
# Of a metric that the table does not know nobody knows the errors, wherever it is printed.
for command in 'pareto --minimize rate,f2' 'sensitivity -m rate' 'query -c rate,f2'; do
    gives 0 "$memsweep" $command all.db
    has "$out" 'errors of rate unknown: 4 of 8 rows'
done
gives 0 "$memsweep" query all.db -c f2
lacks "$out" 'errors of f'
gives 0 "$memsweep" export all.db -o rows.tsv
has "$err" 'errors of rate, slowdown unknown'
gives 0 "$memsweep" report all.db --no-figures -o page.html
has "$(cat page.html)" 'of rate, slowdown: 4 of 8 rows'
for way in '' --distinct '-o rows.tsv'; do
    gives 0 "$memsweep" export all.db $way
    has "$err" 'errors unknown here: 4 of 8 rows (too few points like it)'
done
gives 0 "$memsweep" report all.db --no-figures -o page.html
has "$(cat page.html)" '4 of 8 rows (too few points like it)'
gives 0 "$memsweep" eval null -w synth/small gain=1 --fidelity analytic
has "$out" '50 points that both models answered'
gives 0 "$memsweep" eval null -w synth/small gain=2 --fidelity analytic
has "$out" 'errors unknown here (too few points like it)'

for gain in 1 2; do
    gives 0 "$memsweep" eval null -w synth/small gain=$gain --fidelity analytic -f json
    echo "$out" >one.json
    for text in "$(cat one.json)" "$("$memsweep" eval null -w synth/small --fidelity analytic --stdin <<<"{\"gain\": $gain}")"; do
        if [ $gain = 1 ]; then
            has "$text" '"errors_from": "table"'
            has "$text" '"cycles_low": '
        else
            has "$text" '"errors_from": "unknown: too few points like it"'
            has "$text" '"cycles_low": null'
        fi
    done
done

# a row with a doubt, and one in full, have none
gives 0 "$memsweep" run known.yaml --fidelity full -q -o full.db
same "$("$memsweep" query full.db -c errors_from -f tsv 2>&1 | grep -c "no parameter or metric 'errors_from'")" 1 'column of full'

# intervals open what points alone close
gives 0 "$memsweep" pareto all.db -w 'gain = 1'
gives 0 "$memsweep" pareto all.db -w 'gain = 1' --uncertain
has "$out" '3 open'

# the ways of rows
gives 0 "$memsweep" digest all.db
wanted=$out
gives 0 "$memsweep" merge -q copy.db all.db
for k in 0 1; do gives 0 "$memsweep" run known.yaml -q --shard $k/2 -o shard$k.db; done
gives 0 "$memsweep" merge -q shards.db shard0.db shard1.db
for file in copy shards; do
    gives 0 "$memsweep" digest $file.db
    same "$out" "$wanted" "digest of $file"
    same "$("$memsweep" query $file.db -c point -w "$is" -f tsv | tail -n +2 | wc -l)" 4 "intervals of $file"
    gives 0 "$memsweep" verify $file.db
    has "$out" '0 damaged'
done

# without a table, and with that of another model: the same answers, and the reason
mv errors/null.tsv kept.tsv
gives 0 "$memsweep" run known.yaml -o bare.db
has "$out" 'errors unknown here: 8 of 8 rows (no table of errors)'
gives 0 "$memsweep" digest bare.db
same "$out" "$wanted" 'digest without a table'
sed 's/^model.*/model\t0123456789abcdef0123456789abcdef/' kept.tsv >errors/null.tsv
gives 0 "$memsweep" run known.yaml -o earlier.db
has "$out" 'errors unknown here: 8 of 8 rows (table of an earlier model)'
gives 0 "$memsweep" pareto earlier.db
has "$out" '(table of an earlier model)'
sed 's/^leaf\t1\t3/leaf\t1\t300/' kept.tsv >errors/null.tsv
gives 0 "$memsweep" run known.yaml -o wrong.db
has "$err" "a line 'leaf' that makes no sense"
mv kept.tsv errors/null.tsv

# at fidelity auto: rows of the first part have them, and what is sure by the table is not bought
sed 's/^fidelity: .*/fidelity: auto\nauto: {budget: 4, audit: 50%}/' known.yaml >auto.yaml
gives 0 "$memsweep" run auto.yaml -q -o auto.db
same "$("$memsweep" query auto.db -s known@auto-analytic -c point -w "$is" -f tsv | tail -n +2 | wc -l)" 4 'rows of auto with intervals'

# 100 times too low, as a table that has seen it says it
sed 's/^error\t3\tcycles.*/error\t3\tcycles\t50\t95\t110/' errors/null.tsv >low.tsv
mv low.tsv errors/null.tsv
gives 0 "$memsweep" run known.yaml -q -o low.db
same "$("$memsweep" query low.db -c point -w 'cycles_low > 90 * cycles' -f tsv | tail -n +2 | wc -l)" 4 'rows 100 times too low'
rm errors/null.tsv

# a user's own points: of 24 pairs the 2nd smallest and the 2nd largest error
sed 's/^sweep: .*/sweep: own/; s/gain: .*/planted_error: [0.5]/; s/values: .*/from: 0.1, to: 0.9, count: 24}/' known.yaml >own.yaml
gives 0 "$memsweep" run own.yaml -q -o own.db
gives 0 "$memsweep" run own.yaml -q -o own.db --fidelity full
gives 0 "$memsweep" agree own.db --intervals -m f2,cycles
same "$("$memsweep" query own.db -s own@analytic -c point -w "errors_from = 'own points'" -f tsv | tail -n +2 | wc -l)" 24 'rows with own intervals'
errors=$("$memsweep" query own.db --sql 'SELECT f.f2 / a.f2 AS e FROM "own@analytic" AS a JOIN "own@full" AS f USING (point) ORDER BY 1' -f tsv | tail -n +2)
got=$("$memsweep" query own.db -s own@analytic -c 'f2_low / f2 AS low, f2_high / f2 AS high' -f tsv | tail -n +2 | sort -u | head -n 1)
awk -v got="$got" 'NR == 1 { low = $1 } { last = $1 } END { split(got, g, "\t"); exit !(g[1] > 0.9998 * low && g[1] < 1.0002 * low && g[2] > 0.9998 * last && g[2] < 1.0002 * last) }' <<<"$errors" ||
    fail "interval $got of errors $errors"
for asked in '--of own.db --of-sweep own@analytic --point 3' \
    'null -w synth/small function=zdt1 x2=0.5 planted_error=0.5 --fidelity analytic --errors own.db'; do
    gives 0 "$memsweep" eval $asked
    has "$out" '24 own points of this workload'
    gives 0 "$memsweep" eval $asked -f json
    has "$out" '"errors_from": "own points"'
    lacks "$out" '"f2_high": null'
done
gives 0 "$memsweep" eval null -w synth/even --fidelity analytic --errors own.db
has "$out" 'errors unknown here'
gives 2 "$memsweep" agree own.db --intervals -w 'x1 < 0.3'
has "$err" 'at least 19 points'
same "$("$memsweep" query own.db -s own@analytic -c point -w "f2_high > f2" -f tsv | tail -n +2 | wc -l)" 24 'kept as they were'

# a file from before there was the column
if command -v sqlite3 >/dev/null; then
    cp all.db old.db
    sqlite3 old.db "DROP VIEW known; UPDATE points_null SET error_stratum = NULL; ALTER TABLE points_null DROP COLUMN error_stratum;
        UPDATE msw_sweep SET view_sql = replace(view_sql, ', p.error_stratum AS error_stratum', ''), checksum = NULL;
        DELETE FROM msw_column WHERE name = 'error_stratum'; UPDATE points_null SET checksum = NULL"
    gives 0 "$memsweep" pareto old.db
    lacks "$out" 'errors unknown'
    gives 0 "$memsweep" digest old.db
    same "$out" "$wanted" 'digest of an old file'
    sed 's/^sweep: .*/sweep: more/; s/values: .*/values: [0.5, 0.6]}/' known.yaml >more.yaml
    gives 0 "$memsweep" run more.yaml -q -o old.db
    gives 0 "$memsweep" pareto old.db -s more
    has "$out" 'errors unknown here: 4 of 4 rows (no table of errors)'
fi
finish
