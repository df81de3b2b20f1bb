#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a replay on several ranks give the digest that was stored, with rank 0 alone reading the
# database, and do all ranks end when versions differ or the inputs are bad?
source "$(dirname "$0")/common.sh"
command -v sqlite3 >/dev/null || exit 77
export MEMSWEEP_DATA=${MEMSWEEP_SOURCE:?}
sweep small
gives 0 ranks 2 run small.yaml -o small.db -q
wanted=$(digest small.db | cut -d' ' -f1)
gives 0 ranks 2 replay small.db -t 1 -o again.db
has "$out" "2 ranks x 1 thread"
has "$out" "same digest: $wanted, 363 rows"
same "$(printf '%s\n' "$out" | grep -c 'same digest')" 1 "ranks that tell it"
cp small.db other.db
sqlite3 other.db "UPDATE msw_sweep SET versions = replace(versions, '\"null\": ', '\"null\": 9')"
gives 1 ranks 2 replay other.db -o new.db
has "$err" "null: stored with 9"
[ ! -e new.db ] || fail "computed although versions differ"
cp small.db bad.db
sqlite3 bad.db 'DELETE FROM msw_input'
ranks 2 replay bad.db -o new.db >out 2>err </dev/null && fail "bad inputs were replayed"
same "$(grep -c 'is not there' err)" 1 "ranks that tell it"
[ ! -e new.db ] || fail "computed from bad inputs"
finish
