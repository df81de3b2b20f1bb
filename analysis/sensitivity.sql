-- First-order and total shares of the variance with their intervals, as `memsweep sensitivity
-- --save` kept them last; one panel per group, the factor with the largest total shares first.
-- first: 'memsweep sensitivity DATABASE --save'
WITH msw_kept AS (SELECT a.id, a.settings, r.key AS place, r.value AS row
              FROM msw_analysis AS a, json_each(a.result) AS r
              WHERE a.sweep = :sweep AND a.kind = 'sensitivity'
                    AND json_extract(r.value, '$.total') IS NOT NULL)
SELECT coalesce(:kept_panel, json_extract(settings, '$.metric'), '') AS panel,
       json_extract(row, '$.factor') AS series,
       json_extract(row, '$.first') AS first,
       coalesce(json_extract(row, '$.first_low'), json_extract(row, '$.first')) AS first_low,
       coalesce(json_extract(row, '$.first_high'), json_extract(row, '$.first')) AS first_high,
       json_extract(row, '$.total') AS total,
       coalesce(json_extract(row, '$.total_low'), json_extract(row, '$.total')) AS total_low,
       coalesce(json_extract(row, '$.total_high'), json_extract(row, '$.total')) AS total_high,
       :kept_settings AS settings
FROM msw_kept
WHERE id = (SELECT max(id) FROM msw_kept)
      AND (json_extract(row, '$.base_rows') IS NULL
           OR json_extract(row, '$.base_rows') =
              (SELECT max(json_extract(b.row, '$.base_rows')) FROM msw_kept AS b WHERE b.id = msw_kept.id))
ORDER BY sum(json_extract(row, '$.total')) OVER (PARTITION BY json_extract(row, '$.factor')) DESC,
         series, place
