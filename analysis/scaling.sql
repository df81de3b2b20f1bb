-- Points per second of each run of the sweep over its workers (ranks x threads); runs of the same
-- parallelism are one point, their mean. Merge files to compare runs.
SELECT ranks || (CASE ranks WHEN 1 THEN ' rank' ELSE ' ranks' END) AS series, ranks * threads AS x,
       avg(rate) AS y, min(rate) AS low, max(rate) AS high, count(*) AS runs
FROM (SELECT ranks, threads, row_count / max(1e-3, (julianday(ended) - julianday(started)) * 86400) AS rate
      FROM msw_run WHERE sweep = :sweep AND ended IS NOT NULL AND row_count > 0)
GROUP BY ranks, ranks * threads
HAVING (SELECT count(DISTINCT ranks * threads) FROM msw_run
        WHERE sweep = :sweep AND ended IS NOT NULL AND row_count > 0) > 1
ORDER BY ranks, x
