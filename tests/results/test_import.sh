#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 670. Does a table of another program become a sweep that every analysis works on, with that
# program's own numbers: SALib's indices of its tables, the exact ones of a factorial?
source "$(dirname "$0")/../cli/common.sh"
data=$MEMSWEEP_SOURCE/tests/validation/data

# near A B [WITHIN]
near() { awk -v a="$1" -v b="$2" -v w="${3:-1e-12}" 'BEGIN { d = a - b; exit !(a != "" && d < w && d > -w) }' || fail "'$1' is not $2"; }
# cell FACTOR COLUMN: of the tab-separated table printed last
cell() { awk -F'\t' -v f="$1" -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) at = i } $1 == f { print $at }' <<<"$out"; }
expected() { awk -F, -v c="$1" -v m="$2" -v q="$3" -v i="$4" '$1 == c && $2 == m && $3 == q && $4 == i { print $6 }' "$data/sa_expected_results.csv"; }

# SALib's second-order sample without its BA rows: its total indices; its first-order ones but for
# the centre, which SALib takes over the rows left out, too
awk -F, 'NR == 1 || (NR - 2) % 8 < 4 || (NR - 2) % 8 == 7' "$data/sa_caseA_ishigami_N64_second.csv" >ishigami.csv
gives 0 "$memsweep" import ishigami.csv -i x1,x2,x3 -u y --design saltelli -o all.db
has "$out" 'ishigami: 320 rows, 320 designs (saltelli)'
gives 0 "$memsweep" sensitivity all.db -s ishigami -f tsv
for i in 1 2 3; do
    near "$(cell x$i first)" "$(expected A salib_sobol S1 $i)" 1e-4
    near "$(cell x$i total)" "$(expected A salib_sobol ST $i)"
done
# rows in another order are no such design
awk 'NR == 3 { kept = $0; next } { print } NR == 4 { print kept }' ishigami.csv >mixed.csv
gives 2 "$memsweep" import mixed.csv -i x1,x2,x3 -u y --design saltelli -o all.db
has "$err" 'mixed.csv:3: design saltelli: this row is not the first of its block'

# its Morris sample
pi=3.141592653589793
gives 2 "$memsweep" import "$data/sa_caseM1_ishigami_morris.csv" -s guess -i x1,x2,x3 -u y --design morris -o all.db
has "$err" "that of 'x1' is not said"
gives 0 "$memsweep" import "$data/sa_caseM1_ishigami_morris.csv" -s morris -i "x1 -$pi..$pi, x2 -$pi..$pi, x3 -$pi..$pi" -u y --design morris -o all.db
has "$out" 'all.db: 80 rows added'
gives 0 "$memsweep" sensitivity all.db -s morris -f tsv
for i in 1 2 3; do
    near "$(cell x$i mu_star)" "$(expected M1_ishigami salib_morris_L4_unscaled mu_star $i)"
    near "$(cell x$i sigma)" "$(expected M1_ishigami salib_morris_L4_unscaled sigma $i)"
done

# a factorial is found to be one, and its indices are exact
gives 0 "$memsweep" import "$data/sa_discrete_factorial_table.csv" -s fac -i x1,x2,x3,x4 -u 'y min' -o all.db
has "$out" 'fac: 120 rows, 120 designs (a complete grid); minimize y'
gives 0 "$memsweep" sensitivity all.db -s fac -f tsv
near "$(cell x1 first)" 0.74310035489000903
near "$(cell x4 total)" 0.030366655869558764

# importing twice adds nothing, in whatever order the lines of a grid stand
gives 0 "$memsweep" import "$data/sa_discrete_factorial_table.csv" -s fac -i x1,x2,x3,x4 -u 'y min' -o all.db
has "$out" 'all.db: nothing new'
{ head -1 "$data/sa_discrete_factorial_table.csv"; tail -n +2 "$data/sa_discrete_factorial_table.csv" | sort -r; } >fac.csv
gives 0 "$memsweep" import fac.csv -i x1,x2,x3,x4 -u 'y min' -o all.db
has "$out" 'all.db: nothing new'
# a cell that changed is another table: 119 rows are there
sed '$s/[0-9]*\r*$/1234/' "$data/sa_discrete_factorial_table.csv" >fac.csv
gives 0 "$memsweep" import fac.csv -i x1,x2,x3,x4 -u 'y min' -o all.db
has "$out" 'all.db: 1 rows added, 119 rows are there, of another sweep'

# workloads, units, names, goals, words, half-widths
{
    printf 'Cores,"L2 size [KiB]",policy,bench,"Time, total [ns]",IPC,ipc_hw\r\n'
    for cores in 1 2; do for size in 256 512; do for policy in lru fifo; do for bench in mcf gcc; do
        printf '%d,%d,%s,%s,%d,%d.5,0.25\r\n' $cores $size $policy $bench \
            $((8000 / cores + 1024000 / size + ${#policy} * 10 + (${#bench} + ($cores - 1) * 3))) $cores
    done; done; done; done
} >gem5.csv
gives 0 "$memsweep" import gem5.csv -i "Cores, 'L2 size' log, policy as repl" -u "'Time, total' as time min, ipc max" -l bench -o g.db
has "$out" "column L2 size [KiB]: l2_size [KiB]"
has "$out" 'gem5: 16 rows, 8 designs (a complete grid), 2 workloads; minimize time, maximize ipc'
gives 0 "$memsweep" query g.db -c 'l2_size, repl, time, ipc_hw' --limit 1 -f csv
has "$out" '256,lru,12033,0.25'
gives 0 "$memsweep" pareto g.db --over workload --distinct
has "$out" 'each a design over its workloads (worst)'
gives 0 "$memsweep" pareto g.db --uncertain
has "$out" 'taken as exact, for want of a half-width: time'
gives 0 "$memsweep" surrogate g.db -m time
gives 0 "$memsweep" sensitivity g.db -m time --over workload --by geomean
gives 0 "$memsweep" report g.db --no-figures -o page.html
has "$(cat page.html)" 'l2_size'
gives 0 "$memsweep" digest g.db
digest=$out
gives 0 "$memsweep" merge other.db g.db
gives 0 "$memsweep" digest other.db
same "$out" "$digest" 'digest of what was merged'
# columns made of others, and limits that analyses keep to
gives 0 "$memsweep" import gem5.csv -s lim -i "Cores, 'L2 size', policy" -u "'Time, total' as time, ipc" -l bench -o l.db --derive 'work = time * cores min, per = time / ipc' --subject-to 'l2_size <= 300, time < 13000'
has "$out" 'minimize work'
gives 0 "$memsweep" pareto l.db --group-by none
has "$out" '8 beyond the limits of the sweep'
gives 0 "$memsweep" query l.db --sql 'SELECT count(*) AS n, max(abs(work - time * cores)) AS d FROM lim WHERE within_limits' -f csv
has "$out" '8,0'
gives 2 "$memsweep" import gem5.csv -s lim -i Cores -u ipc -o l.db --subject-to 'area < 3'
has "$err" "--subject-to: no parameter or metric 'area'; known: cores, ipc, ipc_hw"
gives 2 "$memsweep" import gem5.csv -s lim -i Cores -u ipc -o l.db --derive 'ipc = 3'
has "$err" "--derive: there is a column 'ipc' already"
# At a second fidelity, where the same points have other answers, both are one sweep: its name means
# the best one, and `agree` compares them.
sed '2s/12033/12000/' gem5.csv >fast.csv
gives 0 "$memsweep" import fast.csv -s gem5 --fidelity analytic -i "Cores, 'L2 size' log, policy as repl" -u "'Time, total' as time min, ipc max" -l bench -o g.db
gives 0 "$memsweep" query g.db -c 'fidelity, time' --limit 1 -f csv
has "$out" 'full,12033'
gives 0 "$memsweep" agree g.db
has "$out" 'candidate analytic, reference full, used 16'
# A table that grows stays one sweep: its new rows are added, also where a row had no output before.
grown() { "$memsweep" import grown.csv -i a,b -u 'y min' -o grown.db "$@"; }
printf 'a,b,y\n1,1,4\n1,2,3\n2,1,2\n2,2,\n' >grown.csv
gives 0 grown
gives 0 grown --derive 'z = y + a'
gives 0 "$memsweep" pareto grown.db
printf 'a,b,y\n1,1,4\n1,2,3\n2,1,2\n2,2,5\n3,1,7\n3,2,9\n' >grown.csv
gives 0 grown
has "$out" 'grown.db: 3 rows added, 3 rows are there: the table has grown'
gives 0 "$memsweep" status grown.db -f tsv
same "$(cut -f1,5 out | sed 1d | sed 's/@[0-9a-f]*/@D/' | tr '\t\n' '  ')" 'grown@D 3 grown 6 ' 'sweeps: with other columns, and grown'
gives 0 "$memsweep" import grown.csv -i a,b -u 'y min' -o fresh.db
same "$("$memsweep" digest grown.db)" "$("$memsweep" digest fresh.db | sed 's/fresh/grown/')" 'digest of a table that has grown'
gives 0 "$memsweep" verify grown.db
has "$out" 'catalogue: '
has "$out" ' 0 damaged'
# Other answers are no growth.
sed -i '2s/4$/6/; $s/$/\n4,1,1/' grown.csv
gives 0 grown
has "$out" '2 rows added, 5 rows are there, of another sweep'
finish
