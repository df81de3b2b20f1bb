#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 921. Does `reproduce --over-unknowns` draw the first wave of `calibrate`, so that neither
# computes what the other one has? With ranges, with an outer design, and with all combinations of
# levels.
source "$(dirname "$0")/../cli/common.sh"
source "$(dirname "$0")/../cli/toy_paper.sh"
toy_published ',0.6'
mkdir -p sweeps/paper/net
cat >sweeps/paper/net/cost.yaml <<'END'
sweep: net-cost
mechanism: neummu
workloads: [small.csv]
fidelity: full
fix: {ptw_count: 8}
END
cat >sweeps/paper/net/small.csv <<'END'
layer,tile,operand,base,rows,row_bytes,stride,compute_cycles,overlap
load,0,activation,0x100000000,16,4096,4096,0,off
END
cat >sweeps/paper/net/published.csv <<'END'
id,figure,quantity,unit,published,certainty,source,low,high,sql,explain,note,depends
slow,fig. 1,slowdown,,3,stated,text,1,5,SELECT slowdown AS value FROM :cost,,,
END
# both PAPER SAMPLES UNKNOWNS RESULTS COMMAND: one of the two commands.
both() {
    case $5 in
    calibrate) set -- "$@" --waves 1 --errors 2 --full 1 --directed 0 --samples ;;
    *) set -- "$@" --confirm 0 --over-unknowns ;;
    esac
    gives 0 "$memsweep" "$5" "$1" "${@:6}" "$2" --unknowns "$3" --results "$4" -o "$4" -t 1 --no-figures
}
# Rows at the closed form that a command had to compute.
computed() { sed -n 's/^\([a-z-]*: [0-9]* of [0-9]* points\) to evaluate at analytic$/\1/p' err; }

both toy 24 x1,x2 ranges calibrate
both toy 24 x1,x2 ranges reproduce
same "$(computed)" "" "rows that calibrate did not have"
both toy 24 x1,x2 other reproduce
both toy 24 x1,x2 other calibrate
same "$(computed)" "" "rows that the samples did not have"

shaped=tlb_cycles,dma_bytes
both net 40 $shaped shaped calibrate
both net 40 $shaped shaped reproduce
same "$(computed)" "" "rows of an outer design"
has "$(cat shaped/net.md)" "take 3 settings, each for samples in a row"

levels=slots_full,reprobe
both net 40 $levels levels calibrate
both net 40 $levels levels reproduce
same "$(computed)" "" "rows of all combinations"
page=$(cat levels/net.md)
has "$page" "All 4 combinations of the levels (fidelity analytic) of the 2 parameters"
has "$page" "pass together, in 4 of 4 samples"
finish
