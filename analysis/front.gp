# The plane of two objectives: what the front beats is faint, bars are half-widths.
xlabel = metric_label
ylabel = metric2_label
key_rows = 1
note = sprintf('%d points on the front of %d objectives', front_count, objective_count)
stats data using 'x' name 'x' nooutput
stats data using 'y' name 'y' nooutput
eval find_ends
eval frame(lines > 1 ? 1.1 : 1.7)
if (spans(x_min, x_max)) { set logscale x }
if (spans(y_min, y_max)) { set logscale y }
set format x numbers(x_max)
set format y numbers(y_max)
on(i, f) = in_panel(i) && column('front') == f
do for [i = 1:panel_count] {
    eval panel(i)
    eval tics_of('x', x_low(i), x_high(i), spans(x_min, x_max))
    plot data using (on(i, 0) ? column('x') : NaN):'y' with points pt 7 ps (rows > 3000 ? 0.12 : 0.2) lc rgb faint notitle, \
         data using (on(i, 1) && objective_count == 2 ? column('x') : NaN):'y' with fsteps lt 1 lw 0.8 notitle, \
         data using (on(i, 1) && column('x_hw') > 0 ? column('x') - column('x_hw') : NaN):'y':(2 * column('x_hw')):(0) with vectors nohead lt 1 lw 0.6 notitle, \
         data using (on(i, 1) && column('y_hw') > 0 ? column('x') : NaN):(column('y') - column('y_hw')):(0):(2 * column('y_hw')) with vectors nohead lt 1 lw 0.6 notitle, \
         data using (on(i, 1) ? column('x') : NaN):'y' with points lt 1 ps 0.3 notitle
}
eval legend
plot NaN with points pt 7 ps 0.3 lc rgb faint title 'beaten', NaN with points lt 1 ps 0.4 title 'front'
eval close
