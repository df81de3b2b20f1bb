-- A table of details (bursts, histograms, strata) over its first column: one line per value of the
-- second factor, one panel per workload; means over all other factors, and over an even choice of
-- 100,000 points where there are more.
WITH counts AS (SELECT count(*) AS n, max(1, (count(*) + 99999) / 100000) AS step FROM :rows
                WHERE status = 'ok')
SELECT r.workload AS panel, r.series AS series, d.:detail_x AS x, avg(d.:detail_y) AS y,
       count(*) AS points, max(r.step) AS step
FROM (SELECT workload, row_id, :series AS series, step FROM :rows, counts
      WHERE status = 'ok' AND point % step = 0) AS r
     JOIN :detail AS d ON d.row_id = r.row_id
WHERE d.:detail_y IS NOT NULL
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3
