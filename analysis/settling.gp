# A line per factor over the base rows; bars are intervals. Lines that are flat are settled.
eval quantity('share')
eval measure_by('share', "max(column('y'), column('high'))")
eval from_zero('share')
share_scale = 'linear'
eval choose('share', 0)
stats data using 'x' name 'x' nooutput
eval kept_read('settings')
xlabel = 'base rows'
ylabel = 'total share of the variance'
title = 'total share of the variance'.of_kept.', over base rows'
shown_count = min(series_count, 8)
shown(k) = k
eval key_of(shown_count, longest)
note = shown_count < series_count ? sprintf('%d of %d shown', shown_count, series_count) : ''
gap_x = 0.14
gap_y = has_titles ? 0.22 : 0.14
eval layout(1.1)
eval frame(lines > 1 ? 1.1 : 1.6)
set offsets 0, 0, 0, 0
set logscale x 2
# Bars of several factors stand beside one another.
beside(k) = 2 ** (0.05 * (k - (shown_count + 1) / 2.0))
places = sprintf("'%s' %.12g, '%s' %.12g, '%s' %.12g", short(x_min), x_min, short(sqrt(x_min * x_max)), sqrt(x_min * x_max), short(x_max), x_max)
bare = sprintf("'' %.12g, '' %.12g, '' %.12g", x_min, sqrt(x_min * x_max), x_max)
do for [i = 1:panel_count] {
    eval panel(i)
    eval 'set xtics ('.(is_low(i) ? places : bare).')'
    eval shared_axis('y', 'share', i)
    plot [x_min / 1.3:x_max * 1.3][0:*] \
        for [k = 1:shown_count] data using (here(i, k) ? column('x') * beside(k) : NaN):'low':(0):(column('high') - column('low')) \
             with vectors heads size screen 0.006, 90 lw 0.7 lc rgb colour(k) notitle, \
        for [k = 1:shown_count] data using (here(i, k) ? column('x') * beside(k) : NaN):'y' \
             with linespoints lt k dt dashed(k) lw 1 notitle
}
eval legend
plot for [k = 1:shown_count] NaN with linespoints lt k dt dashed(k) title series[k]
eval close
