-- Settings of what a paper does not say, as `memsweep calibrate` kept them last: the pairs of unknowns
-- that the quantities bind together most, the largest distance as colour; at most 1,000 settings,
-- chosen at random.
-- first: 'memsweep calibrate PAPER'
WITH kept AS (SELECT a.id, a.settings, a.result FROM msw_analysis AS a
              WHERE a.sweep = :sweep AND a.kind = 'calibrate'),
     last AS (SELECT settings, result FROM kept WHERE id = (SELECT max(id) FROM kept)),
     pair AS (SELECT p.key AS step, json_extract(p.value, '$[0]') AS a,
                     json_extract(p.value, '$[1]') AS b
              FROM last, json_each(last.settings, '$.pairs') AS p),
     setting AS (SELECT r.key AS point, r.value AS row FROM last, json_each(last.result) AS r)
SELECT pair.b || ' over ' || pair.a AS panel, json_extract(row, '$.at.' || pair.a) AS x,
       json_extract(row, '$.at.' || pair.b) AS y, min(json_extract(row, '$.worst'), 12) AS worst,
       json_array_length(result) || ' settings' AS settings, pair.step AS panel_step
FROM pair, last, setting
WHERE point IN (SELECT point FROM setting ORDER BY :random_order LIMIT 1000)
ORDER BY pair.step, worst DESC
