# SPDX-License-Identifier: MIT
# What tests of figures share: the texts of an SVG, and where they stand. Source it after common.sh.
command -v gnuplot >/dev/null || exit 77

# texts FILE: one line per text: x, y, angle, anchor, size, text; in the order of drawing.
texts() {
    awk '/<svg/ { inside = 1 }
        /<g transform="translate\(/ {
            spot = $0
            sub(/.*<g transform="translate\(/, "", spot)
            angle = spot ~ /rotate\(-90/ ? 90 : spot ~ /rotate\(-30/ ? 30 : 0
            split(spot, at, /[,)]/)
            anchor = spot; sub(/.*text-anchor="/, "", anchor); sub(/".*/, "", anchor)
            size = spot; sub(/.*font-size="/, "", size); sub(/".*/, "", size)
        }
        /<text>/ {
            text = $0
            sub(/.*<text>(<tspan[^>]*>)?/, "", text); sub(/(<\/tspan>)?<\/text>.*/, "", text)
            gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&amp;/, "\\&", text)
            printf "%s\t%s\t%s\t%s\t%s\t%s\n", at[1], at[2], angle, anchor, size, text
        }' "$1"
}

# said FILE: the texts alone.
said() {
    texts "$1" | cut -f 6
}

# inside_frame FILE: every text stands within the picture, a letter taken as 0.6 of its size.
inside_frame() {
    local box
    box=$(grep -oE 'viewBox="[^"]*"' "$1" | head -n 1 | tr -dc '0-9. ')
    texts "$1" | awk -F '\t' -v box="$box" '
        BEGIN { split(box, b, " "); wide = b[3]; high = b[4] }
        {
            long = 0.6 * $5 * length($6)
            start = $4 == "end" ? -long : $4 == "middle" ? -long / 2 : 0
            turn = $3 * 3.14159265 / 180
            x0 = $1 + start * cos(turn); x1 = x0 + long * cos(turn)
            y0 = $2 - start * sin(turn); y1 = y0 - long * sin(turn)
            if (x0 < -1 || x1 > wide + 1 || y0 > high + 1 || y0 < -1 || y1 < -1 || y1 > high + 1)
                print "outside: " $6 " from " x0 "," y0 " to " x1 "," y1 " of " wide "," high
        }' >outside
    [ -s outside ] && fail "$1: $(head -c 300 outside)"
    return 0
}

# in_order FILE TEXT...: the texts appear in this order.
in_order() {
    local file=$1 wanted found
    shift
    wanted=$(printf '%s\n' "$@")
    found=$(said "$file" | grep -Fx "$wanted")
    same "$found" "$wanted" "order in $file"
}

# Widths of the letters from blank to ~ in a thousandth of the size: DejaVu Sans, wider than what most readers
# have for "sans-serif".
letter_widths="318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636 636 636
337 337 838 838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787 603 787 695 635 611 732 684 989
685 611 685 390 337 390 838 500 500 613 635 550 635 615 352 635 634 278 278 579 278 974 634 612 635 635 411 521 392 634
592 818 592 592 525 636 337 636 838"

# boxes FILE: one line per text that is not empty: left, top, right, bottom of its box on paper, text.
boxes() {
    texts "$1" | LC_ALL=C awk -F '\t' -v widths="$letter_widths" '
        BEGIN {
            split(widths, w, /[ \n]+/)
            for (c = 32; c < 127; c++) width[sprintf("%c", c)] = w[c - 31] / 1000
        }
        function length_of(text,   i, sum, letter) {
            for (i = 1; i <= length(text); i++) {
                letter = substr(text, i, 1)
                # of a letter of several bytes the first alone counts
                if (letter in width) sum += width[letter]
                else if (letter >= "\300") sum += 0.84
            }
            return sum
        }
        $6 != "" {
            long = length_of($6) * $5
            high = 0.76 * $5; low = 0.24 * $5
            start = $4 == "end" ? -long : $4 == "middle" ? -long / 2 : 0
            if ($3 == 0) print $1 + start "\t" $2 - high "\t" $1 + start + long "\t" $2 + low "\t" $6
            else print $1 - high "\t" $2 - start - long "\t" $1 + low "\t" $2 - start "\t" $6
        }'
}

# well_laid FILE: every text stands within the picture, and none on another (a hundredth of an inch of the box
# at most). What is drawn twice at the same place is one text.
well_laid() {
    local box
    box=$(grep -oE 'viewBox="[^"]*"' "$1" | head -n 1 | tr -dc '0-9. ')
    boxes "$1" | sort -u | awk -F '\t' -v box="$box" '
        BEGIN { split(box, b, " "); wide = b[3]; tall = b[4] }
        {
            n++; x0[n] = $1; y0[n] = $2; x1[n] = $3; y1[n] = $4; text[n] = $5
            if ($1 < -1 || $2 < -1 || $3 > wide + 1 || $4 > tall + 1)
                print "outside: " $5 " (" $1 "," $2 " to " $3 "," $4 " of " wide "," tall ")"
            for (k = 1; k < n; k++)
                if (x0[n] < x1[k] - 1 && x0[k] < x1[n] - 1 && y0[n] < y1[k] - 1 && y0[k] < y1[n] - 1)
                    print "on one another: " text[k] " | " $5 " (" $1 "," $2 ")"
        }' >laid
    [ -s laid ] && fail "$1: $(head -c 600 laid)"
    return 0
}
