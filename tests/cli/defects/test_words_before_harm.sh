#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do names, places and limits that cannot be used end with words, before anything is made, and does a
# terminal obey nothing of them?
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
sweep small

# Names that belong to the tables of a file: `run` refused what `check` and `plan` had accepted.
for name in msw_x Points_null sqlite_a detail_b pragma_c; do
    sed "s/^sweep: .*/sweep: $name/" small.yaml >bad.yaml
    for command in check plan 'run -o bad.db' 'submit --dry-run -o bad.db'; do
        gives 2 "$memsweep" $command bad.yaml
        has "$err" "bad.yaml:1:8: sweep name '$name': names that start with"
    done
done

# A name with escape codes, as file, as workload and in what a command reports.
odd=$'odd\033[31m'
cp small.yaml "$odd.yaml"
sed 's/zdt1/nothing/' small.yaml >"$odd-bad.yaml"
for command in "check $odd-bad.yaml" "check $odd-none.yaml" "run $odd.yaml -q -o $odd.db" \
    "merge $odd-2.db $odd.db" "verify $odd.db" "status $odd.db" "export $odd.db -o $odd.tsv" \
    "export $odd.db -o $odd.tsv" "query $odd.db --sql SELECT" "eval null -w $odd.csv"; do
    "$memsweep" $command >out 2>err
    lacks "$(cat out err)" $'\033'
done

# Places.
gives 3 "$memsweep" run small.yaml -q -o x.db --scratch not/there
has "$err" "--scratch: cannot make the folder not/there: No such file or directory"
[ ! -e not ] || fail "folders were made on the way to a scratch folder that is not there"
long=$(printf 'd%.0s' {1..250})
mkdir -p "$long/$long"
gives 3 "$memsweep" run small.yaml -q -o "$long/$long/x.db"
has "$err" "its name from the root on is too long for SQLite (at most 503 characters)"

# Files that never end.
if [ -r /proc/kmsg ]; then
    ln -s /proc/kmsg endless.yaml
    gives 3 timeout 10 "$memsweep" check endless.yaml
    has "$err" "is a device"
fi

for name in silent:pipe zero:device folder:folder; do
    case $name in
    silent:*) mkfifo silent.csv && ln -s silent.csv linked-silent.csv ;;
    zero:*) ln -s /dev/zero linked-zero.csv ;;
    *) mkdir folder.csv && ln -s folder.csv linked-folder.csv ;;
    esac
    sed "s|synth/[a-z]*|linked-${name%:*}.csv|; s/mechanism: .*/mechanism: neummu/" small.yaml >special.yaml
    for command in "check special.yaml" "eval neummu -w linked-${name%:*}.csv"; do
        gives 2 timeout 10 "$memsweep" $command
        has "$err" "'linked-${name%:*}.csv' is a "
        has "$err" "${name#*:}: only a file can be read as a workload"
    done
done
mkfifo silent.yaml
ln -s silent.yaml linked.yaml
for command in 'check silent.yaml' 'run linked.yaml -o x.db'; do
    gives 2 timeout 10 "$memsweep" $command
    has "$err" "is a named pipe to which nobody writes"
done
(cat small.yaml >silent.yaml) &
gives 0 timeout 10 "$memsweep" check silent.yaml
gives 0 timeout 10 "$memsweep" check <(cat small.yaml)

# Text of somebody else under the name of a table.
gives 0 "$memsweep" run small.yaml -q -o x.db
for text in 'one line' $'to do:\nbuy milk, bread\n' $'numpy==1.2\npandas\n' $'a\tb\nc\n' '{"name": 1}'; do
    printf '%s' "$text" >mine.txt
    gives 2 "$memsweep" export x.db -f tsv -o mine.txt
    has "$err" "mine.txt: is no table that memsweep wrote"
    [ "$(cat mine.txt)" = "$(printf '%s' "$text")" ] || fail "a text of somebody else is gone"
done
for format in tsv csv json; do
    for columns in point f1,workload; do
        rm -f table
        gives 0 "$memsweep" export x.db -f $format -o table -c "$columns"
        gives 0 "$memsweep" export x.db -f $format -o table -c "$columns"
    done
done

# Limits of the process, and signals that queues warn with.
gives 3 bash -c "ulimit -s 64; exec '$memsweep' check small.yaml"
has "$err" "the stack may have 64 KiB, and at least 512 are needed"
gives 0 bash -c "ulimit -s 512; exec '$memsweep' run small.yaml -q -t 2 -o stack.db --fidelity full"
sweep slow 'cost: 5ms' 'cost_kind: sleep'
for signal in USR2 XCPU; do
    "$memsweep" run slow.yaml -o slow.db -q -t 1 >out 2>err &
    run=$!
    caught $run
    kill -$signal $run
    wait $run
    same $? 1 "exit code after $signal"
    has "$(cat err)" "interrupted: "
done

# A derived column that is too large for an integer made the whole file unreadable.
printf 'derive:\n  big: "abs(-9223372036854775807 - 1) + f1 * 0"\n' >>small.yaml
sed -i 's/^sweep: .*/sweep: big/' small.yaml
gives 0 "$memsweep" run small.yaml -q -o x.db
gives 0 "$memsweep" query x.db -s big -f tsv --sql 'SELECT count(*) FROM big WHERE big = 9223372036854775808.0'
same "$(echo "$out" | tail -n 1)" 363 "rows whose derived column is 2^63"
gives 0 "$memsweep" export x.db -s big -f csv
finish
