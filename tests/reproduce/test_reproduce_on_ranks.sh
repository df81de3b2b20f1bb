#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 903. Does reproduce print, write and store the same on one process and on two ranks, for
# sweeps that name other files, over samples of the unknowns, some confirmed at full, and where a
# verdict fails?
source "$(dirname "$0")/../mpi/common.sh"
toy=sweeps/paper/toy
mkdir -p $toy
printf 'mechanism: neummu\nworkloads: [small.csv]\nfidelity: full\nfix: {ptw_count: 128}\n' >$toy/base.inc
printf 'extends: base.inc\nsweep: toy-cost\ndesign: {kind: list, file: points.csv}\n' >$toy/cost.yaml
printf 'scoreboard,prmb_slots,path_cache\noff,0,none\non,32,register\n' >$toy/points.csv
cat >$toy/small.csv <<'END'
layer,tile,operand,base,rows,row_bytes,stride,compute_cycles,overlap
load,0,activation,0x100000000,16,4096,4096,0,off
END
cat >$toy/published.csv <<'END'
id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note,depends
slot,fig. 1,bytes of merge slots,B,32768,stated,text,16384,65536,"
SELECT max(sram_bytes) - min(sram_bytes) - 128 * max(path_register_bytes + scoreboard_bytes) AS value FROM :cost",,,
slow,fig. 2,cycles,,1,stated,text,1,1,SELECT max(cycles) AS value FROM :cost,,,
END

ask="reproduce toy --strict --over-unknowns 64 --unknowns table_lines,tlb_cycles --confirm 4 --threads 1 --no-figures"
gives 1 "$memsweep" $ask --results one -o one
cp out one.out
[ "$(grep -c 'points to evaluate' err)" -ge 3 ] || fail "few plans: $err"
for count in 2 3; do
    gives 1 ranks $count $ask --results $count -o $count
    cmp out one.out || fail "$count ranks print another table"
    cmp one/toy.md $count/toy.md || fail "$count ranks write another page"
    for file in toy.db toy-unknowns.db; do
        same "$(digest $count/$file)" "$(digest one/$file)" "digest of $file on $count ranks"
    done
done
finish
