-- Settings of what a paper does not say, as `memsweep calibrate` kept them last: the pairs of unknowns
-- that the quantities bind together most, the largest distance as colour; at most 1,000 settings,
-- chosen at random.
-- first: 'memsweep calibrate PAPER'
WITH msw_kept AS (SELECT a.id, a.settings, a.result FROM msw_analysis AS a
              WHERE a.sweep = :sweep AND a.kind = 'calibrate'),
     msw_last AS (SELECT settings, result FROM msw_kept WHERE id = (SELECT max(id) FROM msw_kept)),
     msw_pair AS (SELECT p.key AS step, json_extract(p.value, '$[0]') AS a,
                     json_extract(p.value, '$[1]') AS b
              FROM msw_last, json_each(msw_last.settings, '$.pairs') AS p),
     msw_setting AS (SELECT r.key AS point, r.value AS row FROM msw_last, json_each(msw_last.result) AS r)
SELECT msw_pair.b || ' over ' || msw_pair.a AS panel, json_extract(row, '$.at.' || msw_pair.a) AS x,
       json_extract(row, '$.at.' || msw_pair.b) AS y, min(json_extract(row, '$.worst'), 12) AS worst,
       json_array_length(result) || ' settings' AS settings, msw_pair.step AS panel_step
FROM msw_pair, msw_last, msw_setting
WHERE point IN (SELECT point FROM msw_setting ORDER BY :random_order LIMIT 1000)
ORDER BY msw_pair.step, worst DESC
