-- Two objectives: the front and the points that it beats, one panel per workload. Points that would
-- fall on the same place of the paper are drawn once.
WITH shown AS (SELECT workload, point, :metric AS x, :metric2 AS y, :metric_hw AS x_hw,
                      :metric2_hw AS y_hw, point IN :front AS front
               FROM :rows
               WHERE status = 'ok' AND :metric IS NOT NULL AND :metric2 IS NOT NULL),
     ends AS (SELECT min(x) AS x0, max(max(x) - min(x), 1e-300) / 150 AS dx,
                     min(y) AS y0, max(max(y) - min(y), 1e-300) / 100 AS dy FROM shown)
SELECT workload AS panel, front, min(point) AS point, x, y, x_hw, y_hw, count(*) AS points
FROM shown, ends
GROUP BY workload, front, CAST((x - x0) / dx AS INTEGER) * 1000 + CAST((y - y0) / dy AS INTEGER)
ORDER BY panel, front, x, y
