-- The same points at two fidelities: the cheaper one over the dearer one, at most 10,000 of each pair
-- of fidelities, chosen at random.
-- first: 'memsweep run SWEEP --fidelity F -o DATABASE' at a second fidelity
SELECT workload AS panel, candidate || ' over ' || reference AS series, x, y,
       coalesce(x_hw, 0) AS x_hw, coalesce(y_hw, 0) AS y_hw, of
FROM :pairs
WHERE x IS NOT NULL AND y IS NOT NULL
ORDER BY 1, 2, 3, 4
