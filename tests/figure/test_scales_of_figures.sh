#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 832. Does a front of slowdowns near 1 show how far above they are, do options of scale do
# what they say, is what varies and is no axis held where a mean would mislead, and are wrong words
# refused with the nearest right one?
. "${MEMSWEEP_SOURCE:?}/tests/cli/common.sh"
. "$MEMSWEEP_SOURCE/tests/cli/svg.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
cat >mmu.yaml <<'END'
sweep: mmu
mechanism: neummu
workloads: [rnn2/b1, alexnet/b1]
fidelity: analytic
vary: {ptw_count: {from: 1, to: 1024, scale: pow2}, prmb_slots: [0, 1, 4, 32], page_size: [4KiB, 2MiB]}
objectives: {minimize: [slowdown, sram_bytes]}
END
gives 0 "$memsweep" run mmu.yaml -o mmu.db -q
plot() {
    gives 0 "$memsweep" plot mmu.db -f svg -o . "$@"
    shown=$(said mmu-$2.svg | tr '\n' '|' | sed 's/\xc2\xa0/ /g')
}
plot -F front
has "$shown" '|slowdown − 1|'
has "$shown" '|0.001|'
has "$shown" ' KiB|'
lacks "$shown" '.0k'
# where the front stands: on a linear axis all of it, near 1, is one line
spread() {
    grep -oE 'gpPt6. transform=.translate\([0-9]+' mmu-front.svg | sort -u | wc -l
}
excess=$(spread)
plot -F front --scale slowdown=linear
has "$shown" '|slowdown|'
[ "$(spread)" -lt "$excess" ] || fail "a linear axis shows $(spread) places, an excess $excess"
plot -F front --scale linear --zoom slowdown=1:1.1
has "$shown" '|1.05|'
lacks "$shown" '|10|'
plot -F lines --scale log
has "$shown" '|slowdown|'
has "$shown" '|10|'
# a slowdown moves by page size: held, and said; free of it a mean is one
plot -F lines --data
has "$shown" 'with 4 KiB pages'
lacks "$shown" 'mean over'
same "$(awk -F '\t' 'NR > 1 { print $7 }' mmu-lines.tsv | sort -u)" 1 'rows behind a point that is held'
plot -F lines --rest mean --data
has "$shown" 'mean over page size'
same "$(awk -F '\t' 'NR > 1 { print $7 }' mmu-lines.tsv | sort -u)" 2 'rows behind a mean'
plot -F lines -m sram_bytes --rest auto
has "$shown" 'mean over page size'
# series that fall on one another: page sizes cost the same SRAM
plot -F lines -m sram_bytes -x ptw_count,page_size -w 'prmb_slots = 32'
has "$shown" '|page size|4 KiB, 2 MiB|'
# the ends of a tornado name the levels, the factor with most effect stands on top
gives 0 "$memsweep" sensitivity mmu.db -m slowdown --method oat -g workload --save
plot -F tornado
has "$shown" '|1|'
has "$shown" 'one factor at a time'
# units and named categories on parallel axes
plot -F parallel
for text in 'page-table walkers' '2 MiB' '4 KiB' 'slowdown − 1'; do has "$shown" "|$text|"; done
# the look is the user's
echo "font = 'serif'; colours = '#123456 #654321'" >own.gp
plot -F lines --style own.gp
has "$(cat mmu-lines.svg)" 'font-family="serif"'
has "$(cat mmu-lines.svg)" 'rgb( 18,  52,  86)'
# fonts are embedded and none is of type 3, the same rows give the same bytes
for n in 1 2; do gives 0 "$memsweep" plot mmu.db -F lines -f pdf -o "pdf$n"; done
cmp -s pdf1/mmu-lines.pdf pdf2/mmu-lines.pdf || fail 'two drawings differ'
LC_ALL=C grep -qa '/FontFile2' pdf1/mmu-lines.pdf || fail 'no font is embedded'
LC_ALL=C grep -qa '/Type3' pdf1/mmu-lines.pdf && fail 'a font of type 3'
refused() {
    gives 2 "$memsweep" plot mmu.db -F lines "${@:2}"
    has "$err" "$1"
}
refused "--scale: 'lgo' is no scale, did you mean 'log'? (allowed: auto, linear, log, excess)" --scale lgo
refused "--scale: 'slowdwn' is no metric shown, did you mean 'slowdown'?" --scale slowdwn=log
refused "--zoom: '2:1' is no range: write LOW:HIGH" --zoom slowdown=2:1
refused "--zoom: 'x:1' is no range" --zoom slowdown=x:1
refused "--zoom: '1:2' for which metric? write slowdown=1:2" --zoom 1:2
refused '--style nowhere.gp: No such file' --style nowhere.gp
refused 'hold' --rest holt
finish
