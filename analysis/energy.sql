-- The parts that add up to the energy, over a factor, one panel per workload. What is done
-- with all other factors the title says.
SELECT workload AS panel, :factor_step AS x :energies
FROM :slice
WHERE status = 'ok'
GROUP BY :workload_step * 1000 + :factor_step
ORDER BY 1, 2
