-- Every factor and objective as an axis, a line per point: an even choice of at most 1,000 points of
-- the front and of 1,000 of those that it beats. `of` is how many points there are.
WITH counts AS (SELECT count(*) AS n, max(1, (count(*) + 999) / 1000) AS step FROM :rows
                WHERE status = 'ok')
SELECT workload AS panel, point IN :front_thinned AS front, n AS of, point :axes
FROM :rows, counts
WHERE status = 'ok' AND (point IN :front_thinned OR point % step = 0 AND point NOT IN :front)
ORDER BY 1, 2, 4
