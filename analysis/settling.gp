# A line per factor over the base rows; bars are intervals. Lines that are flat are settled.
xlabel = 'base rows'
ylabel = 'total share of the variance'
key_rows = (series_count + 3) / 4
eval frame(lines > 1 ? 1.1 : 1.6)
stats data using 'x' name 'x' nooutput
set logscale x 2
set xtics (x_min, sqrt(x_min * x_max), x_max)
set format x '%.0f'
in_series(i, k) = in_panel(i) && strcol('series') eq series[k]
do for [i = 1:panel_count] {
    eval panel(i)
    plot [x_min / 1.2:x_max * 1.2][0:*] \
        for [k = 1:series_count] data using (in_series(i, k) ? column('x') : NaN):'y' \
             with linespoints lt k notitle, \
        for [k = 1:series_count] data using (in_series(i, k) ? column('x') : NaN):'y':'low':'high' \
             with yerrorbars lt k ps 0 notitle
}
eval legend
plot for [k = 1:series_count] NaN with linespoints lt k title series[k]
eval close
