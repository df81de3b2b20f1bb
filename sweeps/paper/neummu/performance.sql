-- The paper's layout: performance against the oracle, a group of bars per network and batch, a bar per setting. Small
-- multiples per network keep the groups apart.
SELECT substr(workload, 1, instr(workload, '/') - 1) AS panel, :factor AS series,
       CAST(substr(workload, instr(workload, '/b') + 2) AS INTEGER) AS batch, 1 / :metric AS y
FROM :rows
WHERE status = 'ok' AND :metric IS NOT NULL
ORDER BY 1, 2, 3
