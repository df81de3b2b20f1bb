-- Settings of what a paper does not say, as `memsweep calibrate` kept them last: the largest distance
-- from what was published, over the position of each unknown in its range.
-- first: 'memsweep calibrate PAPER'
WITH kept AS (SELECT a.id, r.value AS row
              FROM msw_analysis AS a, json_each(a.result) AS r
              WHERE a.sweep = :sweep AND a.kind = 'calibrate'),
     last AS (SELECT row FROM kept WHERE id = (SELECT max(id) FROM kept))
SELECT u.key AS panel, u.value AS x, min(json_extract(row, '$.worst'), 30) AS y,
       CASE WHEN json_extract(row, '$.left') THEN 1
            WHEN json_extract(row, '$.full') THEN 0 ELSE -1 END AS kind,
       (SELECT count(*) FROM last) || ' settings' AS settings
FROM last, json_each(row, '$.at') AS u
ORDER BY u.id, kind
