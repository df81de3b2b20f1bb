# A bar per factor, the one with most effect on top, from the lowest to the highest value of the metric,
# with half-widths, the levels that bring them about at its ends; the line is the baseline.
said = ''
stats data using ((said = strcol('metric')), 0) nooutput
if (said ne '-' && said ne metric_name) { eval quantity('metric') }
eval measure_by('metric', "column('low') - column('low_hw')")
tall = metric_max
low_min = metric_min
do for [i = 1:panel_count] { eval sprintf('low%d = metric_p%d_min', i, i) }
eval measure_by('metric', "column('high') + column('high_hw')")
metric_min = low_min
do for [i = 1:panel_count] { eval sprintf('metric_p%d_min = low%d', i, i) }
metric_scale = metric_scale eq 'auto' ? 'linear' : metric_scale
eval choose('metric', 1)
xlabel = label_of('metric', said eq '-' || said eq metric_name ? metric_label : in_words(said))
title = (said eq '-' ? metric_words : in_words(said)).': one factor at a time, the others at the baseline'
left = 0.14 + letter_width * longest
end_text(name) = level_text(strcol('series'), strcol(name))
long_end = 1
stats data using (long_end = max(long_end, max(strlen(end_text('low_at')), strlen(end_text('high_at')))), 0) nooutput
gap_x = metric_shared ? 0.14 : 0.2
gap_y = metric_shared ? (has_titles ? 0.22 : 0.14) : 0.36
bar_height = max(0.5, 0.17 * series_count + 0.1)
# Levels stand at the ends of bars, so panels need room for two of them.
least_panel = 0.7 + 2 * letter_width * long_end
eval layout(bar_height)
while (cols > 1 && panel_width_of(cols) < least_panel) { cols = cols - 1; lines = lines_in(cols) }
eval frame(bar_height)
set style fill solid 1 noborder
set grid noytics
set offsets 0, 0, 0, 0
at(s) = sum [k = 1:series_count] (series[k] eq s ? k : 0)
# Air for the levels: as wide as they are, on the scale of the axis.
room = (letter_width * long_end + 0.05) / (panel_width_of(cols) - 2 * (letter_width * long_end + 0.05))
tic_share = 1 / (1 + 2 * room)
widen(i) = sprintf('%s; set xrange [%.14g:%.14g]', axis('x', 'metric', i), off_scale('metric', low_end('metric', i) - room * span_of('metric', i)), off_scale('metric', high_end('metric', i) + room * span_of('metric', i)))
do for [i = 1:panel_count] {
    eval panel(i)
    named = !metric_shared || is_low(i)
    eval widen(i)
    named = 1
    eval name_tics('y', is_left(i))
    plot [][series_count + 0.6:0.4] \
        data using (in_panel(i) ? column('low') : NaN):(at(strcol('series'))):(min(column('low'), column('baseline'))):'baseline':(at(strcol('series')) - 0.35):(at(strcol('series')) + 0.35) with boxxyerror lc rgb dark_fill notitle, \
        data using (in_panel(i) ? column('high') : NaN):(at(strcol('series'))):'baseline':(max(column('high'), column('baseline'))):(at(strcol('series')) - 0.35):(at(strcol('series')) + 0.35) with boxxyerror lc rgb light_fill notitle, \
        data using (in_panel(i) && column('low_hw') > 0 ? column('low') - column('low_hw') : NaN):(at(strcol('series'))):(2 * column('low_hw')):(0) with vectors heads size screen 0.008, 90 lw 0.8 lc rgb '#444444' notitle, \
        data using (in_panel(i) && column('high_hw') > 0 ? column('high') - column('high_hw') : NaN):(at(strcol('series'))):(2 * column('high_hw')):(0) with vectors heads size screen 0.008, 90 lw 0.8 lc rgb '#444444' notitle, \
        data using (in_panel(i) ? column('baseline') : NaN):(0.5):(0):(series_count) with vectors nohead lw 1 lc rgb '#444444' notitle, \
        data using (in_panel(i) && differ(column('low'), column('baseline')) ? column('low') - column('low_hw') : NaN):(at(strcol('series'))):(end_text('low_at')) with labels right offset character -0.3, 0 font small textcolor rgb ink notitle, \
        data using (in_panel(i) && differ(column('baseline'), column('high')) ? column('high') + column('high_hw') : NaN):(at(strcol('series'))):(end_text('high_at')) with labels left offset character 0.3, 0 font small textcolor rgb ink notitle
}
eval close
