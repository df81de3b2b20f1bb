# The look of all figures. `memsweep plot` loads it before the figure's own file.
#
# A recipe goes: names and notes; what lies on the axes; eval frame(h); per panel eval panel(i), axes,
# plot; eval legend and a plot of NaNs with titles; eval close.
#
# Names and notes
#   title          what is shown and what is averaged, above all; xlabel, ylabel
#   note           a line of the figure's own in the footer
#   key_title      what the entries of the key are values of; eval key_of(n, longest) makes room for them
#   cb_label       name of the colour bar; eval colour_bar makes room for it
# Layout
#   eval layout(h)      chooses columns and height of panels: at most one page, filled in the sweep's order
#   eval frame(h)       opens the canvas; panels are h inches high, less where the page would not hold them
#   eval panel(i)       moves to panel i: margins, title, labels on the outer edge only
#   eval legend         then a plot of NaNs with titles: the key, above all panels
#   eval close          ends the figure
# Axes: a quantity Q ('metric', 'metric2', or a name of one's own by eval quantity('Q')) knows how its
# numbers lie: Q_scale, Q_from, Q_to, Q_bytes, Q_ratio
#   eval measure(Q, column)   the ends of its numbers, in all panels and in each (Q_low, Q_high, ...)
#   eval choose(Q, fit)       scale and, for fit = 1, whether all panels share the axis (Q_shared)
#   eval axis('x', Q, i)      range, scale and tics of panel i
#   eval shared_axis('y', Q, i)      the same, with numbers on the outer edge only where it is shared
#   eval factor_axis('x', 'factor'), eval step_axis('y', 'factor2')   levels of a factor, as many as fit
#   eval marked('x', 'factor', i, by_step)    the same, with names on the outer edge only
#   label_of(Q, label)        the label, with what the scale did to the numbers
#   on_scale(Q, v)            where a number lies, for colours and axes drawn by hand
# Numbers as text: short(v), bytes(v), number_of(Q, v)
#
# Colours are told apart by colour-blind eyes too (Okabe, Ito), dashes and points in grey print.
set encoding utf8
set datafile separator tab
set datafile columnheaders
set datafile missing NaN
faint = '#b8b8b8'
ink = '#333333'
colours = '#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #000000 #999999'
dark_fill = '#0072b2'
light_fill = '#9fd0ee'
font = 'sans-serif'
font_size = 7
small_size = 6
one_column = 3.3
two_columns = 7.0
page_height = 8.8
set palette defined (0 '#440154', 1 '#482878', 2 '#3e4a89', 3 '#31688e', 4 '#26828e', \
    5 '#1f9e89', 6 '#35b779', 7 '#6dcd59', 8 '#b4de2c', 9 '#fde725')
set border 3 lc rgb '#444444' lw 0.6
set tics nomirror out scale 0.5 textcolor rgb '#444444'
set grid lc rgb '#dddddd' lw 0.5 dt 1
set samples 400
set autoscale noextend
set pointintervalbox 0
set linetype 1 lc rgb '#0072b2' lw 1.2 pt 7 ps 0.35
set linetype 2 lc rgb '#d55e00' lw 1.2 pt 5 ps 0.35
set linetype 3 lc rgb '#009e73' lw 1.2 pt 9 ps 0.4
set linetype 4 lc rgb '#cc79a7' lw 1.2 pt 13 ps 0.4
set linetype 5 lc rgb '#e69f00' lw 1.2 pt 11 ps 0.4
set linetype 6 lc rgb '#56b4e9' lw 1.2 pt 4 ps 0.4
set linetype 7 lc rgb '#000000' lw 1.2 pt 6 ps 0.4
set linetype 8 lc rgb '#999999' lw 1.2 pt 8 ps 0.4

# Lines k of a key: with dt dashed(k) they are told apart in grey print too.
set dashtype 2 (10,2)
set dashtype 3 (4,2)
set dashtype 4 (8,2,1,2)
dashed(k) = 1 + (k - 1) % 4

width = page_columns eq '2' ? two_columns : one_column
left = 0.58
right = 0.08
gap_x = 0.36
note = ''
title = ''
key_title = ''
cb_label = ''
key_rows = 0
key_columns = 0
xlabel = ''
ylabel = ''
if (own_style ne '') { load own_style }

min(a, b) = a < b ? a : b
max(a, b) = a > b ? a : b
colour(s) = word(colours, 1 + (s - 1) % words(colours))
in_panel(i) = strcol('panel') eq panel[i]
in_series(s) = strcol('series') eq series[s]
here(i, s) = in_panel(i) && in_series(s)
letter_width = small_size / 72.0 * 0.62

# A name of a column in words, where there are some.
if (!exists('wording')) { wording = '' }
words_at(s) = strstrt(wording, '|'.s.'=')
to_bar(s) = s[1:strstrt(s, '|') - 1]
in_words(s) = words_at(s) ? to_bar(wording[words_at(s) + strlen(s) + 2:*]) : s

# ---- series: those that fall on one another share a line, and a key has room for eight
shown_count = min(drawn_count, 8)
shown(k) = shown_count < 2 ? drawn[1] : drawn[1 + int((k - 1) * (drawn_count - 1) / (shown_count - 1.0) + 0.5)]
thinned = shown_count < drawn_count ? sprintf('%d of %d shown', shown_count, drawn_count) : ''
# A middle of a bin is no level.
series_text(k) = factor2_bins && series_label ne '' ? '~'.short(to_number(sprintf('%.2g', to_number(series_title[shown(k)])))) : series_title[shown(k)]
longest = 0
do for [s = 1:series_count] { longest = max(longest, strlen(in_words(series[s]))) }
add_note(text) = note eq '' ? text : text eq '' ? note : note.'; '.text
and_note(a, b) = a eq '' ? b : b eq '' ? a : a.', '.b
# What is done with all that varies and is no axis.
rest = held ne '' ? (strstrt(held, ' = ') || strstrt(held, " =") ? 'at ' : 'with ').held : others ne '' ? of_others.' over '.others : ''

# Of an analysis that was kept: what it was asked about, from a column of text.
kept_text = ''
kept_read(name) = sprintf("stats data using ((kept_text = strcol('%s')), 0) nooutput; of_kept = of_metric(kept_text).mean_in(kept_text)", name)
to_comma(s) = strstrt(s, ', ') ? s[1:strstrt(s, ', ') - 1] : s
of_metric(s) = s[1:15] eq 'sensitivity of ' ? ' of '.in_words(to_comma(s[16:*])) : ''
said_in(s, text) = strstrt(s, text) ? text : ''
mean_in(s) = said_in(s, ', mean over workloads').said_in(s, ', worst over workloads').said_in(s, ', geomean over workloads').said_in(s, ', weighted over workloads')

# ---- numbers
# gnuplot reads '1.0e+05' as a number, and not '1e+05'.
to_number(s) = strstrt(s, 'e') && !strstrt(s, '.') ? real(s[1:strstrt(s, 'e') - 1].'.0'.s[strstrt(s, 'e'):*]) : real(s)
short(v) = abs(v) < 1e-12 ? '0' : abs(v) >= 1e15 ? sprintf('%.3g', v) : abs(v) >= 1e12 ? sprintf('%.4gT', v / 1e12) : \
    abs(v) >= 1e9 ? sprintf('%.4gG', v / 1e9) : abs(v) >= 1e6 ? sprintf('%.4gM', v / 1e6) : \
    abs(v) >= 1e4 ? sprintf('%.4gk', v / 1e3) : abs(v) < 1e-3 ? sprintf('%.3g', v) : sprintf('%.6g', v)
bytes(v) = abs(v) >= 2.0 ** 40 ? sprintf('%.4g TiB', v / 2.0 ** 40) : abs(v) >= 2.0 ** 30 ? sprintf('%.4g GiB', v / 2.0 ** 30) : \
    abs(v) >= 2.0 ** 20 ? sprintf('%.4g MiB', v / 2.0 ** 20) : abs(v) >= 1024 ? sprintf('%.4g KiB', v / 1024.0) : \
    abs(v) < 1e-12 ? '0' : sprintf('%.4g B', v)
number_of(q, v) = of(q, 'bytes') ? bytes(v) : short(v)
# Values that stand as text in a table: of columns that count bytes, and all others.
is_bytes(name) = strstrt(' '.byte_columns.' ', ' '.name.' ') > 0
level_text(name, text) = text eq '' ? '' : is_bytes(name) ? bytes(to_number(text)) : text
numbers(high) = high >= 1e4 && high < 1e18 ? '%.1s%c' : '%g'

# ---- scales
of(q, name) = value(q.'_'.name)
spans(low, high) = low > 0 && high > 20 * low && high < 1e12 * low
differ(low, high) = high - low > max(1e-9 * (abs(low) + abs(high)), 4e-12)
# All above 1 and many near it: what matters is how far above.
near_one(q) = of(q, 'ratio') && of(q, 'min') >= 1 - 1e-9 && of(q, 'above') < 0.2 && of(q, 'max') - 1 > 20 * of(q, 'above')
scale_of(q) = of(q, 'scale') eq 'log' ? (of(q, 'min') > 0 ? 'log' : 'linear') : \
    of(q, 'scale') eq 'excess' ? (of(q, 'min') >= 1 - 1e-9 && of(q, 'max') > 1 ? 'excess' : 'linear') : \
    of(q, 'scale') eq 'linear' ? 'linear' : \
    near_one(q) ? 'excess' : spans(of(q, 'min'), of(q, 'max')) ? 'log' : 'linear'
# Below the floor the axis of an excess is straight, so that 0 has a place.
excess_on(e, floor) = e >= floor ? log10(e) : log10(floor) - 0.5 * (1 - e / floor)
excess_back(u, floor) = u >= log10(floor) ? 10 ** u : floor * (1 - (log10(floor) - u) / 0.5)
on_scale(q, v) = of(q, 'used') eq 'log' ? log10(max(v, 1e-300)) : of(q, 'used') eq 'excess' ? excess_on(v - 1, of(q, 'floor')) : v
off_scale(q, u) = of(q, 'used') eq 'log' ? 10 ** u : of(q, 'used') eq 'excess' ? 1 + excess_back(u, of(q, 'floor')) : u
label_of(q, label) = of(q, 'used') eq 'excess' ? label.' − 1' : of(q, 'bytes') ? plain_label(label) : label
# Tics that say KiB need no unit beside the name.
plain_label(label) = strlen(label) > 4 && label[strlen(label) - 3:*] eq ' (B)' ? label[1:strlen(label) - 4] : label

quantity(q) = sprintf("%s_scale = 'auto'; %s_bytes = 0; %s_ratio = 0; %s_from = NaN; %s_to = NaN", q, q, q, q, q)
# `stats` forgets all names that begin with its own, and finds no ends where a column holds nothing.
ends_to(name, e, low, high) = sprintf("stats data using (%s) name 'seen' nooutput; %s_min = exists('seen_min') ? seen_min : %s; %s_max = exists('seen_max') ? seen_max : %s", e, name, low, name, high)
measure(q, name) = measure_by(q, sprintf("column('%s')", name))
measure_by(q, e) = sprintf("%s_e = \"%s\"; eval ends_to('%s', %s_e, '0', '1'); ", q, e, q, q) \
    .sprintf("eval ends_to('over', '('.%s_e.') > 1 + 1e-9 ? ('.%s_e.') - 1 : 1e300', '1', '1'); %s_above = over_min; ", q, q, q) \
    .sprintf("%s_used = 'linear'; %s_shared = 1; %s_floor = max(%s_above, (%s_max - 1) * 1e-6); ", q, q, q, q, q) \
    .sprintf("do for [i = 1:panel_count] { eval ends_to('%s_p'.i, (panel_count == 1 ? '1' : 'in_panel('.i.')').' ? '.%s_e.' : NaN', '%s_min', '%s_max') }", q, q, q, q)
panel_low_of(q, i) = value(sprintf('%s_p%d_min', q, i))
panel_high_of(q, i) = value(sprintf('%s_p%d_max', q, i))
# An axis is shared by all panels unless one of them would be lost on it.
lost_on(q, i) = on_scale(q, panel_high_of(q, i)) - on_scale(q, panel_low_of(q, i)) < 0.1 * (on_scale(q, of(q, 'max')) - on_scale(q, of(q, 'min'))) \
    && differ(panel_low_of(q, i), panel_high_of(q, i))
choose(q, fit) = sprintf("%s_used = scale_of('%s'); %s_shared = 1; do for [i = 1:panel_count] { if (%d && lost_on('%s', i)) { %s_shared = 0 } }; ", q, q, q, fit, q, q) \
    .sprintf("%s_shared = %s_shared || %s_from == %s_from || %s_to == %s_to", q, q, q, q, q, q)
# What is drawn from column low to column high is in the picture, too; a logarithmic axis may have no place for low.
reaching(q) = sprintf("eval reach('%s', '1'); do for [i = 1:panel_count] { eval reach('%s_p'.i, panel_count == 1 ? '1' : 'in_panel('.i.')') }", q, q)
reach(q, rows) = sprintf("eval ends_to('band', '%s ? column(''high'') : NaN', '%s_max', '%s_max'); %s_max = max(%s_max, band_max); ", rows, q, q, q, q) \
    .(metric_used eq 'linear' ? sprintf("eval ends_to('band', '%s ? column(''low'') : NaN', '%s_min', '%s_min'); %s_min = min(%s_min, band_min)", rows, q, q, q, q) : '')
data_low(q, i) = of(q, 'shared') ? of(q, 'min') : panel_low_of(q, i)
data_high(q, i) = of(q, 'shared') ? of(q, 'max') : panel_high_of(q, i)
zoomed(q, end) = of(q, end) == of(q, end)
# Ends on the scale, with some air beside the data and none beside what was asked for.
span_of(q, i) = max(on_scale(q, data_high(q, i)) - on_scale(q, data_low(q, i)), 1e-12)
flat(q, i) = !differ(data_low(q, i), data_high(q, i))
air_of(q, i) = flat(q, i) ? (of(q, 'used') ne 'linear' ? 0.2 : data_low(q, i) == 0 ? 1 : abs(data_low(q, i)) * 0.1) : 0.05 * span_of(q, i)
low_end(q, i) = zoomed(q, 'from') ? on_scale(q, of(q, 'from')) : on_scale(q, data_low(q, i)) - air_of(q, i)
high_end(q, i) = zoomed(q, 'to') ? on_scale(q, of(q, 'to')) : on_scale(q, data_high(q, i)) + air_of(q, i)
# Where bars stand on it an axis begins at 0.
from_zero(q) = sprintf("%s_min = min(%s_min, 0.0); do for [i = 1:panel_count] { eval sprintf('%s_p%%d_min = min(%s_p%%d_min, 0.0)', i, i) }", q, q, q, q)

# ---- tics
round_step(r, e) = e * (r <= e ? 1 : r <= 2 * e ? 2 : r <= 5 * e ? 5 : 10)
step_of(low, high) = high > low ? round_step((high - low) / 5.0, 10 ** floor(log10((high - low) / 5.0))) : 1
even_step(r) = round_step(r, 10.0 ** floor(log10(r)))
byte_step(r) = r < 1 ? even_step(r) : 2.0 ** ceil(log(r) / log(2) - 1e-9)
tidy(v, step) = abs(v) < 1e-9 * step ? 0.0 : v
named = 1
tic(text, at) = sprintf(", '%s' %.12g", named ? text : '', at)
even_tics(q, at, high, step) = at > high + 1e-9 * step ? '' : tic(number_of(q, tidy(at, step)), tidy(at, step)).even_tics(q, at + step, high, step)
linear_step(q, low, high, n) = of(q, 'bytes') ? byte_step((high - low) / n) : even_step((high - low) / n)
linear_tics(q, low, high, n) = !differ(low, high) ? tic(number_of(q, low), low) : even_tics(q, linear_step(q, low, high, n) * ceil(low / linear_step(q, low, high, n) - 1e-9), high, linear_step(q, low, high, n))
# Powers of a base, every so many; shift: 1 for an excess, whose numbers are written less 1.
power_tics(q, e, last, every, base, shift) = e > last ? '' : tic(number_of(q, base ** e), shift + base ** e).power_tics(q, e + every, last, every, base, shift)
fine_tics(q, e, last, low, high, shift) = e > last ? '' : \
    fine_tic(q, 10.0 ** e, low, high, shift).fine_tic(q, 2 * 10.0 ** e, low, high, shift).fine_tic(q, 5 * 10.0 ** e, low, high, shift).fine_tics(q, e + 1, last, low, high, shift)
fine_tic(q, v, low, high, shift) = v < low * (1 - 1e-9) || v > high * (1 + 1e-9) ? '' : tic(number_of(q, v), shift + v)
powers_in(low, high, base) = floor(log(high) / log(base) + 1e-9) - ceil(log(low) / log(base) - 1e-9) + 1
every_of(low, high, base, n) = max(1, int(ceil(powers_in(low, high, base) / (1.0 * n))))
log_marks(q, low, high, n, shift) = of(q, 'bytes') && high > 4 * low ? \
    power_tics(q, int(ceil(log(low) / log(2) - 1e-9)), int(floor(log(high) / log(2) + 1e-9)), every_of(low, high, 2, n), 2.0, shift) : \
    powers_in(low, high, 10) >= min(n, 3) ? power_tics(q, int(ceil(log10(low) - 1e-9)), int(floor(log10(high) + 1e-9)), every_of(low, high, 10, n), 10.0, shift) : \
    high > 4 * low ? fine_tics(q, int(floor(log10(low))), int(ceil(log10(high))), low, high, shift) : ''
log_or_even(q, low, high, n) = log_marks(q, low, high, n, 0) ne '' ? log_marks(q, low, high, n, 0) : linear_tics(q, low, high, max(n - 1, 1))
excess_low(q, low) = max(off_scale(q, low) - 1, of(q, 'floor') * 0.999)
excess_marks(q, low, high, n) = (off_scale(q, low) <= 1 ? tic('0', 1) : '').log_marks(q, excess_low(q, low), off_scale(q, high) - 1, n, 1)
marks_of(q, low, high, n) = of(q, 'used') eq 'log' ? log_or_even(q, 10 ** low, 10 ** high, n) : \
    of(q, 'used') eq 'excess' ? excess_marks(q, low, high, n) : linear_tics(q, low, high, n)
# Room: as many numbers as fit beside one another (x) or over one another (y).
at_least(v, step) = step * ceil(v / step - 1e-9)
text_at(q, v, step) = strlen(number_of(q, tidy(v, step)))
ends_text(q, low, high, step) = max(text_at(q, at_least(low, step) + step, step), max(text_at(q, at_least(low, step), step), text_at(q, step * floor(high / step + 1e-9), step)))
widest_text(q, i) = max(3, of(q, 'used') eq 'linear' ? ends_text(q, low_end(q, i), high_end(q, i), linear_step(q, low_end(q, i), high_end(q, i), 5)) : \
    max(strlen(number_of(q, nice(shown_at(q, low_end(q, i))))), strlen(number_of(q, nice(shown_at(q, high_end(q, i)))))))
# An excess is written without its 1, its ends in whole powers of ten.
shown_at(q, at) = of(q, 'used') eq 'excess' ? 10.0 ** ceil(log10(max(excess_low(q, at), 1e-12))) : off_scale(q, at)
nice(v) = to_number(sprintf('%.2g', v))
# tic_share: the part of the panel's width that the numbers' range has.
tic_share = 1.0
room_x(letters) = max(2, min(6, int(tic_share * panel_width_of(cols) / (letter_width * letters + 0.09))))
room_y(n) = max(2, min(6, int(panel_height / 0.2)))
room_of_axis(letter, q, i) = letter eq 'x' ? room_x(widest_text(q, i)) : room_y(0)
count_of(list) = strlen(list) ? sum [k = 1:strlen(list)] (list[k:k] eq ',') : 0
# Rounding a step can give one tic more than there is room for.
fewer(q, low, high, n, most) = n < 2 || count_of(marks_of(q, low, high, n)) <= most ? marks_of(q, low, high, n) : fewer(q, low, high, n - 1, most)
axis_scale(letter, q) = of(q, 'used') eq 'log' ? sprintf('set logscale %s; ', letter) : of(q, 'used') eq 'excess' ? \
    sprintf("set nonlinear %s via excess_on(%s - 1, %.12g) inverse 1 + excess_back(%s, %.12g); ", letter, letter, of(q, 'floor'), letter, of(q, 'floor')) : ''
axis(letter, q, i) = sprintf("unset logscale %s; set %srange [%.14g:%.14g]; ", letter, letter, off_scale(q, low_end(q, i)), off_scale(q, high_end(q, i))) \
    .axis_scale(letter, q) \
    .tics_for(letter, fewer(q, low_end(q, i), high_end(q, i), room_of_axis(letter, q, i), room_of_axis(letter, q, i)))
tics_for(letter, list) = list eq '' ? '' : sprintf('set %stics (%s)', letter, list[3:*])
# An axis that all panels share has numbers on the outer edge only.
shared_axis(letter, q, i) = sprintf("named = %d; eval axis('%s', '%s', %d); named = 1", !of(q, 'shared') || (letter eq 'y' ? is_left(i) : is_low(i)), letter, q, i)

# ---- levels of factors
# value() knows no arrays: text of mark k of a factor, and where it stands.
mark_text(f, k) = f eq 'factor' ? factor_mark[k] : factor2_mark[k]
mark_place(f, k) = f eq 'factor' ? factor_place[k] : factor2_place[k]
mark_length(f, k) = k < 1 ? 0 : max(strlen(mark_text(f, k)), mark_length(f, k - 1))
every_mark(f, room) = max(1, int(ceil(of(f, 'marks') / (1.0 * room))))
marks_room(letter, f) = letter eq 'x' ? max(2, int(panel_width_of(cols) / (letter_width * mark_length(f, int(of(f, 'marks'))) + 0.07))) : max(2, int(panel_height / 0.11))
# Names are text of a database: they are looked up where they are drawn, and never part of what eval reads.
mark_at(f, k, by_step) = by_step ? (of(f, 'bins') ? bin_edge(f, k) : k - 1) : mark_place(f, k)
level_tics(letter, f, by_step) = sprintf("set %stics ('' -1e9); do for [k = 1:%s_marks:%d] { set %stics add (named ? mark_text('%s', k) : '' mark_at('%s', k, %d)) }", letter, f, every_mark(f, marks_room(letter, f)), letter, f, f, by_step)
bin_edge(f, k) = (k - 1) * (f eq 'factor' ? 4.0 : 1.5) - 0.5
# Names at the ends of an axis stand out of its panel: the gap between panels and the right margin that
# letters of them take.
edge_gap(letters) = max(0.14, letter_width * letters - 0.02)
edge_right(letters) = max(0.08, letter_width * letters / 2 - 0.02)
mark_gap(f) = edge_gap(of(f, 'marks') ? mark_length(f, int(of(f, 'marks'))) : 0)
# Panels inside have no names: eval marked(letter, f, i, by_step).
marked(letter, f, i, by_step) = sprintf("named = %d; eval %s_axis('%s', '%s'); named = 1", letter eq 'y' ? is_left(i) : is_low(i), by_step ? 'step' : 'factor', letter, f)
factor_axis(letter, f) = (of(f, 'log') ? sprintf('set logscale %s 2; ', letter) : '').level_tics(letter, f, 0)
step_axis(letter, f) = level_tics(letter, f, 1)

# ---- what older recipes know
log_steps(e) = sprintf('%.15g, %.15g, %.15g', 10.0 ** e, 2 * 10.0 ** e, 5 * 10.0 ** e)
log_list(e, last) = e >= last ? log_steps(e) : log_steps(e).', '.log_list(e + 1, last)
decades(e, last) = e >= last ? sprintf('%.15g', 10.0 ** e) : sprintf('%.15g, ', 10.0 ** e).decades(e + 1, last)
some_steps(low, high, step) = low > high + step / 1e3 ? '' : sprintf(', %.15g', low).some_steps(low + step, high, step)
widest(low, high) = strlen(sprintf('%g', step_of(low, high) * floor(high / step_of(low, high))))
room_of(low, high) = max(1, min(5, int(panel_width_of(cols) / (0.055 * widest(low, high) + 0.06))))
fitted(low, high, n) = round_step((high - low) / n, 10 ** floor(log10((high - low) / n)))
panel_step(low, high) = fitted(low, high, 1.0 * room_of(low, high))
steps_in(low, high, step) = some_steps(step * ceil(low / step - 1e-9), high, step)[3:*]
even_list(low, high, step) = steps_in(low, high, step) ne '' ? steps_in(low, high, step) : even_list(low, high, 0.4 * step)
log_tics(low, high) = high > 1e3 * low ? decades(floor(log10(low)), ceil(log10(high))) : \
    high > 5 * low ? log_list(floor(log10(low)), floor(log10(high))) : \
    differ(low, high) ? even_list(low, high, panel_step(low, high)) : sprintf('%.15g', low)
tics_of(letter, low, high, is_log) = sprintf('set %stics (%s)', letter, \
    is_log ? log_tics(low, high) : differ(low, high) ? even_list(low, high, panel_step(low, high)) : sprintf('%.15g', low))
ends_of(i, name) = sprintf("stats data using (in_panel(%d) ? column('x') : NaN) name '%s%d' nooutput", i, name, i)
x_low(i) = value(sprintf('ends%d_min', i))
x_high(i) = value(sprintf('ends%d_max', i))
find_ends = "do for [i = 1:panel_count] { eval ends_of(i, 'ends') }"
key_lines(n) = longest > 9 ? (n + 1) / 2 : (n + 3) / 4
no_tics(letter) = sprintf("set %stics ('' -1e9)", letter)
name_tics(letter, wanted) = no_tics(letter)."; ".(wanted ? sprintf("do for [s = 1:series_count] { set %stics add (in_words(series[s]) s) }", letter) : '')
names_turned = longest > 12 ? 90 : 30
names_room = names_turned == 90 ? 0.5 + 0.05 * longest : 0.46 + 0.032 * longest

# ---- text: lines cut at blanks, so that nothing is lost at the edge
line_length = 58
blank_before(s, k) = k < 2 ? 0 : s[k:k] eq ' ' ? k : blank_before(s, k - 1)
cut_at(s, k) = k ? s[1:k - 1]."\n".wrapped(s[k + 1:*]) : s[1:line_length]."\n".wrapped(s[line_length + 1:*])
wrapped(s) = strlen(s) <= line_length ? s : cut_at(s, blank_before(s, line_length + 1))
line_ends(s) = strlen(s) ? sum [k = 1:strlen(s)] (s[k:k] eq "\n") : 0
letters_in(w, size) = int((w - 0.08) / (size / 72.0 * 0.62))
# eval wrap('a', 'b', n): a is the text of b in lines of n letters; words longer than that are cut.
wrap(to, from, n) = sprintf("%s = ''; line = ''; text_left = %s.' '; while (strstrt(text_left, ' ')) { piece = text_left[1:strstrt(text_left, ' ') - 1]; text_left = text_left[strstrt(text_left, ' ') + 1:*]; ", to, from) \
    .sprintf("while (strlen(piece) > %d) { if (line ne '') { %s = %s.line.\"\\n\"; line = '' }; %s = %s.piece[1:%d].\"\\n\"; piece = piece[%d:*] }; ", n, to, to, to, to, n, n + 1) \
    .sprintf("if (line ne '' && strlen(line) + 1 + strlen(piece) > %d) { %s = %s.line.\"\\n\"; line = piece } else { line = line eq '' ? piece : line.' '.piece } }; %s = %s.line", n, to, to, to, to)

# ---- layout
# How a number of columns suits: few holes, panels neither narrow nor flat, no more than a page.
width_in(c) = (width - left - right - (c - 1) * gap_x) / c
lines_in(c) = (panel_count + c - 1) / c
fits(c, h) = head_of(key_rows) + bottom + lines_in(c) * min(h, 0.75) + (lines_in(c) - 1) * gap_y <= page_height
cost_of(c, h) = (width_in(c) < 0.72 && c > 1 ? 4 * (0.72 - width_in(c)) + 2 : 0) + 2.0 * (c * lines_in(c) - panel_count) / (c * lines_in(c)) \
    + abs(log(width_in(c) / (1.25 * h))) + 0.15 * lines_in(c) + (fits(c, h) ? 0 : 8)
best_cols(c, last, best, h) = c > last ? best : best_cols(c + 1, last, cost_of(c, h) < cost_of(best, h) - 1e-9 ? c : best, h)
layout(h) = sprintf("cols = best_cols(1, min(panel_count, 9), 1, %f); lines = lines_in(cols)", h)
has_titles = panel_count > 1 || panel[1] ne ''
top = 0.06
bottom = 0.62
gap_y = has_titles ? 0.34 : 0.2
title_lines = 0
head_of(rows) = top + 0.14 * title_lines + (rows ? 0.05 + 0.12 * (rows + (key_title eq '' ? 0 : 1)) : 0) + (has_titles ? 0.16 : 0)
canvas_height(h) = head_of(key_rows) + bottom + lines * h + (lines - 1) * gap_y
height_for(h) = min(h, max(0.15, (page_height - head_of(key_rows) - bottom - (lines - 1) * gap_y) / lines))
cols = panel_count > 1 ? 2 : 1
lines = (panel_count + cols - 1) / cols
eval layout(1.1)

# Room for a key of n entries, the longest of so many letters, as wide as gnuplot takes them to be.
key_of(n, letters) = sprintf("key_columns = max(1, min(%d, int((width - 0.06) / (font_size / 108.0 * (%d + 4.4))))); key_rows = (%d + key_columns - 1) / key_columns", n, letters, n)
longest_title(k) = k < 1 ? 0 : max(strlen(series_text(k)), longest_title(k - 1))
series_key = "key_title = plain_label(series_label); eval key_of(shown_count, longest_title(shown_count)); if (series_label eq '' && shown_count < 2) { key_rows = 0 }"
keyed(k) = key_rows ? series_text(k) : ''

# Sizes are those on paper; a terminal's own unit stands before it.
svg_size(s) = s * 96 / 72.0
terminal_of(h) = format eq 'svg' ? \
    sprintf("svg noenhanced size %d,%d font '%s,%g' linewidth 1 background 'white'", width * 96, h * 96, font, svg_size(font_size)) : \
    format eq 'png' ? \
    sprintf("pngcairo noenhanced size %d,%d font '%s,%g' fontscale 3.125 linewidth 3 pointscale 3 background 'white'", width * 300, h * 300, font, font_size) : \
    sprintf("pdfcairo noenhanced size %fin,%fin font '%s,%g' fontscale 1 linewidth 1 pointscale 0.8 background 'white'", width, h, font, font_size)
sized(s) = sprintf(',%g', format eq 'svg' ? svg_size(s) : s)
label_font = sized(font_size)
small = sized(small_size)

foot = ''
footed = "eval wrap('title_text', 'title', letters_in(width, font_size)); title_lines = title eq '' ? 0 : 1 + line_ends(title_text); said_below = footer.(filter eq '' ? '' : ', '.filter); " \
    ."eval wrap('foot', 'said_below', letters_in(width, small_size)); eval wrap('note_text', 'note', letters_in(width, small_size)); foot = note eq '' ? foot : note_text.\"\n\".foot; bottom = bottom + 0.11 * max(0, line_ends(foot) - 1)"
key_place = "at screen 0.01, screen 1 - (0.04 + 0.14 * title_lines) / height left top horizontal Left reverse samplen 1.6 width 1 height 0 spacing 0.95 "
frame(h) = sprintf("eval footed; panel_height = height_for(%f); height = canvas_height(panel_height); eval 'set terminal '.terminal_of(height); set output outfile; ", h) \
    ."set label 99 foot at screen 0.01, screen (0.08 + 0.11 * line_ends(foot)) / height font small textcolor rgb '#666666'; " \
    ."set label 98 title_text at screen 0.01, screen 1 - 0.1 / height font label_font textcolor rgb ink; " \
    ."eval 'set key '.key_place.(key_columns ? 'maxcols '.key_columns : '').' maxrows '.max(1, key_rows).' font small'; " \
    ."if (key_title ne '') { set key title key_title left font small }; unset key; set xtics font small offset 0,0.35; set ytics font small offset 0.5,0; set offsets graph 0.03, graph 0.03, graph 0.05, graph 0.02; " \
    ."set multiplot"

# A colour bar with a name and numbers as on any axis, at the right of all panels.
colour_bar = "right = 0.2 + letter_width * 8 + 0.14"
bar_low(q) = on_scale(q, of(q, 'min'))
bar_high(q) = differ(of(q, 'min'), of(q, 'max')) ? on_scale(q, of(q, 'max')) : bar_low(q) + 1
bar_ends(q) = sprintf("set cbrange [%.14g:%.14g]", bar_low(q), bar_high(q))
moved(q, list) = list eq '' ? '' : moved_one(q, strstrt(list[3:*], ", '") ? list[1:strstrt(list[3:*], ", '") + 1] : list).moved(q, strstrt(list[3:*], ", '") ? list[strstrt(list[3:*], ", '") + 2:*] : '')
moved_one(q, tic) = tic[1:strstrt(tic[4:*], "'") + 3].sprintf(' %.12g', on_scale(q, to_number(tic[strstrt(tic[4:*], "'") + 4:*])))
bar_tics(q) = moved(q, fewer(q, bar_low(q), on_scale(q, of(q, 'max')), 6, 8))
bar_of(q) = bar_ends(q)."; ".(bar_tics(q) eq '' ? '' : "set cbtics (".bar_tics(q)[3:*].") scale 0.3 font small offset -0.8,0; ") \
    .sprintf("set colorbox user size screen %f, screen %f origin screen %f, screen %f; ", 0.08 / width, 1 - (bottom + head_of(key_rows)) / height, 1 - (right - 0.1) / width, bottom / height) \
    .sprintf("set label 97 cb_label at screen %f, screen %f center rotate by 90 font small textcolor rgb ink", 1 - 0.07 / width, (bottom + height - head_of(key_rows)) / 2 / height)

panel_width_of(n) = (width - left - right - (n - 1) * gap_x) / n
panel_left(i) = left + ((i - 1) % cols) * (panel_width_of(cols) + gap_x)
panel_low(i) = bottom + (lines - 1 - (i - 1) / cols) * (panel_height + gap_y)
is_left(i) = (i - 1) % cols == 0
is_low(i) = i + cols > panel_count
panel_letters(i) = max(6, int((panel_width_of(cols) + (i % cols == 0 ? right - 0.02 : 0.8 * gap_x)) / letter_width))
cut_text(s, n) = strlen(s) <= n ? s : s[1:max(1, n - 1)].'…'
panel(i) = sprintf("set lmargin at screen %f; set rmargin at screen %f; set bmargin at screen %f; set tmargin at screen %f; ", \
    panel_left(i) / width, (panel_left(i) + panel_width_of(cols)) / width, \
    panel_low(i) / height, (panel_low(i) + panel_height) / height) \
    .sprintf("set label 90 cut_text(panel[%d], panel_letters(%d)) at graph 0, graph 1 offset 0, character 0.55 textcolor rgb '#444444' font small; ", i, i) \
    .(i > 1 ? "unset label 99; unset label 98; unset label 97; unset colorbox; " : "") \
    .(i > 1 ? "unset label 91; unset label 92" : axis_labels)
# One label for all panels in a row, and one for all rows.
axis_labels = "set label 91 ylabel at screen 0.1 / width, screen (bottom + height - head_of(key_rows)) / 2 / height center rotate by 90 font label_font; " \
    ."set label 92 xlabel at screen (left + width - right) / 2 / width, screen (bottom - 0.28) / height center font label_font"
legend = "set key; set lmargin at screen 0; set rmargin at screen 1; set bmargin at screen 0; set tmargin at screen 1; " \
    ."unset border; unset tics; unset grid; unset label; unset arrow; unset object; unset colorbox; unset xlabel; unset logscale; unset nonlinear x; unset nonlinear y; set offsets 0, 0, 0, 0; " \
    ."set xrange [0:1]; set yrange [0:1]"
close = "unset multiplot; unset output"
