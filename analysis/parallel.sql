-- Every factor and objective as an axis, a line per point: the front, and an even choice of 1,000 of
-- the points that it beats. `of` is how many there are.
WITH counts AS (SELECT count(*) AS n, max(1, (count(*) + 999) / 1000) AS step FROM :rows
                WHERE status = 'ok')
SELECT workload AS panel, point IN :front AS front, n AS of, point :axes
FROM :rows, counts
WHERE status = 'ok' AND (point % step = 0 OR point IN :front)
ORDER BY 1, 2, 4
