#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do the definitions that come with memsweep read what their simulators print? The outputs were written
# by hand in the form that the simulators' documentation and sources give; programs of their names
# print them.
source "$(dirname "$0")/common.sh"
here=$(cd "$(dirname "$0")" && pwd)
cp "$here"/../../sweeps/programs/* .
touch se.py binary reads.trace topology.csv kernelslist.g
echo 'queue_size = @queue@ row_buf_policy = @policy@' >memory.ini.in
echo 'ArrayHeight: @array_rows@ ArrayWidth: @array_columns@ Dataflow: @dataflow@' >scale.cfg.in
echo '-gpgpu_cache:dl2 S:32:128:@l2_assoc@' >gpgpusim.config.in
mkdir bin
export PATH=$work/bin:$PATH
# program NAME OUTPUT FILE: prints the output into this file.
program() {
    printf '#!/bin/sh\nmkdir -p "$(dirname %s)"\ncat %s >%s\n' "$3" "$here/outputs/$2" "$3" >"bin/$1"
    chmod +x "bin/$1"
}
program gem5.opt gem5 m5out/stats.txt
program ramulator2 ramulator2 /dev/stdout
program dramsim3main dramsim3 dramsim3.json
program python3 scale_sim out/run/COMPUTE_REPORT.csv
program accel-sim.out accel_sim /dev/stdout
program ngspice ngspice /dev/stdout

# answer DEFINITION METRIC VALUE...
answer() {
    local definition=$1
    shift
    gives 0 "$memsweep" eval "$definition.yaml" -f tsv
    while [ $# -gt 1 ]; do
        same "$(echo "$out" | awk -F'\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name || index($i, name " [") == 1) at = i }
            NR == 2 { print $at }')" "$2" "$definition: $1"
        shift 2
    done
}
answer gem5 sim_time 250000 cycles 250000 ipc '' l1d_misses 4321
answer ramulator2 cycles 91234 reads 8000 read_latency 57.25 row_hits 6100
answer dramsim3 reads 48211 read_latency 61.4375 bandwidth 6.1625 energy 1250500000
answer scale_sim cycles 56864 stalls 127 first_utilisation 71.5
answer accel_sim cycles 10000 ipc 250 instructions 2500000 l2_misses 2750
answer ngspice rise 0.0001997469 level 0.909074

# Where ngspice itself is: the rise of a low pass is ln 9 of its time constant, (r || load) c.
rm bin/ngspice
if command -v ngspice >/dev/null; then
    printf 'sweep: rc\nmechanism: {program: ngspice.yaml}\nvary: {r: [100, 5000], c: [1e-9, 1e-6], load: [1e3, 1e5]}\nobjectives: {minimize: [rise], maximize: [level]}\n' >rc.yaml
    gives 0 "$memsweep" run rc.yaml -q -t 2 --program ngspice.yaml -o rc.db
    gives 0 "$memsweep" query rc.db --sql "SELECT count(*) FROM rc WHERE status = 'ok' AND abs(rise / (2.1972245773 * r * load / (r + load) * c) - 1) < 1e-3 AND abs(level / (load / (r + load)) - 1) < 1e-3" -f tsv
    same "$(sed 1d out)" 8 "low passes whose rise is that of the closed form"
fi

# Two dumps of which nobody said which one counts.
sed -i 's/, dump: last//' gem5.yaml
gives 1 "$memsweep" eval gem5.yaml
has "$out" '2 dumps in it'
# The settings reach the simulator.
gives 0 "$memsweep" eval ramulator2.yaml mapping=MOP4CLXOR queue=64 --dry
has "$out" 'AddrMapper: {impl: MOP4CLXOR}'
has "$out" 'queue_size: 64'
gives 0 "$memsweep" eval gem5.yaml l2=2MiB --dry
has "$out" '--l2-size=2048KiB'
finish
