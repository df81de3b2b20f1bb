-- Total shares of the variance at a quarter, a half and all of the base rows, with their intervals, as
-- `memsweep sensitivity --convergence --save` kept them last: whether there were enough rows.
-- first: 'memsweep sensitivity DATABASE --convergence --save'
WITH msw_kept AS (SELECT a.id, a.settings, r.key AS place, r.value AS row
              FROM msw_analysis AS a, json_each(a.result) AS r
              WHERE a.sweep = :sweep AND a.kind = 'sensitivity'
                    AND json_extract(r.value, '$.base_rows') IS NOT NULL
                    AND json_extract(r.value, '$.total') IS NOT NULL)
SELECT coalesce(:kept_panel, json_extract(settings, '$.metric'), '') AS panel,
       json_extract(row, '$.factor') AS series,
       json_extract(row, '$.base_rows') AS x,
       json_extract(row, '$.total') AS y,
       coalesce(json_extract(row, '$.total_low'), json_extract(row, '$.total')) AS low,
       coalesce(json_extract(row, '$.total_high'), json_extract(row, '$.total')) AS high,
       :kept_settings AS settings
FROM msw_kept WHERE id = (SELECT max(id) FROM msw_kept)
ORDER BY sum(json_extract(row, '$.total')) OVER (PARTITION BY json_extract(row, '$.factor')) DESC,
         series, place
