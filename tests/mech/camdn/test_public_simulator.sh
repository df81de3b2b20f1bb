#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a chip take the cycles that a public multi-core simulator counts? casys-kaist/mNPUsim b0f3c14
# with DRAMsim3: tiles of NCF and DLRM on two cores, with a memory for each or one memory, walkers in
# parts or in a pool. Translations missed are equal; cycles are within 2 % with a memory for each,
# within 3 % where walkers decide, and within 10 % for a core and 5 % for both where the memory does.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# tiles NAME: its list, of lines "bytes loaded, cycles, bytes stored, bytes skipped before and between"
tiles() {
    awk 'BEGIN { print "layer,tile,operand,base,rows,row_bytes,stride,compute_cycles,overlap"
            at = 4294967296 }
        { at += $4; printf "L%d,%d,activation,%.0f,1,%d,,%d,off\n", NR, NR - 1, at, $1, $2; at += $1 + $5
          printf "L%d,%d,output,%.0f,1,%d,,,\n", NR, NR - 1, at, $3; at += $3 }' >"$1.csv"
}
tiles ncf <<'END_OF_LIST'
1048576 4478 65536 0 524288
786432 2366 16384
2097152 8574 131072
1179648 8574 1048576
1179648 8574 1048576
1114112 4478 524288
589824 4478 1048576
278528 1406 524288
540672 2366 262144
528384 2303 256
524544 2303 4096
4352 398 524288
END_OF_LIST
tiles dlrm <<'END_OF_LIST'
32896 386 8192
32896 385 6208 0 -64
32896 384 4160 -64 -64
40000 798 1048640 -64 -64
1310784 8574 524352 -64 -64
557120 2366 131136 -64 -64
133184 782 32832 -64 -64
67648 1086 1048640 -64 -64
1310784 8574 524352 -64 -64
524864 2303 2112 -64 -64
END_OF_LIST
printf 'network,dispatch_ms\nncf.csv,0\ndlrm.csv,0\n' >list.csv

# within CORE WANTED: cycles of a core, and of the later one
within() {
    awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN { exit !(a > b * (1 - most) && a < b * (1 + most)) }' ||
        fail "$settings: $1 cycles, $2 there"
}
# column TABLE NUMBER: of both cores
column() {
    "$memsweep" eval camdn -w mix:list.csv -p $settings tenants=2 npus=2 arrivals=list tasks=1 \
        first_tasks=0 -f tsv --details "$1" 2>err | cut -f "$2" | tail -n +2
    [ ! -s err ] || fail "$settings: $(cat err)"
}
while read -r a b misses each both settings; do
    { read -r ncf && read -r dlrm; } < <(column tasks 3)
    within "$ncf" "$a" "$each"
    within "$dlrm" "$b" "$each"
    within "$((ncf > dlrm ? ncf : dlrm))" "$((a > b ? a : b))" "$both"
    [ "$misses" = none ] || same "$(column translated 5 | tr '\n' ,)" "$misses," "$settings: misses"
done <<'END_OF_RUNS'
788493 387837 3680,1800 0.02 0.02 mnpusim_d ptw_count=2 channels_share=parts
187168 95315 3680,1800 0.02 0.02 mnpusim_d ptw_count=32 channels_share=parts
788857 387854 3680,1800 0.03 0.03 mnpusim_d ptw_count=2
173808 108186 3680,1800 0.03 0.03 mnpusim_dw ptw_count=16
193559 118749 3680,1800 0.03 0.03 mnpusim_dw ptw_count=16 tlb_entries=16
181207 209625 3680,1800 0.03 0.03 mnpusim_dw ptw_count=16 walker_share=parts walker_first=12
142591 82994 3680,1800 0.1 0.05 mnpusim_dw ptw_count=64
134850 77929 230,113 0.1 0.05 mnpusim_d ptw_count=4 page_size=65536
135362 71324 none 0.1 0.05 mnpusim_d translation=none
END_OF_RUNS
finish
