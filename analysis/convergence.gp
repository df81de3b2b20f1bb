# Half-width over units measured; the line falls with the square root, as sampling errors do.
eval quantity('units')
eval measure('units', 'x')
eval choose('units', 0)
eval quantity('share')
eval measure('share', 'y')
eval choose('share', 1)
do for [i = 1:panel_count] { eval sprintf("stats data using (in_panel(%d) ? sqrt(column('x')) * column('y') : NaN) name 'p%d' nooutput", i, i) }
xlabel = 'units measured'
ylabel = 'half-width / '.metric_words
title = 'half-width of '.metric_words.' over units measured'
eval key_of(2, 10)
gap_x = share_shared ? 0.14 : 0.44
gap_y = has_titles ? 0.22 : 0.14
eval layout(1.1)
eval frame(lines > 1 ? 1.1 : 1.6)
do for [i = 1:panel_count] {
    eval panel(i)
    eval shared_axis('x', 'units', i)
    eval shared_axis('y', 'share', i)
    plot data using (in_panel(i) ? column('x') : NaN):'y' with points pt 7 ps 0.25 lc rgb colour(1) notitle, \
        value(sprintf('p%d_mean', i)) / sqrt(x) with lines lc rgb colour(2) notitle
}
eval legend
plot NaN with points pt 7 ps 0.3 lc rgb colour(1) title 'points', NaN with lines lc rgb colour(2) title '1 / sqrt(n)'
eval close
