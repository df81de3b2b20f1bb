-- Two objectives: the front and the points that it beats, one panel per workload; a third one is the
-- colour of the front. Points that would
-- fall on the same place of the paper are drawn once.
SELECT workload AS panel, point IN :front AS front, point, :metric AS x, :metric2 AS y, :third AS z,
       :metric_hw AS x_hw, :metric2_hw AS y_hw
FROM :rows
WHERE point IN :plane
ORDER BY 1, 2, 4, 5
