# Two bars per factor: what it does alone, and all that it takes part in.
ylabel = 'share of the variance'
key_rows = 1
bottom = names_room
eval frame(lines > 1 ? 1.0 : 1.5)
set style fill solid 0.9 noborder
set boxwidth 0.36
set grid noxtics
if (names_turned == 90) { set xtics rotate by 90 right offset 0,0 } else { set xtics rotate by 30 right offset 0.6,0.2 }
at(s) = sum [k = 1:series_count] (series[k] eq s ? k : 0)
do for [i = 1:panel_count] {
    eval panel(i)
    eval name_tics('x', is_low(i))
    plot [0.4:series_count + 0.6][0:*] \
        data using (in_panel(i) ? at(strcol('series')) - 0.19 : NaN):'first' with boxes lc rgb colour(1) notitle, \
        data using (in_panel(i) ? at(strcol('series')) + 0.19 : NaN):'total' with boxes lc rgb colour(2) notitle, \
        data using (in_panel(i) ? at(strcol('series')) - 0.19 : NaN):'first_low':(0):(column('first_high') - column('first_low')) with vectors heads size screen 0.008, 90 lw 0.8 lc rgb '#444444' notitle, \
        data using (in_panel(i) ? at(strcol('series')) + 0.19 : NaN):'total_low':(0):(column('total_high') - column('total_low')) with vectors heads size screen 0.008, 90 lw 0.8 lc rgb '#444444' notitle
}
eval legend
plot NaN with boxes lc rgb colour(1) title 'first order', NaN with boxes lc rgb colour(2) title 'total'
eval close
