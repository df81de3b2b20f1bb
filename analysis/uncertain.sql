-- Two objectives with their half-widths: points that may be on the front, with their probability, and
-- what they beat.
-- first: 'memsweep run SWEEP --fidelity sampled -o DATABASE'
SELECT r.workload AS panel, coalesce(d.certain, -1) AS kind, r.point AS point, r.x AS x, r.y AS y,
       r.x_hw AS x_hw, r.y_hw AS y_hw, d.probability AS probability
FROM (SELECT workload, point, :metric AS x, :metric2 AS y, coalesce(:metric_hw, 0) AS x_hw,
             coalesce(:metric2_hw, 0) AS y_hw, point IN :plane AS drawn
      FROM :rows) AS r
     LEFT JOIN :uncertain AS d ON d.point = r.point
WHERE r.drawn OR d.point IS NOT NULL
ORDER BY 1, 2, 4, 5
