#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 1291. Do bytes, cycles and tasks add up, whatever is drawn: parts of a point's cycles to its
# cycles; its tasks, networks and operators to its totals, to the byte; traffic between what pages
# can save and what no cache saves? Dirty lines of one task were charged to another. 179 rows at full,
# of which 58 have banks and gangs.
source "$(dirname "$0")/../../cli/common.sh"
export MEMSWEEP_DATA=$MEMSWEEP_SOURCE
cat >rows.yaml <<'END'
sweep: rows
mechanism: camdn
workloads: [mix/small]
fidelity: full
design: {kind: random, points: 200}
fix: {tasks: 2}
vary:
  npu_policy: [one, static, maxmin, aurora]
  gang: [1, 2, 4]
  arrivals: [closed, poisson]
  first_tasks: [0, 1]
  tenants: [1, 2, 4]
  npus: [2, 64]
  load: {from: 0.3, to: 1}
  throttle: [off, on]
  memory_model: [fixed, banks]
  weights: [private, shared]
  cache_control: [tags, pages]
  cache_size: [1MiB, 4MiB, 16MiB]
  share: [all, ways, utility]
  replacement: [lru, drrip]
  bypass: [off, on]
  allocation: [equal, dynamic]
  blocks: [none, table, pages, whole]
  single_buffer: [off, on]
  tiling: [best, gemmini, odd]
  in_flight: [16, 64]
  burst: [1, 8]
  stores: [posted, waited]
where: arrivals = 'poisson' or npu_policy = 'one'
seed: 45
END
gives 0 "$memsweep" run rows.yaml -o rows.db -q
# The limit counts bytes, the machine whole lines: 0.14 % more on such small tensors.
gives 0 "$memsweep" query rows.db -f tsv --sql "
WITH t AS (SELECT row_id, sum(latency) AS c, sum(traffic) AS bytes, count(*) AS n FROM detail_camdn_tasks GROUP BY 1),
o AS (SELECT row_id, sum(runs * read) AS r, sum(runs * written) AS w, sum(runs * cycles) AS c FROM detail_camdn_layers GROUP BY 1),
n AS (SELECT row_id, sum(tasks) AS n, sum(tasks * mean) AS c, sum(tasks * traffic) AS bytes FROM detail_camdn_networks GROUP BY 1)
SELECT count(*) AS found, sum(memory_model = 'banks' AND npu_policy <> 'one') AS both,
sum(abs(cycles - compute - wait_cache - wait_memory - wait_pages - wait_npu - wait_start - wait_translation) > 1e-9 * cycles) AS parts,
sum(traffic <> memory_read + memory_written) AS ways,
sum(abs(t.c - p.cycles) > 1e-9 * p.cycles OR abs(t.bytes - traffic) > 1e-9 * traffic OR t.n <> counted) AS tasks,
sum(abs(n.c - p.cycles) > 1e-9 * p.cycles OR abs(n.bytes - traffic) > 1e-9 * traffic OR n.n <> counted) AS networks,
sum(abs(o.r - memory_read) > 1e-9 * memory_read OR abs(o.w - memory_written) > 1e-9 * memory_written) AS bytes,
sum(abs(o.c - p.cycles + wait_start + wait_npu) > 1e-9 * p.cycles) AS operators,
sum(hits > requests) AS hits, sum(abs(energy - energy_memory - energy_cache - energy_npu) > 1e-9 * energy) AS energy,
sum(cache_control = 'pages' AND (traffic < fused_in_pages * (1 - 1e-9) OR traffic > uncached * 1.002)) AS limits
FROM rows AS p JOIN t ON t.row_id = p.row_id JOIN o ON o.row_id = p.row_id JOIN n ON n.row_id = p.row_id"
wrong=$(awk -F'\t' 'NR == 1 { for (i = 3; i <= NF; i++) name[i] = $i }
    NR == 2 { for (i = 3; i <= NF; i++) if ($i != 0) print name[i], $i }' out)
same "$wrong" "" "rows that do not add up"
awk -F'\t' 'NR == 2 && $1 >= 150 && $2 >= 50 { found = 1 } END { exit !found }' out || fail "rows: $(cat out)"
finish
