-- A metric over a factor: one line per value of a second factor, one panel per workload. What is
-- done with all other factors the title says; the band is the mean half-width.
SELECT workload AS panel, :series AS series, :factor_at AS x, avg(:metric) AS y,
       avg(:metric) - coalesce(avg(:metric_hw), 0) AS low,
       avg(:metric) + coalesce(avg(:metric_hw), 0) AS high, count(*) AS points
FROM :slice
WHERE status = 'ok' AND :metric IS NOT NULL
GROUP BY (:workload_step * 1000 + :series_step) * 1000 + :factor_step
ORDER BY 1, 2, 3
