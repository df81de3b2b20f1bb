-- A metric over two factors, one panel per workload. What is done with all
-- other factors the title says.
SELECT workload AS panel, :factor_step AS x, :factor2_step AS y, avg(:metric) AS z,
       count(*) AS points
FROM :slice
WHERE status = 'ok' AND :metric IS NOT NULL
GROUP BY (:workload_step * 1000 + :factor_step) * 1000 + :factor2_step
ORDER BY 1, 2, 3
