-- One factor at a time: the lowest and highest value each can bring about, as `memsweep sensitivity
-- --save` kept them last; the widest on top.
WITH kept AS (SELECT a.id, a.settings, r.key AS place, r.value AS row
              FROM msw_analysis AS a, json_each(a.result) AS r
              WHERE a.sweep = :sweep AND a.kind = 'sensitivity'
                    AND json_extract(r.value, '$.swing') IS NOT NULL)
SELECT coalesce(json_extract(row, '$."' || json_extract(settings, '$."group-by"') || '"'), '') AS panel,
       json_extract(row, '$.factor') AS series, json_extract(row, '$.baseline') AS baseline,
       json_extract(row, '$.low') AS low, json_extract(row, '$.high') AS high,
       json_extract(row, '$.swing') AS swing,
       coalesce(json_extract(settings, '$.metric'), '-') AS metric
FROM kept WHERE id = (SELECT max(id) FROM kept)
ORDER BY swing DESC, place
