#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A range was as long as cheap points made it, and its rows were held back until all of it was done.
# After many points of no cost come some of a second: what is done of them outlives a kill.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
slow_sweep late
"$memsweep" run late.yaml -o late.db -q -t 2 &
run=$!
until_rows late.db 'cost_us > 900000' 4 || fail "points of a second are held back"
kill -KILL $run
wait $run 2>/dev/null
gives 0 "$memsweep" query late.db -f tsv --sql \
    "SELECT sum(cost_us < 900000) >= 1990 AND sum(cost_us > 900000) BETWEEN 4 AND 60 FROM points_null"
same "$(echo "$out" | tail -n 1)" 1 "rows of both kinds after the kill"

# One point of a minute in the midst of cheap ones: those before it are stored, those behind it are
# done by others.
slow_sweep once
sed -i 's/x1 >= 0.8699, 1e9/abs(x1 - 0.5002) < 0.0002, 6e10/' once.yaml
"$memsweep" run once.yaml -o once.db -q -t 2 &
run=$!
until_rows once.db 'cost_us < 900000' 2299 || fail "cheap points wait for one of a minute"
kill -KILL $run
wait $run 2>/dev/null
finish
