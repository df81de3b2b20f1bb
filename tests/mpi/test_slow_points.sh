#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Cheap points made the ranges of ranks long; then points of a second come. What is done is
# stored within seconds on every rank, and the points go to whoever has time.
source "$(dirname "$0")/common.sh"
slow_sweep late
begin 3 run late.yaml -o late.db -q -t 1
until_rows late.db 'cost_us > 900000' 6 || fail "points of a second are held back"
kill -KILL "$(process 0)"
await_end
gives 0 "$memsweep" query late.db -f tsv --sql \
    "SELECT sum(cost_us < 900000) >= 1990 AND sum(cost_us > 900000) BETWEEN 6 AND 60 FROM points_null"
same "$(echo "$out" | tail -n 1)" 1 "rows of both kinds after the kill"

# Some forty slow points in the midst of a range that one rank was given: three ranks share them.
slow_sweep few
sed -i 's_x1 >= 0.8699, 1e9_abs(x1 - 0.5) < 0.01, 2e8_' few.yaml
gives 0 ranks 3 run few.yaml -o few.db -t 1
gives 0 "$memsweep" query few.db -f tsv --sql \
    'SELECT count(*) = 2300 AND count(DISTINCT key) = 2300 FROM points_null'
same "$(echo "$out" | tail -n 1)" 1 "every point once"
gives 0 "$memsweep" run few.yaml -o alone.db -q -t 40
same "$(digest few.db)" "$(digest alone.db)" "digest of three ranks and of one"
finish
