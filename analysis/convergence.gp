# Half-width over units measured; the line falls with the square root, as sampling errors do.
xlabel = 'units measured'
ylabel = 'half-width / '.metric_name
do for [i = 1:panel_count] { eval sprintf("stats data using (in_panel(%d) ? sqrt(column('x')) * column('y') : NaN) name 'p%d' nooutput", i, i) }
stats data using 'x' name 'c_x' nooutput
stats data using 'y' name 'c_y' nooutput
key_rows = 1
eval frame(lines > 1 ? 1.1 : 1.6)
if (spans(c_x_min, c_x_max)) { set logscale x }
eval tics_of('x', c_x_min, c_x_max, spans(c_x_min, c_x_max))
if (spans(c_y_min, c_y_max)) { set logscale y }
do for [i = 1:panel_count] {
    eval panel(i)
    plot [c_x_min:c_x_max][c_y_min:c_y_max] data using (in_panel(i) ? column('x') : NaN):'y' with points pt 7 ps 0.2 lc rgb colour(1) notitle, \
        data using (in_panel(i) ? column('x') : NaN):(value(sprintf('p%d_mean', i)) / sqrt(column('x'))) smooth unique with lines lc rgb colour(2) notitle
}
eval legend
plot NaN with points pt 7 ps 0.2 lc rgb colour(1) title 'points', NaN with lines lc rgb colour(2) title '1/sqrt(n)'
eval close
