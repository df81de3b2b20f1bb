# Right: matters. Up: acts differently from place to place, by curvature or with others.
eval quantity('size')
eval measure('size', 'high')
eval from_zero('size')
size_scale = 'linear'
eval choose('size', 1)
eval quantity('spread')
eval measure('spread', 'y')
eval from_zero('spread')
spread_scale = 'linear'
eval choose('spread', 1)
xlabel = 'mean size of effect, mu*'
ylabel = 'spread, sigma'
eval kept_read('settings')
title = 'elementary effects'.of_kept
shown(k) = k
shown_count = min(series_count, 8)
eval key_of(shown_count, longest)
note = shown_count < series_count ? sprintf('%d of %d shown', shown_count, series_count) : ''
left = 0.36 + letter_width * 6
gap_x = spread_shared ? 0.16 : 0.12 + letter_width * 7
gap_y = size_shared ? (has_titles ? 0.22 : 0.14) : (has_titles ? 0.36 : 0.24)
eval layout(1.1)
eval frame(lines > 1 ? 1.1 : 1.6)
do for [i = 1:panel_count] {
    eval panel(i)
    eval shared_axis('x', 'size', i)
    eval shared_axis('y', 'spread', i)
    plot for [k = 1:shown_count] data using (here(i, shown(k)) ? column('x') : NaN):'y':'low':'high' \
        with xerrorbars lt k dt 1 ps 0.7 notitle
}
eval legend
plot for [k = 1:shown_count] NaN with points lt k ps 0.7 title series[k]
eval close
