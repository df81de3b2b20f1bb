# Half-width over units measured; the line falls with the square root, as sampling errors do.
xlabel = 'units measured'
ylabel = 'half-width / '.metric_name
stats data using (sqrt(column('x')) * column('y')) name 'c' nooutput
key_rows = 1
eval frame(lines > 1 ? 1.1 : 1.6)
set logscale xy
set offsets 0, 0, 0, 0
set autoscale
do for [i = 1:panel_count] {
    eval panel(i)
    plot data using (in_panel(i) ? column('x') : NaN):'y' with points pt 7 ps 0.2 lc rgb colour(1) title 'points', \
        data using (in_panel(i) ? column('x') : NaN):(c_mean / sqrt(column('x'))) smooth unique with lines lc rgb colour(2) title '1/sqrt(n)'
}
eval close
