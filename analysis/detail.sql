-- A table of details (bursts, histograms, strata) over its first column: one line per value of the
-- second factor, one panel per workload; means over all other factors.
SELECT r.workload AS panel, r.series AS series, d.:detail_x AS x, avg(d.:detail_y) AS y,
       count(*) AS points
FROM (SELECT workload, row_id, :series AS series FROM :rows WHERE status = 'ok') AS r
     JOIN :detail AS d ON d.row_id = r.row_id
WHERE d.:detail_y IS NOT NULL
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3
