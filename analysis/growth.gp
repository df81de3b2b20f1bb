# Shares of the last hypervolume and of the last number of vectors over the evaluations; the dotted
# line is the last gain.
eval quantity('evaluations')
eval measure('evaluations', 'x')
evaluations_scale = 'log'
eval choose('evaluations', 0)
eval quantity('share')
eval measure('share', 'y')
eval from_zero('share')
share_scale = 'linear'
eval choose('share', 0)
stats data using 'gain' name 'gain' nooutput
stats data using 'missed' name 'missed' nooutput
xlabel = 'evaluations'
ylabel = 'share of the last'
title = 'growth of the front'
note = exists('missed_max') ? sprintf('at most %.2g %% of the space extend the front (95 %%)', 100 * missed_max) : ''
shown_count = series_count
shown(k) = k
eval key_of(shown_count, longest)
gap_x = 0.14
gap_y = has_titles ? 0.22 : 0.14
eval layout(1.1)
eval frame(1.6)
set offsets 0, 0, 0, 0
do for [i = 1:panel_count] {
    eval panel(i)
    eval shared_axis('x', 'evaluations', i)
    eval shared_axis('y', 'share', i)
    if (gain_max > 0) { set arrow 1 from gain_max, graph 0 to gain_max, graph 1 nohead dt 3 lc rgb faint }
    plot for [k = 1:shown_count] data using (here(i, k) ? column('x') : NaN):'y' \
             with linespoints lt k dt dashed(k) lw 1 ps 0.3 notitle
}
eval legend
plot for [k = 1:shown_count] NaN with linespoints lt k dt dashed(k) ps 0.3 title series[k]
eval close
