-- Cycles of a predictor over those of the driver's tree (sweep uvm-worth-tree in the same file), over accuracy and latency; a panel for
-- each workload and way to charge faults.
SELECT substr(r.workload, 5, instr(substr(r.workload, 5), '/') - 1) || ', ' || r.fault_charge AS panel,
       :workload_step * 2 + (r.fault_charge = 'batched') AS panel_step,
       :factor_step AS x, :factor2_step AS y,
       min(1.5, avg(r.cycles / (SELECT min(t.cycles) FROM "uvm-worth-tree" AS t
                                WHERE t.workload = r.workload AND t.fault_charge = r.fault_charge
                                AND t.prefetcher = 'tree_driver'))) AS z,
       count(*) AS points
FROM :rows AS r
GROUP BY panel_step, x, y
ORDER BY panel_step, x, y
