-- How wide the interval of a sampled metric is, as a share of its value, against the units measured.
-- Points that would fall on the same place of the paper are drawn once.
-- first: 'memsweep run SWEEP --fidelity sampled -o DATABASE'
WITH msw_shown AS (SELECT workload, point, units_measured AS x, :metric_hw / abs(:metric) AS y
               FROM :rows
               WHERE status = 'ok' AND units_measured > 1 AND units_measured < units_total
                     AND :metric <> 0 AND :metric_hw > 0),
     msw_ends AS (SELECT min(x) AS x0, max(max(x) - min(x), 1e-300) / 240 AS dx,
                     min(y) AS y0, max(max(y) - min(y), 1e-300) / 180 AS dy FROM msw_shown)
SELECT workload AS panel, min(point) AS point, x, y, count(*) AS points
FROM msw_shown, msw_ends
GROUP BY workload, CAST((x - x0) / dx AS INTEGER), CAST((y - y0) / dy AS INTEGER)
ORDER BY panel, x, y
