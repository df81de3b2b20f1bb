#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 1248. Does the closed form answer gangs and quality of service? Known answers are those of
# the cycle model: what a static gang computes is equal, its traffic is within 2 %, and as many tasks
# are in time but for one in ten. Where only one task runs at a time it has all of the memory.
. "$MEMSWEEP_SOURCE/tests/cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
printf '%s\n' network,weight,batch,qos_ms,priority mobilenet_v2,1,1,2,0 \
    efficientnet_b0,1,1,3,0 >timed.csv

# answer FIDELITY ARGUMENTS: compute, traffic, share in time, latency
answer() {
    local fidelity=$1
    shift
    "$memsweep" eval camdn -w mix:timed.csv arrivals=poisson first_tasks=1 "$@" \
        --fidelity "$fidelity" -f tsv >out 2>err || return 1
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { printf "%.0f %.0f %.4f %.0f\n", $at["compute"], $at["traffic"], $at["sla"], $at["latency"] }' out
}

# near COMPUTE TRAFFIC SLA LATENCY ARGUMENTS: relative but for SLA
near() {
    local limits="$1 $2 $3 $4"
    shift 4
    local closed full
    closed=$(answer analytic "$@") || fail "$*: no answer, $(cat out err)"
    full=$(answer full "$@") || fail "$*: no answer at full, $(cat out err)"
    awk -v a="$closed" -v b="$full" -v l="$limits" 'BEGIN {
        split(a, x); split(b, y); split(l, most)
        for (i = 1; i <= 4; i++) {
            error = x[i] > y[i] ? x[i] - y[i] : y[i] - x[i]
            if (error > most[i] * (i == 3 ? 1 : y[i]) + 1e-9) exit 1
        }
    }' || fail "$*: $closed, at full $full"
}

load='load=0.5 target_scale=0.6 gang=2 tenants=8 tasks=4'
near 1e-6 0.02 0.1 0.1 $load npu_policy=static
near 0.1 0.02 0.1 0.1 $load npu_policy=aurora
near 1e-6 0.02 0.2 0.15 load=0.4 gang=4 tenants=4 tasks=2 npu_policy=static cache_control=pages

# tables of service
"$memsweep" eval camdn -w mix:timed.csv arrivals=poisson $load npu_policy=aurora -d service -f tsv \
    >out 2>err || fail "$(cat err)"
awk -F '\t' 'NR == 2 && $2 == 32 && $5 == $3 / $2 && $7 > 1 && $8 > 0 && $8 <= 1 { good = 1 }
    END { exit !good }' out || fail "service: $(cat out)"
finish
