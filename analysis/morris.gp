# Right: matters. Up: acts differently from place to place, by curvature or with others.
xlabel = 'mean size of effect (mu*)'
ylabel = 'spread (sigma)'
key_rows = key_lines(shown_count)
stats data using 'x' name 'x' nooutput
stats data using 'y' name 'y' nooutput
note = thinned
do for [i = 1:panel_count] { eval sprintf("stats data using (in_panel(%d) ? column('high') : NaN) name 'ends%d' nooutput", i, i) }
eval frame(lines > 1 ? 1.1 : 1.6)
set format x numbers(x_max)
set format y numbers(y_max)
do for [i = 1:panel_count] {
    eval panel(i)
    eval tics_of('x', 0, x_high(i), 0)
    plot [0:*][0:*] for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'y':'low':'high' \
        with xerrorbars lt k ps 0.7 notitle
}
eval legend
plot for [k = 1:shown_count] NaN with points lt k ps 0.7 title series[shown(k)]
eval close
