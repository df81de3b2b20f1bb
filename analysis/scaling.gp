# Points per second over workers; the dashed line has the efficiency of the fewest.
eval quantity('rate')
eval measure('rate', 'y')
rate_scale = rate_max > 4 * rate_min ? 'log' : 'linear'
eval choose('rate', 0)
eval quantity('workers')
eval measure('workers', 'x')
workers_scale = 'log'
eval choose('workers', 0)
stats data using (column('x') == workers_min ? column('y') / column('x') : NaN) name 'first' nooutput
xlabel = 'workers (ranks x threads)'
ylabel = 'points per second'
title = 'points per second over workers'
note = 'bars: slowest and fastest run'
eval key_of(shown_count + 1, max(longest, 5))
eval layout(1.6)
eval frame(1.6)
eval panel(1)
eval axis('x', 'workers', 1)
eval axis('y', 'rate', 1)
set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
plot first_max * x with lines dt 2 lc rgb '#888888' notitle, \
    for [k = 1:shown_count] data using (in_series(shown(k)) ? column('x') : NaN):'low':(0):(column('high') - column('low')) with vectors heads size screen 0.008, 90 lw 0.8 lc rgb colour(k) notitle, \
    for [k = 1:shown_count] data using (in_series(shown(k)) ? column('x') : NaN):'y' with linespoints lt k dt dashed(k) notitle
eval legend
plot for [k = 1:shown_count] NaN with linespoints lt k dt dashed(k) title series[shown(k)], NaN with lines dt 2 lc rgb '#888888' title 'ideal'
eval close
