# A bar per factor, from the lowest to the highest value of the metric, with half-widths; the line is
# the baseline.
said = ''
stats data using ((said = strcol('metric')), 0) nooutput
stats data using (column('high') + column('high_hw')) name 'x' nooutput
xlabel = said eq '-' ? metric_label : said
left = max(0.58, 0.2 + 0.06 * longest)
note = 'one factor at a time, the others at the baseline'
do for [i = 1:panel_count] {
    eval sprintf("stats data using (in_panel(%d) ? column('low') - column('low_hw') : NaN) name 'low%d' nooutput", i, i)
    eval sprintf("stats data using (in_panel(%d) ? column('high') + column('high_hw') : NaN) name 'high%d' nooutput", i, i)
}
eval frame(max(0.8, 0.16 * series_count))
stats data using (column('low') - column('low_hw')) name 'l' nooutput
set format x numbers(x_max)
set style fill solid 0.9 noborder
set grid noytics
set offsets graph 0.05, graph 0.05, 0, 0
at(s) = sum [k = 1:series_count] (series[k] eq s ? k : 0)
do for [i = 1:panel_count] {
    eval panel(i)
    eval tics_of('x', value(sprintf('low%d_min', i)), value(sprintf('high%d_max', i)), 0)
    eval name_tics('y', is_left(i))
    plot [][series_count + 0.6:0.4] \
        data using (in_panel(i) ? column('low') : NaN):(at(strcol('series'))):(min(column('low'), column('baseline'))):'baseline':(at(strcol('series')) - 0.35):(at(strcol('series')) + 0.35) with boxxyerror lc rgb colour(1) notitle, \
        data using (in_panel(i) ? column('high') : NaN):(at(strcol('series'))):'baseline':(max(column('high'), column('baseline'))):(at(strcol('series')) - 0.35):(at(strcol('series')) + 0.35) with boxxyerror lc rgb colour(2) notitle, \
        data using (in_panel(i) && column('low_hw') > 0 ? column('low') - column('low_hw') : NaN):(at(strcol('series'))):(2 * column('low_hw')):(0) with vectors heads size screen 0.008, 90 lw 0.8 lc rgb '#444444' notitle, \
        data using (in_panel(i) && column('high_hw') > 0 ? column('high') - column('high_hw') : NaN):(at(strcol('series'))):(2 * column('high_hw')):(0) with vectors heads size screen 0.008, 90 lw 0.8 lc rgb '#444444' notitle, \
        data using (in_panel(i) ? column('baseline') : NaN):(0.5):(0):(series_count) with vectors nohead lw 1 lc rgb '#444444' notitle
}
eval close
