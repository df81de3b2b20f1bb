# The look of all figures, one column wide. `memsweep plot` loads it before the figure's own file.
#
# eval frame(h)   opens the canvas; panels are h inches high
# eval panel(i)   moves to panel i: margins, title, labels on the outer edge only
# eval legend     then a plot of NaNs with titles: the key, above all panels
# eval close      ends the figure
# note            a line of the figure's own in the footer; key_rows: rows of the key above the panels
#
# Colours are told apart by colour-blind eyes too (Okabe, Ito).
set encoding utf8
set datafile separator tab
set datafile columnheaders
set datafile missing NaN
set border 3 lc rgb '#444444' lw 0.6
set tics nomirror out scale 0.5 textcolor rgb '#444444'
set grid lc rgb '#dddddd' lw 0.5
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
set palette defined (0 '#440154', 1 '#482878', 2 '#3e4a89', 3 '#31688e', 4 '#26828e', \
    5 '#1f9e89', 6 '#35b779', 7 '#6dcd59', 8 '#b4de2c', 9 '#fde725')
faint = '#b8b8b8'

width = 3.3
left = 0.58
right = 0.08
gap_x = 0.36
note = ''
key_rows = 0
xlabel = ''
ylabel = ''

min(a, b) = a < b ? a : b
max(a, b) = a > b ? a : b
colour(s) = word('#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #000000 #999999', 1 + (s - 1) % 8)
in_panel(i) = strcol('panel') eq panel[i]
in_series(s) = strcol('series') eq series[s]
here(i, s) = in_panel(i) && in_series(s)

# A key has room for eight: more series are thinned evenly, and the footer says so.
shown_count = min(series_count, 8)
shown(k) = shown_count < 2 ? 1 : 1 + int((k - 1) * (series_count - 1) / (shown_count - 1.0) + 0.5)
# Numbers on axes: with prefixes (k, M) where they are large, so that they stay short.
numbers(high) = high >= 1e4 && high < 1e18 ? '%.1s%c' : '%g'
# A logarithmic axis where values span decades, but not where one of them is as good as zero.
spans(low, high) = low > 0 && high > 20 * low && high < 1e6 * low
# A step of 1, 2 or 5 times a power of ten that puts about five tics on an axis.
round_step(r, e) = e * (r <= e ? 1 : r <= 2 * e ? 2 : r <= 5 * e ? 5 : 10)
step_of(low, high) = high > low ? round_step((high - low) / 5.0, 10 ** floor(log10((high - low) / 5.0))) : 1
# Tics where the numbers of one panel are: a step that suits all panels can be wider than one of them.
log_steps(e) = sprintf('%.15g, %.15g, %.15g', 10.0 ** e, 2 * 10.0 ** e, 5 * 10.0 ** e)
log_list(e, last) = e >= last ? log_steps(e) : log_steps(e).', '.log_list(e + 1, last)
decades(e, last) = e >= last ? sprintf('%.15g', 10.0 ** e) : sprintf('%.15g, ', 10.0 ** e).decades(e + 1, last)
some_steps(low, high, step) = low > high + step / 1e3 ? '' : sprintf(', %.15g', low).some_steps(low + step, high, step)
# As many as the panel has room for.
widest(low, high) = strlen(sprintf('%g', step_of(low, high) * floor(high / step_of(low, high))))
room_of(low, high) = max(1, min(5, int(panel_width_of(cols) / (0.055 * widest(low, high) + 0.06))))
fitted(low, high, n) = round_step((high - low) / n, 10 ** floor(log10((high - low) / n)))
panel_step(low, high) = fitted(low, high, 1.0 * room_of(low, high))
steps_in(low, high, step) = some_steps(step * ceil(low / step - 1e-9), high, step)[3:*]
# A step can jump over a short range: then a smaller one.
even_list(low, high, step) = steps_in(low, high, step) ne '' ? steps_in(low, high, step) : even_list(low, high, 0.4 * step)
# Numbers that differ in their last digits only are one.
differ(low, high) = high - low > 1e-9 * (abs(low) + abs(high))
log_tics(low, high) = high > 1e3 * low ? decades(floor(log10(low)), ceil(log10(high))) : \
    high > 5 * low ? log_list(floor(log10(low)), floor(log10(high))) : \
    differ(low, high) ? even_list(low, high, panel_step(low, high)) : sprintf('%.15g', low)
tics_of(letter, low, high, is_log) = sprintf('set %stics (%s)', letter, \
    is_log ? log_tics(low, high) : differ(low, high) ? even_list(low, high, panel_step(low, high)) : sprintf('%.15g', low))
# The lowest and highest number of a column in panel i, for x_low(i) and x_high(i).
ends_of(i, name) = sprintf("stats data using (in_panel(%d) ? column('x') : NaN) name '%s%d' nooutput", i, name, i)
x_low(i) = value(sprintf('ends%d_min', i))
x_high(i) = value(sprintf('ends%d_max', i))
find_ends = "do for [i = 1:panel_count] { eval ends_of(i, 'ends') }"

# Lines of a footer: cut at blanks, so that nothing is lost at the edge.
line_length = 58
blank_before(s, k) = k < 2 ? 0 : s[k:k] eq ' ' ? k : blank_before(s, k - 1)
cut_at(s, k) = k ? s[1:k - 1]."\n".wrapped(s[k + 1:*]) : s[1:line_length]."\n".wrapped(s[line_length + 1:*])
wrapped(s) = strlen(s) <= line_length ? s : cut_at(s, blank_before(s, line_length + 1))
line_ends(s) = strlen(s) ? sum [k = 1:strlen(s)] (s[k:k] eq "\n") : 0

thinned = shown_count < series_count ? sprintf('%d of %d shown', shown_count, series_count) : ''

add_note(text) = note eq '' ? text : text eq '' ? note : note.'; '.text

longest = 0
do for [s = 1:series_count] { longest = max(longest, strlen(series[s])) }

# Rows of a key of n names: long ones stand two in a row.
key_lines(n) = longest > 9 ? (n + 1) / 2 : (n + 3) / 4

cols = panel_count > 1 ? 2 : 1
lines = (panel_count + cols - 1) / cols
has_titles = panel_count > 1 || panel[1] ne ''
top = 0.06
bottom = 0.62
gap_y = has_titles ? 0.34 : 0.2
head_of(rows) = top + 0.13 * rows + (has_titles ? 0.15 : 0)
canvas_height(h) = head_of(key_rows) + bottom + lines * h + (lines - 1) * gap_y

terminal_of(h) = format eq 'svg' ? \
    sprintf("svg noenhanced size %d,%d font 'sans,9' linewidth 1 background 'white'", width * 96, h * 96) : \
    format eq 'png' ? \
    sprintf("pngcairo noenhanced size %d,%d font 'sans,7' fontscale 3.6 linewidth 3 pointscale 3 background 'white'", width * 300, h * 300) : \
    sprintf("pdfcairo noenhanced size %fin,%fin font 'sans,7' fontscale 0.9 linewidth 1 pointscale 0.8 background 'white'", width, h)
label_font = panel_count > 1 ? (format eq 'svg' ? ',7' : ',5.4') : ''
small = format eq 'svg' ? ',7' : ',5.4'

foot = ''
footed = "foot = (note eq '' ? '' : wrapped(note).\"\n\").wrapped(footer.(filter eq '' ? '' : ', '.filter)); bottom = bottom + 0.11 * max(0, line_ends(foot) - 1)"
frame(h) = sprintf("eval footed; panel_height = %f; height = canvas_height(%f); eval 'set terminal '.terminal_of(height); set output outfile; ", h, h) \
    ."set label 99 foot at screen 0.01, screen (0.08 + 0.11 * line_ends(foot)) / height font small textcolor rgb '#666666'; " \
    ."set key at screen 0.99, screen 1 - 0.03 / height right top horizontal Left reverse samplen 1 width 1 height 0 maxrows ".max(1, key_rows)." font small; unset key; set xtics font small offset 0,0.35; set ytics font small offset 0.5,0; set offsets graph 0.03, graph 0.03, graph 0.05, graph 0.02; " \
    ."set multiplot"

panel_width_of(n) = (width - left - right - (n - 1) * gap_x) / n
panel_left(i) = left + ((i - 1) % cols) * (panel_width_of(cols) + gap_x)
panel_low(i) = bottom + (lines - 1 - (i - 1) / cols) * (panel_height + gap_y)
is_left(i) = (i - 1) % cols == 0
is_low(i) = i + cols > panel_count
panel(i) = sprintf("set lmargin at screen %f; set rmargin at screen %f; set bmargin at screen %f; set tmargin at screen %f; ", \
    panel_left(i) / width, (panel_left(i) + panel_width_of(cols)) / width, \
    panel_low(i) / height, (panel_low(i) + panel_height) / height) \
    .sprintf("set label 90 panel[%d] at graph 0, graph 1 offset 0, character 0.55 textcolor rgb '#444444' font small; ", i) \
    .(i > 1 ? "unset label 99; " : "") \
    .(is_left(i) ? sprintf("set label 91 ylabel at screen 0.03, screen %f center rotate by 90 font label_font; ", (panel_low(i) + panel_height / 2) / height) : "unset label 91; ") \
    .(is_low(i) ? "set xlabel xlabel offset 0,0.8 font label_font" : "unset xlabel")
# Names of series along an axis (letter) stand under each column, or at the left of each row.
no_tics(letter) = sprintf("set %stics ('' -1e9)", letter)
name_tics(letter, wanted) = no_tics(letter)."; ".(wanted ? sprintf("do for [s = 1:series_count] { set %stics add (series[s] s) }", letter) : '')
names_turned = longest > 12 ? 90 : 30
names_room = names_turned == 90 ? 0.5 + 0.05 * longest : 0.46 + 0.032 * longest
legend = "set key; set lmargin at screen 0; set rmargin at screen 1; set bmargin at screen 0; set tmargin at screen 1; " \
    ."unset border; unset tics; unset grid; unset label; unset xlabel; unset logscale; set offsets 0, 0, 0, 0; " \
    ."set xrange [0:1]; set yrange [0:1]"
close = "unset multiplot; unset output"
