#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 771. Is '-' standard input where something is read once, can the sweep that came so be gone
# on with, and is it refused by name elsewhere, instead of waiting or making a file of that name?
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
sweep small
printf 'Layer,M,N,K\nfc,64,64,64\n' >mine.csv
printf 'sweep: own\nmechanism: neummu\nworkloads: [mine.csv]\nvary: {ptw_count: [8, 9]}\n' >own.yaml

piped() { # piped CODE FILE WORD...
    local code=$1 file=$2 got
    shift 2
    "$memsweep" "$@" <"$file" >out 2>err
    got=$?
    out=$(cat out) err=$(cat err)
    [ $got -eq "$code" ] || fail "exit code $got, wanted $code: $* (${err:0:300})"
}
piped 0 small.yaml check -
piped 0 small.yaml plan - --trial 0
piped 0 own.yaml run - -o 'results/a b.db'
kept=$(ls results/*.yaml)
has "$out" "$kept keeps the sweep"
gives 0 "$memsweep" run "$kept" -o 'results/a b.db'
has "$out" "2 answered before; none to evaluate"
cmp own.yaml "$kept" || fail "the text that was kept"
piped 0 own.yaml run - -o 'results/a b.db'
has "$out" "2 answered before"
sed 's/ptw_count/ptw_cuont/' own.yaml >slip.yaml
piped 2 slip.yaml check -
has "$err" "<stdin>:4:8: unknown parameter"
gives 0 "$memsweep" run small.yaml -q -o small.db
echo 'SELECT count(*) AS n FROM small' >n.sql
piped 0 n.sql query small.db --sql - -f tsv
same "$out" "n
363" "a SELECT from standard input"
echo 'x1 = 0 AND gain = 3' >where.txt
piped 0 where.txt query small.db --filter - -c x2 -f tsv
same "$(wc -l <out)" 12 "rows that pass a condition from standard input"
piped 2 where.txt query small.db --filter - --columns -
has "$err" "standard input was read for another option"
printf 'a,b\n1,2\n2,3\n' >table.csv
piped 2 table.csv import - -i a -u b
has "$err" "--sweep NAME"
piped 0 table.csv import - -s imported -i a -u b
gives 0 "$memsweep" query imported -c a,b -f csv
# refused by name
for words in 'submit -' 'describe -' 'query -' 'merge - small.db' 'run small.yaml -o -' 'pareto -' \
    'run small.yaml --scratch -' 'eval null --sweep -'; do
    piped 2 small.yaml $words
    has "$err" "'-': "
done
gives 3 "$memsweep" query small.db --sql -
has "$err" "standard input: is a device"
[ ! -e ./- ] || fail "a file called -"
finish
