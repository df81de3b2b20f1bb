-- Settings of what a paper does not say, as `memsweep calibrate` kept them last: the pairs of unknowns
-- that the quantities bind together most, the largest distance as colour; at most 1,000 settings.
-- first: 'memsweep calibrate PAPER'
WITH kept AS (SELECT a.id, a.settings, a.result FROM msw_analysis AS a
              WHERE a.sweep = :sweep AND a.kind = 'calibrate'),
     last AS (SELECT settings, result FROM kept WHERE id = (SELECT max(id) FROM kept)),
     pair AS (SELECT p.key AS step, json_extract(p.value, '$[0]') AS a,
                     json_extract(p.value, '$[1]') AS b
              FROM last, json_each(last.settings, '$.pairs') AS p)
SELECT pair.b || ' over ' || pair.a AS panel, json_extract(r.value, '$.at.' || pair.a) AS x,
       json_extract(r.value, '$.at.' || pair.b) AS y, min(json_extract(r.value, '$.worst'), 12) AS worst,
       json_array_length(result) || ' settings' AS settings, pair.step AS panel_step
FROM pair, last, json_each(last.result) AS r
WHERE r.key % (1 + json_array_length(result) / 1000) = 0
ORDER BY pair.step, worst DESC
