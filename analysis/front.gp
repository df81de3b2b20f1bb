# The plane of two objectives: what the front beats is faint, bars are half-widths.
xlabel = metric_label
ylabel = metric2_label
key_rows = 1
note = sprintf('%d points on the front of %d objectives', front_count, objective_count)
stats data using 'x' name 'x' nooutput
stats data using 'y' name 'y' nooutput
eval frame(lines > 1 ? 1.1 : 1.7)
if (x_min > 0 && x_max > 100 * x_min) { set logscale x }
if (y_min > 0 && y_max > 100 * y_min) { set logscale y }
on(i, f) = in_panel(i) && column('front') == f
do for [i = 1:panel_count] {
    eval panel(i)
    plot data using (on(i, 0) ? column('x') : NaN):'y' with points pt 7 ps 0.12 lc rgb faint notitle, \
         data using (on(i, 1) && objective_count == 2 ? column('x') : NaN):'y' with fsteps lt 1 lw 0.8 notitle, \
         data using (on(i, 1) && column('x_hw') > 0 ? column('x') : NaN):'y':'x_hw' with xerrorbars lt 1 pt 0 lw 0.6 notitle, \
         data using (on(i, 1) && column('y_hw') > 0 ? column('x') : NaN):'y':'y_hw' with yerrorbars lt 1 pt 0 lw 0.6 notitle, \
         data using (on(i, 1) ? column('x') : NaN):'y' with points lt 1 ps 0.3 notitle, \
         NaN with points pt 7 ps 0.3 lc rgb faint title 'beaten', \
         NaN with points lt 1 ps 0.4 title 'front'
}
eval close
