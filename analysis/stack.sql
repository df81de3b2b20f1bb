-- The causes that add up to the total, over a factor, one panel per workload; means over all other
-- factors.
SELECT workload AS panel, :factor_step AS x :stack
FROM :rows
WHERE status = 'ok'
GROUP BY 1, 2
ORDER BY 1, 2
