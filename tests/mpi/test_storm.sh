#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a sweep that nobody thought of give the bits of one thread, however it is computed? A storm is
# a random sweep (mechanism, workload, factors, design, fidelity, seed, replicates) that is computed
# in a random way: by threads, ranks, shards that are merged in any order, killed and resumed, by way
# of a scratch copy, with rows that were damaged, into a file that knew other sweeps. All of it
# follows from the storm's number, which a failure prints: MEMSWEEP_STORM=NUMBER repeats that one.
# MEMSWEEP_STORMS is how many there are (5; with MEMSWEEP_FULL 200), from number MEMSWEEP_STORM_FIRST.
source "$(dirname "$0")/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE

# Mechanism, workloads, and factors with the values they may take: small points, so that many fit in.
models='null|synth/small synth/even|gain=1,1.5,2,3 x1=0,0.25,0.75,1 x2=0,0.5,1 function=linear,ishigami,zdt1 carry=0,0.05 fail_share=0,0.1 synth.units=8,16,64
null_forward|synth/small synth/even|gain=1,1.5,2,3 x1=0,0.25,0.75,1 x2=0,0.5,1 synth.units=8,16,64 carry=0,0.05
neummu|ncf/b1|ptw_count=1,8,32,128 prmb_slots=0,8,32 page_size=4KiB,64KiB,2MiB path_cache=none,register tlb_entries=16,64,2048 walk_level_cycles=20,100,400 bandwidth=64,600
neummu_sparse|karate neumf/b64|mode=copy,numa_slow,numa_fast,demand page_size=4KiB,2MiB ptw_count=4,64,128 sparse_batches=2,4
htmmu|karate jumps strides|streams=1,4 l1_mshrs=2,8 l2_coalesce=1,8 page_size=4KiB,2MiB router=none,bits,adaptive outstanding=16,64 l2_entries=0,64,544 policy=lru,fifo,random sparse_batches=2
camdn|mix/small|tenants=1,2,6 cache_control=tags,pages allocation=equal,dynamic blocks=table,pages npu_ways=1,4,12 cache_size=256KiB,1MiB tasks=2,4
mpu|axpy/n=1Ki axpy/n=2Ki|policy=annotation,all_far pipeline=hybrid,base_die row_buffers=1,4 barrier_side=far,near tsv_ghz=0.5,1
uvm|uvm/nw/n=64 uvm/streamtriad/n=16Ki|prefetcher=none,block,tree oversubscription=1,2 eviction=tree,lru_page fault_charge=excluded,batched sms=2,4'

# What follows draws from RANDOM only, in a fixed order: never in a subshell or a function whose
# number of calls depends on time.
pick() { # pick WORD...: one of them, in `picked`
    local n=$((RANDOM % $#))
    shift $n
    picked=$1
}

# draw_factors WORD...: two or three lines of `vary`, in `factors`; `values` of `grid` are lists.
draw_factors() {
    local words=("$@") count=$((2 + RANDOM % 2)) i at
    factors=
    for ((i = 0; i < count && ${#words[@]} > 0; i++)); do
        at=$((RANDOM % ${#words[@]}))
        factors+="  ${words[at]%%=*}: [${words[at]#*=}]"$'\n'
        unset "words[at]"
        words=("${words[@]}")
    done
    factors=${factors//,/, }
}

# draw_sweep NAME: writes a sweep file; `fidelity` is what it is to be run at.
draw_sweep() {
    local lines model workloads known design
    mapfile -t lines <<<"$models"
    pick "${lines[@]}"
    model=${picked%%|*}
    known=${picked#*|}
    read -ra workloads <<<"${known%%|*}"
    pick "${workloads[@]}"
    workload=$picked
    # shellcheck disable=SC2086 # a list of words
    draw_factors ${known#*|}
    pick analytic sampled full
    fidelity=$picked
    pick grid 'random, points: 9' 'random, points: 40' 'lhs, points: 8' 'sobol, points: 11' 'halton, points: 7'
    design=$picked
    printf 'sweep: %s\nmechanism: %s\nworkloads: ["%s"]\nsampling: {target: 10%%, pilot: 20}\n' \
        "$1" "$model" "$workload" >"$1.yaml"
    printf 'design: {kind: %s}\nvary:\n%sseed: %d\nreplicates: %d\n' "$design" "$factors" $((RANDOM)) \
        $((1 + RANDOM % 2)) >>"$1.yaml"
}

# compute ARGUMENT...: a run; points may fail, all else may not.
compute() {
    local code
    "$@" >out 2>err </dev/null
    code=$?
    [ $code -le 1 ] || fail "storm $storm: exit code $code: ${*#"$memsweep"}: $(head -c 400 err)"
}

# One way to compute the sweep into storm.db each; `threads` is drawn before.
by_threads() {
    compute "$memsweep" run storm.yaml --fidelity $fidelity -q -t $threads --shuffle -o storm.db
}

by_ranks() {
    compute ranks $((2 + RANDOM % 2)) run storm.yaml --fidelity $fidelity -q -t $((1 + threads % 2)) \
        -o storm.db
}

# Shards of random sizes, one of them perhaps killed, merged in a random order.
by_shards() {
    local count=$((2 + RANDOM % 3)) i order=()
    for ((i = 0; i < count; i++)); do
        compute "$memsweep" run storm.yaml --fidelity $fidelity -q -t $threads --shard $i/$count \
            -o part$i.db
        if [ $((RANDOM % 2)) = 0 ]; then order+=(part$i.db); else order=(part$i.db "${order[@]}"); fi
    done
    gives 0 "$memsweep" merge -q storm.db "${order[@]}"
}

# Killed after a moment that is drawn, and gone on with; what the moment hits is not up to the seed.
by_kills() {
    local i pid
    for ((i = 0; i < 2; i++)); do
        local moment=0.0$((RANDOM % 9 + 1))
        "$memsweep" run storm.yaml --fidelity $fidelity -q -t $threads -o storm.db >out 2>err &
        pid=$!
        sleep $moment
        kill -KILL $pid 2>/dev/null
        wait $pid 2>/dev/null
    done
    by_threads
}

# Some rows are changed, some are removed: the next run computes them anew.
by_damage() {
    local table where=$((2 + RANDOM % 3))
    by_threads
    command -v sqlite3 >/dev/null || return
    table=points_$(sed -n 's/^mechanism: //p' storm.yaml)
    sqlite3 storm.db "UPDATE $table SET status = 'infeasible', reason = 'moved' WHERE id % $where = 0;
        DELETE FROM $table WHERE id % $where = 1"
    "$memsweep" verify storm.db >out 2>err && fail "storm $storm: nobody noticed damaged rows"
    by_threads
}

by_scratch() {
    mkdir -p scratch
    compute "$memsweep" run storm.yaml --fidelity $fidelity -q -t $threads --scratch scratch \
        -o storm.db
}

# Part of it is answered by another sweep of the same file.
by_others() {
    sed 's/^sweep: .*/sweep: other/; s/^replicates: .*/replicates: 3/' storm.yaml >other.yaml
    compute "$memsweep" run other.yaml --fidelity $fidelity -q -t $threads -o storm.db
    by_threads
}

storm() {
    storm=$1
    RANDOM=$storm
    rm -rf ./*.db ./*.yaml scratch
    draw_sweep storm
    compute "$memsweep" run storm.yaml --fidelity $fidelity -q -t 1 -o one.db
    local threads=$((2 + RANDOM % 5)) wanted
    wanted=$("$memsweep" digest one.db -s storm)
    pick by_threads by_ranks by_shards by_kills by_damage by_scratch by_others by_shards by_kills
    way=$picked
    $way
    same "$("$memsweep" digest storm.db -s storm)" "$wanted" \
        "storm $storm ($(sed -n 's/^mechanism: //p' storm.yaml) $fidelity, $way): digest"
    gives 0 "$memsweep" verify -q storm.db
    [ $bad -eq 0 ] || sed 's/^/    /' storm.yaml
}

count=5
[ -z "${MEMSWEEP_FULL:-}" ] || count=200
count=${MEMSWEEP_STORMS:-$count}
first=${MEMSWEEP_STORM_FIRST:-1}
if [ -n "${MEMSWEEP_STORM:-}" ]; then
    first=$MEMSWEEP_STORM count=1
fi
for ((n = first; n < first + count && bad == 0; n++)); do
    storm $n
    [ -z "${MEMSWEEP_STORM_TOLD:-}" ] || echo "storm $n: $(sed -n 's/^mechanism: //p' storm.yaml) $fidelity $way, ${wanted:-}$(times | tail -1)"
done
[ $bad -ne 0 ] || echo "$count storms"
finish
