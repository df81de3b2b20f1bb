# Points per second over workers; the dashed line has the efficiency of the fewest.
xlabel = 'workers (ranks x threads)'
ylabel = 'points per second'
key_rows = 1
stats data using 'x' name 'x' nooutput
stats data using 'y' name 'y' nooutput
stats data using (column('x') == x_min ? column('y') / column('x') : NaN) name 'first' nooutput
note = 'bars: slowest and fastest run'
eval frame(1.6)
set logscale x 2
if (y_max > 4 * y_min) { set logscale y 2 }
set format y numbers(y_max)
eval panel(1)
plot [x_min:x_max][*:*] first_max * x with lines dt 2 lc rgb '#888888' notitle, \
    for [k = 1:shown_count] data using (in_series(shown(k)) ? column('x') : NaN):'low':(0):(column('high') - column('low')) with vectors heads size screen 0.008, 90 lw 0.8 lc rgb colour(k) notitle, \
    for [k = 1:shown_count] data using (in_series(shown(k)) ? column('x') : NaN):'y' with linespoints lt k notitle
eval legend
plot for [k = 1:shown_count] NaN with linespoints lt k title series[shown(k)], NaN with lines dt 2 lc rgb '#888888' title 'ideal'
eval close
