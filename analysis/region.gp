# The lowest points show how near settings come with an unknown at each place of its range; the line is
# where settings are ruled out.
xlabel = 'position in the range'
ylabel = 'largest distance, s'
key_rows = 1
note = 'one point per setting; distances above 30 are drawn there'
eval frame(0.9)
set format x '%g'
set format y '%g'
set logscale y
on(i, k) = in_panel(i) && column('kind') == k
do for [i = 1:panel_count] {
    eval panel(i)
    plot [0:1][0.3:30] \
        data using (on(i, -1) ? column('x') : NaN):(max(column('y'), 0.3)) with points pt 7 ps 0.12 lc rgb faint notitle, \
        data using (on(i, 0) ? column('x') : NaN):(max(column('y'), 0.3)) with points pt 7 ps 0.2 lc rgb colour(1) notitle, \
        data using (on(i, 1) ? column('x') : NaN):(max(column('y'), 0.3)) with points pt 7 ps 0.3 lc rgb colour(2) notitle, \
        3 with lines lw 0.8 lc rgb '#444444' notitle
}
eval legend
plot NaN with points pt 7 ps 0.3 lc rgb faint title 'closed form', NaN with points pt 7 ps 0.4 lc rgb colour(1) title 'full', NaN with points pt 7 ps 0.5 lc rgb colour(2) title 'left'
eval close
