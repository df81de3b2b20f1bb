-- How the front of a search grew: its hypervolume and its vectors, as shares of the last ones, over
-- the evaluations, as the run kept them.
-- first: 'memsweep run SWEEP' on a sweep of design search
WITH msw_said AS (SELECT result FROM msw_analysis WHERE sweep = :sweep AND kind IN
                  ('search', 'search so far') ORDER BY id DESC LIMIT 1),
     msw_grown AS (SELECT json_extract(g.value, '$[0]') AS x, json_extract(g.value, '$[1]') AS front,
                      json_extract(g.value, '$[2]') AS volume, json_extract(result, '$.front') AS last,
                      json_extract(result, '$.last_gain') AS gain,
                      json_extract(result, '$.missed') AS missed
               FROM msw_said, json_each(result, '$.growth') AS g)
SELECT '' AS panel, 'hypervolume' AS series, x, volume AS y, gain, missed FROM msw_grown
UNION ALL
SELECT '', 'vectors of the front', x, 1.0 * front / last, gain, missed FROM msw_grown WHERE last > 0
ORDER BY 2, 3
