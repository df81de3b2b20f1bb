-- One factor at a time: the lowest and highest value each can bring about, as `memsweep sensitivity
-- --save` kept them last; the factor with the widest
-- swings on top, each as a part of its panel's widest. An end's half-width is that of the row it comes from;
-- where an end is a mean over rows there is none.
-- first: 'memsweep sensitivity DATABASE --method oat --save'
WITH msw_kept AS (SELECT a.id, a.settings, r.key AS place, r.value AS row
              FROM msw_analysis AS a, json_each(a.result) AS r
              WHERE a.sweep = :sweep AND a.kind = 'sensitivity'
                    AND json_extract(r.value, '$.swing') IS NOT NULL),
     msw_last AS (SELECT *, max(max(json_extract(row, '$.swing')) OVER (PARTITION BY :kept_panel), 1e-300)
                     AS widest
              FROM msw_kept WHERE id = (SELECT max(id) FROM msw_kept)),
     msw_half AS (SELECT :metric AS value, max(:metric_hw) AS hw FROM :rows
              WHERE :metric IN (SELECT json_extract(row, '$.low') FROM msw_last
                                UNION SELECT json_extract(row, '$.high') FROM msw_last)
              GROUP BY 1)
SELECT coalesce(:kept_panel, '') AS panel,
       json_extract(row, '$.factor') AS series, json_extract(row, '$.baseline') AS baseline,
       json_extract(row, '$.low') AS low, json_extract(row, '$.high') AS high,
       coalesce((SELECT hw FROM msw_half WHERE value = json_extract(row, '$.low')), 0) AS low_hw,
       coalesce((SELECT hw FROM msw_half WHERE value = json_extract(row, '$.high')), 0) AS high_hw,
       coalesce(json_extract(row, '$.low_at'), '') AS low_at,
       coalesce(json_extract(row, '$.high_at'), '') AS high_at,
       json_extract(row, '$.swing') AS swing,
       coalesce(json_extract(settings, '$.metric'), '-') AS metric, :kept_settings AS settings,
       place AS panel_step
FROM msw_last
ORDER BY sum(json_extract(row, '$.swing') / widest) OVER (PARTITION BY json_extract(row, '$.factor')) DESC,
         series, place
