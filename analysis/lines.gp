# A metric over a factor, a line per value of a second one, bands from the half-widths.
xlabel = factor_label
ylabel = metric_label
key_rows = (shown_count + 3) / 4
note = others eq '' ? '' : 'mean over '.others
note = add_note(thinned eq '' ? '' : factor2_label.': '.thinned)
eval frame(lines > 1 ? 1.1 : 1.6)
set style fill transparent solid 0.2 noborder
name(s) = factor2_label eq '' ? '' : factor2_label.' '.series_title[s]
do for [i = 1:panel_count] {
    eval panel(i)
    eval factor_x
    plot for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'low':'high' \
             with filledcurves lc rgb colour(k) notitle, \
         for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'y' \
             with linespoints lt k title name(shown(k))
}
eval close
