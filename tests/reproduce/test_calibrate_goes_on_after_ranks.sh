#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 901. Does a calibration on two ranks that is killed or asked to stop in the middle,
# wherever that is said, end on all ranks, keep its rows, and go on to the same page on one process?
source "$(dirname "$0")/../mpi/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'
sed -i 's/^fix: {/fix: {cost: 8ms, cost_kind: sleep, /' $toy/*.yaml
ask="calibrate toy --unknowns x1,x2 --waves 1 --samples 64 --errors 4 --full 4 --directed 0 --no-figures -q -o pages"
gives 0 "$memsweep" $ask --threads 32 --results one
mv pages one-pages

# stored: rows of the samples.
stored() {
    rows x/toy-unknowns.db
}

# begin_some: starts it on two ranks and waits until some rows of the samples are there.
begin_some() {
    rm -rf x pages
    begin 2 $ask --threads 1 --results x
    while kill -0 $shell 2>/dev/null && [ "$(stored)" -eq 0 ]; do
        sleep 0.05
    done
}

# goes_on HOW: the same command, alone.
goes_on() {
    local before
    before=$(stored)
    [ "$before" -gt 0 ] || fail "$1: nothing was stored"
    [ ! -e pages/toy-region.md ] || fail "$1: it was over already"
    gives 0 "$memsweep" $ask --threads 32 --results x
    cmp one-pages/toy-region.md pages/toy-region.md || fail "$1: another page"
    cmp one/toy-settings.tsv x/toy-settings.tsv || fail "$1: another table"
    same "$(digest x/toy-unknowns.db)" "$(digest one/toy-unknowns.db)" "$1: digest"
    sound x/toy-unknowns.db
}

begin_some
kill -KILL "$(process 1)"
await_end
[ $? -ne 0 ] || fail "a rank was killed and the exit code is 0"
goes_on "rank 1 killed"

begin_some
kill -USR1 "$launcher"
await_end
same $? 1 "exit code of a stop of the launcher"
same "$(grep -c 'interrupted; run the same command' err)" 1 "times that it says so"
goes_on "launcher stopped"

for rank in 0 1; do
    begin_some
    kill -TERM "$(process $rank)"
    await_end
    same $? 1 "exit code of a stop of rank $rank"
    same "$(grep -c 'interrupted; run the same command' err)" 1 "times that it says so"
    goes_on "rank $rank stopped"
done

begin_some
kill -TERM "$launcher"
await_end
[ $? -ne 0 ] || fail "the launcher was ended and the exit code is 0"
goes_on "launcher ended"
finish
