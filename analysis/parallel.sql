-- Every factor and objective as an axis, a line per point: at most 1,000 points of the front and
-- 1,000 of those that it dominates, chosen at random. `of` is how many points there are.
WITH msw_counts AS (SELECT count(*) AS n FROM :rows WHERE status = 'ok'),
     msw_others AS (SELECT point FROM :rows WHERE status = 'ok' AND point NOT IN :front
                ORDER BY :random_order LIMIT 1000)
SELECT workload AS panel, point IN :front_thinned AS front, n AS of, point :axes
FROM :rows, msw_counts
WHERE status = 'ok' AND (point IN :front_thinned OR point IN msw_others)
ORDER BY 1, 2, 4
