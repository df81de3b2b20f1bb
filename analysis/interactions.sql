-- Shares of the variance that belong to two factors together, as `memsweep sensitivity --second
-- --save` kept them last.
-- first: 'memsweep sensitivity DATABASE --second --save'
WITH msw_kept AS (SELECT a.id, a.settings, r.key AS place, r.value AS row,
                     json_extract(r.value, '$.factor') AS pair
              FROM msw_analysis AS a, json_each(a.result) AS r
              WHERE a.sweep = :sweep AND a.kind = 'sensitivity'
                    AND json_extract(r.value, '$.interaction') IS NOT NULL)
SELECT coalesce(:kept_panel, json_extract(settings, '$.metric'), '') AS panel,
       substr(pair, 1, instr(pair, ' * ') - 1) AS x, substr(pair, instr(pair, ' * ') + 3) AS series,
       json_extract(row, '$.interaction') AS z,
       :kept_settings AS settings
FROM msw_kept WHERE id = (SELECT max(id) FROM msw_kept) AND instr(substr(pair, instr(pair, ' * ') + 3), '*') = 0
ORDER BY place
