-- Elementary effects: their mean size and their spread, as `memsweep sensitivity --save` kept them
-- last.
-- first: 'memsweep sensitivity DATABASE --save' on a sweep of design morris
WITH msw_kept AS (SELECT a.id, a.settings, r.key AS place, r.value AS row
              FROM msw_analysis AS a, json_each(a.result) AS r
              WHERE a.sweep = :sweep AND a.kind = 'sensitivity'
                    AND json_extract(r.value, '$.mu_star') IS NOT NULL)
SELECT coalesce(:kept_panel, json_extract(settings, '$.metric'), '') AS panel,
       json_extract(row, '$.factor') AS series, json_extract(row, '$.mu_star') AS x,
       coalesce(json_extract(row, '$.mu_star_low'), json_extract(row, '$.mu_star')) AS low,
       coalesce(json_extract(row, '$.mu_star_high'), json_extract(row, '$.mu_star')) AS high,
       json_extract(row, '$.sigma') AS y,
       :kept_settings AS settings
FROM msw_kept WHERE id = (SELECT max(id) FROM msw_kept)
ORDER BY sum(json_extract(row, '$.mu_star')) OVER (PARTITION BY json_extract(row, '$.factor')) DESC,
         series, place
