#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 266. Samples of the unknown parameters were one plan, of at most a million values, and each
# claim was prepared again for each of them. Are thousands drawn in parts that meet, and do
# parameters that decide what is built take few settings?
source "$(dirname "$0")/../cli/common.sh"
toy=sweeps/paper/toy
mkdir -p $toy
cat >$toy/cost.yaml <<'END'
sweep: toy-cost
mechanism: neummu
workloads: [small.csv]
fidelity: analytic
design:
  kind: list
  points:
    - {scoreboard: off, prmb_slots: 0, path_cache: none}
    - {scoreboard: on, prmb_slots: 32, path_cache: register}
fix: {ptw_count: 128}
END
cat >$toy/small.csv <<'END'
layer,tile,operand,base,rows,row_bytes,stride,compute_cycles,overlap
load,0,activation,0x100000000,16,4096,4096,0,off
END
cat >$toy/published.csv <<'END'
id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note,depends
slot,fig. 1,bytes of merge slots,B,32768,stated,text,16384,65536,"
SELECT a.sram_bytes - b.sram_bytes - 128 * (a.path_register_bytes + a.scoreboard_bytes) AS value
FROM :cost AS a JOIN :cost AS b ON a.prmb_slots > b.prmb_slots",,,
kinds,fig. 1,different transactions,,1,stated,text,1,1,SELECT count(DISTINCT dma_bytes) AS value FROM :cost,,,
END
# Slots of 4 to 16 bytes: 32 x 128 of them.
gives 0 "$memsweep" reproduce toy --over-unknowns 14000 --inner 219 --confirm 0
parts=$(grep -c 'toy-cost: .*points to evaluate' err)
[ "$parts" -ge 3 ] || fail "14000 samples were run in $parts parts with the sweep's own"
page=$(cat results/paper/toy.md)
has "$page" "take 64 settings, each for samples in a row"
has "$page" "at most 2 pass together, in 14000 of 14000 samples (100 %)"
finish
