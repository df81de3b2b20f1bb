# Two bars per factor, the one with most effect on top: what it does alone, and all that it takes part
# in.
eval quantity('share')
eval measure_by('share', "max(column('total_high'), column('first_high'))")
eval from_zero('share')
share_scale = 'linear'
eval choose('share', 0)
xlabel = 'share of the variance'
eval kept_read('settings')
title = 'shares of the variance'.of_kept
eval key_of(2, 11)
left = 0.14 + letter_width * longest
gap_x = 0.14
gap_y = has_titles ? 0.22 : 0.14
bar_height = max(0.5, 0.17 * series_count + 0.1)
eval layout(bar_height)
eval frame(bar_height)
set style fill solid 1 noborder
set grid noytics
set offsets 0, 0, 0, 0
at(s) = sum [k = 1:series_count] (series[k] eq s ? k : 0)
do for [i = 1:panel_count] {
    eval panel(i)
    eval shared_axis('x', 'share', i)
    eval name_tics('y', is_left(i))
    plot [0:*][series_count + 0.6:0.4] \
        data using (in_panel(i) ? column('first') : NaN):(at(strcol('series'))):(0):'first':(at(strcol('series')) - 0.36):(at(strcol('series'))) with boxxyerror lc rgb dark_fill notitle, \
        data using (in_panel(i) ? column('total') : NaN):(at(strcol('series'))):(0):'total':(at(strcol('series'))):(at(strcol('series')) + 0.36) with boxxyerror lc rgb light_fill notitle, \
        data using (in_panel(i) ? column('first_low') : NaN):(at(strcol('series')) - 0.18):(column('first_high') - column('first_low')):(0) with vectors heads size screen 0.006, 90 lw 0.7 lc rgb '#444444' notitle, \
        data using (in_panel(i) ? column('total_low') : NaN):(at(strcol('series')) + 0.18):(column('total_high') - column('total_low')):(0) with vectors heads size screen 0.006, 90 lw 0.7 lc rgb '#444444' notitle
}
eval legend
plot NaN with boxes fs solid 1 fc rgb dark_fill title 'first order', NaN with boxes fs solid 1 fc rgb light_fill title 'total'
eval close
