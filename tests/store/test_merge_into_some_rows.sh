#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Long runs of rows that are merged into a file which has some of them: at the start, in the middle,
# at the end, every second one. Is every row there afterwards, once, with its answer? A merge that
# dropped the last row of each run passed the tests of shards, which share no rows.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"

# of NAME LEVELS: a sweep of 500 points a level; equal points have equal keys.
of() {
    printf 'sweep: %s\nmechanism: "null"\nworkloads: [synth/small]\nfidelity: analytic\nfix: {function: zdt1}\nvary:\n  gain: {values: [%s]}\n  x1: {from: 0, to: 1, count: 25}\n  x2: {from: 0, to: 1, count: 20}\n' \
        "$1" "$2" >"$1.yaml"
}
of whole '1, 2, 3, 4, 5, 6'
gives 0 "$memsweep" run whole.yaml -q -o whole.db
wanted=$("$memsweep" digest whole.db)
for some in '1, 2' '3, 4' '5, 6' '1, 3, 5' '2, 4, 6'; do
    of some "$some"
    rm -f some.db
    gives 0 "$memsweep" run some.yaml -q -o some.db
    had=$("$memsweep" digest some.db -s some)
    levels=$(echo "$some" | tr -cd '0-9' | wc -c)
    gives 0 "$memsweep" merge some.db whole.db
    has "$out" "$(printf "%'d" $((3000 - 500 * levels)) | sed 's/\([0-9]\)\([0-9]\{3\}\)$/\1,\2/; s/,,/,/') rows added"
    same "$("$memsweep" digest some.db -s whole)" "$wanted" "digest after merging into gain $some"
    same "$("$memsweep" digest some.db -s some)" "$had" "digest of gain $some"
    same "$("$memsweep" query some.db -f tsv --sql 'SELECT count(*), count(DISTINCT key) FROM points_null' | tail -n 1)" \
        "$(printf '3000\t3000')" "rows and keys with gain $some"
    gives 0 "$memsweep" verify -q some.db
done
finish
