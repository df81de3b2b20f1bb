#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 009. Does a run over ranks with a scratch folder give the digest of one process, also after
# its first rank was killed?
source "$MEMSWEEP_SOURCE/tests/mpi/common.sh"
sweep both 'cost: 20ms' 'cost_kind: sleep'
gives 0 "$memsweep" run both.yaml -q -t 64 -o whole.db
wanted=$(digest whole.db)
mkdir tmp
begin 2 run both.yaml -q -t 1 -o x.db --scratch tmp
copy=
for _ in $(seq 400); do
    copy=$(echo tmp/memsweep-*/x.db)
    before=$(rows "$copy" 2>/dev/null)
    [ "${before:-0}" -eq 0 ] || break
    sleep 0.05
done
[ "${before:-0}" -gt 0 ] || fail "no rows came"
kill -KILL "$(process 0)"
await_end
[ ! -e x.db ] || fail "a database was there before the first copy"
gives 0 ranks 2 run both.yaml -t 32 -o x.db --scratch tmp
answered=$(sed -n 's/.* \([0-9]*\) answered before.*/\1/p' out)
[ "${answered:-0}" -ge "$before" ] || fail "$before committed rows became ${answered:-0}"
same "$(digest x.db)" "$wanted" "digest after a kill"
same "$(ls -A tmp)" "" "what is left in the scratch folder"
finish
