#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 443. The studies of mpu in small: their sweep files on small workloads, a kernel of a
# user's own among them, with what their pages conclude that holds at any size.
source "$(dirname "$0")/../../cli/common.sh"
studies=${MEMSWEEP_SOURCE:?}/sweeps/studies
own=$MEMSWEEP_SOURCE/workloads/simt/example/gather.simt

# value SWEEP SQL: one number
value() {
    "$memsweep" query all.db -f tsv --sql "$2" | tail -n 1
}

cat >tour.yaml <<END
extends: $studies/mpu-tour.yaml
workloads: [axpy/n=64Ki, pr/n=64Ki, $own/n=4Ki]
vary:
  row_buffers: [4]
  tsv_bits: [1024]
  near_rf_bytes: {values: [4KiB, 16KiB], when: "pipeline = 'hybrid'"}
END
printf 'extends: %s\nworkloads: [axpy/n=64Ki, "conv/paper_counted/h=64,w=64"]\nvary: {near_rf_bytes: [2KiB, 4KiB, 16KiB], warps: [4, 16]}\n' \
    "$studies/mpu-registers.yaml" >registers.yaml
printf 'extends: %s\nworkloads: [axpy/n=64Ki, axpy/natural/n=64Ki]\nvary: {placement: [line, bank]}\n' "$studies/mpu-layout.yaml" >layout.yaml
gives 0 "$memsweep" run -q tour.yaml -o all.db
gives 0 "$memsweep" run -q registers.yaml -o all.db
gives 0 "$memsweep" run -q layout.yaml -o all.db

same "$(value tour 'SELECT count(*) AS n FROM "mpu-tour"')" 39 'points of the tour'
same "$(value tour "SELECT count(*) AS n FROM \"mpu-tour\" a JOIN \"mpu-tour\" b USING (pipeline, row_buffers, tsv_bits, near_rf_bytes, policy, workload)
    WHERE a.shared_side <> b.shared_side AND a.cycles <> b.cycles AND workload LIKE 'axpy%'")" 0 'no shared memory, no difference'
same "$(value tour "SELECT count(*) AS n FROM \"mpu-tour\" WHERE within_limits AND (area_share > 0.25 OR power_density > 706)")" 0 'limits'
gives 0 "$memsweep" pareto all.db -s mpu-tour --over workload --by geomean --maximize speedup_v100 --minimize area_mm2
has "$out" 'base_die'
same "$(value registers "SELECT count(*) AS n FROM \"mpu-registers\" a JOIN \"mpu-registers\" b USING (workload, warps)
    WHERE a.near_rf_bytes < b.near_rf_bytes AND a.occupancy > b.occupancy")" 0 'more registers, not fewer warps'
same "$(value registers "SELECT count(*) AS n FROM \"mpu-registers\" WHERE status <> 'ok' AND (near_rf_bytes > 2048 OR workload NOT LIKE 'conv%')")" 0 'only conv does not fit'
same "$(value layout "SELECT max(n.whole_share) < min(p.whole_share) AS n FROM \"mpu-layout\" n JOIN \"mpu-layout\" p USING (placement, dispatch)
    WHERE n.workload LIKE '%natural%' AND p.workload NOT LIKE '%natural%' AND placement = 'line' AND dispatch = 'round_robin'")" 1 'layout'

finish
