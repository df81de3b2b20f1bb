# A metric over a factor, a line per value of a second one, bands from the half-widths.
xlabel = factor_label
ylabel = metric_label
key_rows = (shown_count + 3) / 4
note = factor2_label eq '' ? '' : 'colour: '.factor2_label.(thinned eq '' ? '' : ', '.thinned)
note = add_note(others eq '' ? '' : 'mean over '.others)
eval frame(lines > 1 ? 1.1 : 1.6)
set style fill transparent solid 0.2 noborder
value_of(text) = factor2_bins ? gprintf('~%.2g', real(text)) : text
name(k) = factor2_label eq '' ? '' : value_of(series_title[shown(k)])
stats data using 'y' name 'y' nooutput
set format y numbers(y_max)
do for [i = 1:panel_count] {
    eval panel(i)
    eval factor_x
    plot for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'low':'high' \
             with filledcurves lc rgb colour(k) notitle, \
         for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'y' \
             with linespoints lt k notitle
}
eval legend
plot for [k = 1:shown_count] NaN with linespoints lt k title name(k)
eval close
