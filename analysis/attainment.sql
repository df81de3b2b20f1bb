-- What runs of a sweep that differ in their seed attain in the plane of two objectives: the best of
-- them, half of them and all of them, as `memsweep pareto --seeds --save` kept it last.
-- first: 'memsweep pareto DATABASE --seeds --save', for two objectives
WITH msw_kept AS (SELECT a.id, r.key AS place, r.value AS row FROM msw_analysis AS a, json_each(a.result) AS r
              WHERE a.sweep = :sweep AND a.kind = 'pareto'
                    AND json_extract(r.value, '$.attained_by') IS NOT NULL),
     msw_cells AS (SELECT k.id AS kept, k.place, c.key, c.value,
                      row_number() OVER (PARTITION BY k.id, k.place ORDER BY c.id) AS at
               FROM msw_kept AS k, json_each(k.row) AS c)
SELECT '' AS panel,
       (SELECT value FROM msw_cells AS c WHERE c.kept = k.id AND c.place = k.place AND at = 1) || ', ' ||
       json_extract(row, '$.attained_by') AS series,
       (SELECT value FROM msw_cells AS c WHERE c.kept = k.id AND c.place = k.place AND at = 3) AS x,
       (SELECT value FROM msw_cells AS c WHERE c.kept = k.id AND c.place = k.place AND at = 4) AS y,
       (SELECT key FROM msw_cells AS c WHERE c.kept = k.id AND c.place = k.place AND at = 3) AS x_name,
       (SELECT key FROM msw_cells AS c WHERE c.kept = k.id AND c.place = k.place AND at = 4) AS y_name
FROM msw_kept AS k
WHERE id = (SELECT max(id) FROM msw_kept)
ORDER BY place
