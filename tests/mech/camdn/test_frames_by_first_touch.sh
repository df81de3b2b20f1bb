#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Where do pages lie that get a frame when they are first asked for? By hand: a row of hbm2 over
# eight channels holds 16 KiB, four pages. Two NPUs read two pages each that lie 1 MiB apart. One
# behind the other, of both NPUs, they fill one row, which each channel opens once; in the order of
# addresses each page has a row of its own, four a channel. Frames do not move when tasks begin anew.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

cat >tiles.csv <<'END_OF_LIST'
layer,tile,operand,base,rows,row_bytes,stride,compute_cycles,overlap
a,0,activation,0x100000000,2,4096,1048576,100,off
a,0,output,0x100800000,1,64,,,
END_OF_LIST
printf 'network,dispatch_ms\ntiles.csv,0\ntiles.csv,0\n' >list.csv

once="-w mix:list.csv arrivals=list tasks=1"

# rows FRAMES TRANSLATION WANTED SETTING...: rows that channels open, when one opens most of them
rows() {
    gives 0 "$memsweep" eval camdn -p mnpusim_d tenants=2 npus=2 frames="$1" translation="$2" \
        first_tasks=0 "${@:4}" -f tsv --details banks
    got=$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 { n = $at["closed"] + $at["conflicts"]; most = n > most ? n : most } END { print most }' \
        <<<"$out")
    same "$got" "$3" "$1, $2, ${*:4}: rows opened"
}

for translation in ideal private shared; do
    rows linear $translation 4 $once
    rows first_touch $translation 1 $once
done
# A page of 64 KiB holds all that an NPU reads of its first 64 KiB, and so four rows: two NPUs use one
# row of each of their two pages.
rows first_touch private 4 $once page_size=65536

# Run four times, their loads are still in one row and their stores in the next: had frames moved,
# there would be six rows.
rows first_touch private 2 -w mix:tiles.csv draw=pinned tasks=4
finish
