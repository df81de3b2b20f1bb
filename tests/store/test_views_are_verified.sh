#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A stored view whose text had changed was noticed by nobody and stayed for ever: other programs read
# wrong columns. Nor were references between tables looked at, nor whose artifact a record was.
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
command -v sqlite3 >/dev/null || {
    echo "skipped: no sqlite3"
    exit 77
}
sweep small
gives 0 "$memsweep" run small.yaml -o small.db -q
gives 0 "$memsweep" run small.yaml -o small.db -q --fidelity full
gives 0 "$memsweep" verify small.db -q
wanted=$(sqlite3 small.db 'SELECT sum(f1) FROM small')
for name in small small@full; do
    sqlite3 -cmd '.dbconfig defensive off' small.db "PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = replace(sql, 'p.f1 AS f1', 'p.f2 AS f1')
        WHERE type = 'view' AND name = '$name'" >/dev/null
    gives 3 "$memsweep" verify small.db -q
    has "$out" "the stored view $name is not the one that belongs to its sweep"
    gives 0 "$memsweep" run small.yaml -o small.db -q --fidelity full
    gives 0 "$memsweep" verify small.db -q
    same "$(sqlite3 small.db 'SELECT sum(f1) FROM small')" "$wanted" "what other programs read"
done
sqlite3 small.db 'CREATE VIEW "mine" AS SELECT 1; CREATE VIEW "smaller" AS SELECT 2'
gives 0 "$memsweep" verify small.db -q

cp small.db run.db
sqlite3 run.db 'UPDATE msw_run SET id = 77 WHERE id = 1'
gives 3 "$memsweep" verify run.db
has "$out" "rows name a run that is not there"
sed 's/^fidelity: .*/fidelity: auto/' small.yaml >auto.yaml
echo 'auto: {budget: 20%}' >>auto.yaml
gives 0 "$memsweep" run auto.yaml -o auto.db -q
gives 0 "$memsweep" verify auto.db
sqlite3 auto.db 'UPDATE msw_choice SET sweep = 9'
gives 3 "$memsweep" verify auto.db
has "$out" "records of msw_choice name a sweep that is not there"

printf 'sweep: forward\nmechanism: null_forward\nworkloads: [synth/small]\nfidelity: full\nfix: {carry: 0.05}\n' >forward.yaml
gives 0 "$memsweep" run forward.yaml -q -o details.db
gives 0 "$memsweep" verify details.db
table=$(sqlite3 details.db "SELECT name FROM sqlite_master WHERE name LIKE 'detail\_%' ESCAPE '\' LIMIT 1")
[ "$(sqlite3 details.db "SELECT count(*) FROM $table")" -gt 0 ] || fail "no details to damage"
sqlite3 details.db "UPDATE $table SET row_id = 9 WHERE item = (SELECT min(item) FROM $table)"
gives 3 "$memsweep" verify details.db
has "$out" "$table: 1 records name a row that is not there"
finish
