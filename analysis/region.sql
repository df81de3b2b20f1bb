-- Settings of what a paper does not say, as `memsweep calibrate` kept them last: the largest distance
-- from what was published, over the position of each unknown in its range. All that are left are
-- drawn, and 100 of the others at full and at the closed form, chosen at random.
-- first: 'memsweep calibrate PAPER'
WITH msw_kept AS (SELECT a.id, r.key AS point, r.value AS row
              FROM msw_analysis AS a, json_each(a.result) AS r
              WHERE a.sweep = :sweep AND a.kind = 'calibrate'),
     msw_last AS (SELECT point, row, CASE WHEN json_extract(row, '$.left') THEN 1
                                       WHEN json_extract(row, '$.full') THEN 0 ELSE -1 END AS kind
              FROM msw_kept WHERE id = (SELECT max(id) FROM msw_kept)),
     msw_counted AS (SELECT row, kind, row_number() OVER (PARTITION BY kind ORDER BY :random_order) AS n
                 FROM msw_last)
SELECT u.key AS panel, u.value AS x, min(json_extract(row, '$.worst'), 30) AS y, kind,
       (SELECT count(*) FROM msw_last) || ' settings' AS settings
FROM msw_counted, json_each(row, '$.at') AS u
WHERE kind = 1 OR n <= 100
ORDER BY u.id, kind
