-- A table of details (bursts, histograms, strata) over its first column: one line per value of the
-- second factor, one panel per workload; what is done with all other factors the title says;
-- where there are more than 100,000 points a random choice of so many.
WITH msw_counts AS (SELECT max(1, count(*) / 100000.0) AS step FROM :slice WHERE status = 'ok'),
     msw_chosen AS (SELECT point FROM :slice WHERE status = 'ok' ORDER BY :random_order LIMIT 100000)
SELECT r.workload AS panel, r.series AS series, d.:detail_x AS x, avg(d.:detail_y) AS y,
       count(*) AS points, max(r.step) AS step
FROM (SELECT workload, row_id, :series AS series, step FROM :slice, msw_counts
      WHERE status = 'ok' AND point IN msw_chosen) AS r
     JOIN :detail AS d ON d.row_id = r.row_id
WHERE d.:detail_y IS NOT NULL
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3
